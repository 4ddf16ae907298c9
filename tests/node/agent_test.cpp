// The agent with readers that behave badly: each costs itself alone, and is told as what it did.
#include "node/agent.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "node/protocol.hpp"

namespace assay::node {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Emits kEmits[] = {{"os.id", "", "", ""}};

void honest(Host&, Findings& findings) { findings.see({}, "os.id", std::string("debian"), "here"); }
void crashes(Host& host, Findings& findings) {
  honest(host, findings);
  abort();
}
void gives_up(Host&, Findings&) { _exit(7); }
void hangs(Host& host, Findings& findings) {
  honest(host, findings);
  for (;;) std::this_thread::sleep_for(seconds(10));
}
void babbles(Host& host, Findings& findings) {
  for (int i = 0; i < 20; ++i) host.note("a log", std::string(1u << 20, 'x'));
  honest(host, findings);
}

const Reader kHonest{"honest", "", seconds(20), kEmits, honest};
const Reader kCrashes{"crashes", "", seconds(20), kEmits, crashes};
const Reader kGivesUp{"gives-up", "", seconds(20), kEmits, gives_up};
const Reader kHangs{"hangs", "", milliseconds(300), kEmits, hangs};
const Reader kBabbles{"babbles", "", seconds(20), kEmits, babbles};
const std::vector<const Reader*> kAll{&kCrashes, &kGivesUp, &kHangs, &kBabbles, &kHonest};

// All that the agent answers to these lines, until it ends.
std::vector<Message> answers(const std::string& lines) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  EXPECT_EQ(pipe(in.data()), 0);
  EXPECT_EQ(pipe(out.data()), 0);
  const pid_t agent = fork();
  if (agent == 0) {
    close(in[1]);
    close(out[0]);
    _exit(serve(in[0], out[1], kAll));
  }
  close(in[0]);
  close(out[1]);
  EXPECT_TRUE(write_all(in[1], lines));
  close(in[1]);
  std::string said;
  std::array<char, 65536> buffer{};
  for (ssize_t n = 0; (n = read(out[0], buffer.data(), buffer.size())) > 0;)
    said.append(buffer.data(), static_cast<std::size_t>(n));
  close(out[0]);
  int status = -1;
  waitpid(agent, &status, 0);
  EXPECT_EQ(status, 0);
  std::vector<Message> messages;
  for (const std::string_view line : text::lines(said)) {
    auto message = decode(line);
    EXPECT_TRUE(message) << line.substr(0, 200);
    if (message) messages.push_back(std::move(*message));
  }
  return messages;
}

// "reader state detail", in the order told.
std::vector<std::string> ends(const std::vector<Message>& messages) {
  std::vector<std::string> all;
  for (const Message& message : messages)
    if (const auto* done = std::get_if<Done>(&message))
      all.push_back(done->reader + " " + done->state + (done->detail.empty() ? "" : ": " + done->detail));
  return all;
}

std::string asked(int id, const std::string& reader) { return encode(Collect{id, "/", {reader}}) + "\n"; }

template <class Kind>
std::size_t count(const std::vector<Message>& messages) {
  std::size_t found = 0;
  for (const Message& message : messages) found += std::holds_alternative<Kind>(message);
  return found;
}

TEST(Agent, ABadReaderCostsItselfAlone) {
  const auto said = answers(encode(Collect{1, "/", {}}) + "\n");
  const auto told = ends(said);
  EXPECT_EQ(told.size(), kAll.size());
  EXPECT_THAT(told, Contains("crashes crashed: signal 6"));
  EXPECT_THAT(told, Contains("gives-up crashed: exit 7"));
  EXPECT_THAT(told, Contains("hangs timeout: no end in 300 ms"));
  EXPECT_THAT(told, Contains("babbles ok"));
  EXPECT_THAT(told, Contains("honest ok"));
  EXPECT_TRUE(std::holds_alternative<Hello>(said.front()));
  EXPECT_TRUE(std::holds_alternative<Finished>(said.back()));
}

TEST(Agent, WhatWasSeenBeforeAnEndIsKept) {
  for (const char* reader : {"crashes", "hangs"}) EXPECT_EQ(count<Sighting>(answers(asked(1, reader))), 1u) << reader;
}

TEST(Agent, RawOutputIsBoundedAndWhatIsSeenAfterItIsNot) {
  const auto said = answers(asked(1, "babbles"));
  std::size_t bytes = 0;
  for (const Message& message : said)
    if (const auto* raw = std::get_if<Raw>(&message)) bytes += raw->bytes.size();
  EXPECT_EQ(bytes, kMostRaw);
  EXPECT_EQ(count<Sighting>(said), 1u);
}

TEST(Agent, ARequestIsServedOnceAndAFrameForAnotherReadPast) {
  const std::string request = asked(1, "honest");
  const auto said = answers("agent aarch64 9\nbin\nary\n\n" + request + request + "nonsense\n" + asked(2, "gives-up"));
  EXPECT_THAT(ends(said), ElementsAre("honest ok", HasSubstr("gives-up crashed")));
  EXPECT_EQ(count<Finished>(said), 2u);
}

}  // namespace
}  // namespace assay::node

#include "cluster/intake.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "node/reader.hpp"
#include "testing.hpp"

namespace assay::cluster {
namespace {

const node::Vocabulary kVocabulary = node::vocabulary();
const Subject kHost = Subject::parse("cluster/c/node/n1").value();
constexpr auto kHello = R"({"type":"hello","protocol":1,"agent":"0.1.0","arch":"x86_64","uid":0})"
                        "\n";
constexpr auto kDone = R"({"type":"done","reader":"os","state":"ok","detail":""})"
                       "\n";

std::string sighting(const std::string& subject, const std::string& name, const std::string& value) {
  return R"({"type":"observation","reader":"os","time":1,"subject":")" + subject + R"(","name":")" + name +
         R"(","value":)" + value + "}\n";
}

const StepResult* find(const std::vector<StepResult>& steps, const std::string& name) {
  for (const StepResult& step : steps)
    if (step.key.name == name) return &step;
  return nullptr;
}

TEST(Intake, MakesAStepOfWhatAReaderSaid) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello + sighting("", "os.id", R"("debian")") +
              R"({"type":"raw","reader":"os","heading":"file /etc/os-release","text":"ID=debian"})" + "\n" + kDone +
              R"({"type":"finished","id":1})" + "\n");
  EXPECT_EQ(intake.state(), Intake::State::finished);
  const auto steps = intake.take();
  const StepResult* os = find(steps, "os");
  ASSERT_NE(os, nullptr);
  EXPECT_EQ(os->state, StepState::done);
  EXPECT_EQ(os->raw, "== file /etc/os-release\nID=debian\n");
  ASSERT_EQ(os->observations.size(), 1u);
  EXPECT_EQ(os->observations[0].subject, kHost);
  ASSERT_NE(find(steps, "agent"), nullptr);
}

TEST(Intake, AHostSpeaksOfItselfOnly) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello + sighting("cluster/c/node/n2", "os.id", R"("forged")") + sighting("../n2", "os.id", "1") + kDone);
  for (const StepResult& step : intake.take())
    for (const Observation& observation : step.observations) EXPECT_TRUE(observation.subject.within(kHost));
}

TEST(Intake, NamesMustBeDeclaredByTheirReader) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello + sighting("", "agent.answered", "true") + sighting("", "gpu.count", "8") + kDone);
  const auto steps = intake.take();
  EXPECT_TRUE(find(steps, "os")->observations.empty());
}

TEST(Intake, AnEndlessLineCostsItselfAlone) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello);
  const std::string chunk(1 << 20, 'A');
  for (int i = 0; i < 100; ++i) intake.feed(chunk);
  intake.feed("\n" + sighting("", "os.id", R"("debian")") + kDone);
  const auto steps = intake.take();
  ASSERT_NE(find(steps, "os"), nullptr);
  EXPECT_EQ(find(steps, "os")->observations.size(), 1u);
}

TEST(Intake, EndlessBabbleIsRefused) {
  Intake intake(kHost, {"os"}, kVocabulary);
  for (int i = 0; i < 20'000 && intake.state() != Intake::State::refused; ++i) intake.feed("I am not an agent\n");
  EXPECT_EQ(intake.state(), Intake::State::refused);
  intake.end({Absence::missing, "other"});
  const auto steps = intake.take();
  EXPECT_THAT(find(steps, "agent")->detail, ::testing::HasSubstr("mean nothing"));
  EXPECT_THAT(find(steps, "agent")->raw, ::testing::HasSubstr("I am not an agent"));
}

TEST(Intake, AnotherProtocolIsRefusedWithWords) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(R"({"type":"hello","protocol":2,"agent":"9"})"
              "\n");
  EXPECT_EQ(intake.state(), Intake::State::refused);
  EXPECT_THAT(intake.why(), ::testing::HasSubstr("protocol 2"));
}

TEST(Intake, AReaderThatTimedOutLeavesItsReasonForEachName) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello + sighting("", "os.id", R"("debian")") +
              R"({"type":"done","reader":"os","state":"timeout","detail":"no end in 5000 ms"})" + "\n");
  const auto steps = intake.take();
  const StepResult* os = find(steps, "os");
  const auto absent = std::find_if(os->observations.begin(), os->observations.end(),
                                   [](const Observation& o) { return o.name == "kernel.running"; });
  ASSERT_NE(absent, os->observations.end());
  EXPECT_EQ(absent->absent()->reason, Absence::timeout);
}

TEST(Intake, AHostThatDiedLeavesItsStepsToResume) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello + sighting("", "os.id", R"("debian")"));
  intake.end({Absence::missing, "ssh could not reach it"});
  const auto steps = intake.take();
  EXPECT_EQ(find(steps, "os")->state, StepState::failed);
  EXPECT_EQ(find(steps, "agent")->state, StepState::failed);
}

TEST(Intake, NothingIsMissingOnAHostThatNeverAnswered) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.end({Absence::missing, "ssh could not reach it"});
  const auto steps = intake.take();
  for (const Observation& observation : find(steps, "os")->observations)
    EXPECT_EQ(observation.absent()->reason, Absence::timeout) << observation.name;
}

TEST(Intake, WhatGoesPastABoundIsNotTakenForTheWhole) {
  Intake intake(kHost, {"os"}, kVocabulary);
  intake.feed(kHello);
  const std::string line = sighting("", "os.id", R"("debian")");
  for (int i = 0; i <= 100'000; ++i) intake.feed(line);
  intake.feed(kDone);
  const auto steps = intake.take();
  const StepResult* os = find(steps, "os");
  ASSERT_NE(os, nullptr);
  EXPECT_THAT(os->detail, ::testing::HasSubstr("more than 100000 observations"));
  for (const Observation& each : os->observations) {
    ASSERT_NE(each.absent(), nullptr) << each.name;
    EXPECT_EQ(each.absent()->reason, Absence::malformed);
  }
  Intake wordy(kHost, {"os"}, kVocabulary);
  wordy.feed(kHello);
  const std::string raw = R"({"type":"raw","reader":"os","heading":"x","text":")" + std::string(30'000, 'a') + "\"}\n";
  for (int i = 0; i < 600; ++i) wordy.feed(raw);
  wordy.feed(kDone);
  EXPECT_THAT(find(wordy.take(), "os")->detail, ::testing::HasSubstr("bytes of raw output"));
}

RC_GTEST_PROP(Intake, SurvivesAnyBytesInAnyPieces, (const std::vector<std::string>& pieces)) {
  Intake intake(kHost, {"os"}, kVocabulary);
  for (const std::string& piece : pieces) intake.feed(piece);
  intake.end({Absence::missing, "gone"});
  for (const StepResult& step : intake.take())
    for (const Observation& observation : step.observations) RC_ASSERT(observation.subject.within(kHost));
}

}  // namespace
}  // namespace assay::cluster

// What the agent and its master say to each other: JSON lines on stdin and stdout. Version 1.
//
//   agent  → {"type":"hello","protocol":1,"agent":"0.1.0","arch":"x86_64","uid":1000}
//   master → {"type":"collect","id":1,"root":"/","readers":["os","memory"]}      readers absent or empty: all
//   agent  → {"type":"clock","time":…}                        its clock, said the moment the request came
//   agent  → {"type":"raw","reader":"os","heading":"file /etc/os-release","text":"…"}       or "base64"
//   agent  → {"type":"observation","reader":"os","subject":"","name":"os.id","value":"debian","time":…}
//   agent  → {"type":"done","reader":"os","state":"ok"}        state: ok, timeout, crashed; "detail" says more
//   agent  → {"type":"finished","id":1}
//
// A collect with an id already served is not served again: a bootstrap may have to repeat it (see
// cluster/bootstrap.hpp). End of stdin ends the agent. A line is at most kLongestLine bytes; see
// frame.hpp for streams that can't hold that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/observation.hpp"

namespace assay::node {

inline constexpr int kProtocol = 1;
inline constexpr std::size_t kLongestLine = 1u << 20;
// Raw output is sent in pieces of this many bytes before encoding, and cut at kMostRaw for one reader.
inline constexpr std::size_t kRawPiece = 256u << 10;
inline constexpr std::size_t kMostRaw = 8u << 20;

struct Hello {
  int protocol = 0;
  std::string agent;
  std::string arch;
  long uid = -1;
};

// Said by the bootstrap in the agent's stead: the agent isn't here yet. An empty arch: there is no place to put it.
struct Need {
  std::string arch;
};

struct Clock {
  std::int64_t time = 0;  // ns since 1970 UTC
};

struct Raw {
  std::string reader;
  std::string heading;
  std::string bytes;
};

struct Sighting {
  std::string reader;
  Observation observation;
};

struct Done {
  std::string reader;
  std::string state;
  std::string detail;
};

struct Finished {
  int id = 0;
};

using Message = std::variant<Hello, Need, Clock, Raw, Sighting, Done, Finished>;

struct Collect {
  int id = 1;
  std::string root = "/";
  std::vector<std::string> readers;
};

std::string encode(const Message& message);  // one line, without its "\n"
std::string encode(const Collect& request);
Result<Message> decode(std::string_view line);
Result<Collect> decode_request(std::string_view line);

}  // namespace assay::node

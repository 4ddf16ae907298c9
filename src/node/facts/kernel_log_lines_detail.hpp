// Kernel messages out of whatever kept them. Every line is recognized by itself, so that a file of mixed styles is read
// too; times are kept as they were written, since a syslog line has no year to compute with. Read are:
//
//   6,1234,5678901,-;text                            a record of /dev/kmsg (of facility 0: others are written by users)
//   [  117.984502] text                              dmesg; with <6> before it: a console or pstore
//   [  117.984502][ T1234] text                      of a kernel that says which thread or processor spoke
//   [Sun Jan  5 20:25:34 2025] text                  dmesg -T
//   [Jan 5 20:25] text, [  +0.000012] text           dmesg -H
//   kern  :warn  : [  117.984502] text               dmesg -x, before any of the other forms
//   2024-11-15T05:39:15,491363+00:00 text            dmesg --time-format iso
//   2025-01-02T15:20:12+0800 host kernel: text       journalctl -o short-iso, rsyslog
//   Jan  1 23:30:53 host kernel: [   46.675818] text journalctl, syslog; with kern.warn before "kernel", or kernel[0]
//   [   46.675818] host kernel: text                 journalctl -o short-monotonic
//   Thu 2025-01-02 15:20:12 CST host kernel: text    journalctl -o short-full
//   1735689053.123456 host kernel: text              journalctl -o short-unix
//   {"MESSAGE":"text","_TRANSPORT":"kernel",…}       journalctl -o json
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::node::kernel_log {

struct Line {
  std::string when;  // as written; empty if it had no time
  std::string message;
  std::size_t at = 0;  // which line of the text, from 0
};

struct Log {
  std::vector<Line> lines;             // of the last boot that the text holds, oldest first
  std::size_t unread = 0;              // lines in no known form
  std::vector<std::size_t> unread_at;  // the first few of them
  bool from_boot = false;              // it reaches back to the kernel's first message
};

Log parse(std::string_view text);

}  // namespace assay::node::kernel_log

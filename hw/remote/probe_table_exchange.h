// What the parts of the probe table exchange in a cycle; entries are one-hot vectors.
#pragma once
#include <optional>
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// An entry that is found in the table, if there is one.
struct FoundEntry {
  rtl::Expr bits, number, some;
};

// What a scout has found: cores, of which all ones stand for none.
struct ScoutFindings {
  rtl::Expr scout;
  std::vector<rtl::Expr> found;
};

// A probe that is back, of the search that its entry has.
struct ProbeBack {
  rtl::Expr bits, entry, known;
  std::optional<ScoutFindings> findings;  // where there are scouts
};
struct ProbeReturned {
  rtl::Expr bits, less_out;             // of the first level, and the probes still under way
  rtl::Expr end_bits, next_state;       // the last of its level, and what follows
  std::optional<rtl::Expr> candidates;  // known now, where there are scouts
};

// A line that has come, and entries by its sender: a core, or L2.
struct LineHere {
  rtl::Expr bits, entry, data, answer;
};
struct LineArrived {
  rtl::Expr data, entry, data_bits, answer_bits;
};

// The searches by their age, and the search that begins.
struct SearchQueue {
  rtl::Expr empty, old, head, some_waiting, first_waiting;
  rtl::Expr begins, timed_bits;
};
// Wires of the queue that the parts behind it drive.
struct QueueChanges {
  rtl::Expr waits_no_longer, asks, asked;
};

struct LeaderSent {
  rtl::Expr valid, bits, number, sent_bits;
};
struct ListTaken {
  rtl::Expr bits, probes;
};
struct SearchBegun {
  rtl::Expr bits;
  rtl::Expr sequence, sequence_bits;  // entries whose sequence is written
};

// Events of a cycle.
struct TableEvents {
  LineArrived line;
  ProbeReturned returned;
  rtl::Expr timed_bits, asked_bits;
  std::optional<LeaderSent> leader;
  ListTaken listed;
  SearchBegun begun;
};

}  // namespace hw

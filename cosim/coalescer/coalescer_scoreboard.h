// The duties of a coalescer to its lanes, by its ports alone: every byte of every active lane is requested
// once, no other is, and each lane gets the bytes of its own address.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>

#include "cosim/coalescer/coalescer_stimulus.h"

namespace verif {

class CoalescerScoreboard {
 public:
  using Message = golden::Message;
  using Instruction = golden::LaneInstruction;

  // Orders of answers that were seen.
  struct Orders {
    bool out_of_order = false, interleaved = false, early = false;
  };

  explicit CoalescerScoreboard(const hw::CoalescerParams& p) : p_(p) {}

  void reset() { splits_.clear(), waiting_.clear(), asked_.clear(), last_ = 0; }

  // Each of these: the rule that is broken, or nothing.
  std::string taken(const Instruction& i) {
    splits_.push_back({.instruction = i, .number = ++number_, .unserved = i.mask});
    return "";
  }
  std::string requested(const Message& m);
  std::string responded(const Message& m);
  std::string answered(const golden::LaneAnswer& a);

  const Orders& orders() const { return orders_; }

 private:
  struct Split {
    Instruction instruction;
    std::uint64_t number = 0, unserved = 0;
    unsigned sent = 0, degree = 0;
    std::set<unsigned> unanswered = {};
    bool answered_once = false;
  };
  struct Asked {
    std::uint64_t instruction = 0, number = 0;
    unsigned turn = 0;
    bool store = false;
  };

  std::string bytes(const Instruction& i, std::uint64_t lanes, const Message& m) const;

  hw::CoalescerParams p_;
  std::uint64_t number_ = 0, last_ = 0;     // of instructions: taken, and answered last
  std::deque<Split> splits_;                // instructions with requests to come
  std::map<std::uint64_t, Split> waiting_;  // with answers to come, by id
  std::map<std::uint64_t, Asked> asked_;    // requests, by id
  Orders orders_;
};

}  // namespace verif

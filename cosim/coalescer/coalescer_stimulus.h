// The environment of a coalescer: lanes with instructions of every degree, and a cache that answers in any
// order. What the cache answers follows from the address, so that lanes can be checked by it.
#pragma once
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "golden/coalescer/coalescer.h"

namespace verif {

// What the cache has at an address.
inline std::uint64_t word_at(std::uint64_t address) {
  std::uint64_t x = (address / 8 + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}
inline std::uint8_t byte_at(std::uint64_t address) {
  return static_cast<std::uint8_t>(word_at(address) >> address % 8 * 8);
}

struct CoalescerInputs {
  bool rst = false;
  golden::Coalescer::In in = {};
};

class CoalescerStimulus {
 public:
  using Message = golden::Message;
  using Unit = golden::Coalescer;
  using Instruction = golden::LaneInstruction;

  explicit CoalescerStimulus(const hw::CoalescerParams& p) : p_(p) {}

  CoalescerInputs draw(std::mt19937_64& draw);
  // What the unit made of it.
  void edge(const CoalescerInputs& inputs, const Unit::Out& out);

 private:
  void plan();
  std::optional<Instruction> instruction();
  void places(Instruction& i);
  void cache_answers();
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }
  std::uint64_t a_lane() { return std::uint64_t{1} << below(static_cast<unsigned>(p_.lanes)); }

  hw::CoalescerParams p_;
  std::mt19937_64 draw_;
  int left_ = 0;
  bool hoards_ = false;                   // the cache answers nothing until it has all ids
  bool flat_ = false;                     // few requests an instruction
  std::uint64_t base_ = 0;                // of addresses, for a while
  std::set<std::uint64_t> busy_;          // ids of instructions with an answer to come
  std::optional<Instruction> offered_;    // until taken
  std::vector<Message> at_cache_;         // what it has not answered
  std::optional<Message> core_response_;  // until taken
  // Rates in 256ths.
  unsigned lanes_ = 128, answers_taken_ = 128, requests_taken_ = 128, answers_ = 128;
  unsigned in_order_ = 128, stores_ = 64;
};

}  // namespace verif

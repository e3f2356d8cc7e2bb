// A memory on the bus of whole lines behind an adapter: applies what it takes in order, answers loads in any
// order, moves a chunk a cycle, and answers anything in the bytes outside of the request.
#pragma once
#include <queue>
#include <random>
#include <set>
#include <string>

#include "cosim/l1d/l1d_lines.h"
#include "golden/bus/vortex_adapter.h"
#include "hw/bus/vortex_adapter_params.h"

namespace verif {

class BusMemory {
 public:
  // Cycles of latency, and as many more as are drawn below `spread`.
  BusMemory(const hw::VortexAdapterParams& p, L1dLines bytes, int latency, int spread)
      : p_(p), bytes_(std::move(bytes)), latency_(latency), spread_(spread) {}

  bool ready(std::int64_t cycle) const { return free_from_ < cycle + 32; }
  const golden::BusAnswer* offered(std::int64_t cycle) const {
    return answers_.empty() || answers_.top().due > cycle ? nullptr : &answers_.top().answer;
  }
  void taken() {
    open_.erase(answers_.top().answer.tag);
    answers_.pop();
  }
  // What is wrong with a request, if anything.
  std::string accept(const golden::BusRequest& r, std::int64_t cycle) {
    const std::uint64_t address = r.address * static_cast<unsigned>(p_.line_bytes);
    free_from_ = std::max(free_from_, cycle) + chunks(r.byte_enable);
    if (r.rw) {
      if (!r.flush) bytes_.write(address, r.data, r.byte_enable);
      return "";
    }
    if (r.tag >> p_.memory_tag_bits) return "a tag that is too wide";
    if (!open_.insert(r.tag).second) return "a tag that is not free";
    if (!r.flush && r.byte_enable == golden::ByteMask{}) return "a load of no byte";
    Answer a{.due = free_from_ + latency_, .order = count_++, .answer = {.tag = r.tag}};
    if (spread_) a.due += static_cast<std::int64_t>(draw_() % static_cast<unsigned>(spread_));
    const golden::LineData& line = bytes_.at(address);
    for (int w = 0; w < p_.line_bytes / 8; ++w) {
      const auto i = static_cast<std::size_t>(w);
      a.answer.data[i] = line[i] ^ (~enabled_bits(r.byte_enable, w) & 0x5a5a5a5a5a5a5a5a);
    }
    answers_.push(a);
    return "";
  }
  L1dLines& bytes() { return bytes_; }

 private:
  struct Answer {
    std::int64_t due = 0, order = 0;
    golden::BusAnswer answer = {};
    bool operator>(const Answer& o) const { return due != o.due ? due > o.due : order > o.order; }
  };

  int chunks(const golden::ByteMask& enables) const {
    int n = 0;
    for (int w = 0; w < p_.line_bytes / 8; w += p_.chunk_bytes / 8) {
      std::uint64_t any = 0;
      for (int v = 0; v < p_.chunk_bytes / 8; ++v) any |= enabled_bits(enables, w + v);
      n += any != 0;
    }
    return std::max(n, 1);
  }

  hw::VortexAdapterParams p_;
  L1dLines bytes_;
  std::int64_t latency_, spread_, free_from_ = 0, count_ = 0;
  std::priority_queue<Answer, std::vector<Answer>, std::greater<>> answers_;
  std::set<std::uint64_t> open_;  // tags
  std::mt19937_64 draw_{1};
};

}  // namespace verif

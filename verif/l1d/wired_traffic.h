// Random traffic for caches beside which monitors stand: what is better for a while is not so later.
#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// Loads, and a store now and then, of few lines and of many, chunk by chunk and line by line in turn, so that
// every decision of a monitor is the better one for a while. Bytes do not matter here: all are 0.
class WiredTraffic {
 public:
  explicit WiredTraffic(const hw::L1dParams& p) : p_(p) {
    for (std::uint64_t id = 0; id < 32; ++id) free_.push_back(id);
  }

  void reset() { *this = WiredTraffic(p_); }

  // The inputs of the next cycle.
  const golden::L1dIn& draw(std::mt19937_64& draw) {
    if (left_-- == 0) open_phase(draw);
    if (!in_.core_request_valid && !free_.empty() && draw() % 8 != 0) draw_request(draw);
    in_.core_response_ready = draw() % 16 != 0;
    in_.memory_request_ready = draw() % 16 != 0;
    if (!in_.memory_response_valid && !sent_.empty() && sent_.front().due <= now_) {
      in_.memory_response_valid = true;
      in_.memory_response_id = sent_.front().id;
      in_.memory_response_mask = sent_.front().mask;
      in_.memory_response_data = &zeros;
    }
    return in_;
  }

  // What the cache, driven by them, does in this cycle.
  void clock(const golden::L1dOut& out) {
    ++now_;
    if (out.core_request_ready) in_.core_request_valid = false;
    if (in_.core_response_ready && out.core_response_valid) free_.push_back(out.core_response_id);
    if (in_.memory_response_valid && out.memory_response_ready) {
      sent_.erase(sent_.begin());
      in_.memory_response_valid = false;
    }
    if (!out.memory_request_valid || !in_.memory_request_ready) return;
    const bool store = out.memory_request_kind == golden::RequestKind::store;
    sent_.push_back({out.memory_request_id, store ? 0 : out.memory_request_mask, now_ + 12});
  }

 private:
  struct Sent {
    std::uint64_t id;
    std::uint32_t mask;
    std::int64_t due;
  };
  static constexpr golden::LineData zeros{};

  void open_phase(std::mt19937_64& draw) {
    left_ = 500 + static_cast<int>(draw() % 3000);
    first_ = draw() & 0xffff;
    lines_ = std::array{8, 100, 400, 3000}[draw() % 4];
    stride_ = std::uint64_t{1} << draw() % 7;
    whole_ = draw() % 2;
  }

  void draw_request(std::mt19937_64& draw) {
    const auto chunks = static_cast<unsigned>(hw::chunks_of_line(p_));
    chunk_ = whole_ ? (chunk_ + 1) % chunks : 0;
    if (chunk_ == 0) line_ = (line_ + 1 + draw() % 2) % static_cast<unsigned>(lines_);
    const std::uint64_t address = (first_ + line_ * stride_) * static_cast<unsigned>(p_.line_bytes);
    in_.core_request_valid = true;
    in_.core_request_id = free_.back();
    free_.pop_back();
    in_.core_request_kind = draw() % 64 ? golden::RequestKind::load : golden::RequestKind::store;
    in_.core_request_address = address & ((std::uint64_t{1} << p_.address_bits) - 1);
    in_.core_request_mask = 1u << chunk_;
  }

  hw::L1dParams p_;
  golden::L1dIn in_;
  std::vector<std::uint64_t> free_;
  std::vector<Sent> sent_;
  std::int64_t now_ = 0;
  int left_ = 0, lines_ = 1;
  bool whole_ = false;
  std::uint64_t first_ = 0, stride_ = 1, line_ = 0;
  unsigned chunk_ = 0;
};

}  // namespace verif

// What random traffic for split tags needs beyond that for any cache: lines that share the high bits of their
// tags, and loads of the sampler sets that let either mode win.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/l1d/l1d_draw.h"
#include "golden/index/run_time_index.h"
#include "golden/monitors/mode_selector.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dSplitStimulus {
 public:
  L1dSplitStimulus(const hw::L1dParams& p, L1dDraw& draw)
      : params_(p),
        duels_(p.mode.kind == hw::ModeKind::dueling && !p.mode.follow && hw::chunks_of_line(p) > 1) {
    for (std::uint64_t& high : high_) high = draw();
    if (duels_) duels_ = find_samplers(draw);
  }

  // A block; its shared tag is one of few, most of the time.
  std::uint64_t line(const golden::RunTimeIndex& index, L1dDraw& draw) const {
    int low = params_.split.private_tag_bits;
    while (index.tag_of(std::uint64_t{1} << (low - params_.split.private_tag_bits)) == 0) ++low;
    const std::uint64_t any = draw(), mask = ~std::uint64_t{0} << std::min(low, 63);
    const std::uint64_t high = draw() % 8 ? high_[draw() % high_.size()] : any;
    return index.block_of(index.address_of((high & mask) | (any & ~mask)));
  }

  // Sets that must be among those with many lines: a sampler of each mode.
  const std::vector<unsigned>& samplers() const { return samplers_; }

  // True when the phase, `left` cycles long, becomes a duel, which takes longer.
  bool open_phase(L1dDraw& draw, std::int64_t& left) {
    open_ = duels_ && draw() % 16 < 2;
    if (!open_) return false;
    coarse_wins_ = !coarse_wins_;
    left = 2000 + 20 * params_.mode.threshold;
    return true;
  }
  bool may_duel() const { return duels_; }
  bool duels() const { return open_; }

  // Line by line of both sets in turn: one chunk each, or all of them one after the other.
  std::uint64_t next(const std::vector<std::vector<std::uint64_t>>& sets) {
    const std::size_t step = advance();
    const auto& lines = sets[step_ & 1];
    return lines[step % lines.size()];
  }
  // The same under an index that may change: `lines` lines of each set as it is now.
  std::uint64_t next(std::span<const int> sel, std::size_t lines) {
    std::size_t line = advance() % lines;
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < sel.size(); ++i)
      address |= std::uint64_t{samplers_[step_ & 1] >> i & 1} << sel[i];
    const int offset = std::countr_zero(static_cast<unsigned>(params_.line_bytes));
    for (int a = offset; a < params_.address_bits; ++a) {
      if (std::ranges::count(sel, a)) continue;
      address |= std::uint64_t{line & 1} << a;
      line >>= 1;
    }
    return address;
  }
  std::uint32_t mask() const { return 1u << chunk_; }

 private:
  // A sampler of each mode that some address has: a prime index leaves sets empty. False when there is none.
  bool find_samplers(L1dDraw& draw) {
    const golden::RunTimeIndex index(params_.index);
    std::vector<char> reached(static_cast<std::size_t>(hw::sets_of(params_)));
    for (std::size_t n = 0; n < 64 * reached.size(); ++n) reached[index.set_of(index.block_of(draw()))] = 1;
    const golden::ModeSamplers roles(hw::sets_of(params_), params_.mode.fine_sets, params_.mode.coarse_sets);
    for (const auto role : {golden::ModeSamplers::Role::fine, golden::ModeSamplers::Role::coarse})
      for (unsigned s = 0; s < reached.size(); ++s)
        if (reached[s] && roles[s] == role) {
          samplers_.push_back(s);
          break;
        }
    return samplers_.size() == 2;
  }

  std::size_t advance() {
    const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
    const unsigned step = ++step_ / 2;
    chunk_ = coarse_wins_ ? step % chunks : 0;
    return coarse_wins_ ? step / chunks : step;
  }

  const hw::L1dParams params_;
  bool duels_;
  std::vector<unsigned> samplers_;
  std::array<std::uint64_t, 3> high_{};
  bool open_ = false, coarse_wins_ = false;
  unsigned step_ = 0, chunk_ = 0;
};

}  // namespace verif

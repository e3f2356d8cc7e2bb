#include "cosim/units/block_stimulus.h"

#include <fmt/format.h>

#include <bit>

namespace verif {
namespace {
constexpr int exhaustive_bits = 22;
constexpr std::size_t burst_length = 256;
}  // namespace

BlockStimulus::BlockStimulus(const CosimOptions& options, int address_bits, int line_bytes)
    : traces_(options.traces),
      records_(options.traces),
      line_bytes_(line_bytes),
      offset_bits_(std::countr_zero(static_cast<unsigned>(line_bytes))),
      mask_(~std::uint64_t{0} >> (64 - (address_bits - offset_bits_))),
      draw_(options.seed) {
  exhaustive_ =
      traces_.empty() && options.random_cycles == 0 && address_bits - offset_bits_ <= exhaustive_bits;
  if (exhaustive_)
    total_ = static_cast<std::int64_t>(mask_) + 1;
  else if (traces_.empty())
    total_ = options.random_cycles ? options.random_cycles : default_cycles;
}

std::string BlockStimulus::words() const {
  if (exhaustive_) return "exhaustive stimulus";
  if (traces_.empty()) return "random and strided stimulus";
  return traces_.size() == 1 ? "a trace" : fmt::format("{} traces", traces_.size());
}

// Uniform, a power-of-two stride, an odd stride, or a few bits of a base toggled: each from a random base.
void BlockStimulus::burst(std::span<std::uint64_t> out) {
  const std::uint64_t choice = draw_() % 4;
  std::uint64_t block = draw_();
  const std::uint64_t stride =
      choice == 1 ? std::uint64_t{1} << draw_() % std::bit_width(mask_) : draw_() % 1024 | 1;
  for (std::uint64_t& b : out) {
    if (choice == 0) block = draw_();
    b = block & mask_;
    if (choice == 1 || choice == 2) block += stride;
    if (choice == 3) {
      const std::uint64_t kind = draw_() % 32;
      block = kind == 0 ? 0 : kind == 1 ? mask_ : block ^ std::uint64_t{1} << draw_() % std::bit_width(mask_);
    }
  }
}

std::size_t BlockStimulus::fill(std::span<std::uint64_t> out) {
  std::size_t n = 0;
  if (!traces_.empty()) {
    golden::Record record;
    std::vector<std::uint64_t> lines;
    while (n + 64 <= out.size()) {  // a record touches 64 lines at most: 32 lanes, each across a line's end
      if (!records_.next(record)) break;
      golden::coalesce(record, line_bytes_, lines);
      for (const std::uint64_t line : lines) out[n++] = line >> offset_bits_ & mask_;
    }
  } else if (exhaustive_) {
    for (; n < out.size() && done_ + static_cast<std::int64_t>(n) < total_; ++n) out[n] = done_ + n;
  } else {
    const std::size_t left = std::min<std::uint64_t>(out.size(), total_ - done_);
    for (; n < left; n += burst_length) burst(out.subspan(n, std::min(burst_length, left - n)));
    n = left;
  }
  done_ += n;
  return n;
}

}  // namespace verif

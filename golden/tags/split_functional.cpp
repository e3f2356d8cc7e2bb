#include "golden/tags/split_functional.h"

#include <algorithm>
#include <bit>

#include "golden/cache/chunk_count.h"
#include "golden/cache/lfsr.h"
#include "golden/mode/untimed_mode.h"
#include "golden/tags/replacement.h"
#include "golden/tags/split_set.h"

namespace golden {
namespace {

// `Slots` 0: as many as the parameters say.
template <unsigned Slots>
class SplitCore final : public FunctionalL1d {
 public:
  explicit SplitCore(const hw::L1dParams& p)
      : FunctionalL1d(p),
        rules_(p),
        modes_(p),
        line_(~0u >> (32 - hw::chunks_of_line(p))),
        private_bits_(p.split.private_tag_bits),
        mask_scope_(p.store_scope == hw::StoreScope::mask),
        bits_(set_loads_.size()),
        shared_(set_loads_.size() * rules_.groups),
        blocks_(set_loads_.size() * rules_.slots, no_block),
        positions_(blocks_.size()) {}

  void flush() override {
    ++counters_.flushes;
    std::ranges::fill(blocks_, no_block);
    for (SplitBits& bits : bits_) bits.valid = 0;
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (size_t set = 0; set < bits_.size(); ++set) {
      std::vector<std::uint64_t> blocks(&blocks_[set * slots()], &blocks_[set * slots()] + slots());
      std::ranges::sort(blocks);
      blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
      for (const std::uint64_t block : blocks)
        if (block != no_block) lines.push_back(index_.address_of(block));
    }
    return lines;
  }

  bool holds(std::uint64_t address) const override {
    const std::uint64_t block = index_.block_of(address);
    return matching(index_.set_of(block), block) != 0;
  }

  void steer(const Controls& controls) override { modes_.follow(controls["mode_coarse"]); }
  Controls decisions() const override {
    Controls shown;
    if (modes_.decides()) shown["mode_coarse"] = modes_.now();
    return shown;
  }
  const History* mode_history() const override { return modes_.history(); }

 private:
  unsigned slots() const { return Slots ? Slots : rules_.slots; }

  // Slots that hold chunks of the line. An invalid one has no block.
  std::uint64_t matching(std::uint32_t set, std::uint64_t block) const {
    const std::uint64_t* blocks = &blocks_[set * slots()];
    std::uint64_t found = 0;
    for (unsigned s = 0; s < slots(); ++s) found |= std::uint64_t{blocks[s] == block} << s;
    return found;
  }

  void serve(std::span<const Request> requests, Result* results) override {
    serve_in_batches(requests, results,
                     [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
                       serve_batch(batch, blocks, sets, served);
                     });
  }

  void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks, const std::uint32_t* sets,
                   Result* results) {
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& r = requests[i];
      results[i] = by_kind(
          r, [&] { return load(sets[i], blocks[i], r.mask); },
          [&] { change(r.kind, sets[i], blocks[i], r.mask); });
    }
    counters_.accesses += requests.size();
  }

  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    ++set_loads_[set];
    ++counters_.loads;
    const std::uint32_t wanted = modes_.coarse(set) ? line_ : mask;
    std::uint64_t used = 0;
    std::uint32_t had = 0;
    for (std::uint64_t left = matching(set, block); left; left &= left - 1) {
      const auto s = static_cast<unsigned>(std::countr_zero(left));
      const std::uint32_t chunk = 1u << positions_[set * slots() + s];
      if (!(chunk & wanted)) continue;
      had |= chunk;
      used |= std::uint64_t{1} << s;
    }
    const std::uint32_t missed = wanted & ~had;
    if (missed) used |= allocate(set, block, missed, used);
    SplitBits& bits = bits_[set];
    bits.nru |= used;
    if (bits.nru == rules_.all) bits.nru = 0;
    modes_.observe({.set = set, .missed = missed ? chunk_count(missed) : 0}, 0);
    modes_.edge(counters_.loads);
    if (!missed) {
      ++counters_.hits;
      return Result::hit;
    }
    ++counters_.requests_down;
    ++counters_.fills;
    counters_.chunks_requested += chunk_count(missed);
    ++(had ? counters_.partial_misses : counters_.misses);
    return had ? Result::partial_miss : Result::miss;
  }

  // The slots that the missed chunks came to. There are always enough: nothing is on its way.
  std::uint64_t allocate(std::uint32_t set, std::uint64_t block, std::uint32_t missed,
                         std::uint64_t present) {
    SplitBits& bits = bits_[set];
    std::uint64_t* shared = &shared_[set * rules_.groups];
    std::uint64_t* blocks = &blocks_[set * slots()];
    const std::uint64_t tag = private_bits_ < 64 ? index_.tag_of(block) >> private_bits_ : 0;
    const SplitPlaces places =
        rules_.choose(bits, {shared, rules_.groups}, tag, present, chunk_count(missed), lfsr_);
    if (places.draws) lfsr_ = next_lfsr(lfsr_);
    counters_.evicted_chunks += static_cast<unsigned>(std::popcount(places.lost));
    for (std::uint64_t left = places.lost; left; left &= left - 1) blocks[std::countr_zero(left)] = no_block;
    for (std::uint32_t left = places.claimed; left; left &= left - 1) shared[std::countr_zero(left)] = tag;
    for (unsigned i = 0; i < places.count; ++i, missed &= missed - 1) {
      blocks[places.slots[i]] = block;
      positions_[set * slots() + places.slots[i]] = static_cast<std::uint8_t>(std::countr_zero(missed));
    }
    bits.valid = (bits.valid & ~places.lost) | places.taken;
    return places.taken;
  }

  void change(RequestKind kind, std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    std::uint32_t there = 0;
    for (std::uint64_t left = matching(set, block); left; left &= left - 1)
      there |= 1u << positions_[set * slots() + static_cast<unsigned>(std::countr_zero(left))];
    if (only_writes(kind, there, mask)) return;
    bool any = false;
    for (std::uint64_t left = matching(set, block); left; left &= left - 1) {
      const auto s = static_cast<unsigned>(std::countr_zero(left));
      if (mask_scope_ && !(mask >> positions_[set * slots() + s] & 1)) continue;
      any = true;
      blocks_[set * slots() + s] = no_block;
      bits_[set].valid &= ~(left & -left);
    }
    counters_.store_invalidations += any;
  }

  const SplitRules rules_;
  UntimedMode modes_;
  const std::uint32_t line_;
  const int private_bits_;
  const bool mask_scope_;
  std::vector<SplitBits> bits_;        // by set
  std::vector<std::uint64_t> shared_;  // by set and group
  std::vector<std::uint64_t> blocks_;  // by set and slot; no_block: invalid
  std::vector<std::uint8_t> positions_;
  std::uint16_t lfsr_ = lfsr_seed;
};

}  // namespace

std::unique_ptr<FunctionalL1d> make_functional_split(const hw::L1dParams& p) {
  switch (hw::slots_of(p)) {
    case 8:
      return std::make_unique<SplitCore<8>>(p);
    case 16:
      return std::make_unique<SplitCore<16>>(p);
    case 32:
      return std::make_unique<SplitCore<32>>(p);
    default:
      return std::make_unique<SplitCore<0>>(p);
  }
}

}  // namespace golden

#include "golden/tags/split_functional.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "golden/cache/chunk_count.h"
#include "golden/cache/functional_find.h"
#include "golden/cache/lfsr.h"
#include "golden/cache/untimed_mode.h"
#include "golden/tags/split_set.h"

namespace golden {
namespace {

// A slot holds the number of its chunk in memory, a `Key`. `Groups` of a set, each of `GroupSlots` slots, 32
// in all at most; 0: as many as the parameters say.
template <class Key, unsigned Groups, unsigned GroupSlots>
class SplitCore final : public FunctionalL1d {
  static constexpr unsigned fixed_slots = Groups * GroupSlots;
  static constexpr Key no_chunk = ~Key{0};  // the slot is invalid
  static constexpr Key no_tag = ~Key{0};    // the group is empty

  // One bit a slot, as wide as a key, so that the comparison of all keys is a loop of vectors.
  using Slots = std::conditional_t<fixed_slots != 0, Key, std::uint64_t>;
  static constexpr Slots slot(unsigned s) { return Slots{1} << s; }
  static unsigned lowest(Slots slots) { return static_cast<unsigned>(std::countr_zero(slots)); }

 public:
  explicit SplitCore(const hw::L1dParams& p)
      : FunctionalL1d(p),
        rules_(p),
        modes_(p),
        line_(~0u >> (32 - hw::chunks_of_line(p))),
        chunk_bits_(std::countr_zero(static_cast<unsigned>(hw::chunks_of_line(p)))),
        shared_shift_(std::min(63, index_.block_bits() - index_.tag_bits() + p.split.private_tag_bits)),
        mask_scope_(p.store_scope == hw::StoreScope::mask),
        sets_(set_loads_.size()),
        shared_(set_loads_.size() * groups(), no_tag),
        keys_(set_loads_.size() * slots(), no_chunk) {}

  void flush() override {
    ++counters_.flushes;
    std::ranges::fill(keys_, no_chunk);
    std::ranges::fill(shared_, no_tag);
    for (Set& set : sets_) set.valid = 0, set.tag_of_all = no_tag;
  }

  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (std::size_t first = 0; first < keys_.size(); first += slots()) {
      std::vector<Key> blocks;
      for (unsigned s = 0; s < slots(); ++s)
        if (keys_[first + s] != no_chunk) blocks.push_back(keys_[first + s] >> chunk_bits_);
      std::ranges::sort(blocks);
      blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
      for (const Key block : blocks) lines.push_back(index_.address_of(block));
    }
    return lines;
  }

  bool holds(std::uint64_t address) const override {
    const std::uint64_t block = index_.block_of(address);
    return slots_of_line(index_.set_of(block), block) != 0;
  }

  void steer(const Controls& controls) override { modes_.follow(controls["mode_coarse"]); }
  Controls decisions() const override {
    Controls shown;
    if (modes_.decides()) shown["mode_coarse"] = modes_.now();
    return shown;
  }
  const History* mode_history() const override { return modes_.history(); }

 private:
  struct Set {
    Slots valid = 0, nru = 0;
    Key tag_of_all = no_tag;  // that all groups have, where all slots are valid
  };

  unsigned groups() const { return Groups ? Groups : rules_.groups; }
  unsigned group_slots() const { return GroupSlots ? GroupSlots : rules_.group_slots; }
  unsigned slots() const { return fixed_slots ? fixed_slots : rules_.slots; }
  Slots all() const { return static_cast<Slots>(~std::uint64_t{0} >> (64 - slots())); }
  Slots group(unsigned g) const {
    return static_cast<Slots>(~std::uint64_t{0} >> (64 - group_slots())) << (g * group_slots());
  }
  Key key_of(std::uint64_t block, unsigned chunk) const {
    return static_cast<Key>(block << chunk_bits_ | chunk);
  }
  unsigned chunk_in(std::uint32_t set, unsigned s) const {
    return static_cast<unsigned>(keys_[set * slots() + s]) & ((1u << chunk_bits_) - 1);
  }

  template <class Matches>
  Slots slots_where(std::uint32_t set, Matches matches) const {
    const Key* keys = &keys_[set * slots()];
    if constexpr (fixed_slots) return entries_where<fixed_slots>(keys, matches);
    Slots found = 0;
    for (unsigned s = 0; s < slots(); ++s) found |= matches(keys[s]) ? slot(s) : 0;
    return found;
  }
  Slots slot_of_chunk(std::uint32_t set, Key key) const {
    return slots_where(set, [key](Key held) { return held == key; });
  }
  Slots slots_of_line(std::uint32_t set, std::uint64_t block) const {
    return slots_where(set, [first = key_of(block, 0), within = key_of(0, (1u << chunk_bits_) - 1)](
                                Key held) { return (held & ~within) == first; });
  }

  void serve(std::span<const Request> requests, Result* results) override {
    serve_in_batches(requests, results,
                     [&](auto batch, const auto* blocks, const auto* sets, Result* served) {
                       serve_batch(batch, blocks, sets, served);
                     });
  }

  void serve_batch(std::span<const Request> requests, const std::uint64_t* blocks, const std::uint32_t* sets,
                   Result* results) {
    const std::uint64_t loads = counters_.loads, missed = misses();
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& r = requests[i];
      results[i] = by_kind(
          r, [&] { return load(sets[i], blocks[i], r.mask); },
          [&] { change(r.kind, sets[i], blocks[i], r.mask); });
    }
    const std::uint64_t down = misses() - missed;
    counters_.accesses += requests.size();
    counters_.hits += counters_.loads - loads - down;
    counters_.requests_down += down;
    counters_.fills += down;
  }
  std::uint64_t misses() const { return counters_.misses + counters_.partial_misses; }

  Result load(std::uint32_t set, std::uint64_t block, std::uint32_t mask) {
    ++set_loads_[set];
    ++counters_.loads;
    const std::uint32_t wanted = modes_.coarse(set) ? line_ : mask;
    Slots used = 0;
    std::uint32_t had = 0;
    if (wanted && !(wanted & (wanted - 1))) {
      used = slot_of_chunk(set, key_of(block, static_cast<unsigned>(std::countr_zero(wanted))));
      had = used ? wanted : 0;
    } else {
      for (Slots left = slots_of_line(set, block); left; left &= left - 1) {
        const std::uint32_t chunk = 1u << chunk_in(set, lowest(left)) & wanted;
        had |= chunk;
        used |= chunk ? left & -left : 0;
      }
    }
    const std::uint32_t missed = wanted & ~had;
    if (missed) used |= allocate(set, block, missed, used);
    Set& bits = sets_[set];
    const Slots nru = bits.nru | used;
    bits.nru = nru == all() ? 0 : nru;
    if (modes_.decides()) {
      modes_.observe({.set = set, .missed = missed ? chunk_count(missed) : 0}, 0);
      modes_.edge(counters_.loads);
    }
    if (!missed) return Result::hit;
    counters_.chunks_requested += chunk_count(missed);
    ++(had ? counters_.partial_misses : counters_.misses);
    return had ? Result::partial_miss : Result::miss;
  }

  // The slots that the missed chunks came to, without `present`. There are always enough:
  // nothing is on its way.
  Slots allocate(std::uint32_t set, std::uint64_t block, std::uint32_t missed, Slots present) {
    const Key tag = static_cast<Key>(block >> shared_shift_);
    if (sets_[set].tag_of_all != tag) return allocate_in_groups(set, block, missed, present, tag);
    const Slots nru = sets_[set].nru;
    Slots victims = all() & ~present;
    counters_.evicted_chunks += chunk_count(missed);
    do {
      const unsigned s = lowest(first_victim(victims, nru));
      victims &= ~slot(s);
      keys_[set * slots() + s] = key_of(block, static_cast<unsigned>(std::countr_zero(missed)));
    } while (missed &= missed - 1);
    lfsr_ = next_lfsr(lfsr_);
    return all() & ~present & ~victims;
  }

  // The same where some group has another tag or a free slot. First come free slots of groups alike, then
  // empty groups, then used slots from a random one on; behind the first slot of a group that was another's
  // come the others of it.
  [[gnu::noinline]] Slots allocate_in_groups(std::uint32_t set, std::uint64_t block, std::uint32_t missed,
                                             Slots present, Key tag) {
    if (!rules_.draws()) return allocate_by_group(set, block, missed, present, tag);
    const Slots alike = groups_of_tag(set, tag);
    Key* const keys = &keys_[set * slots()];
    Set& bits = sets_[set];
    Slots open = alike & ~bits.valid, empty = empty_groups(bits.valid);
    Slots victims = bits.valid & ~present, lost = 0, taken = 0;
    for (; missed; missed &= missed - 1) {
      if (!open) open = std::exchange(empty, 0);
      const unsigned s = lowest(open ? open : first_victim(victims, bits.nru)), g = s / group_slots();
      if (!open) {
        if (!(alike & slot(s))) open = group(g);
        lost |= slot(s) | (open & bits.valid);
        victims &= ~lost;
      }
      open &= ~slot(s);
      taken |= slot(s);
      shared_[set * groups() + g] = tag;
      keys[s] = key_of(block, static_cast<unsigned>(std::countr_zero(missed)));
    }
    if (lost) {
      lfsr_ = next_lfsr(lfsr_);
      counters_.evicted_chunks += static_cast<unsigned>(std::popcount(lost));
      for (Slots left = lost & ~taken; left; left &= left - 1) keys[lowest(left)] = no_chunk;
    }
    bits.valid = (bits.valid & ~lost) | taken;
    bits.tag_of_all = bits.valid == all() && groups_of_tag(set, tag) == all() ? tag : no_tag;
    return taken;
  }

  Slots groups_of_tag(std::uint32_t set, Key tag) const {
    const Key* shared = &shared_[set * groups()];
    if constexpr (fixed_slots)
      return entries_where<Groups, GroupSlots>(shared, [tag](Key of) { return of == tag; });
    Slots found = 0;
    for (unsigned g = 0; g < groups(); ++g) found |= shared[g] == tag ? group(g) : 0;
    return found;
  }

  Slots empty_groups(Slots valid) const {
    Slots empty = 0;
    for (unsigned g = 0; g < groups(); ++g) empty |= valid & group(g) ? 0 : group(g);
    return empty;
  }

  // The first victim from a random slot on, not used lately if there is one. No branch depends on the draw:
  // none would be predicted.
  Slots first_victim(Slots victims, Slots nru) const {
    const Slots of = or_else(victims & ~nru, victims);
    return or_else(of & static_cast<Slots>(~std::uint64_t{0} << lfsr_ % slots()), of);
  }
  static Slots or_else(Slots some, Slots others) { return some | (others & -Slots{!some}); }

  [[gnu::noinline]] Slots allocate_by_group(std::uint32_t set, std::uint64_t block, std::uint32_t missed,
                                            Slots present, Key tag) {
    Set& bits = sets_[set];
    Key* const shared = &shared_[set * groups()];
    Key* const keys = &keys_[set * slots()];
    std::array<std::uint64_t, 16> tags;
    std::copy_n(shared, groups(), tags.begin());
    const SplitPlaces places = rules_.choose({.valid = bits.valid, .nru = bits.nru}, {tags.data(), groups()},
                                             tag, present, chunk_count(missed), lfsr_);
    counters_.evicted_chunks += static_cast<unsigned>(std::popcount(places.lost));
    for (std::uint64_t left = places.lost; left; left &= left - 1) keys[std::countr_zero(left)] = no_chunk;
    for (std::uint32_t left = places.claimed; left; left &= left - 1) shared[std::countr_zero(left)] = tag;
    for (unsigned i = 0; i < places.count; ++i, missed &= missed - 1)
      keys[places.slots[i]] = key_of(block, static_cast<unsigned>(std::countr_zero(missed)));
    bits.valid = static_cast<Slots>((bits.valid & ~places.lost) | places.taken);
    return static_cast<Slots>(places.taken);
  }

  [[gnu::noinline]] void change(RequestKind kind, std::uint32_t set, std::uint64_t block,
                                std::uint32_t mask) {
    const Slots line = slots_of_line(set, block);
    std::uint32_t there = 0;
    for (Slots left = line; left; left &= left - 1) there |= 1u << chunk_in(set, lowest(left));
    if (only_writes(kind, there, mask)) return;
    Slots& valid = sets_[set].valid;
    const Slots before = valid;
    for (Slots left = line; left; left &= left - 1) {
      const unsigned s = lowest(left), g = s / group_slots();
      if (mask_scope_ && !(mask >> chunk_in(set, s) & 1)) continue;
      keys_[set * slots() + s] = no_chunk;
      valid &= ~slot(s);
      if (!(valid & group(g))) shared_[set * groups() + g] = no_tag;
    }
    if (valid == before) return;
    sets_[set].tag_of_all = no_tag;
    ++counters_.store_invalidations;
  }

  const SplitRules rules_;
  UntimedMode modes_;
  const std::uint32_t line_;
  const int chunk_bits_;
  const int shared_shift_;  // bits of a block address below its shared tag
  const bool mask_scope_;
  std::vector<Set> sets_;
  std::vector<Key> shared_;  // by set and group
  std::vector<Key> keys_;    // by set and slot
  std::uint16_t lfsr_ = lfsr_seed;
};

template <class Key>
std::unique_ptr<FunctionalL1d> make_split(const hw::L1dParams& p) {
  if (hw::chunks_of_group(p) == 4) {
    if (p.split.groups == 2) return std::make_unique<SplitCore<Key, 2, 4>>(p);
    if (p.split.groups == 4) return std::make_unique<SplitCore<Key, 4, 4>>(p);
    if (p.split.groups == 8) return std::make_unique<SplitCore<Key, 8, 4>>(p);
  }
  return std::make_unique<SplitCore<Key, 0, 0>>(p);
}

}  // namespace

std::unique_ptr<FunctionalL1d> make_functional_split(const hw::L1dParams& p) {
  const int key_bits = p.address_bits - std::countr_zero(static_cast<unsigned>(p.chunk_bytes));
  return key_bits < 32 ? make_split<std::uint32_t>(p) : make_split<std::uint64_t>(p);
}

}  // namespace golden

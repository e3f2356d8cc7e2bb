// Lines for phases of random traffic in which all that an L1 data cache has comes into use: each bit of its
// comparators, each MSHR entry with all its targets, each way of each set.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "cosim/l1d/close_lines.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/stored_tags.h"
#include "cosim/l1d/tag_traffic.h"
#include "golden/cache/adaptive.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class FillingStimulus {
 public:
  // `ids`: requests in flight at most.
  FillingStimulus(const hw::L1dParams& p, unsigned ids)
      : params_(p),
        lines_(p.index),
        asked_(hw::traits_of(p.tags).filters ? std::max(1, p.reuse.threshold) : 1),
        lines_of_cache_(static_cast<int>(lines_.sets_with_lines()) * whole_lines_of_set(p)),
        entries_(static_cast<unsigned>(std::min({p.mshr_entries, static_cast<int>(ids), lines_of_cache_}))),
        chains_in_sets_(lines_.bits() > lines_.tag_bits() && entries_ >= 32 && hw::sets_of(p) >= 32),
        tried_bits_(static_cast<std::size_t>(p.mshr_entries)),
        tried_tag_bits_(tags_of_set(p)),
        made_full_(static_cast<std::size_t>(p.mshr_entries)),
        poisoned_(made_full_) {}

  // A pair of lines of one set that differ in one tag bit, for each tag bit; lines that are each one bit of
  // the tag from the one before, and in every other phase of caches with many sets one bit of tag or set;
  // lines one bit from the lines on their way; loads that wait for each other's lines; or all lines, one
  // after the other.
  enum class Aim { tags, chain, entries, targets, sweep };

  // Entries and tags are aimed at by the state of the model.
  void aim_at(const golden::CycleL1d& cache) { cache_ = &cache; }
  bool is_aimed() const { return cache_; }
  Aim open(L1dDraw& draw) {
    static constexpr Aim aims[] = {Aim::entries, Aim::targets, Aim::tags,    Aim::targets, Aim::entries,
                                   Aim::chain,   Aim::tags,    Aim::entries, Aim::targets, Aim::tags,
                                   Aim::entries, Aim::targets, Aim::chain,   Aim::tags,    Aim::sweep};
    aim_ = aims[next_aim_++ % std::size(aims)];
    chains_ += aim_ == Aim::chain;
    const auto& index = lines_.index();
    first_ = center_ = index.block_of(index.address_of(draw()));
    const auto second = lines_.block_of(~index.tag_of(first_) & tag_mask(), index.set_of(first_));
    second_ = second.value_or(first_);
    asked_for_.clear();
    filling_up_.clear();
    holds_up_ = draw() % 4 == 0;
    stays_ = 0;
    stores_ = false;
    return aim_;
  }

  // All entries are in use: a flush reaches each.
  bool is_full() const { return aim_ == Aim::entries && cache_->mshrs().in_use().test(entries_ - 1); }

  // Loads until a line gets data.
  int asked() const { return asked_; }
  // In use at once at most.
  int entries() const { return static_cast<int>(entries_); }
  int lines_of_cache() const { return lines_of_cache_; }

  // An entry that has got all its targets: its line may come, so that others get their ids.
  std::optional<unsigned> full_entry() {
    std::optional<unsigned> full;
    const auto& mshrs = cache_->mshrs();
    std::erase_if(filling_up_, [&](AskedFor& line) {
      for (unsigned e = 0; e < mshrs.entries(); ++e) {
        if (!mshrs.in_use().test(e) || mshrs[e].block != line.block) continue;
        if (!full && mshrs[e].count == mshrs.merges()) full = e;
        return full == e;
      }
      return ++line.looks > 16;  // it got none, or has left it
    });
    return full;
  }

  // The next request is a store: it poisons the entry of those before, or takes none.
  bool stores() const { return stores_; }
  std::uint64_t address(L1dDraw& draw) {
    const std::uint64_t block = aim_ == Aim::tags      ? near_a_tag(draw)
                                : aim_ == Aim::chain   ? near_the_last()
                                : aim_ == Aim::entries ? near_an_entry(draw)
                                : aim_ == Aim::targets ? merged(draw)
                                                       : sweep(draw);
    return lines_.index().address_of(block);
  }

 private:
  struct AskedFor {
    std::uint64_t block;
    int looks;
  };

  std::uint64_t tag_mask() const { return ~std::uint64_t{0} >> (64 - lines_.tag_bits()); }

  // Loads bring lines that are close to each other into a set, and stores, which bring none, are compared
  // with one of its tags after the other.
  std::uint64_t near_a_tag(L1dDraw& draw) {
    const bool store = stores_;
    stores_ = draw() % 4 != 0;
    if (!store) return near_one_of_two(draw);
    const unsigned set = cache_->set_of(lines_.index().address_of(center_));
    for (std::size_t tries = 0; tries < tried_tag_bits_.size(); ++tries) {
      next_tag_ = next_tag_ + 1 < tried_tag_bits_.size() ? next_tag_ + 1 : 0;
      const auto tag = stored_tag(*cache_, params_, lines_.index(), set, next_tag_);
      const auto block = tag ? lines_.block_of(*tag, set) : std::nullopt;
      if (!block) continue;
      if (const auto other = close_to(*block, lines_.tag_bits(), tried_tag_bits_[next_tag_])) return *other;
    }
    return lines_.index().block_of(draw());
  }

  std::uint64_t near_one_of_two(L1dDraw& draw) {
    if (stays_-- == 0) {
      center_ = center_ == first_ ? second_ : first_;
      stays_ = static_cast<int>((2 + draw() % 2) * lines_.tag_bits());  // each bit of the tag
    }
    if (draw() % 2) return center_;
    next_tag_bit_ = next_tag_bit_ + 1 < lines_.tag_bits() ? next_tag_bit_ + 1 : 0;
    if (const auto other = lines_.other(center_, next_tag_bit_)) return *other;
    // Under a prime index not each line has such another: the next bit is the same, beside one that has.
    if (const auto beside = lines_.beside(center_, next_tag_bit_, draw())) {
      center_ = *beside;
      next_tag_bit_ = (next_tag_bit_ ? next_tag_bit_ : lines_.tag_bits()) - 1;
    }
    return center_;
  }

  // The line requested in the cycle before may come while the next one waits for a way of its set.
  std::uint64_t near_the_last() {
    unsigned& next = chains_in_sets_ ? next_bit_ : next_tag_bit_;
    const unsigned bits = chains_in_sets_ && chains_ % 2 == 0 ? lines_.bits() : lines_.tag_bits();
    next = next + 1 < bits ? next + 1 : 0;
    return center_ = lines_.other(center_, next).value_or(center_);
  }

  // Any line of the next set: entries are all in use only where no set waits for more lines than it has ways.
  std::uint64_t of_next_set(L1dDraw& draw) {
    const auto& index = lines_.index();
    std::uint64_t block = index.block_of(draw());
    const unsigned set = next_set_++ % static_cast<unsigned>(hw::sets_of(params_));
    const auto* const moving = cache_->monitor<golden::AdaptiveIndex>();
    if (!moving) return lines_.block_of(index.tag_of(block), set).value_or(block);
    for (unsigned i = 0; const int a : moving->sel()) {
      const std::uint64_t bit = index.block_of(std::uint64_t{1} << a);
      block = set >> i++ & 1 ? block | bit : block & ~bit;
    }
    return block;
  }

  // Under a prime index not each line has another at one bit's distance: one that has, of a bit that the
  // entry was not yet compared in.
  std::uint64_t fresh(L1dDraw& draw) {
    if (params_.index.kind != hw::IndexKind::pri) return of_next_set(draw);
    const auto& in_use = cache_->mshrs().in_use();
    unsigned entry = 0;
    while (entry + 1 < entries_ && in_use.test(entry)) ++entry;
    std::uint64_t block = 0;
    for (int tries = 0; tries < 8; ++tries) {
      block = of_next_set(draw);
      for (unsigned bit = 0; bit < lines_.bits(); ++bit)
        if (!(tried_bits_[entry] >> bit & 1) && lines_.other(block, bit)) return block;
    }
    return block;
  }

  // A line that differs from this one in one of the first `bits`: each in turn that has such a line.
  std::optional<std::uint64_t> close_to(std::uint64_t block, unsigned bits, std::uint64_t& tried) const {
    if (tried == ~std::uint64_t{0} >> (64 - bits)) tried = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      if (tried >> bit & 1) continue;
      const auto other = lines_.other(block, bit);
      if (!other) continue;
      tried |= std::uint64_t{1} << bit;
      return other;
    }
    return {};
  }

  // Stores take no entry, so that many lookups meet those in use.
  std::uint64_t near_an_entry(L1dDraw& draw) {
    const bool store = stores_;
    stores_ = stays_ <= 1 && (draw() % 2 || (!holds_up_ && all_in_use()));
    if (!store) {
      if (stays_-- == 0) ask_for(fresh(draw)), stays_ = asked_ - 1;
      return center_;
    }
    const golden::MshrFile::Entry* entry = next_pending();
    if (!entry) return lines_.index().block_of(draw());
    if (draw() % (poisoned_[next_entry_] ? 16 : 4) == 0) {
      poisoned_[next_entry_] = true;
      return entry->block;
    }
    if (const auto other = close_to(entry->block, lines_.bits(), tried_bits_[next_entry_])) return *other;
    if (draw() % 64 == 0) tried_bits_[next_entry_] = 0;
    return lines_.index().block_of(draw());
  }

  // One entry after the other whose line is on its way; with `mergeable_alone`, one with a free target, and
  // not made full before others.
  const golden::MshrFile::Entry* next_pending(bool mergeable_alone = false) {
    const auto& mshrs = cache_->mshrs();
    for (unsigned tries = 0; tries < mshrs.entries(); ++tries) {
      next_entry_ = next_entry_ + 1 < mshrs.entries() ? next_entry_ + 1 : 0;
      const auto& entry = mshrs[next_entry_];
      if (!mshrs.in_use().test(next_entry_) || !entry.pending || entry.flushed) continue;
      if (!mergeable_alone) return &entry;
      if (entry.poisoned || entry.count >= mshrs.merges() || made_full_[next_entry_]) continue;
      made_full_[next_entry_] = true;
      return &entry;
    }
    if (mergeable_alone) std::fill(made_full_.begin(), made_full_.end(), false);
    return nullptr;
  }

  // Once all entries are in use, or are when the requested lines get there, one after the other gets as many
  // loads as may wait for its line; some lines are stored to then.
  std::uint64_t merged(L1dDraw& draw) {
    if (stays_-- == 0) {
      const golden::MshrFile::Entry* entry = all_in_use() ? next_pending(true) : nullptr;
      if (entry)
        center_ = entry->block;
      else
        ask_for(fresh(draw));
      ends_in_store_ = draw() % (holds_up_ ? 2 : 8) == 0;
      loads_behind_ = holds_up_ && ends_in_store_ && draw() % 2;
      const int merges = params_.mshr_merges;
      const int loads = entry             ? merges - static_cast<int>(entry->count)
                        : draw() % 8 == 0 ? merges + asked_ - 1
                                          : asked_;
      if (entry || loads > asked_) filling_up_.push_back({center_, 0});
      const bool too_many = holds_up_ && draw() % 4 == 0;
      stays_ = loads - 1 + too_many + ends_in_store_ + loads_behind_;
    }
    stores_ = ends_in_store_ && stays_ == 1 + loads_behind_;
    return center_;
  }

  void ask_for(std::uint64_t block) {
    center_ = block;
    asked_for_.push_back({block, 0});
  }
  // Now, or when the requested lines get there; a line that gets no entry is forgotten.
  bool all_in_use() {
    const auto& mshrs = cache_->mshrs();
    std::erase_if(asked_for_, [&](AskedFor& line) {
      bool done = ++line.looks > 8;
      for (unsigned e = 0; e < mshrs.entries() && !done; ++e)
        done = mshrs.in_use().test(e) && mshrs[e].block == line.block;
      return done;
    });
    auto count = static_cast<unsigned>(asked_for_.size());
    for (unsigned e = 0; e < mshrs.entries(); ++e) count += mshrs.in_use().test(e);
    return count >= entries_;
  }

  // Lines side by side reach all sets; of an index that moves nobody knows which do.
  std::uint64_t sweep(L1dDraw& draw) {
    if (params_.index.kind == hw::IndexKind::adi) return lines_.index().block_of(draw());
    if (stays_-- == 0) ++swept_, stays_ = asked_ - 1;
    return lines_.index().block_of(lines_.index().address_of(swept_));
  }

  const hw::L1dParams params_;
  const CloseLines lines_;
  const int asked_, lines_of_cache_;
  const unsigned entries_;     // in use at once at most
  const bool chains_in_sets_;  // of few sets a random line is close to another one in any case
  const golden::CycleL1d* cache_ = nullptr;
  Aim aim_ = Aim::sweep;
  std::uint64_t first_ = 0, second_ = 0, center_ = 0, swept_ = 0;
  int stays_ = 0;
  bool ends_in_store_ = false, loads_behind_ = false, stores_ = false;
  bool holds_up_ = false;  // some requests wait for a line or an entry, and all others behind them
  std::vector<AskedFor> asked_for_, filling_up_;
  unsigned next_set_ = 0, next_aim_ = 0, next_tag_bit_ = 0, next_bit_ = 0, chains_ = 0, next_tag_ = 0,
           next_entry_ = 0;
  // By MSHR entry, and by tag of a set: bits in which it was compared.
  std::vector<std::uint64_t> tried_bits_, tried_tag_bits_;
  std::vector<bool> made_full_, poisoned_;  // by MSHR entry
};

}  // namespace verif

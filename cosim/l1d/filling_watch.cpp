#include "cosim/l1d/filling_watch.h"

#include <algorithm>
#include <bit>

#include "cosim/l1d/stored_tags.h"
#include "cosim/l1d/tag_traffic.h"
#include "golden/cache/adaptive.h"
#include "golden/tags/split_tags.h"

namespace verif {
namespace {

using golden::RequestKind;

std::uint64_t mask_of(unsigned bits) { return bits ? ~std::uint64_t{0} >> (64 - bits) : 0; }

// Of a way's decoupled tags no more are in use at once than a line has chunks, and one that takes the last.
std::size_t tags_in_use(const hw::L1dParams& p, std::size_t tags) {
  if (p.tags != hw::TagKind::decoupled) return tags;
  return static_cast<std::size_t>(p.ways * std::min(p.decoupled.tags_per_way, hw::chunks_of_line(p) + 1));
}

}  // namespace

bool L1dFillingWatch::Words::toggled(std::size_t count) const {
  return std::ranges::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count),
                             [&](const Word& w) { return !(~(w.zeros & w.ones) & mask_of(bits)); });
}

bool L1dFillingWatch::Words::alone(std::size_t count, std::uint64_t but) const {
  return std::ranges::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count),
                             [&](const Word& w) { return !(~(w.alone | but) & mask_of(bits)); });
}

L1dFillingWatch::L1dFillingWatch(const hw::L1dParams& p)
    : params_(p),
      lines_(p.index),
      in_ways_(p.tags != hw::TagKind::split),
      entries_(static_cast<std::size_t>(p.mshr_entries)) {
  const bool split = p.tags == hw::TagKind::split;
  const unsigned low =
      split ? std::min(static_cast<unsigned>(p.split.private_tag_bits), lines_.tag_bits()) : 0;
  entry_words_ = {lines_.bits(), std::vector<Word>(entries_.size())};
  tags_ = {lines_.tag_bits() - low,
           std::vector<Word>(split ? static_cast<std::size_t>(p.split.groups) : tags_of_set(p))};
  private_ = {low, std::vector<Word>(split ? static_cast<std::size_t>(hw::slots_of(p)) : 0)};
  rows_ = {static_cast<unsigned>(lines_.index().block_bits()),
           std::vector<Word>(static_cast<std::size_t>(p.miss_queue))};
  filled_.resize(static_cast<std::size_t>(hw::sets_of(p) * (in_ways_ ? p.ways : 1)));
}

void L1dFillingWatch::reset() { next_row_ = 0; }

void L1dFillingWatch::before(const golden::L1dIn& in, const golden::L1dOut& out,
                             const golden::CycleL1d& golden, unsigned filled) {
  if (out.memory_request_valid && in.memory_request_ready) {
    rows_.words[next_row_].store(lines_.index().block_of(out.memory_request_address));
    next_row_ = next_row_ + 1 < rows_.words.size() ? next_row_ + 1 : 0;
  }
  if (filled != ~0u)
    if (const auto entry = golden.entry(filled); !entry.poisoned && !entry.flushed) {
      const auto ways = static_cast<unsigned>(in_ways_ ? params_.ways : 1);
      ++filled_[entry.set * ways + (in_ways_ ? entry.way % ways : 0)];
    }
}

// The lookup that has just left: of the lines that it found, it changed its own alone.
void L1dFillingWatch::look_up(const golden::CycleL1d& golden) {
  const golden::ProbeEvent* event = golden.last_event();
  if (!event || event->kind == RequestKind::non_l1) return;
  if (!entries_done_) compare_entries(event->block, golden);
  if (!tags_done_) {
    if (params_.tags == hw::TagKind::split)
      compare_slots(event->block, golden);
    else
      compare_tags(event->block, golden);
  }
  if (++lookups_ % 4096) return;
  entries_done_ = entry_words_.alone(entries_.size());
  tags_done_ = tags_.alone(tags_.words.size()) && tags_.toggled(tags_.words.size()) &&
               private_.alone(private_.words.size()) && private_.toggled(private_.words.size());
}

void L1dFillingWatch::compare_entries(std::uint64_t block, const golden::CycleL1d& golden) {
  const golden::MshrFile& mshrs = golden.mshrs();
  const auto& index = lines_.index();
  const unsigned set = golden.last_probe().set;
  const bool sets_compared = lines_.bits() > lines_.tag_bits();
  for (unsigned e = mshrs.in_use().first_from(0); e != golden::no_entry;) {
    const golden::MshrFile::Entry& entry = mshrs[e];
    const std::uint64_t tags = index.tag_of(entry.block ^ block);
    if (!entry.flushed)
      if (const auto bit = CloseLines::only_bit(tags, sets_compared ? entry.set ^ set : 0, lines_.tag_bits()))
        entry_words_.words[e].alone |= std::uint64_t{1} << *bit;
    if (++e == mshrs.entries()) break;
    e = mshrs.in_use().first_from(e);
  }
}

void L1dFillingWatch::compare(Words& tags, std::size_t number, std::uint64_t stored, std::uint64_t asked) {
  Word& word = tags.words[number];
  word.store(stored);
  if (std::has_single_bit(stored ^ asked)) word.alone |= stored ^ asked;
}

void L1dFillingWatch::compare_tags(std::uint64_t block, const golden::CycleL1d& golden) {
  const auto& index = lines_.index();
  const unsigned set = golden.last_probe().set;
  const std::uint64_t asked = index.tag_of(block);
  for (unsigned t = 0; t < tags_.words.size(); ++t) {
    if (const auto tag = stored_tag(golden, params_, index, set, t)) compare(tags_, t, *tag, asked);
  }
}

// Both parts of the tag are compared at once.
void L1dFillingWatch::compare_slots(std::uint64_t block, const golden::CycleL1d& golden) {
  const auto& tags = static_cast<const golden::SplitTags&>(golden.tags());
  const unsigned set = golden.last_probe().set;
  const std::uint64_t asked = lines_.index().tag_of(block), low = asked & mask_of(private_.bits),
                      shared = private_.bits < 64 ? asked >> private_.bits : 0;
  for (std::uint64_t left = tags.bits(set).valid; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(std::countr_zero(left));
    const auto slot = tags.slot(set, s);
    if (slot.low == low) compare(tags_, s / tags.rules().group_slots, slot.shared, shared);
    if (slot.shared == shared) compare(private_, s, slot.low, low);
  }
}

void L1dFillingWatch::behind(const golden::CycleL1d& golden) {
  const golden::MshrFile& mshrs = golden.mshrs();
  if (golden.events().flushes)
    for (unsigned e = 0; e < entries_.size(); ++e)
      entries_[e].flushed += mshrs.in_use().test(e) && mshrs[e].flushed;
  const auto& probe = golden.last_probe();
  look_up(golden);
  if (!probe.occupied || !probe.fired || probe.entry == golden::no_entry) return;
  const golden::MshrFile::Entry& entry = mshrs[probe.entry];
  Entry& seen = entries_[probe.entry];
  if (probe.kind == RequestKind::load) {
    seen.full += entry.count == mshrs.merges();
    if (entry.count != 1) return;
    ++seen.allocated;
    entry_words_.words[probe.entry].store(lines_.index().tag_of(entry.block) | std::uint64_t{entry.set}
                                                                                   << lines_.tag_bits() % 64);
  } else if (probe.kind == RequestKind::store || probe.kind == RequestKind::atomic) {
    seen.poisoned += entry.poisoned;
  }
}

void L1dFillingWatch::goals(Goals& seen, const golden::CycleL1d& golden, unsigned ids) const {
  const std::size_t lines = lines_.sets_with_lines() * static_cast<std::size_t>(whole_lines_of_set(params_));
  // An entry is taken when those below are in use: each for another line, and by another request.
  const std::size_t count = std::min({entries_.size(), std::size_t{ids}, lines});
  const auto least = [&](std::int64_t Entry::*times, std::size_t entries) {
    std::int64_t fewest = INT64_MAX;
    for (std::size_t e = 0; e < entries; ++e) fewest = std::min(fewest, entries_[e].*times);
    return fewest;
  };
  seen["each MSHR entry allocated"] = least(&Entry::allocated, count);
  seen["each MSHR entry poisoned"] = least(&Entry::poisoned, count);
  seen["each MSHR entry flushed"] = least(&Entry::flushed, count);
  seen["each address bit of each MSHR entry 0 and 1"] = entry_words_.toggled(count);
  // The last entry is looked at by a request beside those in the entries.
  const std::size_t compared = std::min(count, std::size_t{ids} - 1);
  if (compared) seen["each comparator bit of each MSHR entry alone"] = entry_words_.alone(compared);
  // Its targets are as many requests more.
  const auto targets = static_cast<std::size_t>(params_.mshr_merges);
  if (ids >= targets) {
    const std::size_t full = std::min(count, ids - targets + 1);
    seen["each MSHR entry full of targets"] = least(&Entry::full, full);
  }
  seen["each address bit of each miss-queue row 0 and 1"] = rows_.toggled(rows_.words.size());
  const std::size_t tags = tags_in_use(params_, tags_.words.size());
  seen["each tag bit of each way 0 and 1"] = tags_.toggled(tags) && private_.toggled(private_.words.size());
  // Tags under an index that moves are whole blocks, and differ within a set in bits that do not choose it.
  std::uint64_t choosing = 0;
  if (const auto* index = golden.monitor<golden::AdaptiveIndex>())
    for (const int a : index->sel()) choosing |= lines_.index().block_of(std::uint64_t{1} << a);
  seen["each tag bit of each way alone"] =
      tags_.alone(tags, choosing >> private_.bits) && private_.alone(private_.words.size(), choosing);
  const auto per_set = filled_.size() / static_cast<std::size_t>(hw::sets_of(params_));
  std::int64_t fewest = INT64_MAX;
  for (std::size_t i = 0; i < lines_.sets_with_lines() * per_set; ++i) fewest = std::min(fewest, filled_[i]);
  seen[in_ways_ ? "each way of each set filled" : "each set filled"] = fewest;
}

}  // namespace verif

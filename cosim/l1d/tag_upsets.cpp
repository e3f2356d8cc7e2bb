#include "cosim/l1d/tag_upsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace verif {
namespace {

constexpr unsigned tag_upset_once_in = 8;

// Of RAM n of the array; where tags share ways the RAMs are numbered by way.
std::string ram_name(const hw::L1dParams& p, const golden::TagArray& array, unsigned n) {
  if (array.name == "selectors") return "tags.selectors";
  if (array.name == "slot_tags") return fmt::format("tags.slot{}", n);
  if (array.name == "shared_tags") return fmt::format("tags.shared{}", n);
  if (p.tags == hw::TagKind::decoupled) {
    const auto ways = static_cast<unsigned>(p.ways), tags = static_cast<unsigned>(p.decoupled.tags_per_way);
    n = n % ways * tags + n / ways;
  }
  return fmt::format("tags.{}{}", hw::traits_of(p.tags).keeps_way ? "way_row" : "entry_row", n);
}

}  // namespace

DrawnLine drawn_line(const hw::L1dParams& params, const golden::CycleL1d& golden, L1dDraw& draw) {
  const auto any = [&](int count) { return static_cast<unsigned>(draw() % static_cast<unsigned>(count)); };
  DrawnLine at{.set = any(hw::sets_of(params)), .way = any(params.ways)};
  const auto entry = golden.entry(any(params.mshr_entries));
  if (entry.in_use && draw() % 2) at = {entry.set, entry.way, true};
  return at;
}

TagUpsets::TagUpsets(const hw::L1dParams& params, hw::Protection protection, bool checked,
                     const SeenState& seen, golden::CycleL1d& golden, L1dDraw& draw)
    : params_(params), protection_(protection), checked_(checked), golden_(golden), draw_(draw) {
  for (const golden::TagArray& shape : golden.tags().tag_arrays()) {
    if (!shape.rams) continue;
    Array array{.number = static_cast<unsigned>(&shape - golden.tags().tag_arrays().data()), .shape = shape};
    for (unsigned n = 0; n < shape.rams; ++n) {
      const std::string name = ram_name(params, shape, n);
      const auto found = std::ranges::find(seen.rams(), name, &SeenRam::name);
      if (found == seen.rams().end()) throw std::runtime_error(name + " cannot be reached");
      array.rams.push_back(&*found);
    }
    array.fates.open.resize(static_cast<std::size_t>(hw::sets_of(params)) * shape.rams * shape.words);
    arrays_.push_back(std::move(array));
  }
}

// Which entry of a reuse filter a way has is not seen.
golden::TagWord TagUpsets::chosen(const Array& array) {
  const DrawnLine line = drawn_line(params_, golden_, draw_);
  golden::TagWord at{.array = array.number, .set = line.set, .ram = line.way};
  const bool known =
      params_.tags == hw::TagKind::decoupled
          ? line.of_entry && array.number == 0
          : !hw::traits_of(params_.tags).in_slots && array.shape.rams == static_cast<unsigned>(params_.ways);
  if (!known) at.ram = any(array.shape.rams);
  if (array.shape.words > 1) at.word = any(array.shape.words);
  return at;
}

// A word with an upset gets no second one: a code promises nothing beyond.
void TagUpsets::upset(Array& array) {
  const golden::TagWord at = chosen(array);
  if (!golden_.tags().is_clean_tag(at)) return;
  const golden::Secded& code = *array.shape.code;
  const UpsetKind kind = drawn_kind(protection_, draw_);
  const auto width = static_cast<unsigned>(code.data_bits()),
             check = static_cast<unsigned>(code.check_bits());
  const golden::CodeWord bits = drawn_flips(code, width + (checked_ ? check : 0), kind, draw_);
  std::vector<unsigned> of_row;
  for (unsigned b = 0; b < width; ++b)
    if (bits.data >> b & 1) of_row.push_back(at.word * width + b);
  // The last word may be shorter in the RAM.
  if (std::ranges::any_of(of_row, [&](unsigned b) { return b >= array.shape.row_bits; })) return;
  for (unsigned b = 0; b < check; ++b)
    if (bits.check >> b & 1) of_row.push_back(array.shape.row_bits + at.word * check + b);
  if (!checked_ && golden_.would_meet(at, bits)) return;
  ++array.fates.upsets[static_cast<std::size_t>(kind)];
  array.fates.open[number(array, at)] = true;
  golden_.flip_tag(at, bits);
  array.rams[at.ram]->flip(at.set, of_row);
}

std::size_t TagUpsets::number(const Array& array, const golden::TagWord& at) const {
  return (static_cast<std::size_t>(at.set) * array.shape.rams + at.ram) * array.shape.words + at.word;
}

void TagUpsets::cycle() {
  for (Array& array : arrays_)
    if (draw_() % tag_upset_once_in == 0) upset(array);
}

// Words that a request has seen, and for which something goes.
void TagUpsets::settle(Array& array, unsigned set, std::uint64_t rams) {
  for (unsigned n = 0; n < array.shape.rams; ++n)
    for (unsigned w = 0; (rams >> n & 1) && w < array.shape.words; ++w) {
      const std::size_t at = number(array, {.array = array.number, .set = set, .ram = n, .word = w});
      if (!array.fates.open[at]) continue;
      array.fates.open[at] = false;
      ++array.fates.refetched;
    }
}

void TagUpsets::watch() {
  const golden::TagsSeen seen = golden_.wrong_tags();
  for (Array& array : arrays_) {
    settle(array, seen.set, seen.wrong[array.number]);
    array.alike += seen.alike[array.number];
  }
  events_[emptied] += std::popcount(seen.emptied);
  events_[emptied_own] += seen.own;
  events_[kept_by_entry] += seen.of_entry;
  events_[beside_store] += seen.emptied && seen.store;
  events_[waits] += golden_.tags_wait();
}

void TagUpsets::add_goals(Goals& goals) const {
  goals["line whose tag is wrong"] = events_[emptied];
  goals["request for a line whose tag is wrong"] = events_[emptied_own];
  for (const Array& array : arrays_) {
    const bool beside = array.shape.name == "selectors" || array.shape.name == "shared_tags";
    goals[beside
              ? fmt::format("request that would find another line without the check of {}", array.shape.name)
              : "request that would find another line without the check of tags"] = array.alike;
  }
  goals["request for a line of an MSHR entry whose tag is wrong"] = events_[kept_by_entry];
  goals["store to a set with a wrong tag"] = events_[beside_store];
  if (golden_.tags().tags_may_wait())
    goals["request that waits for an MSHR entry, since a tag is wrong"] = events_[waits];
}

void TagUpsets::add_lines(std::vector<std::string>& lines) const {
  for (const Array& array : arrays_)
    lines.push_back(
        fmt::format("upsets of {}: {}; {} lines emptied, {} requests that would find another "
                    "line without the check",
                    array.shape.name, array.fates.kinds(), events_[emptied], array.alike));
}

bool TagUpsets::is_at_work() const { return golden_.wrong_tags().emptied || golden_.tags_wait(); }

void TagUpsets::blame() {
  const golden::TagsSeen seen = golden_.wrong_tags();
  const auto guilty =
      std::ranges::find_if(arrays_, [&](const Array& array) { return seen.wrong[array.number] != 0; });
  (guilty == arrays_.end() ? arrays_.back() : *guilty).fates.silent = 1;
}

// Without checks it is not known which array a wrong answer is of.
std::vector<std::string> TagUpsets::json(std::int64_t wrong_answers) const {
  std::vector<std::string> all;
  UpsetFates together;
  for (const Array& array : arrays_) {
    if (checked_) all.push_back(array.fates.json(std::string(array.shape.name), array.alike));
    for (unsigned kind = 0; kind < upset_kinds; ++kind) together.upsets[kind] += array.fates.upsets[kind];
  }
  if (!checked_)
    all.push_back(together.begin_json("tags") + fmt::format(", \"wrong_loads\": {}}}", wrong_answers));
  return all;
}

}  // namespace verif

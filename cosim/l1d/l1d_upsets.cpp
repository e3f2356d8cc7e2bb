#include "cosim/l1d/l1d_upsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace verif {
namespace {

constexpr unsigned once_in_cycles = 8;

}  // namespace

L1dUpsets::L1dUpsets(const hw::L1dParams& params, const SeenState& seen, golden::CycleL1d& golden,
                     std::uint64_t seed)
    : params_(params), golden_(golden), draw_(seed ^ 0x75707365) {
  for (int way = 0; way < params.ways; ++way)
    for (int chunk = 0; chunk < hw::chunks_of_line(params); ++chunk) {
      const std::string name = fmt::format("data_store.banks{}.bank{}", chunk, way);
      const auto bank = std::ranges::find(seen.rams(), name, &SeenRam::name);
      if (bank == seen.rams().end()) throw std::runtime_error(name + " cannot be reached");
      banks_.push_back(&*bank);
    }
}

// A line that an MSHR entry owns, which is read soon, or any.
L1dUpsets::Word L1dUpsets::chosen() {
  const auto any = [&](int count) { return static_cast<unsigned>(draw_() % static_cast<unsigned>(count)); };
  Word at{.set = any(hw::sets_of(params_)),
          .way = any(params_.ways),
          .chunk = any(hw::chunks_of_line(params_)),
          .word = any(8 * params_.chunk_bytes / params_.ecc.data_bits)};
  const auto entry = golden_.entry(any(params_.mshr_entries));
  if (entry.in_use && draw_() % 2) {
    at.set = entry.set;
    at.way = entry.way;
  }
  return at;
}

golden::CodeWord L1dUpsets::flips(Kind kind) {
  const golden::Secded& code = golden_.protected_data()->code();
  const auto bits = static_cast<unsigned>(code.bits());
  const auto first = static_cast<unsigned>(draw_() % bits);
  golden::CodeWord flipped = code.one_bit(static_cast<int>(first));
  if (kind == one) return flipped;
  const auto beyond = kind == two_adjacent ? 1 : static_cast<unsigned>(1 + draw_() % (bits - 1));
  return flipped ^ code.one_bit(static_cast<int>((first + beyond) % bits));
}

void L1dUpsets::flip(const Word& at, const golden::CodeWord& bits) {
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
  golden_.flip(at.set, at.way * chunks + at.chunk, at.word, bits);
  const golden::Secded& code = golden_.protected_data()->code();
  const unsigned data_bits = static_cast<unsigned>(code.data_bits()),
                 check_bits = static_cast<unsigned>(code.check_bits()),
                 above = 8 * static_cast<unsigned>(params_.chunk_bytes);
  std::vector<unsigned> of_row;
  for (unsigned b = 0; b < data_bits; ++b)
    if (bits.data >> b & 1) of_row.push_back(at.word * data_bits + b);
  for (unsigned b = 0; b < check_bits; ++b)
    if (bits.check >> b & 1) of_row.push_back(above + at.word * check_bits + b);
  banks_[at.way * chunks + at.chunk]->flip(at.set, of_row);
}

// A word with an upset gets no second one: a code promises nothing beyond.
void L1dUpsets::cycle() {
  if (draw_() % once_in_cycles) return;
  const Word at = chosen();
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
  if (!golden_.is_clean(at.set, at.way * chunks + at.chunk, at.word)) return;
  const bool parity = params_.ecc.data == hw::Protection::parity;
  const auto kind = parity ? one : static_cast<Kind>(draw_() % kinds);
  ++upsets_[kind];
  flip(at, flips(kind));
}

void L1dUpsets::watch(const golden::L1dOut& out, L1dBooks& books, const L1dSeen& seen) {
  const golden::Recovery& recovery = *golden_.recovery();
  corrected_ += out.ecc_corrected;
  refetched_ += out.ecc_refetched;
  uncorrectable_ += out.ecc_uncorrectable;
  events_[slow_read] += recovery.slow();
  if (recovery.has_next()) events_[line_stays] += recovery.next().stays;
  if (!recovery.found_wrong()) return;
  ++wrong_;
  wrong_loads_ += books.is_wrong(seen);
  ++events_[recovery.checked().replayed ? wrong_replay : wrong_hit];
  events_[wrong_twice] += recovery.has_next();
}

Goals L1dUpsets::goals() const {
  Goals goals;
  goals["load whose data would be wrong without the check"] = wrong_loads_;
  goals["hit with wrong data"] = events_[wrong_hit];
  goals["waiting load with wrong data"] = events_[wrong_replay];
  goals["wrong data in two reads that follow each other"] = events_[wrong_twice];
  goals["wrong data in a line of an MSHR entry"] = events_[line_stays];
  goals["load with wrong data that fetches again"] = refetched_;
  goals["load with wrong data behind which a store came"] = uncorrectable_;
  if (params_.ecc.data == hw::Protection::parity) return goals;
  goals["load with corrected data"] = corrected_;
  return goals;
}

std::vector<std::string> L1dUpsets::lines() const {
  return {fmt::format(
      "upsets: {} of one bit, {} of two adjacent, {} of two anywhere; {} wrong reads, {} of them wrong loads "
      "without the check; {} corrected, {} fetched again, {} uncorrectable",
      upsets_[one], upsets_[two_adjacent], upsets_[two_anywhere], wrong_, wrong_loads_, corrected_,
      refetched_, uncorrectable_)};
}

}  // namespace verif

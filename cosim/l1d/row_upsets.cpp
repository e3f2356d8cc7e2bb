#include "cosim/l1d/row_upsets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace verif {
namespace {

using RowArray = golden::CycleL1d::RowArray;

constexpr unsigned row_upset_once_in = 8, beyond_correction_once_in = 8;
constexpr int window_bits = 13;  // of cycles: with upsets in every other one

struct ArrayNames {
  RowArray which;
  const char *name, *ram;
};
constexpr std::array names{ArrayNames{RowArray::targets, "targets", "mshr.targets.targets"},
                           ArrayNames{RowArray::waiting_lines, "waiting_lines", "mshr.targets.lines"},
                           ArrayNames{RowArray::queued_requests, "queued_requests", "miss_queue.requests"},
                           ArrayNames{RowArray::queued_payloads, "queued_payloads", "miss_queue.payloads"}};

bool is_of_queue(RowArray which) {
  return which == RowArray::queued_requests || which == RowArray::queued_payloads;
}

}  // namespace

RowUpsets::RowUpsets(const hw::L1dParams& params, const SeenState& seen, golden::CycleL1d& golden,
                     std::uint64_t seed)
    : params_(params), golden_(golden), draw_(seed ^ 0x726f7773) {
  for (const auto& [which, name, ram] : names) {
    golden::ProtectedRows* const rows = golden.rows_of(which);
    if (!rows) continue;
    const auto found = std::ranges::find(seen.rams(), ram, &SeenRam::name);
    if (found == seen.rams().end()) throw std::runtime_error(std::string(ram) + " cannot be reached");
    arrays_.push_back({.which = which, .name = name, .rows = *rows, .ram = *found});
    arrays_.back().fates.open.resize(std::size_t{rows->rows()} * rows->words());
  }
}

bool RowUpsets::is_at_work(const Array& array) const {
  return golden_.shows_row(array.which) && (array.rows.corrected() || array.rows.wrong());
}

// Of an entry in use, which is read soon, or any.
unsigned RowUpsets::chosen_row(const Array& array) {
  const auto any = static_cast<unsigned>(draw_() % array.rows.rows());
  if (array.which != RowArray::targets && array.which != RowArray::waiting_lines) return any;
  const auto e = static_cast<unsigned>(draw_() % static_cast<unsigned>(params_.mshr_entries));
  const auto entry = golden_.entry(e);
  if (!entry.in_use || draw_() % 2) return any;
  if (array.which == RowArray::waiting_lines) return e;
  const auto merges = static_cast<unsigned>(params_.mshr_merges);
  const auto waiting = static_cast<unsigned>(draw_() % std::max(entry.count, 1u));
  return e << std::bit_width(merges - 1) | (entry.head + waiting) % merges;
}

// A word with an upset gets no second one: a code promises nothing beyond.
void RowUpsets::upset(Array& array) {
  const golden::Secded& code = array.rows.code();
  const bool parity = params_.ecc.mshr == hw::Protection::parity;
  const auto kind = parity ? UpsetKind::one : static_cast<UpsetKind>(draw_() % upset_kinds);
  if ((parity || kind != UpsetKind::one) && draw_() % beyond_correction_once_in != 0) return;
  const unsigned row = chosen_row(array), word = static_cast<unsigned>(draw_() % array.rows.words());
  if (!array.rows.is_clean(row, word)) return;
  const auto width = static_cast<unsigned>(code.data_bits()),
             check = static_cast<unsigned>(code.check_bits());
  // The last word may be shorter in the RAM.
  const golden::CodeWord bits = drawn_flips(code, width + check, kind, draw_);
  std::vector<unsigned> of_row;
  for (unsigned b = 0; b < width; ++b)
    if (bits.data >> b & 1) of_row.push_back(word * width + b);
  if (std::ranges::any_of(of_row, [&](unsigned b) { return b >= array.rows.row_bits(); })) return;
  for (unsigned b = 0; b < check; ++b)
    if (bits.check >> b & 1) of_row.push_back(array.rows.row_bits() + word * check + b);
  ++array.fates.upsets[static_cast<std::size_t>(kind)];
  array.fates.open[std::size_t{row} * array.rows.words() + word] = true;
  array.rows.flip(row, word, bits);
  array.ram.flip(row, of_row);
}

void RowUpsets::cycle() {
  if (++cycles_ >> window_bits & 1) return;
  for (Array& array : arrays_)
    if (draw_() % row_upset_once_in == 0) upset(array);
}

// Words of the row that is looked at: those with an upset have had their effect.
void RowUpsets::settle(Array& array) {
  for (unsigned w = 0; w < array.rows.words(); ++w) {
    const golden::CodeWord& read = array.rows.word_read(w);
    const std::size_t n = std::size_t{array.rows.row_read()} * array.rows.words() + w;
    if (read == golden::CodeWord{} || !array.fates.open[n]) continue;
    array.fates.open[n] = false;
    array.wrong_without_check += read.data != 0;
    ++(array.rows.code().decode(read).corrected ? array.fates.corrected : array.fates.detected);
  }
}

void RowUpsets::watch() {
  for (Array& array : arrays_) {
    array.at_work = is_at_work(array);
    if (array.at_work) settle(array);
  }
}

void RowUpsets::add_goals(Goals& goals) const {
  for (const Array& array : arrays_) {
    if (params_.ecc.mshr == hw::Protection::secded)
      goals["row of " + array.name + " that was corrected"] = array.fates.corrected;
    goals["row of " + array.name + " that stays"] = array.fates.detected;
    goals["row of " + array.name + " that would be wrong without the check"] = array.wrong_without_check;
  }
}

void RowUpsets::add_lines(std::vector<std::string>& lines) const {
  for (const Array& array : arrays_)
    lines.push_back(fmt::format("upsets of {}: {}; {} corrected, {} uncorrectable", array.name,
                                array.fates.kinds(), array.fates.corrected, array.fates.detected));
}

// A queued request is seen in the cycle in which its row is looked at, its payload in two of the outputs. The
// response to a waiting load comes a cycle later.
void RowUpsets::blame(const std::string& port) {
  const bool in_payload =
      port.starts_with("memory_request_data") || port.starts_with("memory_request_byte_enable");
  const auto guilty = std::ranges::find_if(arrays_, [&](const Array& a) {
    if (in_payload != (a.which == RowArray::queued_payloads) && port.starts_with("memory_request"))
      return false;
    return is_at_work(a) || (a.at_work && !is_of_queue(a.which));
  });
  if (guilty != arrays_.end()) guilty->fates.silent = 1;
}

std::vector<std::string> RowUpsets::json() const {
  std::vector<std::string> all;
  for (const Array& array : arrays_) all.push_back(array.fates.json(array.name, array.wrong_without_check));
  return all;
}

}  // namespace verif

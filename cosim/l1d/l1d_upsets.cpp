#include "cosim/l1d/l1d_upsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>

namespace verif {
namespace {

constexpr unsigned once_in_cycles = 8;

}  // namespace

L1dUpsets::L1dUpsets(const hw::L1dParams& params, const hw::EccParams& ecc, const SeenState& seen,
                     golden::CycleL1d& golden, std::uint64_t seed)
    : params_(params), ecc_(ecc), checked_(ecc == params.ecc), golden_(golden), draw_(seed ^ 0x75707365) {
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params));
  const auto slots = static_cast<unsigned>(hw::bytes_of_set(params) / params.chunk_bytes);
  data_fates_.open.resize(static_cast<std::size_t>(hw::sets_of(params)) * slots * words_of_slot());
  const auto ram = [&](const std::string& name) {
    const auto found = std::ranges::find(seen.rams(), name, &SeenRam::name);
    if (found == seen.rams().end()) throw std::runtime_error(name + " cannot be reached");
    return &*found;
  };
  const bool in_slots = hw::traits_of(params.tags).in_slots;
  for (unsigned slot = 0; hw::protects_data(ecc) && slot < slots; ++slot)
    banks_.push_back(ram(in_slots ? fmt::format("data_store.bank{}", slot)
                                  : fmt::format("data_store.banks{}.bank{}", slot % chunks, slot / chunks)));
  if (hw::protects_tags(ecc)) tags_.emplace(params, ecc.tags, checked_, seen, golden, draw_);
  if (hw::protects_mshr(ecc)) rows_.emplace(params, seen, golden, seed);
}

unsigned L1dUpsets::words_of_slot() const {
  return static_cast<unsigned>(8 * params_.chunk_bytes / ecc_.data_bits);
}

// Of a line that an MSHR entry owns, which is read soon, or any.
L1dUpsets::Word L1dUpsets::chosen_word() {
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
  const DrawnLine line = drawn_line(params_, golden_, draw_);
  const unsigned chunk = any(static_cast<int>(chunks)), word = any(static_cast<int>(words_of_slot()));
  const unsigned way = line.way % static_cast<unsigned>(params_.ways);  // of several tags of a way
  if (!hw::traits_of(params_.tags).in_slots) return {line.set, way * chunks + chunk, word};
  return {line.set, any(static_cast<int>(banks_.size())), word};
}

void L1dUpsets::flip(const Word& at, const golden::CodeWord& bits) {
  golden_.flip(at.set, at.slot, at.word, bits);
  const golden::Secded& code = golden_.protected_data()->code();
  const unsigned data_bits = static_cast<unsigned>(code.data_bits()),
                 check_bits = static_cast<unsigned>(code.check_bits());
  unsigned data_at = at.word * data_bits,
           check_at = 8 * static_cast<unsigned>(params_.chunk_bytes) + at.word * check_bits;
  if (checked_ &&
      params_.store_policy == hw::StorePolicyKind::update) {  // each word is a byte, below its check bits
    data_at = at.word * (data_bits + check_bits);
    check_at = data_at + data_bits;
  }
  std::vector<unsigned> of_row;
  for (unsigned b = 0; b < data_bits; ++b)
    if (bits.data >> b & 1) of_row.push_back(data_at + b);
  for (unsigned b = 0; b < check_bits; ++b)
    if (bits.check >> b & 1) of_row.push_back(check_at + b);
  banks_[at.slot]->flip(at.set, of_row);
}

// A word with an upset gets no second one: a code promises nothing beyond.
void L1dUpsets::upset_data() {
  const Word at = chosen_word();
  if (!golden_.is_clean(at.set, at.slot, at.word)) return;
  const UpsetKind kind = drawn_kind(ecc_.data, draw_);
  ++data_fates_.upsets[static_cast<std::size_t>(kind)];
  data_fates_.open[number(at)] = true;
  const golden::Secded& code = golden_.protected_data()->code();
  const auto bits = static_cast<unsigned>(checked_ ? code.bits() : code.data_bits());
  flip(at, drawn_flips(code, bits, kind, draw_));
}

std::size_t L1dUpsets::number(const Word& at) const {
  return (static_cast<std::size_t>(at.set) * banks_.size() + at.slot) * words_of_slot() + at.word;
}

// The load has read these words: those with an upset have had their effect.
void L1dUpsets::settle(const golden::Recovery::Load& load, std::int64_t UpsetFates::*fate) {
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
  for (unsigned c = 0; c < chunks; ++c)
    for (unsigned w = 0; (load.mask >> c & 1) && w < words_of_slot(); ++w) {
      const unsigned slot = load.slots[c];
      const std::size_t n = number({load.set, slot, w});
      if (!data_fates_.open[n] || golden_.is_clean(load.set, slot, w)) continue;
      data_fates_.open[n] = false;
      ++(data_fates_.*fate);
    }
}

void L1dUpsets::cycle() {
  if (!banks_.empty() && draw_() % once_in_cycles == 0) upset_data();
  if (tags_) tags_->cycle();
  if (rows_) rows_->cycle();
}

void L1dUpsets::watch(const golden::L1dOut& out, const std::function<bool()>& is_wrong) {
  refetched_ += out.ecc_refetched;
  if (!banks_.empty()) watch_data(out, is_wrong);
  if (tags_) tags_->watch();
  if (rows_) rows_->watch();
}

void L1dUpsets::watch_data(const golden::L1dOut& out, const std::function<bool()>& is_wrong) {
  const golden::Recovery& recovery = *golden_.recovery();
  corrected_ += recovery.corrected();
  uncorrectable_ += out.ecc_uncorrectable && recovery.fetches() && recovery.first().late &&
                    out.ecc_uncorrectable_id == recovery.first().id;
  if (recovery.corrected()) settle(recovery.first(), &UpsetFates::corrected);
  if (recovery.fetches())
    settle(recovery.first(), recovery.first().late ? &UpsetFates::detected : &UpsetFates::refetched);
  events_[slow_read] += recovery.slow();
  events_[wrong_snoop] += recovery.has_snooped_wrong();
  if (recovery.has_next()) events_[line_stays] += recovery.next().stays;
  if (!recovery.found_wrong()) return;
  ++wrong_;
  wrong_loads_ += is_wrong && is_wrong();
  ++events_[recovery.checked().replayed ? wrong_replay : wrong_hit];
  events_[wrong_twice] += recovery.has_next();
}

Goals L1dUpsets::goals() const {
  Goals goals;
  if (rows_) rows_->add_goals(goals);
  if (tags_) tags_->add_goals(goals);
  if (banks_.empty()) return goals;
  goals["load whose data would be wrong without the check"] = wrong_loads_;
  goals["hit with wrong data"] = events_[wrong_hit];
  if (params_.snoops) goals["snoop of a line with wrong data"] = events_[wrong_snoop];
  goals["waiting load with wrong data"] = events_[wrong_replay];
  goals["wrong data in two reads that follow each other"] = events_[wrong_twice];
  goals["wrong data in a line of an MSHR entry"] = events_[line_stays];
  goals["load with wrong data that fetches again"] = refetched_;
  goals["load with wrong data behind which a store came"] = uncorrectable_;
  if (ecc_.data == hw::Protection::parity) return goals;
  goals["load with corrected data"] = corrected_;
  return goals;
}

std::vector<std::string> L1dUpsets::lines() const {
  std::vector<std::string> lines;
  if (!banks_.empty())
    lines.push_back(
        fmt::format("upsets: {}; {} wrong reads, {} of them wrong loads without the check; {} "
                    "corrected, {} fetched again, {} uncorrectable",
                    data_fates_.kinds(), wrong_, wrong_loads_, corrected_, refetched_, uncorrectable_));
  if (tags_) tags_->add_lines(lines);
  if (rows_) rows_->add_lines(lines);
  return lines;
}

// The array whose upset is met in this cycle, else the one whose upsets are at work.
void L1dUpsets::blame(const std::string& port) {
  const golden::Recovery* const recovery = banks_.empty() ? nullptr : golden_.recovery();
  if (recovery && (recovery->found_wrong() || recovery->beyond()))
    data_fates_.silent = 1;
  else if (tags_ && tags_->is_at_work())
    tags_->blame();
  else if (recovery && recovery->waits())
    data_fates_.silent = 1;
  else if (rows_)
    rows_->blame(port);
}

// A silent upset ends a run: there are none in one that passed.
std::string L1dUpsets::json(std::int64_t wrong_answers) const {
  std::vector<std::string> arrays;
  if (!banks_.empty())
    arrays.push_back(checked_ ? data_fates_.json("data", wrong_loads_)
                              : data_fates_.begin_json("data") +
                                    fmt::format(", \"wrong_loads\": {}}}", wrong_answers));
  if (tags_) std::ranges::move(tags_->json(wrong_answers), std::back_inserter(arrays));
  if (rows_) std::ranges::move(rows_->json(), std::back_inserter(arrays));
  std::string text;
  for (const std::string& array : arrays) text += (text.empty() ? "" : ", ") + array;
  return "[" + text + "]";
}

}  // namespace verif

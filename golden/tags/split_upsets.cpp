// Flipped bits of split tags, and what requests read of them (docs/contracts/l1d-ecc.md, "Tags").
#include <bit>
#include <tuple>

#include "golden/tags/split_tags.h"

namespace golden {

// A row of a slot has the position of its chunk below its private tag.
void SplitTags::meet_upsets(const hw::L1dParams& p, const hw::EccParams& ecc) {
  checked_ = hw::protects_tags(p.ecc);
  const auto sets = static_cast<unsigned>(bits_.size());
  tag_arrays_.clear();
  const auto add = [&](const char* name, std::optional<ProtectedRows>& rows, unsigned bits, unsigned rams) {
    // A row of no bits takes no upset.
    rows.emplace(ecc.tags, std::max(1u, bits), sets * rams);
    tag_arrays_.push_back({.name = name, .rams = bits ? rams : 0, .row_bits = bits, .code = &rows->code()});
  };
  add("slot_tags", slot_rows_, static_cast<unsigned>(private_bits_ + state_bits(chunks_)), rules_.slots);
  add("shared_tags", shared_rows_, static_cast<unsigned>(index_.tag_bits() - private_bits_), rules_.groups);
}

unsigned SplitTags::row_of(const TagWord& at) const {
  return at.set * (at.array == 0 ? rules_.slots : rules_.groups) + at.ram;
}

// What a RAM has beside the model; where nobody looks, the model has it too.
CodeWord SplitTags::flips_of(const std::optional<ProtectedRows>& rows, unsigned row) const {
  return is_checked() ? rows->flips(row, 0) : CodeWord{};
}

// The tags of the set are read as the request enters the compare stage.
void SplitTags::compare(unsigned set) {
  if (!is_checked()) return;
  compared_ = {.set = set};
  const auto wrong = [](const std::optional<ProtectedRows>& rows, unsigned row) {
    const Secded::Checked checked = rows->code().decode(rows->flips(row, 0));
    return std::uint64_t{checked.corrected || checked.uncorrectable};
  };
  for (unsigned s = 0; s < rules_.slots; ++s)
    compared_.slots |= wrong(slot_rows_, set * rules_.slots + s) << s;
  for (unsigned g = 0; g < rules_.groups; ++g)
    compared_.groups |= wrong(shared_rows_, set * rules_.groups + g) << g;
}

void SplitTags::enter(unsigned) { probed_ = compared_; }

// A group in which nothing is left takes the tag again. The request in the compare stage knows of what is
// written behind its read.
void SplitTags::write_rows(unsigned set, std::uint64_t occupied) {
  std::uint32_t groups = plan_.claimed;
  for (unsigned g = 0; g < rules_.groups; ++g)
    if ((plan_.taken & rules_.group(g)) && !(occupied & rules_.group(g))) groups |= 1u << g;
  for (std::uint64_t left = plan_.taken; left; left &= left - 1)
    slot_rows_->write(set * rules_.slots + static_cast<unsigned>(std::countr_zero(left)));
  for (std::uint32_t left = groups; left; left &= left - 1)
    shared_rows_->write(set * rules_.groups + static_cast<unsigned>(std::countr_zero(left)));
  if (compared_.set != set) return;
  compared_.slots &= ~plan_.taken;
  compared_.groups &= ~std::uint64_t{groups};
}

// Of the request in the tag-lookup stage.
std::uint64_t SplitTags::wrong_slots() const {
  std::uint64_t wrong = probed_.slots;
  for (unsigned g = 0; g < rules_.groups; ++g)
    if (probed_.groups >> g & 1) wrong |= rules_.group(g);
  return wrong;
}

std::uint64_t SplitTags::wrong_ways(unsigned set) const {
  return bits_[set].valid & ~bits_[set].busy & wrong_slots();
}

bool SplitTags::tags_wait(unsigned set) const { return (bits_[set].busy & wrong_slots()) != 0; }

TagsSeen SplitTags::wrong_tags(const Held& request) const {
  TagsSeen seen{
      .set = request.set, .emptied = wrong_ways(request.set), .store = request.kind == RequestKind::store};
  const int place_bits = state_bits(chunks_);
  const std::uint64_t of_line = tagged(request.set, ~std::uint64_t{0} >> (64 - rules_.slots), request.block);
  for (unsigned s = 0; s < rules_.slots; ++s) {
    const unsigned at = request.set * rules_.slots + s, g = s / rules_.group_slots;
    const bool same = of_line >> s & 1;
    if (!(seen.emptied >> s & 1)) {
      seen.of_entry |= same && (bits_[request.set].busy & wrong_slots()) >> s & 1;
      continue;
    }
    const std::uint64_t slot = flips_of(slot_rows_, at).data,
                        shared = flips_of(shared_rows_, request.set * rules_.groups + g).data;
    seen.own |= same;
    const bool found = (private_[at] ^ slot >> place_bits) == private_tag(request.block) &&
                       (shared_[request.set * rules_.groups + g] ^ shared) == shared_tag(request.block);
    if (probed_.slots >> s & 1) {
      seen.wrong[0] |= chunk_slot(s);
      seen.alike[0] |= found && slot;
    }
    if (probed_.groups >> g & 1) {
      seen.wrong[1] |= std::uint64_t{1} << g;
      seen.alike[1] |= found && shared;
    }
  }
  return seen;
}

// Where nobody looks, the slot or the group has another tag from then on.
void SplitTags::flip_tag(const TagWord& at, const CodeWord& bits) {
  const unsigned row = row_of(at);
  (at.array == 0 ? slot_rows_ : shared_rows_)->flip(row, 0, bits);
  if (checked_) return;
  if (at.array == 1) {
    shared_[row] ^= bits.data;
    return;
  }
  const int place_bits = state_bits(chunks_);
  private_[row] ^= bits.data >> place_bits;
  positions_[row] ^= static_cast<std::uint8_t>(bits.data & ((1u << place_bits) - 1));
}

bool SplitTags::is_clean_tag(const TagWord& at) const {
  return (at.array == 0 ? slot_rows_ : shared_rows_)->is_clean(row_of(at), 0);
}

// Slots in use would have the tag and the chunk of another one.
bool SplitTags::would_meet(const TagWord& at, const CodeWord& bits) const {
  const SplitBits& state = bits_[at.set];
  const std::uint64_t changed = at.array == 0 ? chunk_slot(at.ram) : rules_.group(at.ram);
  if (state.busy & changed) return true;
  const int place_bits = state_bits(chunks_);
  const std::uint64_t places = (std::uint64_t{1} << place_bits) - 1;
  const auto row = [&](unsigned s, bool flipped) {
    const std::uint64_t slot = flipped && at.array == 0 ? bits.data : 0,
                        shared = flipped && at.array == 1 ? bits.data : 0;
    const unsigned n = at.set * rules_.slots + s;
    return std::tuple(private_[n] ^ slot >> place_bits, positions_[n] ^ (slot & places),
                      shared_[at.set * rules_.groups + s / rules_.group_slots] ^ shared);
  };
  for (unsigned s = 0; s < rules_.slots; ++s)
    for (unsigned other = 0; other < rules_.slots; ++other)
      if ((state.occupied() & changed) >> s & 1 && (state.occupied() & ~changed) >> other & 1 &&
          row(s, true) == row(other, false))
        return true;
  return false;
}

}  // namespace golden

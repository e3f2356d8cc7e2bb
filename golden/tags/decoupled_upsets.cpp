// Flipped bits of decoupled sectored tags and of their selectors (docs/contracts/l1d-ecc.md, "Tags").
#include <bit>

#include "golden/tags/decoupled_tags.h"

namespace golden {

void DecoupledTags::meet_upsets(const hw::L1dParams& p, const hw::EccParams& ecc) {
  const auto sets = static_cast<unsigned>(hw::sets_of(p));
  protected_.emplace(ecc.tags, hw::protects_tags(p.ecc), index_.tag_bits(), hw::sets_of(p),
                     static_cast<int>(rules_.entries));
  tag_arrays_ = {protected_->array(rules_.entries)};
  if (rules_.tags == 1) return;
  const auto bits = rules_.ways * chunks_ * static_cast<unsigned>(state_bits(rules_.tags));
  selectors_.emplace(ecc.tags, bits, sets);
  tag_arrays_.push_back({.name = "selectors",
                         .rams = 1,
                         .row_bits = bits,
                         .words = selectors_->words(),
                         .code = &selectors_->code()});
}

void DecoupledTags::enter(unsigned set) {
  if (protected_) protected_->read(set);
  if (selectors_) selectors_->read(set);
}

// The MSHR entry of a line that is waited for knows it; else the word that was read is that of the tag.
bool DecoupledTags::has_tag(unsigned e, const Held& request) const {
  const DecoupledEntry& entry = set(request.set)[e];
  if (!protected_ || (protected_->checked() && entry.busy)) return entry.block == request.block;
  return protected_->is_of(protected_->found(e, tag(request.set, e)), index_.tag_of(request.block));
}

bool DecoupledTags::selectors_wrong() const {
  return selectors_ && protected_->checked() && (selectors_->corrected() || selectors_->wrong());
}

// Of wrong selectors all that no MSHR entry waits for; else lines that none waits for, of a wrong tag.
std::uint64_t DecoupledTags::wrong_ways(unsigned set_number) const {
  std::uint64_t wrong = 0;
  if (!protected_) return wrong;
  const auto entries = set(set_number);
  for (unsigned e = 0; e < entries.size(); ++e) {
    const bool tag_wrong = !entries[e].busy && protected_->is_wrong(protected_->found(e, tag(set_number, e)));
    if ((entries[e].valid & ~entries[e].busy) && (tag_wrong || selectors_wrong()))
      wrong |= std::uint64_t{1} << e;
  }
  return wrong;
}

// Which chunks are whose is not known.
bool DecoupledTags::tags_wait(unsigned set_number) const {
  const auto in_use = [](const DecoupledEntry& entry) { return entry.chunks() != 0; };
  return selectors_wrong() && std::ranges::any_of(set(set_number), in_use);
}

void DecoupledTags::empty(unsigned set_number, std::uint64_t entries) {
  for (unsigned e = 0; e < rules_.entries; ++e)
    if (entries >> e & 1) set(set_number)[e].valid &= set(set_number)[e].busy;
}

TagsSeen DecoupledTags::wrong_tags(const Held& request) const {
  TagsSeen seen{
      .set = request.set, .emptied = wrong_ways(request.set), .store = request.kind == RequestKind::store};
  seen.wrong[1] = seen.emptied && selectors_wrong();
  for (unsigned w = 0; seen.wrong[1] && w < selectors_->words(); ++w)
    seen.alike[1] |= !moved_by({1, request.set, 0, w}, selectors_->word_read(w)).empty();
  const auto entries = set(request.set);
  for (unsigned e = 0; e < entries.size(); ++e) {
    const bool same = entries[e].block == request.block;
    const CodeWord word = protected_->found(e, tag(request.set, e));
    if (seen.emptied >> e & 1 && protected_->is_wrong(word)) {
      seen.wrong[0] |= std::uint64_t{1} << e;
      seen.own |= same;
      seen.alike[0] |= !same && word.data == index_.tag_of(request.block);
    } else if (same && entries[e].busy && entries[e].valid) {
      seen.of_entry |= protected_->is_wrong(word);
    }
  }
  return seen;
}

// Where nobody looks, what a position holds is another line's from then on.
void DecoupledTags::flip_tag(const TagWord& at, const CodeWord& bits) {
  if (at.array == 0) return protected_->flip(at.set, at.ram, bits);
  if (!protected_->checked())
    for (const Moved& moved : moved_by(at, bits)) {
      set(at.set)[moved.from].valid &= ~moved.chunk;
      set(at.set)[moved.to].valid |= moved.chunk;
    }
  selectors_->flip(at.set, at.word, bits);
}

bool DecoupledTags::is_clean_tag(const TagWord& at) const {
  return at.array == 0 ? protected_->is_clean(at.set, at.ram) : selectors_->is_clean(at.set, at.word);
}

// Of positions in use alone.
std::vector<DecoupledTags::Moved> DecoupledTags::moved_by(const TagWord& at, const CodeWord& bits) const {
  std::vector<Moved> all;
  const auto entries = set(at.set);
  const auto width = static_cast<unsigned>(state_bits(rules_.tags)),
             word = static_cast<unsigned>(selectors_->code().data_bits()), first = at.word * word;
  for (unsigned place = 0; place < rules_.ways * chunks_; ++place) {
    std::uint64_t flipped = 0;
    for (unsigned b = 0; b < width; ++b)
      if (const unsigned bit = place * width + b; bit >= first && bit - first < word)
        flipped |= (bits.data >> (bit - first) & 1) << b;
    if (!flipped) continue;
    const unsigned way = place / chunks_;
    const std::uint32_t chunk = 1u << place % chunks_;
    for (unsigned j = 0; j < rules_.tags; ++j) {
      if (!(entries[j * rules_.ways + way].chunks() & chunk)) continue;
      const auto to = static_cast<unsigned>(j ^ flipped);
      all.push_back({.from = j * rules_.ways + way,
                     .to = to < rules_.tags ? to * rules_.ways + way : no_entry,
                     .chunk = chunk});
    }
  }
  return all;
}

bool DecoupledTags::would_meet(const TagWord& at, const CodeWord& bits) const {
  const auto entries = set(at.set);
  const auto stored = [&](unsigned e) { return protected_->stored(at.set, e, tag(at.set, e)).data; };
  if (at.array == 1)
    return std::ranges::any_of(moved_by(at, bits), [&](const Moved& moved) {
      return moved.to == no_entry || entries[moved.from].busy || entries[moved.to].busy ||
             !entries[moved.to].valid;
    });
  if (entries[at.ram].busy) return true;
  for (unsigned e = 0; e < rules_.entries; ++e)
    if (e != at.ram && stored(e) == (stored(at.ram) ^ bits.data)) return true;
  return false;
}

// What the RAM has of the position beside the model's; where nobody looks, the model has it too.
std::uint64_t DecoupledTags::selector_flips(unsigned set_number, unsigned place) const {
  if (!selectors_ || !protected_->checked()) return 0;
  const auto width = static_cast<unsigned>(state_bits(rules_.tags)),
             word = static_cast<unsigned>(selectors_->code().data_bits());
  std::uint64_t flipped = 0;
  for (unsigned b = place * width; b < (place + 1) * width; ++b)
    flipped |= (selectors_->flips(set_number, b / word).data >> b % word & 1) << (b - place * width);
  return flipped;
}

}  // namespace golden

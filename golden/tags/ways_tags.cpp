#include "golden/tags/ways_tags.h"

#include "golden/cache/chunk_count.h"

namespace golden {

WayTags::WayTags(const hw::L1dParams& p)
    : index_(p.index),
      sectored_(hw::by_chunk(p.tags)),
      mask_scope_(p.store_scope == hw::StoreScope::mask),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
      lines_(p),
      order_(hw::sets_of(p), p.ways, p.replacement),
      blocks_(static_cast<std::size_t>(hw::sets_of(p) * p.ways)) {
  if (hw::protects_tags(p.ecc)) meet_upsets(p, p.ecc);
}

void WayTags::reset() {
  reset_lfsr();
  lines_.reset();
  order_.reset();
}

void WayTags::lookup(const Held& request, Lookup& line) {
  const std::uint64_t* blocks = &blocks_[request.set * lines_.ways()];
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if ((protected_ ? has_tag(w, request) : blocks[w] == request.block) &&
        lines_.can_be_found(request.set, w))
      return lines_.find(request.set, w, line);
  line = {};
}

// A line that an entry waits for is the entry's. Another one is the request's if the word that was read is
// the one of the request's tag.
bool WayTags::has_tag(unsigned w, const Held& request) const {
  if (protected_->checked() && lines_.is_busy(request.set, w))
    return blocks_[request.set * lines_.ways() + w] == request.block;
  return protected_->is_of(protected_->found(w, tag(request.set, w)), index_.tag_of(request.block));
}

void WayTags::meet_upsets(const hw::L1dParams& p, const hw::EccParams& ecc) {
  protected_.emplace(ecc.tags, hw::protects_tags(p.ecc), index_.tag_bits(), hw::sets_of(p), p.ways);
  tag_arrays_ = {protected_->array(lines_.ways())};
}

bool WayTags::would_meet(const TagWord& at, const CodeWord& bits) const {
  const auto& [array, set, way, word] = at;
  if (lines_.is_busy(set, way)) return true;
  const std::uint64_t after = protected_->stored(set, way, tag(set, way)).data ^ bits.data;
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if (w != way && protected_->stored(set, w, tag(set, w)).data == after) return true;
  return false;
}

std::uint64_t WayTags::wrong_ways(unsigned set) const {
  std::uint64_t wrong = 0;
  if (!protected_) return wrong;
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if (lines_.valid(set, w) && !lines_.is_busy(set, w) &&
        protected_->is_wrong(protected_->found(w, tag(set, w))))
      wrong |= std::uint64_t{1} << w;
  return wrong;
}

TagsSeen WayTags::wrong_tags(const Held& request) const {
  TagsSeen seen{
      .set = request.set, .emptied = wrong_ways(request.set), .store = request.kind == RequestKind::store};
  seen.wrong[0] = seen.emptied;
  for (unsigned w = 0; w < lines_.ways(); ++w) {
    const bool same = blocks_[request.set * lines_.ways() + w] == request.block;
    const CodeWord word = protected_->found(w, tag(request.set, w));
    if (seen.emptied >> w & 1) {
      seen.own |= same;
      seen.alike[0] |= !same && word.data == index_.tag_of(request.block);
    } else if (same && lines_.is_busy(request.set, w) && lines_.valid(request.set, w)) {
      seen.of_entry |= protected_->is_wrong(word);
    }
  }
  return seen;
}

// One that the request has just taken is empty already.
void WayTags::empty(unsigned set, std::uint64_t ways) {
  for (unsigned w = 0; w < lines_.ways(); ++w)
    if (ways >> w & 1) lines_.valid(set, w) = 0;
}

Reservation WayTags::reserve(const Held& load, Decision& decision, std::uint64_t open) {
  if (decision.line.found) return Reservation::some;
  const unsigned empty = lines_.empty_way(load.set, open);
  const unsigned way = empty < lines_.ways() ? empty : victim(load.set, open);
  if (way == lines_.ways()) return Reservation::none;
  decision.line.place = way;
  return Reservation::some;
}

// State elsewhere is queried line by line, by the address of each.
unsigned WayTags::victim(unsigned set, std::uint64_t open) {
  const auto may_go = [&](unsigned n) { return lines_.may_go(set, n, open); };
  const unsigned oldest = order_.victim(set, may_go, lfsr());
  past_oldest_ = false;
  if (!foreign_ || !(shared_sets_ >> set % 2 & 1)) return oldest;
  for (unsigned w = 0; w < lines_.ways(); ++w) {
    if (!(may_go(w / 64) >> w % 64 & 1) || !foreign_(index_.address_of(blocks_[set * lines_.ways() + w])))
      continue;
    past_oldest_ = w != oldest;
    return w;
  }
  return oldest;
}

Lost WayTags::load(const Held& load, const Decision& decision) {
  const auto way = static_cast<unsigned>(decision.line.place);
  if (decision.line.found) order_.touch(load.set, way);
  if (!decision.missed || decision.merges()) return {};
  Lost lost;
  if (!decision.line.found) {
    lost = evict(load.set, way);
    order_.insert(load.set, way, lost.lines != 0);
    if (lost.lines && order_.is_random()) step_lfsr();
    stale_lines_taken_ += lost.lines && past_oldest_;
    blocks_[load.set * lines_.ways() + way] = load.block;
    if (protected_) protected_->write(load.set, way);
    lines_.valid(load.set, way) = 0;
  }
  lines_.take(load.set, way, decision.entry);
  return lost;
}

Lost WayTags::evict(unsigned set, unsigned way) const {
  const std::uint32_t valid = lines_.valid(set, way);
  if (!valid) return {};
  return {.lines = 1, .chunks = sectored_ ? chunk_count(valid) : chunks_};
}

std::uint32_t WayTags::goes(const Held& store, const Lookup& line) const {
  const bool some = mask_scope_ && line.entry == no_entry;
  return line.valid & (some ? store.mask : ~0u);
}

bool WayTags::invalidate(const Held& request, const Lookup& line) {
  std::uint32_t& valid = lines_.valid(request.set, static_cast<unsigned>(line.place));
  const std::uint32_t lost = goes(request, line);
  valid = line.entry == no_entry ? valid & ~lost : 0;  // with what a fill brings in this cycle
  return lost != 0;
}

bool WayTags::keeps_some(const Held& store, const Lookup& line) const {
  return (line.valid & ~goes(store, line)) != 0;
}

void WayTags::fill(unsigned entry, std::uint32_t chunks, bool installs) {
  if (installs) lines_.fill(entry, chunks);
}

WayState WayTags::way(unsigned set, unsigned w) const {
  return {.tag = index_.tag_of(blocks_[set * lines_.ways() + w]),
          .valid = lines_.valid(set, w),
          .busy = lines_.is_busy(set, w),
          .order = order_.state(set, w)};
}

std::vector<std::uint64_t> WayTags::resident_blocks() const {
  std::vector<std::uint64_t> blocks;
  for (std::size_t line = 0; line < blocks_.size(); ++line) {
    const auto set = static_cast<unsigned>(line / lines_.ways()),
               way = static_cast<unsigned>(line % lines_.ways());
    if (lines_.valid(set, way)) blocks.push_back(blocks_[line]);
  }
  return blocks;
}

void WayTags::publish(StateList& list, const MshrFile&) const {
  lines_.publish(list, sectored_);
  order_.publish(list, *this);
  const int bits = protected_ ? protected_->stored_bits() : index_.tag_bits();
  list.value("tags.tag", bits, {"set", {{"way", lines_.ways()}}}, [this](unsigned set, unsigned w) {
    if (!lines_.valid(set, w) && !lines_.is_busy(set, w)) return MayCount();
    return MayCount(protected_ ? protected_->row(set, w, tag(set, w)) : tag(set, w));
  });
}

}  // namespace golden

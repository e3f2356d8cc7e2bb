#include "golden/tags/split_set.h"

#include <bit>
#include <tuple>

namespace golden {
// In ascending order, until there are enough.
void SplitRules::Choice::take(std::uint64_t slots) {
  for (slots &= ~places.taken; slots && !done(); slots &= slots - 1) {
    places.slots[places.count++] = static_cast<std::uint8_t>(std::countr_zero(slots));
    places.taken |= slots & -slots;
  }
}

void SplitRules::retag(Choice& c, unsigned g) const {
  c.places.claimed |= 1u << g;
  c.places.retagged |= 1u << g;
  c.places.lost |= group(g) & c.bits.valid;
}

SplitPlaces SplitRules::choose(const SplitBits& bits, std::span<const std::uint64_t> shared,
                               std::uint64_t tag, std::uint64_t present, unsigned wanted,
                               unsigned lfsr) const {
  SplitPlaces places;
  Choice c{.bits = bits, .victims = bits.valid & ~bits.busy & ~present, .wanted = wanted, .places = places};
  const std::uint64_t occupied = bits.occupied();
  std::uint64_t alike = 0;  // slots of the groups alike
  for (unsigned g = 0; g < groups; ++g) {
    const bool same = (occupied & group(g)) != 0 && shared[g] == tag;
    places.alike |= std::uint32_t{same} << g;
    alike |= same ? group(g) : 0;
  }
  c.take(alike & ~occupied);
  for (unsigned g = 0; g < groups && !c.done(); ++g) {
    if (occupied & group(g)) continue;
    places.claimed |= 1u << g;
    c.take(group(g));
  }
  if (c.done()) return places;
  if (policy_ == hw::SplitVictim::chunk)
    by_chunk(c, lfsr);
  else
    by_group(c);
  places.lost |= places.taken & bits.valid;
  return places;
}

void SplitRules::by_chunk(Choice& c, unsigned lfsr) const {
  c.places.draws = true;
  const unsigned start = lfsr % slots;
  const std::uint64_t from_start = all & ~std::uint64_t{0} << start;
  for (const std::uint64_t used : {c.victims & ~c.bits.nru, c.victims & c.bits.nru})
    for (const std::uint64_t lap : {used & from_start, used & ~from_start})
      for (std::uint64_t left = lap; left && !c.done(); left &= left - 1) {
        const auto s = static_cast<unsigned>(std::countr_zero(left));
        const unsigned g = group_of_[s];
        if (c.places.retagged >> g & 1) continue;  // all its slots are taken
        if (!(c.places.alike >> g & 1)) {
          if (c.bits.busy & group(g)) continue;
          retag(c, g);
          c.take(chunk_slot(s));
          c.take(group(g));
        } else {
          c.take(chunk_slot(s));
        }
      }
}

SplitRules::Offer SplitRules::offer_of(const Choice& c, unsigned g) const {
  Offer offer{.group = g, .alike = (c.places.alike >> g & 1) != 0};
  if (offer.alike)
    offer.slots = c.victims & group(g) & ~c.places.taken;
  else if (!(c.bits.busy & group(g)) && !(c.places.claimed >> g & 1))
    offer.slots = group(g);
  offer.count = static_cast<unsigned>(std::popcount(offer.slots));
  offer.cheap = static_cast<unsigned>(std::popcount(offer.slots & ~(c.bits.valid & c.bits.nru)));
  return offer;
}

void SplitRules::by_group(Choice& c) const {
  while (!c.done()) {
    const unsigned wanted = c.wanted - c.places.count;
    Offer best;
    for (unsigned g = 0; g < groups; ++g) {
      const Offer offer = offer_of(c, g);
      // More than what is wanted is no better than just that.
      const auto worth = [&](const Offer& o) {
        return std::tuple(o.count < wanted ? o.count : wanted, o.alike, o.cheap);
      };
      if (offer.count && worth(offer) > worth(best)) best = offer;
    }
    if (!best.count) return;
    if (!best.alike) retag(c, best.group);
    c.take(best.slots & ~c.bits.valid);
    c.take(best.slots & c.bits.valid & ~c.bits.nru);
    c.take(best.slots & c.bits.valid & c.bits.nru);
  }
}

}  // namespace golden

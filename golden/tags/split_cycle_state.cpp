// What the L1 data cache with split tags publishes of its state.
#include "golden/tags/split_cycle.h"

namespace golden {

// Tags count in slots that are valid or busy, and those of a group if one of its slots is.
void CycleSplit::publish(StateList& list) const {
  CycleL1d::publish(list);
  const StatePlace slots{"set", {"slot", rules_.slots}};
  const auto flags = [&](const char* name, std::uint64_t SplitBits::*bits) {
    list.bits(name, slots, [this, bits](unsigned set, unsigned) {
      return StateWord{bits_[set].*bits, rules_.all};
    });
  };
  flags("tags.valid", &SplitBits::valid);
  flags("tags.busy", &SplitBits::busy);
  flags("tags.nru", &SplitBits::nru);
  if (params_.split.victim == hw::SplitVictim::chunk)
    list.value("tags.lfsr", 16, {}, [this](unsigned, unsigned) { return lfsr_; });
  const int own = params_.split.private_tag_bits;
  list.value("tags.shared_tag", index_.tag_bits() - own, {"set", {"group", rules_.groups}},
             [this](unsigned set, unsigned g) {
               const bool counts = bits_[set].occupied() & rules_.group(g);
               return counts ? MayCount(shared_[set * rules_.groups + g]) : MayCount();
             });
  const auto of_slot = [&](const char* name, int width, auto of) {
    list.value(name, width, slots, [this, of](unsigned set, unsigned s) {
      const bool counts = bits_[set].occupied() >> s & 1;
      return counts ? MayCount(of(set * rules_.slots + s)) : MayCount();
    });
  };
  of_slot("tags.private_tag", own, [this, mask = (std::uint64_t{1} << own) - 1](unsigned at) {
    return index_.tag_of(blocks_[at]) & mask;
  });
  of_slot("tags.position", state_bits(static_cast<int>(chunks_)),
          [this](unsigned at) { return positions_[at]; });
  publish_chunks(list);
}

// The slot of a chunk counts while it is on its way or somebody waits for it.
void CycleSplit::publish_chunks(StateList& list) const {
  const StatePlace chunks{"entry", {"chunk", chunks_}};
  list.value("mshr.waits", state_bits(params_.mshr_merges + 1), chunks,
             [this](unsigned e, unsigned c) { return in_use_.test(e) ? MayCount(waits(e, c)) : MayCount(); });
  list.value("mshr.slot", state_bits(static_cast<int>(rules_.slots)), chunks, [this](unsigned e, unsigned c) {
    const bool counts = in_use_.test(e) && (waits(e, c) || (entries_[e].pending >> c & 1));
    return counts ? MayCount(slot_of(e, c)) : MayCount();
  });
}

unsigned CycleSplit::most_in_a_cycle(std::uint64_t L1dCounters::*counter) const {
  return counter == &L1dCounters::evicted_chunks ? rules_.slots : CycleL1d::most_in_a_cycle(counter);
}

}  // namespace golden

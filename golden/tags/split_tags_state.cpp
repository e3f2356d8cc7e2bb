// What split tags publish of their state.
#include "golden/cache/mshr_file.h"
#include "golden/tags/split_tags.h"

namespace golden {

// Tags count in slots that are valid or busy, and those of a group if one of its slots is.
void SplitTags::publish(StateList& list, const MshrFile& mshrs) const {
  const StatePlace slots{"set", {{"slot", rules_.slots}}};
  const auto flags = [&](const char* name, std::uint64_t SplitBits::*bits) {
    list.bits(name, slots, [this, bits](unsigned set, unsigned) {
      return StateWord{bits_[set].*bits, rules_.all};
    });
  };
  flags("tags.valid", &SplitBits::valid);
  flags("tags.busy", &SplitBits::busy);
  flags("tags.nru", &SplitBits::nru);
  if (rules_.draws()) list.value("tags.lfsr", 16, {}, [this](unsigned, unsigned) { return lfsr(); });
  list.value("tags.shared_tag", index_.tag_bits() - private_bits_, {"set", {{"group", rules_.groups}}},
             [this](unsigned set, unsigned g) {
               const bool counts = bits_[set].occupied() & rules_.group(g);
               const unsigned at = set * rules_.groups + g;
               return counts ? MayCount(shared_[at] ^ flips_of(shared_rows_, at).data) : MayCount();
             });
  const auto of_slot = [&](const char* name, int width, auto of) {
    list.value(name, width, slots, [this, of](unsigned set, unsigned s) {
      const bool counts = bits_[set].occupied() >> s & 1;
      return counts ? MayCount(of(set * rules_.slots + s)) : MayCount();
    });
  };
  const int place_bits = state_bits(chunks_);
  of_slot("tags.private_tag", private_bits_, [this, place_bits](unsigned at) {
    return private_[at] ^ flips_of(slot_rows_, at).data >> place_bits;
  });
  const std::uint64_t places = (std::uint64_t{1} << place_bits) - 1;
  of_slot("tags.position", place_bits,
          [this, places](unsigned at) { return positions_[at] ^ (flips_of(slot_rows_, at).data & places); });
  publish_chunks(list, mshrs);
}

// The slot of a chunk counts while it is on its way or somebody waits for it. With protected RAMs the loads
// that wait for it are counted, else it is kept which is the last of them, and, where nobody may wait,
// whether somebody does.
void SplitTags::publish_chunks(StateList& list, const MshrFile& mshrs) const {
  const StatePlace chunks{"entry", {{"chunk", chunks_}}};
  if (mshrs.is_protected()) {
    list.value("mshr.targets.waits", state_bits(mshrs.merges() + 1), chunks,
               [this](unsigned e, unsigned c) { return waits(e, c); });
  } else {
    list.value("mshr.targets.last", state_bits(mshrs.merges()), chunks,
               [this, &mshrs](unsigned e, unsigned c) {
                 return waits(e, c) ? MayCount(mshrs.last_for(e, c)) : MayCount();
               });
    if (widens_)
      list.value("mshr.targets.wanted", 1, chunks, [this, &mshrs](unsigned e, unsigned c) {
        return mshrs.in_use().test(e) ? MayCount(waits(e, c) != 0) : MayCount();
      });
  }
  list.value("mshr.slots.slot", state_bits(rules_.slots), chunks, [this, &mshrs](unsigned e, unsigned c) {
    const bool counts = waits(e, c) || (mshrs[e].pending >> c & 1);
    return counts ? MayCount(slot_of(e, c)) : MayCount();
  });
}

}  // namespace golden

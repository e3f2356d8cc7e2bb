// The tags of an L1 data cache as the cache sees them, with time and without: what is known of a line, what
// an allocation would take, and the changes that a decision brings.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "golden/cache/controls.h"
#include "golden/cache/decision.h"
#include "golden/cache/lfsr.h"
#include "golden/ecc/secded.h"
#include "golden/state.h"

namespace golden {

class MshrFile;

// The data slot of its set in which each chunk of a line lies, by chunk.
using Slots = std::array<std::uint16_t, 32>;

// What a load costs others.
struct Lost {
  unsigned lines = 0, chunks = 0;
};

// The result for a load that misses something: free slots, none, none before the next cycle (planned a cycle
// ahead), or a filter that sends it past the cache.
enum class Reservation : std::uint8_t { some, none, later, filtered };

// Where lines lie in ways: a way as it is seen from outside.
struct WayState {
  std::uint64_t tag = 0;    // counts when valid or busy, where ways have tags
  std::uint32_t valid = 0;  // 1 bit where a line is there as a whole, else one a chunk
  bool busy = false;
  unsigned order = 0;  // age, NRU bit or RRPV; 0 with random replacement
};

// What a request's lookup sees of wrong tags (docs/contracts/l1d-ecc.md, "Tags").
struct TagsSeen {
  unsigned set = 0;
  std::uint64_t emptied = 0;  // ways whose lines go, a bit each
  // RAMs of each protected array whose wrong word makes something go.
  std::array<std::uint64_t, 2> wrong{};
  // That word reads as the tag of the request's line, or a selector as that of another line.
  std::array<bool, 2> alike{};
  bool own = false;  // one of them is the request's line

  bool of_entry = false;  // the request's line has a wrong tag and is an MSHR entry's
  bool store = false;     // the request is a store
};

// RAMs of tags that are protected, or whose bits may flip: so many, each a row a set.
struct TagArray {
  std::string_view name;
  unsigned rams = 0, row_bits = 0, words = 1;  // words: of a row
  const Secded* code = nullptr;
};
// A word of such a RAM.
struct TagWord {
  unsigned array = 0, set = 0, ram = 0, word = 0;
};

// Decisions come before the changes of a cycle. Calls about a load, in order: lookup(), reserve() if it
// misses something, then load() or filter() if it fires; a store's are lookup() and invalidate().
class TagStore {
 public:
  virtual ~TagStore() = default;
  TagStore(const TagStore&) = delete;
  TagStore& operator=(const TagStore&) = delete;

  virtual void reset() = 0;
  // What its controls show from now on (0 in the beginning).
  virtual void steer(const Controls&) {}
  // Which addresses are cached elsewhere where they are shared; of stores that prefer such victims.
  virtual void know_homes(std::function<bool(std::uint64_t)> /*foreign*/) {}

  // Writes what is known of the request's line to where it stays: a copy would wait for its fields.
  virtual void lookup(const Held& request, Lookup& line) = 0;
  // Chooses slots or a way for what the load misses, where lines lie in ways among those in `open`, a bit
  // each; ways from the 65th on are always open.
  virtual Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) = 0;
  // Where slots are planned a cycle ahead: for which load. `load` is the one that misses something and waits,
  // or null.
  virtual void plan(const Held* /*load*/, const Decision&) {}

  // The load is served: it touches its line, takes what reserve() chose for the entry in the decision, and if
  // it is no hit waits in that entry.
  virtual Lost load(const Held& load, const Decision& decision) = 0;
  // The load went past the cache because of reserve().
  virtual Lost filter(const Held& /*load*/, const Decision&) { return {}; }
  // A store or atomic to a line that was found; with an entry the whole line goes. True when some of it did.
  virtual bool invalidate(const Held& request, const Lookup& line) = 0;
  // Some of the line stays there when that store has come.
  virtual bool keeps_some(const Held& /*store*/, const Lookup&) const { return false; }
  // `installs`: what came may be found, else it only answers.
  virtual void fill(unsigned entry, std::uint32_t chunks, bool installs) = 0;
  // One load that waited in the entry has been answered.
  virtual void answered(unsigned /*entry*/, std::uint32_t /*mask*/) {}
  // A fill or an answer is over; what is neither pending nor waited for is held no longer.
  virtual void settle(unsigned /*entry*/, std::uint32_t /*pending*/) {}
  // The entry is free again.
  virtual void dealloc(unsigned /*entry*/) {}
  // A request comes to the compare stage, where there is one: the tags of its set are read. It comes to the
  // tag-lookup stage: they are read if they have not been.
  virtual void compare(unsigned /*set*/) {}
  virtual void enter(unsigned /*set*/) {}
  // Ways of that set, a bit each, whose lines go since the tags that were read are wrong; and they go.
  virtual std::uint64_t wrong_ways(unsigned /*set*/) const { return 0; }
  virtual TagsSeen wrong_tags(const Held& /*request*/) const { return {}; }
  // The request waits: a wrong tag is of what an MSHR entry waits for.
  virtual bool tags_wait(unsigned /*set*/) const { return false; }
  virtual bool tags_may_wait() const { return false; }  // in some cycle
  virtual void empty(unsigned /*set*/, std::uint64_t /*ways*/) {}

  // What is there of a line goes, since data was wrong in it.
  virtual void drop(unsigned /*set*/, Place) {}
  // All lines go; those of entries answer the loads that wait and are found by nobody.
  virtual void flush() = 0;

  // Where these chunks lie, of a line that was found or of an entry.
  virtual void slots_of(const Held& request, const Lookup& line, std::uint32_t chunks,
                        Slots& slots) const = 0;
  virtual void slots_of_entry(unsigned entry, std::uint32_t chunks, Slots& slots) const = 0;
  virtual Place place_of_entry(unsigned /*entry*/) const { return nowhere; }
  // Lines of which some chunk is there, set by set.
  virtual std::vector<std::uint64_t> resident_blocks() const = 0;

  // Its state by name, and where the lines of MSHR entries will lie; read as long as both live.
  virtual void publish(StateList& list, const MshrFile& mshrs) const = 0;
  // Lines and chunks that one load may cost others.
  virtual unsigned most_lines_lost() const { return 1; }
  virtual unsigned most_chunks_lost() const = 0;

  virtual WayState way(unsigned /*set*/, unsigned /*w*/) const { return {}; }
  const std::vector<TagArray>& tag_arrays() const { return tag_arrays_; }
  // Bits of such a word flip; none of it has since it was written.
  virtual void flip_tag(const TagWord& /*at*/, const CodeWord& /*bits*/) {}
  virtual bool is_clean_tag(const TagWord& /*at*/) const { return true; }
  // Bits of tags may flip, as many as where they are protected in this way; in a cache of these parameters.
  virtual void meet_upsets(const hw::L1dParams& /*params*/, const hw::EccParams& /*as_with*/) {}
  // With these bits flipped and nobody to look, a request might find two lines, or an MSHR entry and not its
  // line.
  virtual bool would_meet(const TagWord& /*at*/, const CodeWord& /*bits*/) const { return true; }
  // Victims that were not the oldest, but left over.
  virtual std::uint64_t stale_lines_taken() const { return 0; }
  // Of every random choice.
  std::uint16_t lfsr() const { return lfsr_; }

 protected:
  TagStore() = default;
  void step_lfsr() { lfsr_ = next_lfsr(lfsr_); }
  void reset_lfsr() { lfsr_ = lfsr_seed; }

  std::vector<TagArray> tag_arrays_;

 private:
  std::uint16_t lfsr_ = lfsr_seed;
};

}  // namespace golden

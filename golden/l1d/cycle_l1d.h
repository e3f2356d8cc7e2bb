// The L1 data cache cycle by cycle, from docs/l1d-timing.md: every output in every cycle, and the state
// behind it. What all tag organisations share is here; each of them is a class derived from this one.
#pragma once
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "golden/index/run_time_index.h"
#include "golden/l1d/adaptive.h"
#include "golden/l1d/l1d_types.h"
#include "golden/mode/mode_selector.h"
#include "golden/state.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

// Why the request in the probe stage did not fire: a reservation that failed, or a hit that got no answer
// stage (full, its bank taken by a fill, or another's turn), places that are still being chosen (split
// tags), or the flush of an adaptive index.
enum class Stall : std::uint8_t { none, line, mshr, merge, queue, answer, bank, arbitration, plan, flush };
inline constexpr std::array<std::string_view, 10> stall_names{
    "none", "line", "mshr", "merge", "queue", "answer", "bank", "arbitration", "plan", "flush"};

class CycleL1d {
 public:
  // Parameters count at run time; they are taken as legal. Without data, answers and stores carry none.
  static std::unique_ptr<CycleL1d> make(const hw::L1dParams& params, bool with_data = true);
  virtual ~CycleL1d() = default;
  CycleL1d(const CycleL1d&) = delete;
  CycleL1d& operator=(const CycleL1d&) = delete;

  // What the cache drives in this cycle; changes no state, so inputs may be tried. Valid until the edge.
  const L1dOut& outputs(const L1dIn& in);
  // The clock edge, with the inputs of the last call of outputs().
  void edge(const L1dIn& in);

  // Since construction; a reset leaves them.
  const L1dCounters& counters() const { return counters_; }
  // What the last edge added to them: the event_* ports of the cycle that follows.
  const L1dCounters& events() const { return events_; }
  // Loads that fired, by set.
  std::span<const std::uint64_t> set_loads() const { return set_loads_; }
  // Nothing is under way: no request, no entry, no answer.
  bool idle() const;

  // The probe stage in the cycle that the last edge ended.
  struct Probe {
    bool occupied = false, fired = false;
    unsigned set = 0;
    RequestKind kind = RequestKind::load;
    Result result = Result::hit;  // when it fired
    Stall stall = Stall::none;    // when it did not
    unsigned entry = ~0u;         // matched or allocated; ~0u: none
    unsigned way = ~0u;           // likewise
    bool doomed = false;          // the matched entry was
  };
  const Probe& last_probe() const { return last_probe_; }
  // In that cycle a waiting load was ready and did not get the answer stage.
  bool replay_lost() const { return replay_lost_; }
  unsigned set_of(std::uint64_t address) const { return index_.set_of(index_.block_of(address)); }

  // The state by name, and what each event_* port shows; read as long as the cache lives.
  virtual void publish(StateList& list) const;

  struct WayState {
    std::uint64_t tag;    // counts when valid or busy
    std::uint32_t valid;  // 1 bit with conventional tags, else one a chunk
    bool busy;
    unsigned age_or_nru;  // 0 with random replacement
  };
  // Where lines lie in ways.
  virtual WayState way(unsigned, unsigned) const { return {}; }
  // Addresses of the lines of which some chunk is there, set by set.
  virtual std::vector<std::uint64_t> resident_lines() const = 0;
  struct EntryState {
    bool in_use;  // else nothing below counts
    unsigned set;
    std::uint64_t tag;
    unsigned way;
    std::uint32_t pending;
    bool doomed, flushed, wake;
    unsigned count, head;
  };
  EntryState entry(unsigned e) const;
  // One bit an entry: up to 128 of a core's cache, 1,024 of a node's (DC-L1).
  using EntryWords = std::array<std::uint64_t, 16>;
  std::uint16_t lfsr() const { return lfsr_; }

  // With the adaptive index, else null.
  const AdaptiveIndex* adaptive() const { return adaptive_ ? &*adaptive_ : nullptr; }
  // With it, what sel has been since construction, beginning with the first, and after how many loads.
  std::span<const AdiChange> adi_history() const { return history_; }
  AdiEvents adi_events() const { return adaptive_ ? adaptive_->events() : AdiEvents{}; }
  // The controls that it decides itself.
  const Controls& decisions() const { return out_.decisions; }
  // With a mode selector of its own: what it has said, beginning with the first.
  virtual std::span<const ModeChange> mode_history() const { return {}; }

 protected:
  // A request between acceptance and the memory side.
  struct Held {
    bool valid = false;
    RequestKind kind = RequestKind::load;
    std::uint64_t id = 0;
    std::uint32_t mask = 0, set = 0, payload = 0;
    std::uint64_t block = 0;
  };
  struct Entry {
    std::uint64_t block = 0;
    std::uint32_t set = 0, way = 0, pending = 0, count = 0, head = 0;
    bool doomed = false, flushed = false;
  };
  // One bit an entry.
  struct EntryBits {
    EntryWords words{};
    bool test(unsigned e) const { return words[e / 64] >> (e % 64) & 1; }
    void set(unsigned e) { words[e / 64] |= bit(e); }
    void clear(unsigned e) { words[e / 64] &= ~bit(e); }
    bool any() const { return first_from(0) != none; }
    // The first at or after this one.
    unsigned first_from(unsigned e) const {
      std::uint64_t word = words[e / 64] & ~std::uint64_t{0} << (e % 64);
      for (unsigned at = e / 64; at < words.size();) {
        if (word) return at * 64 + static_cast<unsigned>(std::countr_zero(word));
        if (++at < words.size()) word = words[at];
      }
      return none;
    }
    static std::uint64_t bit(unsigned e) { return std::uint64_t{1} << (e % 64); }
  };
  struct Waiter {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
  };
  static constexpr unsigned none = ~0u;
  enum Asker : std::uint8_t { hit, replay, direct, nobody };

  // What a cycle comes to, from the state at its beginning and its inputs.
  struct Decision {
    bool fires = false;
    bool frozen = false;  // the adaptive index changes: nothing on the path moves
    Stall stall = Stall::none;
    Result result = Result::hit;
    bool matched = false;               // the cache or an entry has the line
    bool merges = false;                // and it is an entry
    unsigned entry = none, way = none;  // matched, or for a miss about to be taken
    std::uint32_t missed = 0;           // validity bits to fetch
    bool fill = false, parks = false;
    unsigned fill_entry = none;
    Asker granted = nobody;
    bool replay_ready = false;
  };

  // `by_chunk`: validity is told chunk by chunk, else of the line as a whole. `stages`: those in front of the
  // probe stage.
  CycleL1d(const hw::L1dParams& params, bool with_data, bool by_chunk, int stages);

  // What a tag organisation does. Decisions come before any change of the cycle.
  virtual void reset_tags() = 0;
  // Sets `matched`, `merges`, `entry` and `way` of the decision.
  virtual void match(const Held& request) = 0;
  // Decides a load that was matched, up to the answer stage: decide_by() with what it finds.
  virtual void decide_load(const Held& request) = 0;
  // What stops a load that misses something from having a place for it.
  virtual Stall reserve(const Held& request) = 0;
  // This cycle's fill writes what they would read.
  virtual bool hit_blocked(const L1dIn& in, const Held& request) const = 0;
  virtual bool replay_blocked(const L1dIn& in) const = 0;
  // The bytes of their masks; others as they come.
  virtual void read_hit(const Held& request, LineData& line) const = 0;
  virtual void read_replay(LineData& line) const = 0;
  // The changes of a cycle, in this order; nothing has changed when begin_edge() is called. A load has its
  // entry, without itself, when it comes.
  virtual void begin_edge(const L1dIn&) {}
  virtual void waiter_answered() {}
  virtual void take_fill(const L1dIn& in, std::uint32_t filled) = 0;
  virtual void take_store(const Held& request) = 0;
  virtual void take_load(const Held& request) = 0;
  virtual void free_entries() = 0;
  virtual void drop_all() = 0;
  virtual void end_cycle(const L1dIn&) {}

  // The greatest number that an event of this counter can show.
  virtual unsigned most_in_a_cycle(std::uint64_t L1dCounters::*counter) const;
  // Bits that tell n things apart.
  static int state_bits(int n) { return std::bit_width(static_cast<unsigned>(n) - 1); }

  // A load that wants these validity bits, of which those in `valid` can be read.
  void decide_by(const Held& request, std::uint32_t wanted, std::uint32_t valid);
  unsigned free_entry() const;
  bool queue_full() const { return queue_count_ == queue_.size(); }
  // Not in use any more.
  void free(unsigned e);
  void reset();
  void note(std::uint64_t L1dCounters::*counter, std::uint64_t n = 1);

  // A place of a ring, at most once past its end.
  static unsigned wrapped(unsigned place, unsigned size) { return place < size ? place : place - size; }
  std::uint32_t validity_of(std::uint32_t mask) const { return by_chunk_ ? mask : 1; }
  const Held& probe_stage() const { return stages_[last_stage_]; }
  const Waiter& replayed() const {
    return waiters_[replay_entry_ * static_cast<unsigned>(params_.mshr_merges) +
                    entries_[replay_entry_].head];
  }

  const hw::L1dParams params_;
  const bool with_data_, by_chunk_;
  const unsigned chunks_, words_;  // words: 64-bit words of a line
  const std::uint32_t all_chunks_;
  RunTimeIndex index_;

  std::vector<Entry> entries_;
  EntryBits in_use_, wake_;
  unsigned replay_entry_ = 0;    // counts while replay_valid_
  unsigned waiter_left_ = none;  // the entry that this edge answered a waiter of
  std::uint16_t lfsr_ = 0;
  L1dOut out_;
  Decision now_;
  Controls controls_;  // in the cycle that is decided

 private:
  struct Payload {
    ByteMask byte_enable;
    LineData data;
  };
  struct Queued {
    RequestKind kind = RequestKind::load;
    std::uint32_t mask = 0, payload = 0;
    std::uint64_t id = 0, address = 0;
  };

  // cycle_state.cpp
  void publish_entries(StateList& list) const;
  void publish_adaptive(StateList& list) const;
  void publish_events(StateList& list) const;
  // cycle_l1d.cpp
  bool empty_stages() const;
  bool first_stage_free() const;
  // cycle_l1d_decide.cpp
  void decide(const L1dIn& in);
  void decide_probe(const Held& request);
  void decide_answer(const L1dIn& in);
  // cycle_l1d_edge.cpp
  void take_answer(const L1dIn& in);
  void give(std::uint64_t id, std::uint32_t mask);
  void step_replay();
  unsigned next_to_replay() const;
  void step_queue(const L1dIn& in);
  void fill_entry(const L1dIn& in);
  void note_probe();
  void fire(const Held& request);
  void fire_load(const Held& request);
  void fire_bypass(const Held& request);
  void send_down(const Held& request, std::uint32_t mask, std::uint64_t id);
  void take_flush();
  void step_adaptive();
  void select();
  void step_stages(const L1dIn& in);
  void accept(const L1dIn& in);

  const unsigned entry_bits_, id_bits_;  // of memory_request_id: an entry's number; all but the top bit

  std::vector<Waiter> waiters_;
  bool replay_valid_ = false;
  unsigned replay_pointer_ = 0;

  const int last_stage_;
  std::array<Held, 6> stages_;  // those in front, then the probe stage
  std::vector<Queued> queue_;   // ring; the oldest is on memory_request when out_valid_
  unsigned queue_head_ = 0, queue_count_ = 0;
  bool out_valid_ = false;
  std::vector<Payload> payloads_;  // ring of requests with data: they keep their order up to the memory
  unsigned payload_next_ = 0;

  bool answer_valid_ = false;
  std::uint64_t answer_id_ = 0;
  std::uint32_t answer_mask_ = 0;
  LineData answer_data_{};
  Asker answer_pointer_ = hit;

  std::optional<AdaptiveIndex> adaptive_;
  std::vector<AdiChange> history_;

  bool decided_ = false;
  Probe last_probe_;
  bool replay_lost_ = false;
  L1dCounters counters_, events_;
  std::array<std::uint64_t L1dCounters::*, counter_names.size()>
      noted_{};  // counters that the last edge moved
  unsigned noted_count_ = 0;
  std::vector<std::uint64_t> set_loads_;
};

}  // namespace golden

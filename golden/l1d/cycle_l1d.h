// The L1 data cache cycle by cycle, from docs/l1d-timing.md: every output in every cycle, and the state
// behind it.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "golden/index/run_time_index.h"
#include "golden/l1d/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

// Why the request in the probe stage did not fire: a reservation that failed, or a hit that got no answer
// stage (full, its bank taken by a fill, or another's turn).
enum class Stall : std::uint8_t { none, line, mshr, merge, queue, answer, bank, arbitration };
inline constexpr std::array<std::string_view, 8> stall_names{"none",  "line",   "mshr", "merge",
                                                             "queue", "answer", "bank", "arbitration"};

class CycleL1d {
 public:
  // Parameters count at run time; they are taken as legal. Without data, answers and stores carry none.
  explicit CycleL1d(const hw::L1dParams& params, bool with_data = true);
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
  };
  const Probe& last_probe() const { return last_probe_; }
  // In that cycle a waiting load was ready and did not get the answer stage.
  bool replay_lost() const { return replay_lost_; }
  unsigned set_of(std::uint64_t address) const { return index_.set_of(index_.block_of(address)); }

  struct WayState {
    std::uint64_t tag;    // counts when valid or busy
    std::uint32_t valid;  // 1 bit with conventional tags, else one a chunk
    bool busy;
    unsigned age_or_nru;  // 0 with random replacement
  };
  WayState way(unsigned set, unsigned w) const;
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
  // One bit an entry.
  std::array<std::uint64_t, 2> in_use_words() const { return in_use_.words; }
  std::array<std::uint64_t, 2> wake_words() const { return wake_.words; }
  std::uint16_t lfsr() const { return lfsr_; }

 private:
  // A request between acceptance and the memory side.
  struct Held {
    bool valid = false;
    RequestKind kind = RequestKind::load;
    std::uint32_t id = 0, mask = 0, set = 0, payload = 0;
    std::uint64_t block = 0;
  };
  struct Payload {
    ByteMask byte_enable;
    LineData data;
  };
  struct Queued {
    RequestKind kind = RequestKind::load;
    std::uint32_t mask = 0, payload = 0;
    std::uint64_t id = 0, address = 0;
  };
  struct Entry {
    std::uint64_t block = 0;
    std::uint32_t set = 0, way = 0, pending = 0, count = 0, head = 0;
    bool doomed = false, flushed = false;
  };
  struct Waiter {
    std::uint32_t id = 0, mask = 0;
  };
  // One bit an entry.
  struct EntryBits {
    std::array<std::uint64_t, 2> words{};
    bool test(unsigned e) const { return words[e / 64] >> (e % 64) & 1; }
    void set(unsigned e) { words[e / 64] |= bit(e); }
    void clear(unsigned e) { words[e / 64] &= ~bit(e); }
    bool any() const { return words[0] | words[1]; }
    static std::uint64_t bit(unsigned e) { return std::uint64_t{1} << (e % 64); }
  };
  static constexpr unsigned none = ~0u;
  enum Asker : std::uint8_t { hit, replay, direct, nobody };

  // What a cycle comes to, from the state at its beginning and its inputs.
  struct Decision {
    bool fires = false;
    Stall stall = Stall::none;
    Result result = Result::hit;
    bool matched = false;                // a way or an entry has the line
    bool merges = false;                 // and it is an entry
    unsigned entry = none, way = none;   // matched, or for a miss about to be taken
    bool evicts = false, draws = false;  // a miss: replaces a valid line; chose it by the LFSR
    std::uint32_t missed = 0;            // validity bits to fetch
    bool fill = false, parks = false;
    unsigned fill_entry = none;
    Asker granted = nobody;
    bool replay_ready = false;
  };

  // cycle_l1d.cpp
  void reset();
  bool empty_stages() const;
  bool first_stage_free() const;
  // cycle_l1d_decide.cpp
  void decide(const L1dIn& in);
  void decide_probe(const Held& request);
  void decide_load(const Held& request);
  Stall reserve_line(const Held& request);
  void match(const Held& request);
  unsigned victim(unsigned set, std::uint32_t eligible);
  void decide_answer(const L1dIn& in);
  bool bank_taken(const L1dIn& in, unsigned way, std::uint32_t mask) const;
  unsigned free_entry() const;
  // cycle_l1d_edge.cpp
  void take_answer(const L1dIn& in);
  void give(std::uint32_t id, std::uint32_t mask, const std::uint64_t* data);
  void step_replay();
  unsigned next_to_replay() const;
  void step_queue(const L1dIn& in);
  void take_fill(const L1dIn& in);
  void note_probe();
  void fire(const Held& request);
  void fire_load(const Held& request);
  void fire_store(const Held& request);
  void allocate(const Held& request);
  void touch(unsigned set, unsigned way);
  void send_down(const Held& request, std::uint32_t mask, std::uint64_t id);
  void free_entries();
  void take_flush();
  void step_stages(const L1dIn& in);
  void accept(const L1dIn& in);
  void note(std::uint64_t L1dCounters::*counter, std::uint64_t n = 1);

  // A place of a ring, at most once past its end.
  static unsigned wrapped(unsigned place, unsigned size) { return place < size ? place : place - size; }
  unsigned line_of(unsigned set, unsigned way) const { return set * ways_ + way; }
  std::uint32_t validity_of(std::uint32_t mask) const { return sectored_ ? mask : 1; }
  Held& probe_stage() { return stages_[params_.index.latency]; }
  const Waiter& replayed() const {
    return waiters_[replay_entry_ * params_.mshr_merges + entries_[replay_entry_].head];
  }

  const hw::L1dParams params_;
  const bool with_data_, sectored_;
  const unsigned ways_, chunks_, words_;  // words: 64-bit words of a line
  const unsigned entry_bits_, id_bits_;   // of memory_request_id: an entry's number; all but the top bit
  const std::uint32_t all_chunks_, all_ways_;
  const RunTimeIndex index_;

  // Ways, set by set. Lines are kept by block address; the tag is a part of it.
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint32_t> valid_;
  std::vector<std::uint8_t> age_, owner_;  // owner: the entry of a busy way
  std::vector<std::uint32_t> busy_, nru_;  // a set each, one bit a way
  std::vector<std::uint64_t> data_;
  std::uint16_t lfsr_ = 0;

  std::vector<Entry> entries_;
  std::vector<Waiter> waiters_;
  EntryBits in_use_, wake_;
  bool replay_valid_ = false;
  unsigned replay_entry_ = 0, replay_pointer_ = 0;

  std::array<Held, 5> stages_;  // X1..XL, then the probe stage at L
  std::vector<Queued> queue_;   // ring; the oldest is on memory_request when out_valid_
  unsigned queue_head_ = 0, queue_count_ = 0;
  bool out_valid_ = false;
  std::vector<Payload> payloads_;  // ring of requests with data: they keep their order up to the memory
  unsigned payload_next_ = 0;

  bool answer_valid_ = false;
  std::uint32_t answer_id_ = 0, answer_mask_ = 0;
  LineData answer_data_{};
  Asker answer_pointer_ = hit;

  L1dOut out_;
  Decision now_;
  bool decided_ = false;
  unsigned waiter_left_ = none;  // the entry that this edge answered a waiter of
  Probe last_probe_;
  bool replay_lost_ = false;
  L1dCounters counters_, events_;
  std::array<std::uint64_t L1dCounters::*, counter_names.size()>
      noted_{};  // counters that the last edge moved
  unsigned noted_count_ = 0;
  std::vector<std::uint64_t> set_loads_;
};

}  // namespace golden

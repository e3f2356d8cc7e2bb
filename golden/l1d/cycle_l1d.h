// The L1 data cache cycle by cycle, from docs/contracts/l1d.md: every output in every cycle, and the state
// behind it. Its parts know nothing of each other; what a cycle comes to is decided and carried out here.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "golden/cache/decision.h"
#include "golden/cache/l1d_types.h"
#include "golden/cache/mshr_file.h"
#include "golden/cache/store_policy.h"
#include "golden/cache/tag_store.h"
#include "golden/check/answer_check.h"
#include "golden/index/run_time_index.h"
#include "golden/l1d/answer_stage.h"
#include "golden/l1d/cycle_monitors.h"
#include "golden/l1d/data_store.h"
#include "golden/l1d/miss_queue.h"
#include "golden/l1d/protected_data.h"
#include "golden/l1d/recovery.h"
#include "golden/l1d/request_path.h"
#include "golden/l1d/request_slice.h"
#include "golden/policy/policy.h"
#include "golden/state.h"
#include "golden/tags/tag_kinds.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class CycleL1d {
 public:
  // Parameters count at run time; they are taken as legal. Without data, answers and stores carry none.
  static std::unique_ptr<CycleL1d> make(const hw::L1dParams& params, bool with_data = true) {
    return std::make_unique<CycleL1d>(params, with_data, Policy::make(params));
  }
  // With a policy of the caller's, null = none.
  CycleL1d(const hw::L1dParams& params, bool with_data, std::unique_ptr<Policy> policy);
  CycleL1d(const CycleL1d&) = delete;
  CycleL1d& operator=(const CycleL1d&) = delete;

  // What the cache drives in this cycle; changes no state, so inputs may be tried. Valid until the edge.
  const L1dOut& outputs(const L1dIn& in);
  // The same again.
  const L1dOut& shown() const { return out_; }
  // The clock edge, with the inputs of the last call of outputs().
  void edge(const L1dIn& in);

  // Which addresses are cached elsewhere where they are shared; of caches that prefer such victims.
  void know_homes(std::function<bool(std::uint64_t)> foreign) { tags_->know_homes(std::move(foreign)); }

  // Since construction; a reset leaves them.
  const L1dCounters& counters() const { return counters_; }
  // What the last edge added to them: the event_* ports of the cycle that follows.
  const L1dCounters& events() const { return events_; }
  // Loads that fired, by set.
  std::span<const std::uint64_t> set_loads() const { return set_loads_; }
  // Nothing is under way: no request, no entry, no answer.
  bool idle() const;
  // It waits for a request, an answer of the memory or a flush: a cycle without one changes nothing.
  bool rests() const;

  // The tag-lookup stage in the cycle that the last edge ended.
  struct Probe {
    bool occupied = false, fired = false;
    unsigned set = 0;
    RequestKind kind = RequestKind::load;
    Result result = Result::hit;        // when it fired
    Stall stall = Stall::none;          // when it did not
    Stall bypass_wanted = Stall::none;  // when it bypasses rather than wait
    Bypass bypass = Bypass::none;
    hw::Sideband sideband = {};
    unsigned entry = no_entry;  // matched or allocated
    Place place = nowhere;      // matched or allocated, too
    bool present = false;       // chunks of the line were there
    bool poisoned = false;      // the matched entry was
    bool own_store = false;     // by a store of the request's warp, or by one that counts for all warps
    std::uint32_t mask = 0;     // of the request
    std::uint32_t written = 0;  // chunks of a store's line that it writes, now or when their banks are free
    bool passed = false;        // it is parked for a snoop
    bool at_once = false;       // a hit that was answered in that cycle
    bool moved_back = false;    // and for which the core was not ready
    bool beside = false;        // or beside which the answer stage took another answer
  };
  const Probe& last_probe() const { return last_probe_; }
  // The request that left it then, as monitors observe it; null if none did, or nobody saw it.
  const ProbeEvent* last_event() const { return last_event_ ? &*last_event_ : nullptr; }
  // A request that a snoop has passed waits beside the path.
  bool aside() const { return path_.aside().valid; }
  // In that cycle a waiting load was ready and did not get the answer stage.
  bool replay_lost() const { return replay_lost_; }

  unsigned set_of(std::uint64_t address) const { return index_.set_of(index_.block_of(address)); }
  // The state by name, and what each event_* port shows; read as long as the cache lives.
  void publish(StateList& list) const;

  // The line of the address is there as a whole; of caches that keep lines in ways.
  bool holds(std::uint64_t address) const;
  // Addresses of the lines of which some chunk is there, set by set.
  std::vector<std::uint64_t> resident_lines() const;

  WayState way(unsigned set, unsigned w) const { return tags_->way(set, w); }
  struct EntryState {
    bool in_use;  // else nothing below counts
    unsigned set;
    std::uint64_t tag;
    unsigned way;  // where lines lie in ways
    std::uint32_t pending;
    bool poisoned, flushed, wake;
    unsigned count, head;
  };
  EntryState entry(unsigned e) const;

  // The parts; one that not every cache has may be null.
  const TagStore& tags() const { return *tags_; }
  const MshrFile& mshrs() const { return mshrs_; }
  template <class M>
  const M* monitor() const {
    return monitor_among<M>(monitors_);
  }
  const AnswerCheck* answer_check() const { return check_ ? &*check_ : nullptr; }
  // What tags and policy know of controls.
  const Controls& controls() const { return controls_; }

  // What its monitors have decided since construction.
  std::vector<const History*> histories() const;
  // Bits of a code word of the data RAM flip, in this slot of this set; of a cache that protects it.
  void flip(unsigned set, unsigned slot, unsigned word, const CodeWord& bits);
  // Bits of a tag flip in its RAM, of a cache that protects its tags.
  void flip_tag(const TagWord& at, const CodeWord& bits) { tags_->flip_tag(at, bits); }
  // Bits of its RAMs may flip, as many as where they are protected in this way; and nobody looks. Before the
  // first cycle.
  void meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with);
  // Such an upset of a cache without checks would come in the way of a request or of another tag.
  bool would_meet(const TagWord& at, const CodeWord& bits) const {
    const Held* const compared = kind_.compare_stages ? path_.before_probe() : nullptr;
    return (path_.probe().valid && path_.probe().set == at.set) ||
           (compared && compared->valid && compared->set == at.set) || tags_->would_meet(at, bits);
  }
  // In this cycle the request in the tag-lookup stage waits for an entry with a wrong tag.
  bool tags_wait() const { return now_.tags_wait; }
  // What the request in the tag-lookup stage sees of wrong tags.
  TagsSeen wrong_tags() const {
    return path_.probe().valid && !now_.frozen ? tags_->wrong_tags(path_.probe()) : TagsSeen{};
  }
  // No bit of it has flipped since it was written, or all of them back.
  bool is_clean(unsigned set, unsigned slot, unsigned word) const;
  const ProtectedData* protected_data() const { return protected_ ? &*protected_ : nullptr; }
  // RAMs of waiting loads and of queued requests, of a cache that protects them; null: it has none.
  enum class RowArray { targets, waiting_lines, queued_requests, queued_payloads };
  static constexpr std::array row_arrays{RowArray::targets, RowArray::waiting_lines,
                                         RowArray::queued_requests, RowArray::queued_payloads};
  ProtectedRows* rows_of(RowArray array);
  // Its row read last is looked at in this cycle.
  bool shows_row(RowArray array) const;
  // A waiting load or a queued request stays where it is until a reset.
  bool stuck() const { return mshrs_.stuck() || queue_.stuck(); }
  const Recovery* recovery() const { return recovery_ ? &*recovery_ : nullptr; }

  // The controls that it decides itself.
  const Controls& decisions() const { return out_.decisions; }

 private:
  // The memory's answer of a cycle that is a fill.
  struct Fill {
    bool valid = false;
    unsigned entry = no_entry;
    std::uint32_t chunks = 0;
  };
  // What a cycle comes to, from the state at its beginning and its inputs.
  struct Decisions {
    Decision probe;
    Fill fill;
    bool frozen = false;  // the adaptive index changes: nothing on the path moves
    bool passes = false;  // the next request, if one comes, is a snoop that may go before the one that fails
    bool parks = false, replay_ready = false;
    AnswerStage::Asker granted = AnswerStage::nobody;
    bool at_once = false;     // the probe's hit is answered in this cycle, ahead of the answer stage
    bool moves_back = false;  // and the core is not ready: it moves into that stage
    bool corrects = false;    // what the answer stage shows, so that it stays there
    bool reads_again = false, fetches_again = false;  // the first load of the recovery
    std::uint64_t emptied = 0;  // ways of the probe's set whose lines go, since their tags are wrong
    bool tags_wait = false;     // the probe waits for an entry whose tag is wrong
  };

  // cycle_state.cpp
  void publish_entries(StateList& list) const;
  void publish_aside(StateList& list) const;
  void publish_events(StateList& list) const;
  unsigned most_in_a_cycle(std::uint64_t L1dCounters::*counter) const;

  // cycle_l1d.cpp
  void reset();
  void show();
  void show_probe();
  void show_checks(const L1dIn& in);
  void check_edge(const L1dIn& in);

  // cycle_l1d_decide.cpp
  void decide(const L1dIn& in);
  void steer(Controls controls);
  void decide_probe(const Held& request);
  void decide_load(const Held& request);
  void decide_store(const Held& request);
  bool banks_taken(const Held& store) const;
  bool replay_ready() const;
  bool waits_behind_store(const Held& load) const;
  std::uint32_t chunks_with_bytes(const Held& store) const;
  void look_up(const Held& request);
  void reserve(const Held& request);
  void bypass(Bypass reason);
  void decide_answer(const L1dIn& in);
  bool snoop_passes(const L1dIn& in) const;
  bool fill_blocks_hit(const Held& request) const;
  bool fill_blocks_replay() const;

  // cycle_l1d_recovery.cpp
  bool queue_closed(const Held& request) const;
  void read_data(Recovery::Load load);
  void read_snooped(const Held& request, const Slots& slots);
  void read_again();
  void step_recovery();
  void fetch_again();
  void show_recovery();
  void publish_recovery(StateList& list) const;

  // cycle_l1d_rows.cpp
  void protect_rows(const hw::L1dParams& params);
  void show_rows();
  void step_rows();

  // cycle_l1d_edge.cpp
  void note(std::uint64_t L1dCounters::*counter, std::uint64_t n = 1);
  void note_probe(const L1dIn& in);
  void note_lost(Lost lost);
  void notify_policy(const L1dIn& in);
  void take_answer(const L1dIn& in);
  void show_hit();
  bool reads_ahead(const L1dIn& in) const;
  void step_replay();
  void take_fill(const L1dIn& in);
  void fire(const Held& request);
  void fire_load(const Held& request);
  void write_line(const Held& store);
  void fire_bypass(const Held& request);
  void settle(unsigned e);
  void send_down(const Held& request, std::uint32_t mask, std::uint64_t id);
  void take_flush();
  void notify_monitors(const L1dIn& in);
  void step_path(const L1dIn& in);
  void enter_path(const L1dIn& in);
  void read_tags();
  std::optional<ProbeEvent> probe_event() const;

  // No request stands before the probe or in it.
  bool front_empty() const { return path_.empty() && (!slice_ || slice_->empty()); }
  // The stages before the probe take a request in this cycle.
  bool path_accepts() const {
    if (now_.frozen) return false;
    return blocking_stages_ ? path_.free_before(blocking_stages_)
                            : path_.accepts(now_.probe.fires, now_.passes);
  }
  // It has had an answer that breaks the rules.
  bool broken() const { return check_ && check_->broken(); }
  bool enters(const L1dIn& in) const { return in.core_request_valid && out_.core_request_ready; }
  bool flushes(const L1dIn& in) const { return (in.flush_valid && out_.flush_ready) || monitors_flush(); }
  bool monitors_flush() const {
    return std::ranges::any_of(monitors_, [](const auto& monitor) { return monitor->flushes(); });
  }
  bool monitors_freeze() const {
    return std::ranges::any_of(monitors_, [](const auto& monitor) { return monitor->freezes(); });
  }
  // What comes for the entry may be found.
  bool installs(unsigned e) const { return !mshrs_[e].poisoned && !mshrs_[e].flushed; }
  std::uint32_t validity_of(std::uint32_t mask) const { return by_chunk_ ? mask : 1; }
  unsigned chunks_in(std::uint32_t validity) const;
  // The warp of a request, as a bit; all of them where a cache has no warps.
  std::uint64_t warp_of(const Held& request) const {
    return warps_ ? std::uint64_t{1} << request.sideband.warp : ~std::uint64_t{0};
  }
  PolicyLoad policy_load(const Held& request) const;

  const TagKindRow& kind_;
  const int blocking_stages_;  // of the index: one request at a time is in them; 0: any
  const bool with_data_, by_chunk_, snoops_;
  const bool corrects_;  // wrong data, where that is possible
  const bool protects_tags_, protects_rows_;
  const bool lines_share_;  // slots or ways of a set: a line has none of its own
  const bool at_once_;      // hits are answered in the cycle of their lookup
  const int warps_;         // with numbers of their own, where loads merge behind stores; else 0
  const bool has_events_, shows_probe_;  // has the event_* ports, the probe_* ports
  const unsigned ways_;
  const unsigned chunks_, words_;  // of a line; words of 64 bits
  const std::uint32_t all_chunks_;
  const unsigned core_id_bits_, entry_bits_, way_id_bits_,
      id_bits_;  // of memory ids: an entry's number, a way's; all but the top bit

  RunTimeIndex index_;
  std::optional<RequestSlice> slice_;
  RequestPath path_;
  const std::unique_ptr<TagStore> tags_;
  MshrFile mshrs_;
  MissQueue queue_;
  AnswerStage answer_;
  std::optional<DataStore> data_;
  std::optional<ProtectedData> protected_;
  std::optional<Recovery> recovery_;
  Recovery::Load refetched_;  // at this edge
  // ecc_uncorrectable has reported the waiting load, of the queued request; the response is of a load that
  // was corrected.
  bool load_reported_ = false, request_reported_ = false, load_corrected_ = false;
  unsigned first_id_bit_ = 0;                            // of a queued request's row
  bool load_reports_ = false, request_reports_ = false;  // in this cycle
  const std::unique_ptr<Policy> policy_;
  const std::unique_ptr<StorePolicy> stores_;
  const bool fetches_lines_;  // a miss asks for all that is absent
  Monitors monitors_;
  const bool steers_;  // some part knows of controls
  const hw::CheckParams check_params_;
  std::optional<AnswerCheck> check_;

  Controls controls_;  // that tags and policy know
  L1dOut out_;
  Decisions now_;
  bool decided_ = false;
  Probe last_probe_;
  std::optional<ProbeEvent> last_event_;
  bool replay_lost_ = false;
  bool read_ahead_ = false;  // the data of the probe was read as it entered
  LineData shown_{};         // of a hit that is answered at once
  L1dCounters counters_, events_;
  std::array<std::uint64_t L1dCounters::*, counter_names.size()> noted_{};  // counters moved by the last edge
  unsigned noted_count_ = 0;
  std::vector<std::uint64_t> set_loads_;
};

}  // namespace golden

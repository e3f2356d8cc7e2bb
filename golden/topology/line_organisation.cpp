// A core's controller, cycle by cycle: its observations of requests and replies.
#include "golden/topology/line_organisation.h"

#include "golden/topology/kinds.h"
#include "golden/topology/organisation_history.h"
#include "golden/topology/shared_node.h"
#include "golden/topology/store_guard.h"

namespace golden {
namespace {

class FixedOrganisation final : public LineOrganisation {
 public:
  explicit FixedOrganisation(bool shared) : shared_(shared) {}
  bool shared() const override { return shared_; }

 private:
  const bool shared_;
};

class DynebOrganisation final : public LineOrganisation {
 public:
  DynebOrganisation(const hw::TopologyParams& p, int core)
      : core_id_bits_(p.l1d.core_id_bits),
        memory_id_bits_(memory_id_bits(cache_params(p))),
        l1_id_bits_(cache_params(p).core_id_bits),
        fetches_again_(hw::protects_data(p.l1d.ecc)),
        index_(untouched(p.l1d.index)),
        controller_(p.shared.dyneb),
        guard_(StoreGuard::make(p, core)) {
    history_.note(0, organisation_samples);
    seen_["a controller finds private L1s better"] = seen_["a controller finds shared L1s better"] = 0;
  }

  bool takes() const override { return !controller_.hold() && guard_->ready(); }
  bool shared() const override { return shared(stage_.odd); }
  bool written() const override { return guard_->written(fresh_); }
  bool drops(RequestKind kind, Way way) const override { return guard_->drops(kind, way); }
  std::uint64_t marks() const override { return 2 * (stage_.kind == RequestKind::load) + stage_.odd; }
  std::uint64_t own_marks() const override { return fetches_again_ ? marks() : 0; }
  std::uint64_t direct_tally() const override {
    return 4 * (stage_.kind == RequestKind::non_l1) + stage_.odd;
  }
  std::uint64_t missed_tally(const Message& m) const override {
    if (named_by_id(m)) return 2u * bit(m.id, l1_id_bits_ - 1) + bit(m.id, core_id_bits_);
    return below_.empty() ? 0 : 2 * below_.front().served + below_.front().odd;
  }
  std::uint64_t answer_hit(const L1dCounters& events) const override {
    return waited_ ? waiting_hit_ : events.hits > 0;
  }
  bool clean() const override { return guard_->clean(); }
  std::uint64_t shared_sets() const override { return 2u * shared(true) + shared(false); }

  void edge(const CoreCycle& c, const L1dCounters& events) override {
    watch(c);
    const bool hit = answer_hit(events) != 0;
    const Dyneb::In observed = observe(c, events);
    follow_l1(c, events);
    guard_->edge({.clears = c.flush_valid && c.idle,
                  .fresh = fresh_,
                  .arrives = c.arrives,
                  .block = c.arrives ? index_.block_of(c.arrives->address) : 0,
                  .odd = c.arrives && odd(*c.arrives),
                  .shared = c.arrives && shared(odd(*c.arrives))});
    move_controller(observed, events);
    waited_ = c.answer_waits, waiting_hit_ = hit;
    fresh_ = c.arrives != nullptr;
    if (c.arrives) stage_ = {.kind = c.arrives->kind, .odd = odd(*c.arrives)};
  }

  void reset() override {
    controller_.reset();
    guard_->reset();
    inside_.clear(), below_.clear();
    fresh_ = waited_ = false;
  }

  void count(EventCounts& events) const override {
    for (const auto& [name, n] : seen_) events[name] += n;
    guard_->count(events);
  }
  const History* decisions() const override { return &history_; }

 private:
  // Of a request on its way through the L1.
  struct Origin {
    bool served = false, odd = false;
  };
  struct Staged {
    RequestKind kind = RequestKind::load;
    bool odd = false;
  };

  static hw::IndexParams untouched(hw::IndexParams index) {
    index.latency = 0;
    return index;
  }
  static bool bit(std::uint64_t id, int n) { return id >> n & 1; }

  // A second fetch is no event. So where there are some, ids of requests that are no fetch of an MSHR entry
  // say what the others' list says.
  bool named_by_id(const Message& m) const { return fetches_again_ && bit(m.id, memory_id_bits_ - 1); }
  std::uint64_t listed(const L1dCounters& events) const {
    return fetches_again_ ? events.requests_down - events.bypasses
                          : events.requests_down + events.stores + events.atomics;
  }

  bool odd(const Message& m) const { return index_.set_of(index_.block_of(m.address)) & 1; }
  bool shared(bool odd) const { return odd ? controller_.odd_shared() : controller_.even_shared(); }
  bool of_l1s(const Message& reply) const { return !bit(reply.id, memory_id_bits_ + 2); }

  Dyneb::In observe(const CoreCycle& c, const L1dCounters& events) const {
    Dyneb::In in{.flush = c.flush};
    in.request = {.valid = fresh_ && stage_.kind != RequestKind::non_l1,
                  .load = stage_.kind == RequestKind::load,
                  .odd = stage_.odd,
                  .home = c.to_home};
    in.answer = c.answered && (!c.by_slice || of_l1s(*c.by_slice));
    if (events.loads)
      in.probe = {.valid = true,
                  .odd = inside_.front().odd,
                  .served = inside_.front().served,
                  .miss = events.misses + events.partial_misses + events.bypasses > 0};
    if (c.slice && of_l1s(*c.slice))
      in.slice = {.valid = true,
                  .odd = bit(c.slice->id, memory_id_bits_),
                  .served = bit(c.slice->id, memory_id_bits_ + 1)};
    if (c.home)
      in.home = {.valid = true,
                 .odd = bit(c.home->id, core_id_bits_),
                 .load = bit(c.home->id, core_id_bits_ + 1),
                 .hit = bit(c.home->id, core_id_bits_ + 2)};
    return in;
  }

  // Whose requests are in the L1, and in its miss queue; events are of the cycle before.
  void follow_l1(const CoreCycle& c, const L1dCounters& events) {
    if (c.down_l1 && !named_by_id(*c.down_l1)) below_.pop_front();
    if (listed(events) > 0) below_.push_back(inside_.front());
    if (events.accesses) inside_.pop_front();
    if (c.enters_l1)
      inside_.push_back({*c.enters_l1, *c.enters_l1 ? bit(c.entering_id, core_id_bits_) : stage_.odd});
  }

  void move_controller(const Dyneb::In& in, const L1dCounters& events) {
    loads_ += events.loads;
    const Dyneb::Phase before = controller_.phase();
    const DynebSample sample = controller_.sample();
    controller_.edge(in);
    note_organisation(history_, loads_, controller_.params(), before, sample, controller_.phase());
    if (in.flush) history_.note(loads_, organisation_samples);
  }

  void watch(const CoreCycle& c) {
    guard_->watch({.clears = c.flush_valid && c.idle,
                   .fresh = fresh_,
                   .of_l1s = stage_.kind != RequestKind::non_l1,
                   .shared = shared()});
    if (controller_.phase() == Dyneb::Phase::evaluate && controller_.evaluated() == 1)
      ++seen_[compared(controller_.params(), controller_.sample()) == DynebCause::shared
                  ? "a controller finds shared L1s better"
                  : "a controller finds private L1s better"];
    const bool samples = controller_.phase() == Dyneb::Phase::sample;
    const Dyneb::End end = controller_.ends();
    seen_["SAMPLE ends by accesses"] += samples && end == Dyneb::End::accesses;
    seen_["EXEC ends by accesses"] += !samples && end == Dyneb::End::accesses;
    if (controller_.params().sample_cap) seen_["SAMPLE ends by its cap"] += samples && end == Dyneb::End::cap;
    if (controller_.params().execute_cap) seen_["EXEC ends by its cap"] += !samples && end == Dyneb::End::cap;
    const bool lasts = controller_.draining() && !controller_.idle();
    seen_["DRAIN of more than one cycle"] += lasts;
  }

  const int core_id_bits_, memory_id_bits_, l1_id_bits_;
  const bool fetches_again_;
  const RunTimeIndex index_;
  Dyneb controller_;
  const std::unique_ptr<StoreGuard> guard_;
  std::deque<Origin> inside_, below_;  // requests in the L1's stages, in its miss queue
  Staged stage_;
  bool fresh_ = false;  // the request in the stage was accepted in the cycle before
  bool waited_ = false, waiting_hit_ = false;
  EventCounts seen_;
  History history_ = organisation_history();
  std::uint64_t loads_ = 0;  // that have left the L1's lookup
};

}  // namespace

std::unique_ptr<LineOrganisation> LineOrganisation::make(const hw::TopologyParams& p, int core) {
  if (hw::has_controllers(p.shared)) return std::make_unique<DynebOrganisation>(p, core);
  return std::make_unique<FixedOrganisation>(p.shared.organisation == hw::Organisation::shared_lines);
}

}  // namespace golden

// A core's controller and filter, cycle by cycle: what they hear of requests and replies.
#include "golden/topology/line_organisation.h"

#include "golden/topology/kinds.h"
#include "golden/topology/shared_node.h"

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
      : core_(core),
        core_id_bits_(p.l1d.core_id_bits),
        memory_id_bits_(memory_id_bits(cache_params(p))),
        route_(route_params(p)),
        index_(untouched(p.l1d.index)),
        controller_(p.shared.dyneb) {
    if (hw::has_drops(p.shared))
      filter_.emplace(hw::WrittenFilterParams{.address_bits = p.l1d.address_bits,
                                              .line_bytes = p.l1d.line_bytes,
                                              .filter_bits = p.shared.filter_bits});
    seen_["a controller finds private L1s better"] = seen_["a controller finds shared L1s better"] = 0;
  }

  bool takes() const override { return !controller_.hold() && (!filter_ || filter_->ready()); }
  bool shared() const override { return shared(stage_.odd); }
  bool written() const override { return filter_ && (fresh_ ? filter_->written() : found_); }
  bool drops(RequestKind kind, Way way) const override {
    return filter_ && changes_memory(kind) && way != Way::local;
  }
  std::uint64_t marks() const override { return 2 * (stage_.kind == RequestKind::load) + stage_.odd; }
  std::uint64_t direct_tally() const override {
    return 4 * (stage_.kind == RequestKind::non_l1) + stage_.odd;
  }
  std::uint64_t missed_tally() const override {
    return below_.empty() ? 0 : 2 * below_.front().served + below_.front().odd;
  }
  std::uint64_t answer_hit(const L1dCounters& events) const override {
    return waited_ ? waiting_hit_ : events.hits > 0;
  }
  bool clean() const override { return !filter_ || (filter_->ready() && !dirty_); }

  void edge(const CoreCycle& c, const L1dCounters& events) override {
    watch(c);
    const bool hit = answer_hit(events) != 0;
    const Dyneb::In heard = hear(c, events);
    follow_l1(c, events);
    if (filter_) ask_filter(c);
    controller_.edge(heard);
    waited_ = c.answer_waits, waiting_hit_ = hit;
    fresh_ = c.arrives != nullptr;
    if (c.arrives) stage_ = {.kind = c.arrives->kind, .odd = odd(*c.arrives)};
  }

  void reset() override {
    controller_.reset();
    if (filter_) filter_->reset();
    inside_.clear(), below_.clear();
    fresh_ = dirty_ = waited_ = false;
  }

  void count(EventCounts& events) const override {
    for (const auto& [name, n] : seen_) events[name] += n;
  }

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

  bool odd(const Message& m) const { return index_.set_of(index_.block_of(m.address)) & 1; }
  bool shared(bool odd) const { return odd ? controller_.odd_shared() : controller_.even_shared(); }
  bool of_l1s(const Message& reply) const { return !bit(reply.id, memory_id_bits_ + 2); }

  Dyneb::In hear(const CoreCycle& c, const L1dCounters& events) const {
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

  // Whose requests are in the L1, and in its miss queue; events tell of the cycle before.
  void follow_l1(const CoreCycle& c, const L1dCounters& events) {
    if (c.down_l1) below_.pop_front();
    if (events.requests_down + events.stores + events.atomics > 0) below_.push_back(inside_.front());
    if (events.accesses) inside_.pop_front();
    if (c.enters_l1)
      inside_.push_back({*c.enters_l1, *c.enters_l1 ? bit(c.entering_id, core_id_bits_) : stage_.odd});
  }

  void ask_filter(const CoreCycle& c) {
    WrittenFilter::In in{.clear = c.flush_valid && c.idle && dirty_};
    if (fresh_) found_ = filter_->written();
    if (const Message* m = c.arrives) {
      in.valid = true;
      in.odd = odd(*m);
      in.block = index_.block_of(m->address);
      in.mark = changes_memory(m->kind) && !shared(in.odd) && route_.home(m->address) != core_;
    }
    if (in.clear)
      dirty_ = false;
    else if (in.mark)
      dirty_ = true;
    filter_->edge(in);
  }

  void watch(const CoreCycle& c) {
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
    if (!filter_) return;
    seen_["the filter sends a request past its home"] +=
        fresh_ && written() && shared() && stage_.kind != RequestKind::non_l1;
    seen_["the filter is cleared before a flush"] += c.flush_valid && c.idle && dirty_;
  }

  const int core_, core_id_bits_, memory_id_bits_;
  const RouteSelect route_;
  const RunTimeIndex index_;
  Dyneb controller_;
  std::optional<WrittenFilter> filter_;
  std::deque<Origin> inside_, below_;  // requests in the L1's stages, in its miss queue
  Staged stage_;
  bool fresh_ = false;  // the request in the stage was accepted in the cycle before
  bool found_ = false, dirty_ = false, waited_ = false, waiting_hit_ = false;
  EventCounts seen_;
};

}  // namespace

std::unique_ptr<LineOrganisation> LineOrganisation::make(const hw::TopologyParams& p, int core) {
  if (hw::has_controllers(p.shared)) return std::make_unique<DynebOrganisation>(p, core);
  return std::make_unique<FixedOrganisation>(p.shared.organisation == hw::Organisation::shared_lines);
}

}  // namespace golden

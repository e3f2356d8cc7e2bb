// A core's written filter, cycle by cycle, and the drops of its own L1.
#include "golden/topology/store_guard.h"

#include "golden/shared/written_filter.h"
#include "golden/topology/shared_node.h"
#include "hw/shared/marks_params.h"

namespace golden {
namespace {

class FilterGuard final : public StoreGuard {
 public:
  FilterGuard(const hw::TopologyParams& p, int core)
      : core_(core),
        route_(route_params(p)),
        filter_({.address_bits = p.l1d.address_bits,
                 .line_bytes = p.l1d.line_bytes,
                 .filter_bits = p.shared.filter_bits}) {}

  bool ready() const override { return filter_.ready(); }
  bool written(bool fresh) const override { return fresh ? filter_.written() : found_; }
  bool drops(RequestKind kind, Way way) const override { return changes_memory(kind) && way != Way::local; }
  bool clean() const override { return filter_.ready() && !dirty_; }

  void watch(const Staged& s) override {
    past_home_ += s.fresh && written(true) && s.shared && s.of_l1s;
    cleared_ += s.clears && dirty_;
  }

  void edge(const Cycle& c) override {
    WrittenFilter::In in{.clear = c.clears && dirty_};
    if (c.fresh) found_ = filter_.written();
    if (c.arrives) {
      in.valid = true;
      in.odd = c.odd;
      in.block = c.block;
      in.mark = changes_memory(c.arrives->kind) && !c.shared && route_.home(c.arrives->address) != core_;
    }
    if (in.clear)
      dirty_ = false;
    else if (in.mark)
      dirty_ = true;
    filter_.edge(in);
  }

  void reset() override {
    filter_.reset();
    dirty_ = false;
  }

  void count(EventCounts& events) const override {
    events["the filter sends a request past its home"] += past_home_;
    events["the filter is cleared before a flush"] += cleared_;
  }

 private:
  const int core_;
  const RouteSelect route_;
  WrittenFilter filter_;
  bool found_ = false, dirty_ = false;
  std::uint64_t past_home_ = 0, cleared_ = 0;
};

}  // namespace

std::unique_ptr<StoreGuard> StoreGuard::make(const hw::TopologyParams& p, int core) {
  if (hw::has_drops(p.shared)) return std::make_unique<FilterGuard>(p, core);
  return std::make_unique<StoreGuard>();
}

}  // namespace golden

#include "golden/topology/functional_dyneb.h"

#include "golden/shared/written_filter.h"
#include "golden/topology/organisation_history.h"
#include "hw/shared/marks_params.h"

namespace golden {
namespace {

constexpr int eval_cycles = 1;

class MarksAndDrops final : public UntimedGuard {
 public:
  explicit MarksAndDrops(const hw::TopologyParams& p)
      : blocks_(p.l1d.index),
        filter_({.address_bits = p.l1d.address_bits,
                 .line_bytes = p.l1d.line_bytes,
                 .filter_bits = p.shared.filter_bits}),
        marked_(std::size_t{1} << p.shared.filter_bits) {}

  bool written(std::uint64_t address, bool odd) const override { return marked_[at(address, odd)]; }
  void passes(const Request& request, FunctionalL1d& own) override {
    Request drop = request;
    drop.kind = RequestKind::drop;
    own.access({&drop, 1}, nullptr);
  }
  void stays(std::uint64_t address, bool odd) override { marked_[at(address, odd)] = true; }
  void restart() override { marked_.assign(marked_.size(), false); }

 private:
  std::size_t at(std::uint64_t address, bool odd) const {
    return filter_.index(blocks_.block_of(address), odd);
  }

  const RunTimeIndex blocks_;
  const WrittenFilter filter_;  // its index alone
  std::vector<bool> marked_;
};

}  // namespace

std::unique_ptr<UntimedGuard> UntimedGuard::make(const hw::TopologyParams& params) {
  if (hw::has_drops(params.shared)) return std::make_unique<MarksAndDrops>(params);
  return std::make_unique<UntimedGuard>();
}

FunctionalDyneb::FunctionalDyneb(const hw::TopologyParams& params)
    : FunctionalShared(params),
      index_(params.l1d.index),
      prefers_stale_lines_(hw::has_stale_lines(params.shared)) {
  for (int core = 0; core < params.shape.cores; ++core) {
    cores_.push_back({.controller = Dyneb(params.shared.dyneb, eval_cycles),
                      .guard = UntimedGuard::make(params),
                      .history = organisation_history()});
    cores_.back().history.note(0, organisation_samples);
    l1(core).know_homes([this, core](std::uint64_t address) { return route().home(address) != core; });
    steer(core);
  }
}

Way FunctionalDyneb::route_of(const CoreRequest& r, bool odd) {
  Core& core = cores_[static_cast<std::size_t>(r.core)];
  const std::uint64_t address = r.request.address;
  const bool shared = odd ? core.controller.odd_shared() : core.controller.even_shared();
  const Way way = route().way(r.core, address, true, shared, core.guard->written(address, odd));
  if (!changes_memory(r.request.kind)) return way;
  if (way != Way::local)
    core.guard->passes(r.request, l1(r.core));
  else if (route().home(address) != r.core)
    core.guard->stays(address, odd);
  return way;
}

Served FunctionalDyneb::serve(const CoreRequest& r) {
  if (r.request.kind == RequestKind::non_l1) return serve_on(Way::direct, r);
  const bool is_odd = odd(r.request.address), load = r.request.kind == RequestKind::load;
  const Way way = route_of(r, is_odd);
  const Served served = serve_on(way, r);
  const bool down = !load || is_miss(served.result);
  Dyneb::In own{.request = {true, load, is_odd, way == Way::home}, .answer = true};
  if (way == Way::home)
    own.home = {.valid = true, .odd = is_odd, .load = load, .hit = served.result == Result::hit};
  else
    own.slice = {.valid = down, .odd = is_odd, .served = false};
  if (way == Way::local && load)
    own.probe = {.valid = true, .odd = is_odd, .served = false, .miss = is_miss(served.result)};
  step(r.core, own);
  if (way != Way::home) return served;
  Dyneb::In of_home{.slice = {.valid = down, .odd = is_odd, .served = true}};
  if (load) of_home.probe = {.valid = true, .odd = is_odd, .served = true, .miss = is_miss(served.result)};
  step(served.node, of_home);
  return served;
}

void FunctionalDyneb::step(int number, const Dyneb::In& in) {
  Core& core = cores_[static_cast<std::size_t>(number)];
  const Dyneb::Phase before = core.controller.phase();
  const DynebSample sample = core.controller.sample();
  core.controller.edge(core.controller.draining() ? Dyneb::In{} : in);  // a request is answered at once
  note_organisation(core.history, cache(number).counters().loads, core.controller.params(), before, sample,
                    core.controller.phase());
  steer(number);
}

void FunctionalDyneb::steer(int number) {
  if (!prefers_stale_lines_) return;
  const Dyneb& controller = cores_[static_cast<std::size_t>(number)].controller;
  Controls controls;
  controls["shared_sets"] = 2u * controller.odd_shared() + controller.even_shared();
  l1(number).steer(controls);
}

void FunctionalDyneb::restart() {
  for (int n = 0; n < caches(); ++n) {
    Core& core = cores_[static_cast<std::size_t>(n)];
    core.controller.reset();
    steer(n);
    core.guard->restart();
    core.history.note(cache(n).counters().loads, organisation_samples);
  }
}

}  // namespace golden

#include "golden/topology/functional_dyneb.h"

#include "hw/shared/marks_params.h"

namespace golden {
namespace {

constexpr int eval_cycles = 1;

hw::WrittenFilterParams filter_params(const hw::TopologyParams& p) {
  return {.address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .filter_bits = p.shared.filter_bits};
}

// Words by golden::DynebCause, and one more for the beginning.
History organisations() {
  return {
      .name = "organisation_history",
      .key = "organisation",
      .title = "Organisation",
      .words = {"private: few misses", "private: no access of even sets", "private: no access of odd sets",
                "private: a tie", "private: worse", "shared", "samples"}};
}
constexpr int samples = 6;

}  // namespace

FunctionalDyneb::FunctionalDyneb(const hw::TopologyParams& params)
    : FunctionalShared(params),
      guards_(hw::has_drops(params.shared)),
      index_(params.l1d.index),
      filter_(filter_params(params)),
      cores_(static_cast<std::size_t>(params.shape.cores),
             {.controller = Dyneb(params.shared.dyneb, eval_cycles),
              .written = std::vector<bool>(std::size_t{1} << params.shared.filter_bits),
              .history = organisations()}) {
  for (Core& core : cores_) core.history.note(0, samples);
}

Way FunctionalDyneb::route_of(const CoreRequest& r, bool odd) {
  Core& core = cores_[static_cast<std::size_t>(r.core)];
  const std::uint64_t address = r.request.address;
  const bool shared = odd ? core.controller.odd_shared() : core.controller.even_shared();
  const std::size_t at = filter_.index(index_.block_of(address), odd);
  const Way way = route().way(r.core, address, true, shared, guards_ && core.written[at]);
  if (!guards_ || !changes_memory(r.request.kind)) return way;
  if (way != Way::local) {
    Request drop = r.request;
    drop.kind = RequestKind::drop;
    l1(r.core).access({&drop, 1}, nullptr);
  } else if (route().home(address) != r.core) {
    core.written[at] = true;
  }
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
  using Phase = Dyneb::Phase;
  const Phase before = core.controller.phase();
  const DynebSample sample = core.controller.sample();
  core.controller.edge(core.controller.draining() ? Dyneb::In{} : in);  // a request is answered at once
  const Phase now = core.controller.phase();
  const std::uint64_t loads = cache(number).counters().loads;
  if (before == Phase::sample && now != Phase::sample)
    core.history.note(loads, static_cast<int>(compared(core.controller.params(), sample)));
  if (before == Phase::drain_to_sample && now == Phase::sample) core.history.note(loads, samples);
}

void FunctionalDyneb::restart() {
  for (int n = 0; n < caches(); ++n) {
    Core& core = cores_[static_cast<std::size_t>(n)];
    core.controller.reset();
    core.written.assign(core.written.size(), false);
    core.history.note(cache(n).counters().loads, samples);
  }
}

}  // namespace golden

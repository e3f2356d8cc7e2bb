#include "golden/topology/functional_remote.h"

#include <span>

#include "golden/topology/shared_node.h"

namespace golden {

FunctionalRemote::FunctionalRemote(const hw::TopologyParams& params)
    : FunctionalTopology(params),
      p_(params.remote),
      route_(route_params(params)),
      index_(params.l1d.index),
      filter_({.address_bits = params.l1d.address_bits,
               .line_bytes = params.l1d.line_bytes,
               .filter_bits = params.remote.filter_bits}) {
  for (int c = 0; c < params.shape.cores; ++c)
    cores_.push_back({.predictor = SharingPredictor(p_.predictor),
                      .selector = UntimedSelector(hw::selector_params(p_, params.shape.cores, c)),
                      .written = std::vector<bool>(std::size_t{1} << p_.filter_bits)});
  figures_.supplied.resize(cores_.size());
  figures_.able.resize(cores_.size());
}

std::size_t FunctionalRemote::filter_bit(std::uint64_t address) const {
  const std::uint64_t block = index_.block_of(address);
  return filter_.index(block, index_.set_of(block) & 1);
}

Served FunctionalRemote::serve(const CoreRequest& r) {
  const std::uint64_t address = r.request.address;
  Core& core = cores_[static_cast<std::size_t>(r.core)];
  core.selector.begin();
  Served served{.core = r.core, .node = r.core, .slice = route_.slice(address)};
  served.result = ask(r.core, r.request, home().of(address));
  if (p_.own_store_guard && changes_memory(r.request.kind)) core.written[filter_bit(address)] = true;
  Miss taken;
  if (served.result == Result::miss) {
    ++figures_.misses;
    if (p_.own_store_guard && core.written[filter_bit(address)])
      ++figures_.filtered;
    else if (p_.enable)
      taken = miss(r);
  }
  core.selector.edge(taken.searched, taken.supplier);
  if (taken.supplier) served.supplier = *taken.supplier;
  if (taken.supplier || served.result == Result::hit) served.slice = -1;
  return served;
}

bool FunctionalRemote::held_by_others(int core, std::uint64_t address) {
  bool any = false;
  for (int c = 0; c < caches(); ++c) {
    if (c == core || !cache(c).holds(address)) continue;
    any = true;
    ++figures_.able[static_cast<std::size_t>(c)];
  }
  return any;
}

FunctionalRemote::Miss FunctionalRemote::miss(const CoreRequest& r) {
  Core& core = cores_[static_cast<std::size_t>(r.core)];
  const std::uint64_t address = r.request.address;
  const bool foreign = held_by_others(r.core, address),
             knows = p_.predictor.kind == hw::PredictorKind::perfect;
  SharingPredictor::In in{.miss = true,
                          .pc = r.request.sideband.pc & (~std::uint32_t{0} >> (32 - p_.predictor.pc_bits))};
  const SharingPredictor::Answer answer =
      knows ? SharingPredictor::Answer{.shared = foreign} : core.predictor.answer(in);
  Miss taken{.searched = answer.shared};
  figures_.shared += foreign;
  figures_.searches += answer.shared;
  figures_.right += answer.shared && foreign;
  if (answer.shared) taken.supplier = search(r.core, core.selector.list(), address);
  in.reply = answer.tracked && taken.supplier;
  in.slot = answer.slot;
  if (!knows) core.predictor.edge(in);
  return taken;
}

// The leader's targets in their order; then, of the cores that scouts have found, the next behind this one.
std::optional<int> FunctionalRemote::search(int core, const CoreList& list, std::uint64_t address) {
  if (list.probes == 0) return {};
  const auto has = [&](int c) { return cache(c).holds(address); };
  const auto found = [&](int c, std::uint64_t& by) {
    ++by;
    ++figures_.supplied[static_cast<std::size_t>(c)];
    return c;
  };
  figures_.probes += static_cast<unsigned>(std::min(list.probes, p_.coverage));
  const auto led = static_cast<std::size_t>(hw::targets_of(p_.coverage, list.probes, 0));
  const std::span targets(list.targets);
  for (const int c : targets.first(led))
    if (has(c)) return found(c, figures_.by_leader);
  const auto behind = [&](int c) { return (c - core + caches()) % caches(); };
  std::optional<int> first;
  for (const int c : targets.subspan(led))
    if (has(c) && (!first || behind(c) < behind(*first))) first = c;
  if (!first) return {};
  ++figures_.probes;
  return found(*first, figures_.by_candidate);
}

void FunctionalRemote::restart() {
  for (Core& core : cores_) {
    core.predictor.reset();
    core.selector.clear();
    core.written.assign(core.written.size(), false);
  }
}

std::unique_ptr<FunctionalTopology> untimed_remote(const hw::TopologyParams& params) {
  return std::make_unique<FunctionalRemote>(params);
}

}  // namespace golden

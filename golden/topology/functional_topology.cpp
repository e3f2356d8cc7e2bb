// Requests to the caches of an untimed topology, and the scoreboard of copies.
#include "golden/topology/functional_topology.h"

#include "golden/topology/replicas.h"

namespace golden {

std::unique_ptr<FunctionalTopology> FunctionalTopology::make(const hw::TopologyParams& params) {
  return kind_of(params.shape).untimed(params);
}

FunctionalTopology::FunctionalTopology(const hw::TopologyParams& params)
    : home_(home_of(params)), homes_(distinct_caches(params)) {
  for (int n = 0; n < caches_of(params.shape); ++n)
    caches_.push_back(FunctionalL1d::make(cache_params(params)));
}

void FunctionalTopology::access(std::span<const CoreRequest> requests, Served* served) {
  for (const CoreRequest& request : requests) {
    const Served s = serve(request);
    if (served) *served++ = s;
  }
}

Result FunctionalTopology::ask(int cache, const Request& r, const Home::Place& place) {
  Request request = r;
  request.address = place.cache_address;
  Result result = Result::hit;
  caches_[static_cast<std::size_t>(cache)]->access({&request, 1}, &result);
  if (result == Result::miss || result == Result::partial_miss || result == Result::bypass) {
    ++replication_.misses;
    replication_.foreign += held_foreign(cache, place);
  }
  if (request.kind == RequestKind::load && ++loads_ % sample_loads == 0) sample();
  return result;
}

Served FunctionalNodes::serve(const CoreRequest& r) {
  const Home::Place place = home().of(r.request.address);
  Served served{.core = r.core, .slice = place.slice};
  if (kind_.nodes) served.node = home().node(r.core, place.home);
  served.result = ask(kind_.caches_in_nodes ? served.node : r.core, r.request, place);
  if (served.result == Result::hit) served.slice = -1;
  return served;
}

std::unique_ptr<FunctionalTopology> untimed_nodes(const hw::TopologyParams& params) {
  return std::make_unique<FunctionalNodes>(params);
}

// Nodes of other homes cannot hold the line, and would take a squeezed address for another.
bool FunctionalTopology::held_foreign(int cache, const Home::Place& place) const {
  for (int n = cache % homes_; n < caches(); n += homes_)
    if (n != cache && caches_[static_cast<std::size_t>(n)]->holds(place.cache_address)) return true;
  return false;
}

void FunctionalTopology::flush() {
  for (const auto& cache : caches_) cache->flush();
  restart();
}

L1dCounters FunctionalTopology::counters() const {
  L1dCounters sum;
  for (const auto& cache : caches_) add_counters(sum, cache->counters());
  return sum;
}

double FunctionalTopology::replicas() const {
  return golden::replicas(caches(), homes_, [this](int n) { return cache(n).resident_lines(); });
}

double FunctionalTopology::mean_replicas() const {
  return samples_ ? replicas_ / static_cast<double>(samples_) : replicas();
}

void FunctionalTopology::sample() {
  ++samples_;
  replicas_ += replicas();
}

}  // namespace golden

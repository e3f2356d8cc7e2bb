// Untimed topologies: request lists in order, and traces whose CTAs are dealt to the cores in turn.
#include <fmt/format.h>

#include <bit>

#include "gen/explore/explore.h"
#include "gen/explore/progress.h"
#include "gen/explore/topology.h"
#include "gen/explore/topology_dump.h"
#include "gen/explore/workers.h"
#include "golden/gpu/front_end.h"
#include "golden/topology/functional_topology.h"
#include "golden/topology/shared_node.h"
#include "golden/topology/stale_loads.h"
#include "golden/trace/open/open_trace.h"
#include "golden/trace/request_list.h"

namespace gen {

namespace {

NodeMap map_of(const hw::TopologyParams& p) {
  const hw::RouteParams route = golden::route_params(p);
  const golden::RouteSelect nodes(route);
  NodeMap map{.width = route.width, .height = route.height};
  for (int c = 0; c < p.shape.cores; ++c) map.cores.push_back(nodes.core_node(c));
  for (int s = 0; s < p.shape.slices; ++s) map.slices.push_back(nodes.slice_node(s));
  return map;
}

}  // namespace

RunResult empty_topology_result(const Config& config, const ExploreRequest& request,
                                const std::string& trace) {
  const auto& params = config.get<hw::TopologyParams>();
  const hw::TopologyShape& shape = params.shape;
  const golden::Kind& kind = golden::kind_of(shape);
  RunResult result = empty_result(config, request, trace);
  TopologyResult& t = result.topology.emplace();
  t.kind = config.resolved["topology.kind"];
  t.cores = shape.cores;
  t.slices = shape.slices;
  if (kind.nodes) t.nodes = shape.nodes;
  if (kind.clusters) t.clusters = shape.clusters;
  t.boost = golden::is_boosted(params);
  t.caches_in_nodes = kind.caches_in_nodes;
  t.slice_requests.resize(static_cast<size_t>(shape.slices));
  if (shape.kind == hw::TopologyKind::shared && params.shared.fabric == hw::SharedFabric::mesh)
    t.nodes_of = map_of(params);
  result.sms.resize(static_cast<size_t>(golden::caches_of(shape)));
  return result;
}

namespace {

// A topology, and the figures that its own counters do not have.
class Server {
 public:
  Server(const Config& config, const ExploreRequest& request, const std::string& trace)
      : topology_(golden::FunctionalTopology::make(config.get<hw::TopologyParams>())),
        result_(empty_topology_result(config, request, trace)),
        relays_(result_.topology->nodes > 0 && !result_.topology->caches_in_nodes) {
    const auto& p = config.get<hw::TopologyParams>();
    if (p.shape.kind == hw::TopologyKind::remote && !p.remote.own_store_guard) stale_.emplace(p.shape.cores);
  }

  // Whether each request could be served by a cache is in the answers, which stay until the next call.
  std::span<const golden::Served> serve(std::span<const golden::CoreRequest> requests) {
    served_.resize(requests.size());
    topology_->access(requests, served_.data());
    for (size_t i = 0; i < requests.size(); ++i) {
      const golden::Served& s = served_[i];
      const auto cache = static_cast<size_t>(relays_ || s.node < 0 ? s.core : s.node);
      const golden::Request& request = requests[i].request;
      result_.sms[cache].chunks_asked[static_cast<size_t>(request.kind)] +=
          static_cast<unsigned>(std::popcount(request.mask));
      result_.sms[cache].timeline.watch(topology_->cache(static_cast<int>(cache)).counters());
      if (s.slice >= 0) ++result_.topology->slice_requests[static_cast<size_t>(s.slice)];
      if (stale_) stale_->note(requests[i], s);
    }
    return served_;
  }
  void flush() { topology_->flush(); }

  RunResult finish() {
    for (size_t i = 0; i < result_.sms.size(); ++i) {
      result_.sms[i].take(topology_->cache(static_cast<int>(i)));
      if (const golden::History* decisions = topology_->decisions(static_cast<int>(i)))
        result_.sms[i].histories.push_back(*decisions);
    }
    TopologyResult& t = *result_.topology;
    result_.mean_replicas = topology_->mean_replicas();
    t.missed = topology_->replication().misses;
    t.foreign = topology_->replication().foreign;
    t.figures = topology_->figures();
    if (stale_) t.figures.remote->stale_loads = stale_->count();
    return std::move(result_);
  }
  RunResult& result() { return result_; }

 private:
  std::unique_ptr<golden::FunctionalTopology> topology_;
  RunResult result_;
  const bool relays_;                        // the nodes of answers are relays
  std::optional<golden::StaleLoads> stale_;  // where nothing keeps them away
  std::vector<golden::Served> served_;
};

// A trace in front of one topology: what the front end asks of its caches.
class TraceRun {
 public:
  TraceRun(const Config& config, const std::string& trace, const ExploreRequest& request)
      : source_(golden::open_trace(trace)),
        gpu_(*source_, topology_gpu_params(config, request)),
        server_(config, request, trace) {}

  void flush() { server_.flush(); }
  bool access(int core, std::span<const golden::Request> requests) {
    if (requests[0].kind == golden::RequestKind::load)
      server_.result().sms[0].widths.take(requests.size(), server_.result().mshr_entries);
    asked_.clear();
    for (const golden::Request& request : requests) asked_.push_back({core, request});
    requests_ += requests.size();
    bool waits = false;
    for (const golden::Served& s : server_.serve(asked_)) waits |= s.result != golden::Result::hit;
    return waits;
  }

  template <class Watch>
  RunResult run(Watch&& watch) {
    for (std::uint64_t watched = 0; gpu_.round(*this);) {
      if (requests_ - watched < watch_requests) continue;
      watch(requests_ - watched, source_->fraction());
      watched = requests_;
    }
    TopologyResult& t = *server_.result().topology;
    for (int c = 0; c < t.cores; ++c) t.instructions += gpu_.sm(c).instructions();
    return server_.finish();
  }

 private:
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd gpu_;
  Server server_;
  std::vector<golden::CoreRequest> asked_;
  std::uint64_t requests_ = 0;
};

}  // namespace

golden::GpuParams topology_gpu_params(const Config& config, const ExploreRequest& request) {
  golden::GpuParams gpu = gpu_params(cache_of(config), request);
  gpu.sms = config.get<hw::TopologyParams>().shape.cores;
  return gpu;
}

std::vector<RunResult> explore_topology_list(const std::vector<Config>& configs,
                                             const ExploreRequest& request, std::string* dump) {
  std::vector<RunResult> results(configs.size());
  Workers workers(threads_of(request));
  Progress progress("explore", "requests", 1);
  for (const auto& group : geometry_groups(configs)) {
    const auto& first = configs[group[0]].get<hw::TopologyParams>();
    const DumpLines& lines = dump_lines(first.shape.kind);
    golden::RequestList list(request.requests, {.line_bytes = first.l1d.line_bytes,
                                                .chunk_bytes = first.l1d.chunk_bytes,
                                                .address_bits = first.l1d.address_bits,
                                                .cores = static_cast<std::uint32_t>(first.shape.cores)});
    std::vector<Server> servers;
    for (const size_t member : group) servers.emplace_back(configs[member], request, request.requests);
    std::vector<golden::CoreRequest> batch;
    bool flush = false;  // behind the batch
    do {
      batch.clear();
      flush = false;
      for (golden::RequestList::Item item; batch.size() < batch_size && !flush && list.next(item);)
        if (!(flush = item.flush)) batch.push_back({static_cast<int>(item.core), item.request});
      workers.run(servers.size(), [&](size_t i) {
        const auto served = servers[i].serve(batch);
        for (size_t k = 0; dump && k < served.size(); ++k) *dump += lines.request(served[k]);
        if (!flush) return;
        servers[i].flush();
        if (dump) *dump += lines.flush;
      });
      progress.show(0, list.fraction(), batch.size() * servers.size());
    } while (!batch.empty() || flush);
    for (size_t i = 0; i < group.size(); ++i) results[group[i]] = servers[i].finish();
  }
  return results;
}

std::vector<RunResult> explore_topology_untimed(const std::vector<Config>& configs,
                                                const ExploreRequest& request) {
  std::vector<RunResult> results(configs.size() * request.traces.size());
  Progress progress("explore", "requests", results.size());
  Workers(threads_of(request)).run(results.size(), [&](size_t i) {
    TraceRun run(configs[i % configs.size()], request.traces[i / configs.size()], request);
    results[i] = run.run([&](std::uint64_t more, double share) { progress.show(i, share, more); });
    progress.show(i, 1, 0);
  });
  return results;
}

}  // namespace gen

// The untimed topology: requests of all cores in one order, every fill immediate; who serves each of them,
// and how many copies of lines the caches hold (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "golden/cache/functional_l1d.h"
#include "golden/topology/figures.h"
#include "golden/topology/kinds.h"

namespace golden {

struct CoreRequest {
  int core = 0;
  Request request;
};

// Who served a request. `node` is -1 in the baseline and past all L1s, the core of the L1 among shared ones,
// and in CDXBar the relay on the request's way, which a hit does not take.
struct Served {
  int core = 0, node = -1;
  int slice = -1;  // -1 for a hit
  Result result = Result::hit;
  int supplier = -1;  // the core whose L1 has sent the line in the place of L2

  bool operator==(const Served&) const = default;
};

class FunctionalTopology {
 public:
  // By the row of its kind. Parameters count at run time; they are taken as legal.
  static std::unique_ptr<FunctionalTopology> make(const hw::TopologyParams& params);
  virtual ~FunctionalTopology() = default;

  // `served` has an element for each request, or is null.
  void access(std::span<const CoreRequest> requests, Served* served);
  void flush();
  // What stands beside a cache has decided, and its own monitors not.
  virtual const History* decisions(int /*cache*/) const { return nullptr; }
  virtual TopologyFigures figures() const { return {}; }

  // Of all caches together.
  L1dCounters counters() const;
  // Of a core, or of a node where caches are in nodes.
  const FunctionalL1d& cache(int n) const { return *caches_[static_cast<std::size_t>(n)]; }
  int caches() const { return static_cast<int>(caches_.size()); }

  // Misses of loads, partial ones included, and those of them whose line another cache held.
  struct Replication {
    std::uint64_t misses = 0, foreign = 0;
    double ratio() const { return misses ? static_cast<double>(foreign) / static_cast<double>(misses) : 0; }
  };
  const Replication& replication() const { return replication_; }
  // Valid lines / distinct valid lines - 1 now, and its mean over loads, taken at each `sample_loads`-th one.
  double replicas() const;
  double mean_replicas() const;
  static constexpr std::uint64_t sample_loads = 1024;

 protected:
  explicit FunctionalTopology(const hw::TopologyParams& params);
  // A cache serves a request, and the scoreboard of copies is kept.
  Result ask(int cache, const Request& request, const Home::Place& place);
  const Home& home() const { return home_; }
  FunctionalL1d& l1(int n) { return *caches_[static_cast<std::size_t>(n)]; }

 private:
  virtual Served serve(const CoreRequest& request) = 0;
  virtual void restart() {}  // with a flush
  bool held_foreign(int cache, const Home::Place& place) const;
  void sample();

  const Home home_;
  const int homes_;  // caches whose numbers differ modulo this hold different lines
  std::vector<std::unique_ptr<FunctionalL1d>> caches_;
  Replication replication_;
  std::uint64_t loads_ = 0, samples_ = 0;
  double replicas_ = 0;  // sum of samples
};

// Each request comes to one cache: its core's, or that of the home's node.
class FunctionalNodes final : public FunctionalTopology {
 public:
  explicit FunctionalNodes(const hw::TopologyParams& params)
      : FunctionalTopology(params), kind_(kind_of(params.shape)) {}

 private:
  Served serve(const CoreRequest& request) override;

  const Kind& kind_;
};

}  // namespace golden

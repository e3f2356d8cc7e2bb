// Untimed shared L1s with a DynEB controller for each core, whose cycles are the requests of its core and
// the requests that its L1 serves for others (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <memory>
#include <vector>

#include "golden/shared/dyneb.h"
#include "golden/topology/functional_shared.h"

namespace golden {

// The effect of a core's stores on its later loads.
class UntimedGuard {
 public:
  // One that remembers lines stored to past their homes and drops own copies of others; or the thesis', which
  // does nothing.
  static std::unique_ptr<UntimedGuard> make(const hw::TopologyParams& params);
  virtual ~UntimedGuard() = default;

  virtual bool written(std::uint64_t /*address*/, bool /*odd*/) const { return false; }
  // A store or atomic passes the own L1; or takes place in it, and its home does not see it.
  virtual void passes(const Request&, FunctionalL1d& /*own*/) {}
  virtual void stays(std::uint64_t /*address*/, bool /*odd*/) {}
  virtual void restart() {}
};

class FunctionalDyneb final : public FunctionalShared {
 public:
  explicit FunctionalDyneb(const hw::TopologyParams& params);

  const History* decisions(int cache) const override {
    return &cores_[static_cast<std::size_t>(cache)].history;
  }

 private:
  // A core's controller, and what it has decided.
  struct Core {
    Dyneb controller;
    std::unique_ptr<UntimedGuard> guard;
    History history;
  };

  Served serve(const CoreRequest& request) override;
  void restart() override;
  bool odd(std::uint64_t address) const { return index_.set_of(index_.block_of(address)) & 1; }
  // Sends the request on its way, and keeps the private-store rule.
  Way route_of(const CoreRequest& request, bool odd);
  void step(int core, const Dyneb::In& in);
  // Gives its L1 the sets in which lines with other homes are left over.
  void steer(int core);

  const RunTimeIndex index_;
  const bool prefers_stale_lines_;
  std::vector<Core> cores_;
};

}  // namespace golden

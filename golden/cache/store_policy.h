// What a store does to a line that the cache holds (conventions; docs/contracts/l1d.md, "Stores that
// update"): the line goes, or the store writes into it.
#pragma once
#include <cstdint>
#include <memory>

#include "golden/cache/decision.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

class StorePolicy {
 public:
  static std::unique_ptr<StorePolicy> make(const hw::L1dParams& params);
  virtual ~StorePolicy() = default;

  // A request of this kind takes its line away; `merges`: an MSHR entry has the line.
  virtual bool invalidates(RequestKind kind, bool merges) const = 0;
  // What it takes away counts as an invalidation.
  virtual bool counts(RequestKind kind) const = 0;
  // Chunks into which it writes: of those with bytes the ones that the cache holds, unless an entry has the
  // line.
  virtual std::uint32_t writes(RequestKind kind, bool merges, std::uint32_t held,
                               std::uint32_t with_bytes) const = 0;
  // Stores may write into lines at all.
  virtual bool updates() const = 0;
};

class EvictingStores final : public StorePolicy {
 public:
  bool invalidates(RequestKind, bool) const override { return true; }
  bool counts(RequestKind) const override { return true; }
  std::uint32_t writes(RequestKind, bool, std::uint32_t, std::uint32_t) const override { return 0; }
  bool updates() const override { return false; }
};

class UpdatingStores final : public StorePolicy {
 public:
  bool invalidates(RequestKind kind, bool merges) const override {
    return merges || kind != RequestKind::store;
  }
  bool counts(RequestKind kind) const override { return kind != RequestKind::store; }
  std::uint32_t writes(RequestKind kind, bool merges, std::uint32_t held,
                       std::uint32_t with_bytes) const override {
    return kind == RequestKind::store && !merges ? held & with_bytes : 0;
  }
  bool updates() const override { return true; }
};

inline std::unique_ptr<StorePolicy> StorePolicy::make(const hw::L1dParams& params) {
  if (params.store_policy == hw::StorePolicyKind::update) return std::make_unique<UpdatingStores>();
  return std::make_unique<EvictingStores>();
}

}  // namespace golden

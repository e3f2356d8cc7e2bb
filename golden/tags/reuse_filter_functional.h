// The untimed L1 data cache with the reuse-count filter (Decoupled L1D paper, section 4): more tag entries
// than lines, and a line only after enough requests (docs/contracts/l1d-reuse-filter.md).
#pragma once
#include "golden/cache/functional_l1d.h"

namespace golden {

class FunctionalReuse final : public FunctionalL1d {
 public:
  explicit FunctionalReuse(const hw::L1dParams& params);
  ~FunctionalReuse() override;

  void flush() override;
  void steer(const Controls& controls) override { enabled_ = controls["filter_enable"]; }
  std::vector<std::uint64_t> resident_lines() const override;
  bool holds(std::uint64_t address) const override;

 protected:
  void serve(std::span<const Request> requests, Result* results) override;

 private:
  class Sets;
  template <class Key, unsigned Entries, unsigned Ways>
  class SetsOf;
  template <class Key>
  std::unique_ptr<Sets> make_sets(const hw::L1dParams& params);

  const std::unique_ptr<Sets> sets_;
  bool enabled_ = false;  // what filter_enable shows
};

}  // namespace golden

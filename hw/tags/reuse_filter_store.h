// Tag store of the reuse-count filter in the cache around it: lines lie in ways, and lines with too few loads
// get none (Decoupled L1D paper, section 4).
#pragma once
#include <optional>

#include "hw/rtl/condition.h"
#include "hw/tags/ways.h"

namespace hw {

class FilteredWays : public Ways {
 public:
  explicit FilteredWays(const TagSocket& socket);

  rtl::Condition refuses() const override { return filtered_; }
  void add_tags(const ProbeStage& probe) override;
  TagStorage storage(const MshrParams& mshr) const override;

 protected:
  void choice() override;

 private:
  static constexpr ControlName filter_enable{"filter_enable"};

  std::optional<rtl::Expr> filter_enable_;
  rtl::Condition filtered_;
};

}  // namespace hw

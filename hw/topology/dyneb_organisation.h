// The organisation of a core's lines by a DynEB controller, with what keeps the private-store rule beside it
// (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <optional>

#include "hw/rtl/condition.h"
#include "hw/topology/line_organisation.h"
#include "hw/topology/store_guard.h"

namespace hw {

class DynebOrganisation final : public LineOrganisation {
 public:
  explicit DynebOrganisation(const OrganisedCore& core);

  rtl::Condition takes() override;
  void accept(const rtl::Stream& request, const rtl::Expr& enters, const rtl::Expr& open) override;
  rtl::Expr shared() override;
  rtl::Expr written() override;
  rtl::Condition drops(const rtl::Expr& kind, const rtl::Expr& local) override;
  std::optional<rtl::Expr> marks() override;
  std::optional<rtl::Expr> own_marks() override;
  std::optional<rtl::Expr> direct_tally() override;
  rtl::Expr origin(const rtl::Expr& serves, const Channel& served) override;
  bool reads(std::string_view event) const override;
  void observe(const Events& events, const rtl::Expr& origin) override;
  std::optional<rtl::Expr> missed_tally(const Channel& missed, const rtl::Expr& goes) override;
  std::optional<rtl::Expr> shared_sets() override;
  std::optional<rtl::Expr> answer_hit(const Channel& answer) override;
  void control(const CoreEvents& events) override;
  rtl::Condition clean() override;

 private:
  // Of the request that arrives: its set is odd.
  rtl::Expr odd_set(const rtl::Expr& block);
  // {another core's, of an odd set} of the memory request that is the oldest in the list.
  rtl::Expr missed_origin(const rtl::Expr& goes);
  // Loads with wrong data go to memory once more.
  bool fetches_again() const { return protects_data(params().l1d.ecc); }
  const TopologyParams& params() const { return core_.site.params; }
  std::string name(const char* part) const { return core_.site.name() + "_" + part; }

  OrganisedCore core_;
  rtl::Module m_;
  const std::unique_ptr<StoreGuard> guard_;
  rtl::Expr hold_, even_shared_, odd_shared_;       // of the controller
  rtl::Expr fresh_q_, odd_q_, load_q_, other_q_;    // of the request whose route is found
  rtl::Expr probe_, missed_, down_, hit_, origin_;  // of the L1
};

}  // namespace hw

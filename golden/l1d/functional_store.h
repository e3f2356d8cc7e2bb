// The untimed L1 data cache on a tag store: any tag organisation, with or without a policy. Slower than the
// loops that caches without a policy have of their own, and conventional and sectored ones with MRPB's
// bypass.
#pragma once
#include <memory>
#include <optional>

#include "golden/cache/functional_l1d.h"
#include "golden/cache/tag_store.h"
#include "golden/cache/untimed_mode.h"
#include "golden/policy/policy.h"
#include "golden/policy/policy_unit.h"
#include "golden/tags/tag_kinds.h"

namespace golden {

class FunctionalStore final : public FunctionalL1d {
 public:
  FunctionalStore(const hw::L1dParams& params, std::unique_ptr<Policy> policy);

  void flush() override;
  void steer(const Controls& controls) override;
  void know_homes(std::function<bool(std::uint64_t)> foreign) override {
    tags_->know_homes(std::move(foreign));
  }
  void notify(const MonitorInputs& inputs) override;
  Controls decisions() const override;
  std::vector<std::uint64_t> resident_lines() const override;
  bool holds(std::uint64_t address) const override;
  const History* mode_history() const override { return mode_ ? mode_->history() : nullptr; }
  std::vector<const History*> histories() const override;
  const PolicyUnit* policy_unit() const override { return unit_.get(); }

 private:
  static constexpr unsigned only_entry = 0;  // of the MSHRs: a fill comes before the next request

  void serve(std::span<const Request> requests, Result* results) override;
  Decision load(const Held& held, const Request& request);
  Decision decide(const Held& held, const Request& request, const PolicyLoad& asked);
  void pass_cycle();
  void follow_unit();
  void fill(const Held& held, const Decision& decision);
  void change(const Held& held);
  void count(const Decision& decision, std::uint32_t mask);
  void count(Lost lost);

  const TagKindRow& kind_;
  const std::uint32_t line_;  // all chunks of one
  const std::unique_ptr<TagStore> tags_;
  const std::unique_ptr<Policy> policy_;
  const std::unique_ptr<PolicyUnit> unit_;  // of the policy, if it has one of its own
  const bool fetches_lines_;                // a miss asks for all that is absent
  std::optional<UntimedMode> mode_;
  Controls controls_;  // that the policy knows
};

}  // namespace golden

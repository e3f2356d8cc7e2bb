// The private-store rule of a core with a DynEB controller: its loads see all its stores on either way
// (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md). A part of a core under construction.
#pragma once
#include "hw/rtl/condition.h"
#include "hw/topology/line_organisation.h"

namespace hw {

// The request that arrives: accepted while some are `open`, of an odd set, of a set whose lines are shared.
// `fresh` is 1 in the cycle after.
struct ArrivingRequest {
  rtl::Stream request;
  rtl::Expr enters, open, odd, shared, fresh;
};

// The members that add to the module are called once each, in this order. What has no value adds nothing.
class StoreGuard {
 public:
  virtual ~StoreGuard() = default;

  // A request may be accepted; and one is.
  virtual rtl::Condition ready() { return rtl::Condition::always(); }
  virtual void accept(const ArrivingRequest&) {}
  // Of the request whose route is found: the core may have stored to its line past the home; a copy in the
  // own L1 is dropped with it.
  virtual rtl::Expr written() { return rtl::lit(1, 0); }
  virtual rtl::Condition drops(const rtl::Expr& /*kind*/, const rtl::Expr& /*local*/) { return {}; }
  // A flush may take effect.
  virtual rtl::Condition clean() { return rtl::Condition::always(); }
};

// As the topology asks for, or one that adds nothing, as in the thesis.
std::unique_ptr<StoreGuard> store_guard(const OrganisedCore& core);

}  // namespace hw

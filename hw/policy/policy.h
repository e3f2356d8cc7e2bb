// Interface of a bypass policy: which loads ask memory for themselves rather than through the MSHR file. It
// stands in the policy socket of a cache with any tags, and answers in one bit, or not where it has no say.
#pragma once
#include <optional>

#include "hw/tags/exchange.h"

namespace hw {

// The members may add to the module, and are called once each, in this order. As it is, a policy bypasses
// nothing.
class Policy {
 public:
  virtual ~Policy() = default;

  // Adds to what a request carries to the tag-lookup stage; lines have so many bytes.
  virtual void arrive(rtl::Module&, int /*line_bytes*/, Request&) {}

  // The load in the tag-lookup stage bypasses, and is not looked up.
  virtual rtl::Condition before_lookup(rtl::Module&, const Request&) { return {}; }

  // Where not all ways may take a line.
  virtual std::optional<rtl::Expr> open_ways(rtl::Module&, const ProbeStage&) { return {}; }

  // A load that finds no line, and for which none is on its way, gets none: it bypasses.
  virtual rtl::Condition instead_of_allocation(rtl::Module&, const ProbeStage&) { return {}; }

  // A load that cannot wait in the MSHR file bypasses.
  virtual rtl::Condition instead_of_fail(rtl::Module&, const ProbeStage&) { return {}; }

  // The policy's state, line by line if it keeps any, once it is decided what the request changes.
  virtual void follow(rtl::Module&, const ProbeStage&, const WaysUsed&) {}

  // It says which ways of the probe's set may take a line, the invalid among them.
  virtual bool closes_ways() const { return false; }
};

}  // namespace hw

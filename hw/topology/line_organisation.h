// Which of a core's requests its own L1 serves among shared ones: always alike, or as a controller finds
// (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md). A part of a core under construction.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "hw/noc/packet.h"
#include "hw/rtl/condition.h"
#include "hw/shared/route_params.h"
#include "hw/tags/exchange.h"
#include "hw/topology/plan.h"

namespace hw {

// What there is of the core from the beginning.
struct OrganisedCore {
  rtl::Module m;
  const PartSite& site;
  const RouteParams& route;
  rtl::Expr core, flush_valid;
};

// What happens in a cycle beside the events of the L1.
struct CoreEvents {
  rtl::Expr flush, to_home;
  rtl::Expr answered,
      by_slice;            // the core takes an answer; a slice gave it, past the L1s or through this one
  Channel slice, home;     // in front of reply-in0 and reply-in1
  int memory_id_bits = 0;  // of the ids of the former
};

// The members that add to the module are called once each, in this order. What has no value adds nothing.
class LineOrganisation {
 public:
  virtual ~LineOrganisation() = default;

  // A request of the core may be accepted; and one is, while some are `open`.
  virtual rtl::Condition takes() { return rtl::Condition::always(); }
  virtual void accept(const rtl::Stream&, const rtl::Expr& /*enters*/, const rtl::Expr& /*open*/) {}
  // Of the request whose route is found: lines of its set are shared; the core may have stored to it past its
  // home.
  virtual rtl::Expr shared() = 0;
  virtual rtl::Expr written() { return rtl::lit(1, 0); }
  // It is dropped from the own L1 as it goes elsewhere.
  virtual rtl::Condition drops(const rtl::Expr& /*kind*/, const rtl::Expr& /*local*/) { return {}; }
  // What its id carries to a home, and to a slice.
  virtual std::optional<rtl::Expr> marks() { return {}; }
  virtual std::optional<rtl::Expr> direct_tally() { return {}; }
  // What its id carries into the own L1, in the place of zeros.
  virtual std::optional<rtl::Expr> own_marks() { return {}; }
  // What is remembered of requests in the L1, in their order: highest, that another core's entered.
  virtual rtl::Expr origin(const rtl::Expr& serves, const Channel& /*served*/) { return serves; }
  // The L1's events, while `origin` is that of the request that left it last.
  virtual bool reads(std::string_view /*event*/) const { return false; }
  virtual void observe(const Events&, const rtl::Expr& /*origin*/) {}
  // What the id of a memory request of the L1 carries, and when it goes.
  virtual std::optional<rtl::Expr> missed_tally(const Channel& /*missed*/, const rtl::Expr& /*goes*/) {
    return {};
  }
  // Lines of odd sets are shared, and those of even ones.
  virtual std::optional<rtl::Expr> shared_sets() { return {}; }
  // The L1's answer came straight from its lookup.
  virtual std::optional<rtl::Expr> answer_hit(const Channel& /*answer*/) { return {}; }
  virtual void control(const CoreEvents&) {}
  // As far as this is concerned, a flush may take effect.
  virtual rtl::Condition clean() { return rtl::Condition::always(); }
};

std::unique_ptr<LineOrganisation> line_organisation(const OrganisedCore& core);

}  // namespace hw

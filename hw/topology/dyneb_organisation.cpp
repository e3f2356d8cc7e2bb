#include "hw/topology/dyneb_organisation.h"

#include <algorithm>
#include <array>
#include <optional>

#include "hw/index/index_unit.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/fifo.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/optional.h"
#include "hw/shared/dyneb.h"
#include "hw/shared/marks_params.h"

namespace hw {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

namespace {

// What of the L1's events the controller counts by: loads that left its lookup, and what went to slices.
constexpr std::array<std::string_view, 3> missed_events{"event_misses", "event_partial_misses",
                                                        "event_bypasses"};
constexpr std::string_view fetch_event = "event_requests_down";
constexpr std::array<std::string_view, 3> down_events{fetch_event, "event_stores", "event_atomics"};

// Requests of all cores go alike.
class FixedOrganisation final : public LineOrganisation {
 public:
  explicit FixedOrganisation(bool shared) : shared_(shared) {}
  Expr shared() override { return lit(1, shared_); }

 private:
  const bool shared_;
};

}  // namespace

std::unique_ptr<LineOrganisation> line_organisation(const OrganisedCore& core) {
  const SharedParams& p = core.site.params.shared;
  if (has_controllers(p)) return std::make_unique<DynebOrganisation>(core);
  return std::make_unique<FixedOrganisation>(p.organisation == Organisation::shared_lines);
}

DynebOrganisation::DynebOrganisation(const OrganisedCore& core)
    : core_(core), m_(core.m), guard_(store_guard(core)) {}

rtl::Condition DynebOrganisation::takes() {
  hold_ = m_.wire("hold", 1, "new requests wait while the organisation of lines changes");
  even_shared_ = m_.wire("even_shared", 1, "lines of even sets are shared");
  odd_shared_ = m_.wire("odd_shared", 1, "lines of odd sets are shared");
  return ~hold_ & guard_->ready();
}

void DynebOrganisation::accept(const rtl::Stream& request, const Expr& enters, const Expr& open) {
  m_.section("Fields of the request for the controller.");
  const int offset = offset_bits(params().l1d.index);
  const Expr odd = odd_set(request["address"].slice(params().l1d.address_bits - 1, offset));
  fresh_q_ = m_.reg("fresh_q", 1, 0, "the request was accepted in the cycle before");
  odd_q_ = m_.data_reg("odd_q", 1, "the request's line has an odd set");
  load_q_ = m_.data_reg("load_q", 1, "the request is a load");
  other_q_ = m_.data_reg("non_l1_q", 1, "the request is none of L1s");
  m_.clocked("The controller is notified once.", [&] { m_.set(fresh_q_, enters); });
  m_.clocked("Set and kind.", [&] {
    m_.when(enters, [&] {
      m_.set(odd_q_, odd);
      m_.set(load_q_, ~any(request["kind"]));
      m_.set(other_q_, is_kind(m_, request["kind"], RequestKind::non_l1));
    });
  });
  guard_->accept({request, enters, open, odd, mux(odd, odd_shared_, even_shared_), fresh_q_});
}

Expr DynebOrganisation::odd_set(const Expr& block) {
  IndexParams index = params().l1d.index;
  index.latency = 0;
  const IndexUnit unit = index_unit(index, core_.site.top + "_cache_index");
  const Expr set = m_.wire("arriving_set", index_bits(index), "set of the line");
  const Expr tag = m_.wire("arriving_tag", unit.facts.tag_bits, "tag of the line");
  m_.instance(unit.module, "arriving_index", {{"block_address", block}, {"set_index", set}, {"tag", tag}},
              "Set of the request that is accepted.");
  std::vector<Expr> unread{tag};
  if (set.width() > 1) unread.insert(unread.begin(), set.slice(set.width() - 1, 1));
  m_.unused("unused_place", cat(unread), "whether the set is odd counts");
  return set.bit(0);
}

Expr DynebOrganisation::shared() { return mux(odd_q_, odd_shared_, even_shared_); }

Expr DynebOrganisation::written() { return guard_->written(); }

rtl::Condition DynebOrganisation::drops(const Expr& kind, const Expr& local) {
  return guard_->drops(kind, local);
}

std::optional<Expr> DynebOrganisation::marks() { return cat({load_q_, odd_q_}); }

std::optional<Expr> DynebOrganisation::own_marks() { return fetches_again() ? marks() : std::nullopt; }

std::optional<Expr> DynebOrganisation::direct_tally() { return cat({other_q_, lit(1, 0), odd_q_}); }

Expr DynebOrganisation::origin(const Expr& serves, const Channel& served) {
  return cat({serves, mux(serves, served.word.bit(served.low_of("id") + params().l1d.core_id_bits), odd_q_)});
}

bool DynebOrganisation::reads(std::string_view event) const {
  const auto among = [&](const auto& names) { return std::ranges::count(names, event) > 0; };
  return event == "event_loads" || event == "event_hits" || among(missed_events) ||
         (fetches_again() ? event == fetch_event : among(down_events));
}

void DynebOrganisation::observe(const Events& events, const Expr& origin) {
  probe_ = event_of(events, "event_loads");
  hit_ = event_of(events, "event_hits");
  missed_ = m_.let("load_missed", some_of(events, missed_events), "a load missed in the cycle before");
  down_ = fetches_again()
              ? m_.let("fetch_went_down", event_of(events, fetch_event) & ~event_of(events, "event_bypasses"),
                       "a fetch of an MSHR entry joined the miss queue then")
              : m_.let("went_down", some_of(events, down_events), "a request joined the miss queue then");
  origin_ = origin;
}

std::optional<Expr> DynebOrganisation::missed_tally(const Channel& missed, const Expr& goes) {
  if (!fetches_again()) return cat({lit(1, 0), missed_origin(goes)});
  // A second fetch is no event, so the list has the fetches of MSHR entries alone. Ids of others say the
  // same.
  const int id = missed.low_of("id");
  const L1dParams& cache = core_.site.plan.cache;
  const Expr is_fetch = m_.let("missed_is_fetch", ~missed.word.bit(id + memory_id_bits(cache) - 1),
                               "the memory request is the fetch of an MSHR entry");
  const Expr in_id =
      cat({missed.word.bit(id + cache.core_id_bits - 1), missed.word.bit(id + params().l1d.core_id_bits)});
  return cat({lit(1, 0), mux(is_fetch, missed_origin(goes & is_fetch), in_id)});
}

// Requests leave the miss queue in the order in which they joined it.
Expr DynebOrganisation::missed_origin(const Expr& goes) {
  const Expr of = m_.wire("missed_origin", 2, "of the memory request: {another core's, of an odd set}"),
             not_full = m_.wire("missed_origin_not_full", 1, "never 0"),
             there = m_.wire("missed_origin_there", 1, "a request is in the miss queue");
  m_.instance(fifo(std::max(2, params().l1d.miss_queue), 2), "missed_origins",
              {{"in_valid", down_},
               {"in_ready", not_full},
               {"in_data", origin_},
               {"out_valid", there},
               {"out_ready", goes},
               {"out_data", of}},
              "Sources of the requests in the miss queue.");
  m_.unused("unused_missed_origins", cat({not_full, there}), "the list is as long as the miss queue");
  return of;
}

std::optional<Expr> DynebOrganisation::shared_sets() { return cat({odd_shared_, even_shared_}); }

// The event of a hit comes with the first cycle of its answer.
std::optional<Expr> DynebOrganisation::answer_hit(const Channel& answer) {
  const Expr waits = m_.reg("answer_waits_q", 1, 0, "the L1's answer was there in the cycle before"),
             hit = m_.data_reg("answer_hit_q", 1, "and came straight from the lookup"),
             now =
                 m_.let("answer_hit", mux(waits, hit, hit_), "the L1's answer came straight from the lookup");
  m_.clocked("Of an answer that waits.", [&] {
    m_.set(waits, answer.valid & ~answer.ready);
    m_.set(hit, now);
  });
  return now;
}

void DynebOrganisation::control(const CoreEvents& e) {
  m_.section("The controller.");
  const int tally = e.slice.low_of("id") + e.memory_id_bits,
            marks = e.home.low_of("id") + params().l1d.core_id_bits;
  const Expr of_l1s = ~e.slice.word.bit(tally + 2);
  const Expr phase = m_.wire("phase", 3, "phase of the controller"),
             idle = m_.wire("controller_idle", 1, "no request of L1s is open");
  m_.instance(dyneb(params().shared.dyneb, name("dyneb")), "dyneb",
              {{"flush", e.flush},
               {"request", fresh_q_ & ~other_q_},
               {"request_load", load_q_},
               {"request_odd", odd_q_},
               {"request_home", e.to_home},
               {"answer", e.answered & (of_l1s | ~e.by_slice)},
               {"probe", probe_},
               {"probe_odd", origin_.bit(0)},
               {"probe_served", origin_.bit(1)},
               {"probe_miss", missed_},
               {"slice_reply", e.slice.valid & e.slice.ready & of_l1s},
               {"slice_odd", e.slice.word.bit(tally)},
               {"slice_served", e.slice.word.bit(tally + 1)},
               {"home_reply", e.home.valid & e.home.ready},
               {"home_odd", e.home.word.bit(marks)},
               {"home_load", e.home.word.bit(marks + 1)},
               {"home_hit", e.home.word.bit(marks + 2)},
               {"phase", phase},
               {"even_shared", even_shared_},
               {"odd_shared", odd_shared_},
               {"hold", hold_},
               {"idle", idle}},
              "Private or shared, for this core.");
  m_.unused("unused_phase", cat({phase, idle}), "for observers");
}

rtl::Condition DynebOrganisation::clean() { return guard_->clean(); }

}  // namespace hw

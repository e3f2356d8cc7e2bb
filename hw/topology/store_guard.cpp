#include "hw/topology/store_guard.h"

#include "hw/index/index_unit.h"
#include "hw/rtl/condition.h"
#include "hw/shared/home_select.h"
#include "hw/shared/marks_params.h"
#include "hw/shared/written_filter.h"

namespace hw {

using rtl::cat, rtl::Condition, rtl::Expr, rtl::lit, rtl::mux;

namespace {

// Drops copies in the own L1, and remembers lines that were stored to past their homes.
class FilterGuard final : public StoreGuard {
 public:
  explicit FilterGuard(const OrganisedCore& core) : core_(core), m_(core.m) {}

  Condition ready() override {
    ready_ = m_.wire("filter_ready", 1, "the written filter is not being cleared");
    written_ = m_.wire("filter_written", 1, "the core may have stored to the line past its home");
    return ready_;
  }

  void accept(const ArrivingRequest& r) override {
    fresh_ = r.fresh;
    const Expr marks =
        m_.let("marks", stored_past(r), "a store or an atomic in private organisation, past its home");
    const Expr dirty_q = m_.reg("dirty_q", 1, 0, "there are marks in the filter");
    const Expr clear =
        m_.let("clear_filter", core_.flush_valid & ~r.open & dirty_q, "clear it before the flush");
    clean_ = ready_ & ~dirty_q;
    found_ = m_.data_reg("written_q", 1, "the filter's result for the request");
    m_.clocked("Marks go with a flush.", [&] {
      m_.when(clear, [&] { m_.set(dirty_q, lit(1, 0)); }).otherwise([&] {
        m_.when(r.enters & marks, [&] { m_.set(dirty_q, lit(1, 1)); });
      });
    });
    m_.clocked("The filter says it once.", [&] { m_.when(r.fresh, [&] { m_.set(found_, written_); }); });
    filter(r, marks, clear);
  }

  Expr written() override {
    return m_.let("written", mux(fresh_, written_, found_), "the core may have stored past its home");
  }

  Condition drops(const Expr& kind, const Expr& local) override {
    return m_.let("drops", rtl::parity(kind) & ~local,
                  "a copy in the own L1 is dropped with the store or atomic");
  }

  Condition clean() override { return clean_; }

 private:
  const TopologyParams& params() const { return core_.site.params; }
  std::string name(const char* part) const { return core_.site.name() + "_" + part; }

  Expr stored_past(const ArrivingRequest& r) {
    const Expr home = m_.wire("arriving_home", core_.core.width(), "home of the line");
    std::vector<std::pair<std::string, Expr>> pins{{"address", r.request["address"]}, {"home", home}};
    if (core_.route.slices > 1) {
      const Expr slice = m_.wire("arriving_slice", number_bits(core_.route.slices), "slice of the line");
      pins.emplace_back("slice", slice);
      m_.unused("unused_arriving_slice", slice, "homes count");
    }
    m_.instance(home_select(core_.route, name("route_home")), "arriving_homes", pins,
                "Home of the request that is accepted.");
    return rtl::parity(r.request["kind"]) & ~r.shared & (home != core_.core);
  }

  void filter(const ArrivingRequest& r, const Expr& marks, const Expr& clear) {
    const WrittenFilterParams p{.address_bits = params().l1d.address_bits,
                                .line_bytes = params().l1d.line_bytes,
                                .filter_bits = params().shared.filter_bits};
    m_.instance(written_filter(p, name("written_filter")), "written_filter",
                {{"clear", clear},
                 {"request_valid", r.enters},
                 {"request_ready", ready_},
                 {"request_mark", marks},
                 {"request_block_address",
                  r.request["address"].slice(p.address_bits - 1, offset_bits(params().l1d.index))},
                 {"request_odd", r.odd},
                 {"written", written_}},
                "Lines that the core may have stored to past their homes.");
  }

  OrganisedCore core_;
  rtl::Module m_;
  Expr ready_, written_, clean_, fresh_;
  Expr found_;  // of the request whose route is found
};

}  // namespace

std::unique_ptr<StoreGuard> store_guard(const OrganisedCore& core) {
  if (has_drops(core.site.params.shared)) return std::make_unique<FilterGuard>(core);
  return std::make_unique<StoreGuard>();
}

}  // namespace hw

#include "hw/policy/protection_row.h"

#include <fmt/format.h>

#include "hw/policy/protected_lines.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/set_state.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The distance of one way's line in the probe's set. In one cycle load, kill, fill and flush take effect in
// this order.
rtl::Module row_module(const ProtectionDistanceParams& p, const std::string& name) {
  const int bits = rpd_bits(p);
  rtl::Module m(name, "Remaining protection distance of one way's line in the probe's set.");
  const Expr load = m.input("load", 1, "a load is accepted");
  const Expr left = m.input("left", bits, "distance that the load leaves");
  const Expr kill = m.input("kill", 1, "the line goes");
  const Expr fill_here = m.input("fill_here", 1, "a line comes into the way and the probe's set");
  const Expr fill_there = m.input("fill_there", 1, "a line comes into the way and the next request's set");
  const Expr flush = m.input("flush", 1, "all lines go");
  const Expr moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free");
  const Expr other = m.input("other", 1, "then a request of another set enters it");
  const Expr stored = m.input("stored", bits, "of the next request's set");
  const Expr rpd = m.output("rpd", bits, "of the probe's set");
  const Expr behind = m.output("behind", bits, "of the probe's set behind this cycle");
  const Expr row_q = m.reg("row_q", bits, 0, "of the probe's set");
  m.assign(rpd, row_q);
  const auto unless = [&](const Expr& event) { return rtl::replicate(bits, ~event); };
  const Expr distance = protection_distance_of(m, p);
  const Expr loaded =
      m.let("loaded", mux(load, left, row_q) & unless(kill), "the distances after load and store");
  m.assign(behind, mux(fill_here, distance, loaded) & unless(flush));
  // None enters as all lines go.
  const Expr there =
      m.let("there", mux(fill_there, distance, stored), "of the next request's set behind this cycle");
  m.clocked("Distances of the set of the next lookup.", [&] {
    m.set(row_q, next_row({moves, other}, there, behind, behind));
  });
  return m;
}

class ProtectionRowBuilder {
 public:
  ProtectionRowBuilder(const ProtectionDistanceParams& p, const std::string& name)
      : p_(p),
        m_(name,
           fmt::format("Protects lines of {} sets of {} ways for {} loads of their set, the distances of "
                       "the probe's set kept ahead (ACI thesis, section 4.2.5).",
                       p.sets, p.ways, p.distance)) {}

  rtl::Module run() {
    events_ = line_event_inputs(m_, p_, false);
    moves_ = m_.input("moves", 1, "the tag-lookup stage is free or becomes free");
    comes_ = m_.input("comes", 1, "then a request enters it");
    enter_ = m_.input("enter_index", bits_to_number(p_.sets), "set of the request that enters");
    const Expr bypass = m_.output("bypass", 1, "the load goes past the cache");
    const Expr open = m_.output("open", p_.ways, "ways that may be replaced");
    std::vector<Expr> row;
    for (int w = 0; w < p_.ways; ++w)
      row.push_back(m_.wire(fmt::format("row{}_rpd", w), rpd_bits(p_), "distance in the probe's set"));
    const LateDistances late = late_row();
    ProtectedLines lines(m_, p_, events_, late);
    rows(row, lines.add(row, enter_), late);
    lines.decide(row, bypass, open);
    return m_;
  }

 private:
  // That a load is accepted is known last in a cycle, and each set would wait for it. So its row is written
  // in the next.
  LateDistances late_row() {
    m_.section("Distances that a load or store of the cycle before left in its set.");
    late_q_ = m_.reg("late_q", 1, 0, "there was such a load or store");
    late_index_q_ = m_.data_reg("late_index_q", events_.index.width(), "set of that load or store");
    const Expr set =
        one_hot_of(m_, "late_set", late_q_, late_index_q_, p_.sets, "set of that load or store, one-hot");
    std::vector<Expr> rpd;
    for (int w = 0; w < p_.ways; ++w)
      rpd.push_back(m_.data_reg(fmt::format("late{}_rpd_q", w), rpd_bits(p_),
                                fmt::format("distance that it left of way {}", w)));
    return {set, rpd};
  }

  void rows(const std::vector<Expr>& row, const std::vector<ProtectedLines::Way>& ways,
            const LateDistances& late) {
    m_.section("Distances of the probe's set.");
    const Expr other =
        m_.let("other_set", comes_ & (enter_ != events_.index), "the next request asks for another set");
    const Expr fill_here = m_.let("fill_here", events_.fill & (events_.fill_index == events_.index),
                                  "a line comes into the probe's set");
    const Expr fill_there = m_.let("fill_there", events_.fill & (events_.fill_index == enter_),
                                   "a line comes into the next request's set");
    const Expr load = m_.let("loads", events_.probe & events_.accept, "a load is accepted");
    const Expr again = m_.let("late_there", late_q_ & (late_index_q_ == enter_),
                              "the next request's set is written in this cycle");
    std::vector<Expr> behind;
    const rtl::Module one = row_module(p_, m_.name() + "_row");
    for (int w = 0; w < p_.ways; ++w) {
      const auto at = static_cast<std::size_t>(w);
      const auto& way = ways[at];
      behind.push_back(m_.wire(fmt::format("row{}_behind", w), rpd_bits(p_),
                               "distance in the probe's set after this cycle"));
      m_.instance(one, fmt::format("row{}", w),
                  {{"load", load},
                   {"left", way.left},
                   {"kill", events_.kill & events_.kill_way.bit(w)},
                   {"fill_here", fill_here & events_.fill_way.bit(w)},
                   {"fill_there", fill_there & events_.fill_way.bit(w)},
                   {"flush", events_.flush},
                   {"moves", moves_},
                   {"other", other},
                   {"stored", mux(again, late.rpd[at], way.shown)},
                   {"rpd", row[at]},
                   {"behind", behind[at]}},
                  fmt::format("Way {}.", w));
    }
    m_.clocked("A row is written in the next cycle.", [&] { m_.set(late_q_, load | events_.kill); });
    m_.clocked("The row, and its set.", [&] {
      m_.set(late_index_q_, events_.index);
      for (std::size_t w = 0; w < behind.size(); ++w) m_.set(late.rpd[w], behind[w]);
    });
  }

  const ProtectionDistanceParams& p_;
  rtl::Module m_;
  LineEvents events_;
  Expr moves_, comes_, enter_, late_q_, late_index_q_;
};

}  // namespace

rtl::Module protection_row(const ProtectionDistanceParams& p, const std::string& name) {
  return ProtectionRowBuilder(p, name).run();
}

}  // namespace hw

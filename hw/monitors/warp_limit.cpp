#include "hw/monitors/warp_limit.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/monitors/limit_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

// How many of the other slots' warps are older, against the limit: one sum, whose top bit is the comparison.
rtl::Module rank_module(int others, int count_bits, const std::string& name) {
  rtl::Module m(name, fmt::format("Says whether fewer than `limit` of {} bit{} set.", others,
                                  others == 1 ? " is" : "s are"));
  const Expr older = m.input("older", others, "other warps that are present and older");
  const Expr limit = m.input("limit", count_bits, "warps that may issue");
  const Expr fewer = m.output("fewer", 1, "fewer warps than the limit are older");
  const int bits = count_bits + 1;
  const Expr start = m.let("start", rtl::zext(~limit, bits) + lit(bits, 1),
                           "the count begins here: its top bit is set from the limit on");
  Expr number;
  if (others == 1) {
    number = m.let("number", start + rtl::zext(older, bits), "older warps, counted from the start");
  } else {
    number = m.wire("number", bits, "older warps, counted from the start");
    m.comb("Count the bits that are set, from the start on: no comparison follows the sum.", [&] {
      m.set(number, start);
      m.loop("number_bit", others,
             [&](const Expr& i) { m.set(number, number + rtl::zext(older.at(i), bits)); });
    });
  }
  m.unused("unused_number", number.slice(count_bits - 1, 0), "the top bit alone is the comparison");
  m.assign(fewer, ~number.bit(count_bits));
  return m;
}

// The launch order is a bit a pair of slots, kept with the higher slot: the lower one has the older warp.
class LimitBuilder {
 public:
  LimitBuilder(const LimitParams& p, const std::string& name)
      : n_(p.warps),
        count_bits_(bits_to_number(p.warps + 1)),
        m_(name,
           fmt::format("Lets the oldest of {} warps issue, as many as the limit says (BUCL, section 4).",
                       p.warps)) {}

  rtl::Module run() {
    launch_ = m_.input("launch", n_, "a warp moves into the slot");
    finish_ = m_.input("finish", n_, "the slot's warp ends");
    waiting_ = m_.input("waiting", n_, "the slot's warp waits at a barrier or fence");
    limit_ = m_.input("limit", count_bits_, "warps that may issue");
    allowed_ = m_.output("allowed", n_, "the slot's warp may issue");
    m_.section("Slots with a warp.");
    launched_q_ = m_.reg("launched_q", n_, 0, "the slot has a warp");
    present_ = m_.let("present", launched_q_ & ~waiting_, "the slot has a warp that does not wait");
    m_.clocked("Launches and ends.", [&] { m_.set(launched_q_, (launched_q_ & ~finish_) | launch_); });
    if (n_ == 1) {
      m_.assign(allowed_, present_ & (lit(1, 0) < limit_));
      return m_;
    }
    order();
    ranks();
    return m_;
  }

 private:
  // A warp that moves in is the youngest; of several the one in the lower slot is older.
  void order() {
    m_.section("Launch order.");
    for (int w = 1; w < n_; ++w)
      older_q_.push_back(
          m_.reg(fmt::format("old{}_q", w), w, 0, fmt::format("slots below {} with an older warp", w)));
    m_.clocked("A warp that moves in is the youngest, of several the one in the lower slot older.", [&] {
      for (int w = 1; w < n_; ++w) {
        const Expr& q = row(w);
        m_.set(q, rtl::replicate(w, launch_.bit(w)) | (q & ~launch_.slice(w - 1, 0)));
      }
    });
  }

  const Expr& row(int w) const { return older_q_[static_cast<std::size_t>(w - 1)]; }

  static Expr joined(const std::vector<Expr>& parts) {
    return parts.size() == 1 ? parts[0] : rtl::cat(parts);
  }

  // Higher slots whose warp is younger than that of slot w, named in pieces that are not too long to read.
  Expr younger_above(int w) {
    constexpr int most = 16;
    std::vector<Expr> pieces;
    for (int high = n_ - 1; high > w; high -= most) {
      const int low = std::max(high - most, w) + 1;
      std::vector<Expr> bits;
      for (int v = high; v >= low; --v) bits.push_back(row(v).bit(w));
      pieces.push_back(bits.size() < 4 ? joined(bits)
                                       : m_.let(fmt::format("younger{}_from{}", w, low), rtl::cat(bits),
                                                fmt::format("slots from {} on with a younger warp", low)));
    }
    return joined(pieces);
  }

  // Present warps of other slots that are older than that of slot w.
  Expr older_than(int w) {
    std::vector<Expr> parts;
    if (w < n_ - 1) parts.push_back(present_.slice(n_ - 1, w + 1) & ~younger_above(w));
    if (w > 0) parts.push_back(present_.slice(w - 1, 0) & row(w));
    return joined(parts);
  }

  void ranks() {
    const rtl::Module rank = rank_module(n_ - 1, count_bits_, m_.name() + "_rank");
    m_.section("The oldest of the warps that are present.");
    const Expr places = m_.wire("places", n_, "fewer than the limit are older");
    for (int w = 0; w < n_; ++w)
      m_.instance(rank, fmt::format("rank{}", w),
                  {{"older", older_than(w)}, {"limit", limit_}, {"fewer", places.slice(w, w)}},
                  fmt::format("Compares the age of slot {}'s warp with the limit.", w));
    m_.assign(allowed_, present_ & places);
  }

  const int n_, count_bits_;
  rtl::Module m_;
  Expr launch_, finish_, waiting_, limit_, allowed_, launched_q_, present_;
  std::vector<Expr> older_q_;  // of slots 1, 2 ..
};

}  // namespace

void check(const LimitParams& p) {
  require_in(LimitRanges::warps, "limit.warps", p.warps, "use 24 for a scheduler, 48 for a core of two");
  require(p.kind != LimitKind::fixed || (p.count >= 1 && p.count <= p.warps), "limit.count", p.count,
          fmt::format("must be from 1 to the {} warps of limit.warps", p.warps),
          "use limit.warps for no limit");
}

rtl::Module warp_limit(const LimitParams& p, const std::string& name) {
  check(p);
  return LimitBuilder(p, name).run();
}

}  // namespace hw

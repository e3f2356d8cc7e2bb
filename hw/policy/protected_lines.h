// The remaining protection distances (RPD) of a cache's lines, way by way, and what happens to them in a
// cycle (ACI thesis, section 4.2.5).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/policy/protection_distance_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Bits of a line's RPD.
int rpd_bits(const ProtectionDistanceParams& p);

// The distance of a line that was just fetched or found, as a constant of the module.
rtl::Expr protection_distance_of(rtl::Module& m, const ProtectionDistanceParams& p);

// A load, and lines that come and go. Ways are one-hot. `kill_index`: absent where it is `index`.
struct LineEvents {
  rtl::Expr probe, accept, index, hit, way, reserved;
  rtl::Expr fill, fill_index, fill_way;
  rtl::Expr kill, kill_way;
  std::optional<rtl::Expr> kill_index;
  rtl::Expr flush;
};

// Declares the inputs of a unit that are its events. `kills_elsewhere`: stores have a set of their own.
LineEvents line_event_inputs(rtl::Module& m, const ProtectionDistanceParams& p, bool kills_elsewhere);

// What a load or store of the cycle before left of its set, whose row is written in this cycle: the set,
// one-hot, or 0, and the distance of each way.
struct LateDistances {
  rtl::Expr set;
  std::vector<rtl::Expr> rpd;
};

class ProtectedLines {
 public:
  // Adds to `m` the sets that change. With `late` loads and kills change them a cycle later.
  ProtectedLines(rtl::Module& m, const ProtectionDistanceParams& p, const LineEvents& events,
                 const std::optional<LateDistances>& late = {});

  // Of one way: what its module shows, and what an accepted load leaves of the way's line in its set.
  struct Way {
    rtl::Expr shown, left;
  };
  // Adds a module a way, each with the RPDs of its lines, which shows that of set `read`. `row` has those of
  // the load's set, way by way; empty where that is the set shown.
  std::vector<Way> add(const std::vector<rtl::Expr>& row, const rtl::Expr& read);

  // Drives what the unit says of the load, by the RPDs of its set.
  void decide(const std::vector<rtl::Expr>& row, const rtl::Expr& bypass, const rtl::Expr& open);

 private:
  rtl::Expr after_load(int way, const rtl::Expr& rpd) const;

  rtl::Module& m_;
  const ProtectionDistanceParams& p_;
  const LineEvents& e_;
  const std::optional<LateDistances> late_;
  rtl::Expr load_set_, fill_set_, kill_set_, found_;
};

}  // namespace hw

// Warp limiting: the limiting unit, and the scheduler in front of a cache (BUCL, section 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/l1d/l1d_params.h"
#include "hw/monitors/limit_params.h"
#include "hw/monitors/limit_ranges.h"
#include "hw/monitors/warp_limit.h"

namespace gen {
namespace {

Unit elaborated(const hw::LimitParams& p, const std::string& top) {
  return {.top = hw::warp_limit(p, top),
          .accounts = {{"launch order", 1, {{"pairs", hw::order_bits(p)}}, true},
                       {"slots with a warp", 1, {{"launched", p.warps}}}}};
}

CosimMain cosim(const hw::LimitParams& p) {
  return cycle_bench("units/warp_limit_cosim.h", "WarpLimitBench", "LimitParams", p, 300'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::LimitParams>(
      elaborated, cosim, "stands beside a warp scheduler: recorded traffic is of a cache; use --random");
  return table;
}

}  // namespace

KeyInfo limit_scope_key() {
  return {.key = "limit.scope",
          .type = KeyType::choice,
          .choices = {"scheduler", "core"},
          .meaning =
              "Whose warps are counted: those of a scheduler (warp slot w of a core belongs to "
              "scheduler w modulo 2), or all of a core."};
}

KeyInfo limit_warps_key() {
  return {.key = "limit.warps",
          .range = hw::LimitRanges::warps,
          .unit = "warps",
          .meaning = "Warp slots of the scope.",
          .suffix = "w"};
}

namespace {

using hw::LimitParams;

// `alone`: of the unit, whose number of slots changes hardware, and which needs no kind.
template <class P, class Access>
std::vector<Key> limit_keys(Access access, bool alone) {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, auto member) {
    info.source = alone ? "BUCL, section 4 (SWL)" : "BUCL, section 4 (SWL); ACI thesis, section 4.2.3";
    info.depends = !alone;
    keys.push_back(field<P>(
        std::move(info), [ access, member ](auto& p) -> auto& { return access(p).*member; }));
  };
  add({.key = "limit.kind",
       .type = KeyType::choice,
       .choices = {"none", "static", "adaptive"},
       .meaning =
           "How many warps may issue in runs of explore and cosim: all, the oldest `count`, or as many "
           "of the oldest as a controller in the cache finds best."},
      &LimitParams::kind);
  const auto with = [&](std::vector<std::string> kinds) {
    return alone ? std::pair<std::string, std::vector<std::string>>{}
                 : std::pair{std::string("limit.kind"), kinds};
  };
  KeyInfo scope = limit_scope_key(), warps = limit_warps_key();
  scope.only_with = warps.only_with = with({"static", "adaptive"});
  warps.named_with = with({"adaptive"});  // then a controller in the cache counts as many
  if (!alone) warps.suffix = "warps";
  add(std::move(scope), &LimitParams::scope);
  add(std::move(warps), &LimitParams::warps);
  add({.key = "limit.count",
       .range = hw::LimitRanges::count,
       .unit = "warps",
       .meaning = "Warps that may issue, up to limit.warps.",
       .only_with = with({"static"})},
      &LimitParams::count);
  return keys;
}

}  // namespace

std::vector<Key> limit_keys_of_l1d() {
  return limit_keys<hw::L1dParams>(
      [](auto& p) -> auto& { return p.limit; }, false);
}

namespace {

const Family& family() {
  static const Family family{.name = "warp limiter",
                             .doc = "lets the oldest warps of a scheduler issue, as many as a limit says",
                             .defaults = LimitParams{},
                             .unit = kind,
                             .keys = limit_keys<LimitParams>(
                                 [](auto& p) -> auto& { return p; }, true)};
  return family;
}

}  // namespace

std::vector<Preset> warp_limit_unit() {
  return {
      {.place = 220,
       .name = "warp_limit",
       .family = &family(),
       .doc = "static warp limiting: the oldest warps of a scheduler may issue, as many as the limit says",
       .source = "BUCL, section 4 (SWL)"}};
}

}  // namespace gen

#include "gen/units/limit/limit_keys.h"

#include "gen/units/limit/limit.h"

namespace gen {

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
          .min = 1,
          .max = 64,
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
    info.source = "BUCL, section 4 (SWL)";
    info.depends = !alone;
    if (!alone && info.key != "limit.kind") info.only_with = {"limit.kind", {"static"}};
    keys.push_back(field<P>(
        std::move(info), [ access, member ](auto& p) -> auto& { return access(p).*member; }));
  };
  add({.key = "limit.kind",
       .type = KeyType::choice,
       .choices = {"none", "static"},
       .meaning = "How many warps may issue in runs of explore and cosim: all, or the oldest `count`."},
      &LimitParams::kind);
  add(limit_scope_key(), &LimitParams::scope);
  KeyInfo warps = limit_warps_key();
  if (!alone) warps.suffix.reset();
  add(std::move(warps), &LimitParams::warps);
  add({.key = "limit.count",
       .min = 1,
       .max = 64,
       .unit = "warps",
       .meaning = "Warps that may issue, up to limit.warps."},
      &LimitParams::count);
  return keys;
}

}  // namespace

std::vector<Key> limit_keys_of_l1d() {
  return limit_keys<hw::L1dParams>(
      [](auto& p) -> auto& { return p.limit; }, false);
}

const Family& warp_limit_family() {
  static const Family family{.name = "warp limiter",
                             .doc = "lets the oldest warps of a scheduler issue, as many as a limit says",
                             .defaults = LimitParams{},
                             .unit = warp_limit_unit,
                             .keys = limit_keys<LimitParams>(
                                 [](auto& p) -> auto& { return p; }, true)};
  return family;
}

}  // namespace gen

#include "gen/units/iacm/iacm_controller.h"

#include "gen/units/iacm/awl.h"
#include "hw/iacm/change.h"
#include "hw/iacm/iacm_controller.h"
#include "hw/prim/one_hot.h"

namespace gen {

std::vector<StorageAccount> storage_accounts(const hw::IacmParams& p) {
  std::vector<StorageAccount> accounts;
  if (hw::has_awl(p.order)) accounts = storage_accounts(p.awl);
  const int ipc = hw::watch_bits(p);
  accounts.push_back({"IPC without a search", 1, {{"ipc", ipc}, {"last", ipc}}, true});
  accounts.push_back(
      {"period without a search", 1, {{"cycle", hw::bits_to_number(hw::watch_cycles(p))}, {"first", 1}}});
  std::vector<std::pair<std::string, int>> phase{{"phase", 2}};
  if (hw::has_adi(p.order)) phase.insert(phase.end(), {{"adi_start", 1}, {"rest", 1}});
  if (hw::has_awl(p.order)) phase.emplace_back("awl_start", 1);
  accounts.push_back({"phase", 1, std::move(phase)});
  const auto bounds = [&](const hw::Fraction& fraction, const std::string& what) {
    const hw::ChangeBounds bits = hw::change_bounds(ipc, fraction);
    accounts.push_back(
        {"bounds of a change, kept ahead" + what, 1, {{"most", bits.most}, {"least", bits.least}}});
  };
  if (!hw::has_adi(p.order) || p.adi_change == p.idle_change) {
    bounds(p.idle_change, "");
  } else {
    bounds(p.idle_change, ", idle");
    bounds(p.adi_change, ", between rounds");
  }
  if (!hw::has_awl(p.order)) accounts.push_back({"kernel", 1, {{"total", hw::warp_count_bits(p.awl)}}});
  return accounts;
}

namespace {

Unit elaborated(const hw::IacmParams& p, const std::string& top) {
  return {.top = hw::iacm_controller(p, top), .latency = 1, .accounts = storage_accounts(p)};
}

CosimMain cosim(const hw::IacmParams& p) {
  return cycle_bench("units/iacm_controller_cosim.h", "IacmControllerBench", "IacmParams", p, 1'000'000, {},
                     true);
}

}  // namespace

const UnitKind& iacm_controller_unit() {
  static const UnitKind kind = unit_kind<hw::IacmParams>(
      elaborated, cosim, "controls searches: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen

#include "hw/l1d/monitors.h"

#include <array>

#include "hw/l1d/adi_in_cache.h"
#include "hw/l1d/bucl_in_cache.h"
#include "hw/l1d/iacm_in_cache.h"
#include "hw/l1d/mode_in_cache.h"

namespace hw {
namespace {

struct Row {
  bool (*wanted)(const L1dParams&);
  std::unique_ptr<Monitor> (*make)(const MonitorSocket&);
  // Throws ParamError when the cache cannot have it so; asked of each cache.
  void (*check)(const L1dParams&) = [](const L1dParams&) {};
};

template <class M>
std::unique_ptr<Monitor> make(const MonitorSocket& socket) {
  return std::make_unique<M>(socket);
}

constexpr std::array rows{
    Row{[](const L1dParams& p) { return p.index.kind == IndexKind::adi; }, make<AdiInCache>,
        AdiInCache::check},
    Row{[](const L1dParams& p) { return p.mode.kind == ModeKind::dueling && !p.mode.follow; },
        make<ModeInCache>, ModeInCache::check},
    Row{[](const L1dParams& p) { return p.bypass.kind == BypassKind::bucl && has_own_unit(p.bypass); },
        make<BuclInCache>},
    Row{has_controller, make<IacmInCache>, IacmInCache::check},
};

}  // namespace

void check_monitors(const L1dParams& p) {
  for (const Row& row : rows) row.check(p);
}

std::vector<std::unique_ptr<Monitor>> monitors_of(const MonitorSocket& socket) {
  std::vector<std::unique_ptr<Monitor>> list;
  for (const Row& row : rows)
    if (row.wanted(socket.params)) list.push_back(row.make(socket));
  return list;
}

}  // namespace hw

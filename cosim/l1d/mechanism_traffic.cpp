#include "cosim/l1d/mechanism_traffic.h"

#include <array>

#include "cosim/l1d/at_once_watch.h"
#include "cosim/l1d/bucl_stimulus.h"
#include "cosim/l1d/bucl_watch.h"
#include "cosim/l1d/iacm_inputs.h"
#include "cosim/l1d/iacm_watch.h"
#include "cosim/l1d/merge_watch.h"
#include "cosim/l1d/passing_watch.h"
#include "cosim/l1d/protection_watch.h"
#include "cosim/l1d/update_watch.h"

namespace verif {
namespace {

struct Row {
  bool (*wanted)(const hw::L1dParams&);
  std::unique_ptr<AxisWatch> (*watch)(const hw::L1dParams&);
  std::unique_ptr<MechanismStimulus> (*stimulus)(const hw::L1dParams&, std::uint64_t seed) = nullptr;
};

template <class Watch>
std::unique_ptr<AxisWatch> watch(const hw::L1dParams& p) {
  return std::make_unique<Watch>(p);
}
template <class Stimulus>
std::unique_ptr<MechanismStimulus> stimulus(const hw::L1dParams& p, std::uint64_t seed) {
  return std::make_unique<Stimulus>(p, seed);
}

using P = hw::L1dParams;
constexpr std::array rows{
    Row{[](const P& p) { return p.bypass.kind == hw::BypassKind::protection_distance; },
        watch<L1dProtectionWatch>},
    Row{[](const P& p) { return p.bypass.kind == hw::BypassKind::bucl; }, watch<L1dBuclWatch>,
        stimulus<BuclStimulus>},
    Row{[](const P& p) { return hw::has_controller(p); }, watch<L1dIacmWatch>, stimulus<IacmInputsOfCache>},
    Row{[](const P& p) { return p.snoops; }, watch<L1dPassingWatch>},
    Row{[](const P& p) { return p.store_policy == hw::StorePolicyKind::update; }, watch<L1dUpdateWatch>},
    Row{[](const P& p) { return hw::warp_bits_of(p) > 0; }, watch<L1dMergeWatch>},
    Row{hw::answers_at_once, watch<L1dAtOnceWatch>},
};

}  // namespace

MechanismStimuli stimuli_of(const hw::L1dParams& p, const std::function<std::uint64_t()>& seed) {
  MechanismStimuli all;
  for (const Row& row : rows)
    if (row.stimulus && row.wanted(p)) all.push_back(row.stimulus(p, seed()));
  return all;
}

std::vector<std::unique_ptr<AxisWatch>> watches_of(const hw::L1dParams& p) {
  std::vector<std::unique_ptr<AxisWatch>> all;
  for (const Row& row : rows)
    if (row.wanted(p)) all.push_back(row.watch(p));
  return all;
}

}  // namespace verif

// Units of integrated adaptive cache management in long lock step: 20 million cycles over 40 configurations,
// odd sizes, each order, each scope and both ends of the distances among them.
#include <random>

#include "verif/unit_lock_step.h"

namespace {

using Settings = std::vector<std::string>;

constexpr std::int64_t cycles = 500'000;

template <class T>
const T& one_of(std::mt19937_64& draw, const std::vector<T>& all) {
  return all[draw() % all.size()];
}

void add_warp_limiting(std::mt19937_64& draw, Settings& settings) {
  const bool core = draw() % 2;
  settings.push_back(fmt::format("limit.scope={}", core ? "core" : "scheduler"));
  settings.push_back(fmt::format(
      "limit.warps={}", one_of<int>(draw, core ? std::vector{1, 31, 48, 64} : std::vector{2, 7, 13, 24})));
  settings.push_back(fmt::format("limit.linear_from={}", draw() % 2 ? "best" : "upper"));
  settings.push_back(fmt::format("iacm.period={}", one_of<int>(draw, {2, 3, 5, 8})));
  settings.push_back(fmt::format("iacm.issue_max={}", one_of<int>(draw, {64, 96, 1024})));
  if (draw() % 4 == 0) settings.emplace_back("iacm.warp_change=[3, 7]");
}

void run(const std::string& preset, const Settings& settings) {
  SCOPED_TRACE(fmt::format("{}", fmt::join(settings, " ")));
  verif::expect_same(preset, settings, cycles, verif::fresh_seed(1));
}

}  // namespace

TEST(IacmFull, Awl) {
  std::mt19937_64 draw(1);
  for (int n = 0; n < 10; ++n) {
    Settings settings;
    add_warp_limiting(draw, settings);
    run("awl", settings);
  }
}

TEST(IacmFull, Controller) {
  std::mt19937_64 draw(2);
  for (int n = 0; n < 20; ++n) {
    static const Settings orders{"adi_awl", "awl_adi", "parallel", "adi", "awl"};
    Settings settings{"iacm.order=" + orders[static_cast<std::size_t>(n) % orders.size()],
                      fmt::format("iacm.adi_idle={}", one_of<int>(draw, {2, 5, 9}))};
    add_warp_limiting(draw, settings);
    if (draw() % 3 == 0) settings.emplace_back("iacm.adi_change=[3, 7]");
    if (draw() % 3 == 0) settings.emplace_back("iacm.idle_change=[1, 3]");
    run("iacm_controller", settings);
  }
}

TEST(IacmFull, ProtectionDistance) {
  const std::vector<int> distances{1, 2, 3, 4, 5, 7, 8, 31, 100, 255};
  std::mt19937_64 draw(3);
  for (const int distance : distances)
    run("protection_distance", {fmt::format("bypass.protection_distance.distance={}", distance),
                                fmt::format("index.sets={}", one_of<int>(draw, {2, 4, 32})),
                                fmt::format("geometry.ways={}", one_of<int>(draw, {1, 3, 4, 7, 16}))});
}

#include "hw/l1d/bucl_in_cache.h"

#include "hw/policy/bucl_threshold_unit.h"

namespace hw {

using rtl::Expr, rtl::lit;

// Its unit counts the load of a cycle in that cycle, as one beside the cache does.
void BuclInCache::watch(rtl::Module& m, ProbeEvent& event) {
  const BuclParams& p = params_.bypass.bucl;
  m.section("Thresholds of the bypass, beside the lookup.");
  const Expr profiling = m.wire("profiling", 1, "SMs compare with thresholds of their own");
  const Expr& tucd = controls_["tucd"];
  const Expr common = profiles(p) ? m.wire("common_tucd", tucd.width(), "TUCD of all SMs") : tucd;
  Pins pins{{"access", event.served()}, {"hit", event.hit()}, {"profiling", profiling}, {"tucd", common}};
  using enum InputSource;
  for (auto& pin : inputs_.pins_from({kernel_start, memory_buffers, lanes_of_sms})) pins.push_back(pin);
  for (const Control control : {Control("hit_rate_low"), Control("buffer_free")})
    pins.emplace_back(control.name(), controls_[control]);
  m.instance(bucl_threshold_unit(p, m.name() + "_thresholds"), "thresholds", pins,
             "Thresholds that loads are compared with.");
  if (!profiles(p)) return m.unused("unused_profiling", profiling, "TUCD moves step by step");
  const int own = p.thresholds[p.designated_sm % p.thresholds.count];
  m.assign(tucd, rtl::mux(profiling, lit(tucd.width(), static_cast<std::uint64_t>(own)), common));
}

}  // namespace hw

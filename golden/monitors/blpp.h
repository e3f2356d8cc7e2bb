// Bandwidth- and latency-aware page placement cycle by cycle (ACI thesis, section 5; docs/contracts/blpp.md):
// the latency ratio and the traffic of a period decide which part of new pages goes to the GPU node.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "golden/state.h"
#include "hw/monitors/blpp_params.h"

namespace golden {

// Events of a cycle, and their sums over a period.
struct BlppEvents {
  std::uint64_t a1 = 0, m1 = 0, a2 = 0, m2 = 0, flits = 0;
};

class Blpp {
 public:
  static constexpr std::uint64_t one = 65536;
  static constexpr int delay = 64;  // cycles from a period's last to the new part

  struct In {
    BlppEvents events = {};
    bool request = false, gpu_full = false, cpu_full = false;
  };

  // What the sums of a period come to.
  struct Decision {
    bool near = false, busy = false, loads = false;  // latency test, traffic test, a1 > 0
    bool shared() const { return near && busy; }
  };

  explicit Blpp(const hw::BlppParams& p) : p_(p) { reset(); }

  std::uint64_t part() const { return part_; }
  std::uint16_t draw() const { return draw_; }
  int cycle() const { return cycle_; }
  const BlppEvents& sums() const { return sums_; }
  // Cycles since the last period's end while its decision is awaited, else 0.
  int step() const { return step_; }

  bool place_cpu(const In& in) const {
    const bool cpu = draw_ >= part_;
    if (cpu && in.cpu_full && !in.gpu_full) return false;
    if (!cpu && in.gpu_full && !in.cpu_full) return true;
    return cpu;
  }

  void reset() {
    compared_ = {};
    sums_ = {};
    cycle_ = step_ = 0;
    draw_ = 0xACE1;
    part_ = p_.mode == hw::BlppMode::fixed ? rounded(p_.ratio * one) : one;
  }

  void edge(const In& in) {
    if (in.request)
      for (int step = 0; step < 16; ++step) draw_ = next(draw_);
    if (p_.mode == hw::BlppMode::fixed) return;
    if (step_ > 0 && ++step_ == delay) {
      if (coming_.loads) part_ = coming_.shared() ? share() : one;
      compared_ = coming_sides_;
      step_ = 0;
    }
    add(in.events);
    if (++cycle_ < p_.period) return;
    coming_ = decision(p_, sums_);
    coming_sides_ = sides(p_, sums_);
    compared_ = {};
    sums_ = {};
    cycle_ = 0;
    step_ = 1;
  }

  // r_L = (BG L_G + BC L_C) / ((BG + BC) L_G) < theta, all of it times what is below the lines.
  static Decision decision(const hw::BlppParams& p, const BlppEvents& sums) {
    const auto [gpu, cpu] = latencies(p, sums);
    const Wide above = wide(p.gpu_bandwidth) * gpu + wide(p.cpu_bandwidth) * cpu;
    const Wide below = wide(p.gpu_bandwidth + p.cpu_bandwidth) * gpu;
    const bool near = 10 * above < wide(p.ratio_tenths) * below;
    return {near, sums.flits > traffic_limit(p), sums.a1 > 0};
  }

  void publish(StateList& list) const {
    const bool counts = p_.mode == hw::BlppMode::dynamic;
    list.value("place.draw", 16, {}, [this](unsigned, unsigned) { return std::uint64_t{draw_}; });
    if (!counts) return;
    list.value("counters.cycle", std::bit_width(static_cast<unsigned>(p_.period) - 1), {},
               [this](unsigned, unsigned) { return static_cast<std::uint64_t>(cycle_); });
    list.value("evaluate.step", 6, {},
               [this](unsigned, unsigned) { return static_cast<std::uint64_t>(step_); });
    list.value("evaluate.busy", 1, {}, [this](unsigned, unsigned) {
      return step_ ? MayCount(std::uint64_t{coming_.busy}) : MayCount();
    });
    publish_sides(list);
    for (const auto& [name, sum] : {std::pair{"counters.a1", &BlppEvents::a1},
                                    {"counters.m1", &BlppEvents::m1},
                                    {"counters.a2", &BlppEvents::a2},
                                    {"counters.m2", &BlppEvents::m2},
                                    {"counters.flits", &BlppEvents::flits}})
      list.value(name, 32, {}, [this, sum](unsigned, unsigned) { return sums_.*sum; });
  }

 private:
  using Wide = unsigned __int128;
  static Wide wide(int value) { return static_cast<Wide>(value); }

  // L_G and L_C, in units of 1 / (a1 a2).
  struct Latencies {
    Wide gpu = 0, cpu = 0;
  };
  static Latencies latencies(const hw::BlppParams& p, const BlppEvents& sums) {
    BlppEvents s = sums;
    for (; s.a1 >= one; s.a1 /= 2) s.m1 /= 2;
    for (; s.a2 >= one; s.a2 /= 2) s.m2 /= 2;
    const Wide a2 = s.a2 ? s.a2 : 1, loads = s.a1 * a2;
    const Wide inner = wide(p.l2_latency) * a2 + wide(p.gpu_memory_latency) * s.m2;
    return {wide(p.l1_latency) * loads + s.m1 * inner, wide(p.cpu_memory_latency + p.link_latency) * loads};
  }

  // The test with L_C on its left side alone: 10 BC L_C < (theta (BG + BC) - 10 BG) L_G, theta in tenths. No
  // side is negative.
  struct Sides {
    Wide left = 0, right = 0;
  };
  static Sides sides(const hw::BlppParams& p, const BlppEvents& sums) {
    const auto [gpu, cpu] = latencies(p, sums);
    return {10 * wide(p.cpu_bandwidth) * cpu, right_factor(p) * gpu};
  }
  static Wide right_factor(const hw::BlppParams& p) {
    const int factor = p.ratio_tenths * (p.gpu_bandwidth + p.cpu_bandwidth) - 10 * p.gpu_bandwidth;
    return factor > 0 ? wide(factor) : 0;
  }
  static int bits_of(Wide most) {
    int bits = 0;
    for (; most; most >>= 1) ++bits;
    return bits;
  }

  // From an evaluation's end to the next one's begin, in words.
  void publish_sides(StateList& list) const {
    const BlppEvents one_load{.a1 = 1, .m1 = 0, .a2 = 1, .m2 = 0, .flits = 0};
    const BlppEvents most{.a1 = one - 1, .m1 = 0xFFFF'FFFF, .a2 = one - 1, .m2 = 0xFFFF'FFFF, .flits = 0};
    const int widths[] = {2 * 16 + bits_of(sides(p_, one_load).left),
                          bits_of(latencies(p_, most).gpu) + bits_of(right_factor(p_))};
    for (const bool right : {false, true})
      for (int low = 0; low < widths[right]; low += 64)
        list.value(std::string(right ? "evaluate.right_" : "evaluate.left_") + std::to_string(low),
                   std::min(64, widths[right] - low), {}, [this, right, low](unsigned, unsigned) {
                     return compared_ ? MayCount(static_cast<std::uint64_t>(
                                            (right ? compared_->right : compared_->left) >> low))
                                      : MayCount();
                   });
  }
  static std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(value + 0.5); }
  // In flits of 32 bytes.
  static std::uint64_t traffic_limit(const hw::BlppParams& p) {
    return static_cast<std::uint64_t>(p.bytes_per_cycle) * static_cast<std::uint64_t>(p.period) / 32;
  }
  static std::uint16_t next(std::uint16_t state) {
    const unsigned entering = (state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1;
    return static_cast<std::uint16_t>(state >> 1 | entering << 15);
  }

  std::uint64_t share() const {
    const auto gpu = static_cast<std::uint64_t>(p_.gpu_bandwidth),
               cpu = static_cast<std::uint64_t>(p_.cpu_bandwidth);
    return one * gpu / (gpu + cpu);
  }
  void add(const BlppEvents& e) {
    sums_.a1 += e.a1, sums_.m1 += e.m1, sums_.a2 += e.a2, sums_.m2 += e.m2, sums_.flits += e.flits;
  }

  const hw::BlppParams p_;
  BlppEvents sums_;
  Decision coming_;
  Sides coming_sides_;
  std::optional<Sides> compared_;  // by the last evaluation, unless it was cut short
  int cycle_ = 0, step_ = 0;
  std::uint16_t draw_ = 0;
  std::uint64_t part_ = one;
};

}  // namespace golden

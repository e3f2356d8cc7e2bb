// Random legal parameters of adaptive-indexing monitors, the same for the same seed; and their co-simulation
// programs.
#pragma once
#include <bit>
#include <random>
#include <string>

#include "gen/config/catalogue.h"
#include "gen/cosim/program.h"
#include "gen/print_verilog.h"
#include "gen/unit/cosim_main.h"
#include "gen/unit/unit_kind.h"
#include "hw/monitors/adi_monitor.h"

namespace verif {

// S 1 to 8, T 16 to 4,096, T = 2^M in half of them.
inline hw::AdiMonitorParams sample_adi(std::mt19937_64& draw) {
  hw::AdiMonitorParams p;
  p.address_bits = static_cast<int>(20 + draw() % 45);
  p.line_bytes = 32 << draw() % 4;
  p.sets = 2 << draw() % 8;
  const int most = 16 << draw() % 9;
  p.period = draw() % 2 ? most : static_cast<int>(16 + draw() % static_cast<unsigned>(most - 15));
  const int needed = std::bit_width(static_cast<unsigned>(p.period - 1));
  p.counter_bits = draw() % 4 ? needed : needed + static_cast<int>(draw() % 3);
  constexpr int idles[] = {0, 1, 100, 1000, 4096};
  p.idle = idles[draw() % 5];
  return p;
}

inline gen::ProgramSource adi_program(const hw::AdiMonitorParams& p, const std::string& name) {
  gen::ProgramSource source{.name = name, .top = name};
  for (const rtl::Module& m : rtl::modules_of(hw::adi_monitor(p, name).module))
    source.verilog[m.name() + ".v"] = gen::verilog(m);
  source.main = gen::main_text(gen::family_of(p).unit().cosim(p), "");
  return source;
}

}  // namespace verif

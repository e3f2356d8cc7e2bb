// What most co-simulation programs include: read once for all of them (gen/cosim/program_headers.h).
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <array>
#include <bit>

#include "verif/lockstep/harness/cycle_cosim.h"
#include "verif/lockstep/l1d/l1d_verilated.h"

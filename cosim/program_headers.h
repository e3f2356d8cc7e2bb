// What most co-simulation programs include: read once for all of them (gen/cosim/program_headers.h).
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <array>
#include <bit>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/l1d/l1d_verilated.h"

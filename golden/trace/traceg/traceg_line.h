// One instruction line of an Accel-Sim `.traceg`, in the forms of tracer versions 1.2 to 5.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "golden/trace/io/line_source.h"
#include "golden/trace/rec_trace.h"

namespace golden {

// What the header of a file says about its lines, and what its lines have shown so far.
struct TracegDialect {
  int version = 0;  // 1.2 is 1; 0 when not stated, read as below 3
  bool line_numbers = false;
  enum class Immediate { not_seen, absent, present } immediate = Immediate::not_seen;
};

struct TracegLine {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;  // lanes that have an address, or all active ones when there is no list
  std::string_view opcode;
  Registers registers;
  bool has_addresses = false;
  std::array<std::uint64_t, 32> address = {};  // of the i-th active lane
  std::string_view memory;                     // from the address mode on, in the text
};

// Takes `text` apart. Throws TraceError by `source`, which handed the line out.
void parse_traceg_line(const LineSource& source, std::string_view text, TracegDialect& dialect,
                       TracegLine& line);

}  // namespace golden

// The ports of a unit for people, in one row where they differ in a number alone.
#pragma once
#include <string>
#include <vector>

#include "gen/ports.h"

namespace gen {

struct PortRow {
  Port port;  // the first of them, with "core[0..79]_request_valid" as name, and "core 0 to 79" in its doc
  int count = 1;  // ports, numbered one by one
};

// In the order of the first port of each row.
std::vector<PortRow> port_rows(const std::vector<Port>& ports);

}  // namespace gen

// Readers of what yosys and OpenSTA print; they throw ToolError on text that lacks what they look for.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gen {

std::map<std::string, int> parse_stat_cells(std::string_view stat);
// Name and text of each module that `stat` lists; without its sum over the hierarchy.
std::vector<std::pair<std::string, std::string_view>> stat_modules(std::string_view stat);
double parse_stat_area(std::string_view stat);
int parse_ltp_depth(std::string_view ltp);

// The netlist with what OpenSTA cannot read written otherwise: an assignment to a concatenation, or to a port
// of several bits, as one assignment a bit, and a[0].b[1], which it takes for a bit of a bus `a`, as
// a(0).b[1]. Nets that are no ports have one bit each.
// parse_timing() gives such names back as they were.
std::string readable_netlist(std::string_view netlist);

struct TimingPath {
  std::string start, end;
  double slack_ns = 0;
  bool found = false;  // false: the unit has no path, say a constant output
};
TimingPath parse_timing(std::string_view report);

// The text with each @KEY@ replaced; throws std::logic_error for a key that is unknown or unused.
std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace gen

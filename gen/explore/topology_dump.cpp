#include "gen/explore/topology_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gen {
namespace {

std::string by_nodes(const golden::Served& s) {
  return fmt::format("{} {} {} {}\n", s.core, s.node, s.slice, static_cast<char>(s.result));
}

// Who served a load: the own L1 or, of a miss there, its slice (l); the home's L1 (h) or another core's (p);
// the slice itself (d). Others are named alone.
std::string by_l1s(const golden::Served& s) {
  using golden::Result;
  if (s.result == Result::store || s.result == Result::atomic || s.result == Result::non_l1)
    return fmt::format("{} {}\n", s.core, static_cast<char>(s.result));
  if (s.supplier >= 0) return fmt::format("{} p {} M\n", s.core, s.supplier);
  if (s.node < 0) return fmt::format("{} d {} M\n", s.core, s.slice);
  return fmt::format("{} {} {} {}\n", s.core, s.node == s.core ? 'l' : 'h', s.node,
                     golden::is_miss(s.result) ? 'M' : 'H');
}

constexpr DumpLines of_nodes{by_nodes, ""};
struct Row {
  hw::TopologyKind kind;
  DumpLines lines;
};
// The kinds that differ from all others.
constexpr DumpLines of_l1s{by_l1s, "F\n"};
constexpr std::array rows{Row{hw::TopologyKind::shared, of_l1s}, Row{hw::TopologyKind::remote, of_l1s}};

}  // namespace

const DumpLines& dump_lines(hw::TopologyKind kind) {
  const auto row = std::ranges::find(rows, kind, &Row::kind);
  return row == rows.end() ? of_nodes : row->lines;
}

}  // namespace gen

#include "gen/units/mesh/flit_wires.h"

#include <fmt/format.h>

namespace gen {

// A field without bits is a variable that nobody reads.
std::string flit_wires(int count, bool sides) {
  const auto ports = [&](const char* side, const char* way) {
    std::string visits;
    for (int n = 0; n < count; ++n)
      visits += fmt::format(
          "    visit({0}, d.{1}{0}_valid, d.{1}{0}_vc, d.{1}{0}_head, d.{1}{0}_tail, d.{1}{0}_destination, "
          "{2}, "
          "d.{1}{0}_data, d.{1}{0}_credit_valid, d.{1}{0}_credit_vc);\n",
          n, way, sides ? fmt::format("d.{}{}_side", way, n) : "absent");
    return fmt::format(
        "  template <class D, class Visit>\n  static void each_{}(D& d, const Visit& visit) {{\n"
        "    [[maybe_unused]] unsigned char absent = 0;\n{}  }}\n",
        side, visits);
  };
  return fmt::format("struct Ports {{\n{}{}}};\n", ports("input", "in"), ports("output", "out"));
}

}  // namespace gen

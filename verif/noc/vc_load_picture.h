// Latency against load of the crossbar's Verilog, as a picture: 8x4, 4 VCs, 1 and 2 iterations, one source
// queue and one a VC.
#pragma once
#include <algorithm>

#include "verif/noc/vc_load.h"

namespace verif {

inline std::string load_curves() {
  constexpr double left = 70, top = 50, width = 520, height = 300, most = 40;  // most: cycles of latency
  const auto x = [&](double load) { return left + width * load; };
  const auto y = [&](double latency) { return top + height * (1 - std::min(latency, most) / most); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n  <rect width=\"640\" height=\"420\" fill=\"#fff\"/>\n"
      "  <text x=\"{}\" y=\"28\" font-weight=\"bold\">vc_crossbar 8x4, 4 VCs of 4 flits: mean latency in "
      "cycles"
      "</text>\n",
      left);
  for (int k = 0; k <= 4; ++k) {
    svg += fmt::format(
        "  <path d=\"M{0} {1} H{2}\" stroke=\"#ddd\"/>\n  <text x=\"{3}\" y=\"{4}\" "
        "text-anchor=\"end\">{5}</text>\n",
        left, y(10 * k), left + width, left - 8, y(10 * k) + 4, 10 * k);
    svg += fmt::format("  <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.2f}</text>\n", x(k / 4.0),
                       top + height + 20, k / 4.0);
  }
  svg += fmt::format(
      "  <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">offered load, flits an output and cycle"
      "</text>\n",
      left + width / 2, top + height + 44);
  const char* const colours[] = {"#b3261e", "#e08a3c", "#3b6ea5", "#2e8b57"};
  for (int curve = 0; curve < 4; ++curve) {
    const bool queues = curve % 2;
    const int iterations = 1 + curve / 2;
    std::vector<LoadCase> cases;
    for (int percent = 5; percent < 100; percent += 5)
      cases.push_back({fmt::format("load{}", percent), true, queues, percent / 100.0 / 2});
    const auto measured = measure({.flit_bytes = 1, .iterations = iterations}, cases);
    std::string path;
    for (const LoadCase& c : cases) {
      const double latency = measured.at(c.name).latency;
      path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? "M" : "L", x(2 * c.rate), y(latency));
      if (latency >= most) break;
    }
    svg += fmt::format("  <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path,
                       colours[curve]);
    svg += fmt::format("  <text x=\"{}\" y=\"{}\" fill=\"{}\">{} iteration{}, {}</text>\n", left + 14,
                       top + 20 + 18 * curve, colours[curve], iterations, iterations > 1 ? "s" : "",
                       queues ? "a source queue per VC" : "one source queue");
  }
  return svg + "</svg>\n";
}

}  // namespace verif

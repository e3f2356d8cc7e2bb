#include "gen/datasheet/diagrams.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/datasheet/block_diagram.h"
#include "gen/datasheet/measured.h"
#include "gen/datasheet/timing.h"
#include "gen/files.h"
#include "gen/marked_file.h"

namespace gen {
namespace {

// Pages give a drawing their colours; a picture has its own.
std::string picture(std::string svg) {
  const std::size_t end = svg.find(">\n");
  svg.insert(end + 2, "  <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  svg.insert(end, " color=\"#222\"");
  return svg;
}

std::string block_file(const Config& config) { return config.top + "-block.svg"; }

// "A load that hits" is load-that-hits.
std::string file_part(std::string title) {
  title.erase(0, title.find(' ') + 1);
  std::ranges::replace(title, ' ', '-');
  return title;
}

}  // namespace

std::vector<Diagram> diagrams_of(const Config& config, bool timing) {
  const Unit unit = elaborate(config);
  std::vector<Diagram> all{{block_file(config), picture(block_diagram_svg(unit.top))}};
  if (!timing) return all;
  for (const auto& diagram : measured_diagrams(config, unit))
    all.push_back({fmt::format("{}-{}.svg", config.top, file_part(diagram["head"]["text"])),
                   picture(timing_svg(diagram))});
  return all;
}

void write_diagrams(const std::vector<Config>& configs, const std::filesystem::path& folder) {
  make_output_folder(folder);
  for (const Config& config : configs) check_own_file(folder / block_file(config));
  for (const Config& config : configs)
    for (const Diagram& diagram : diagrams_of(config)) {
      const std::filesystem::path file = folder / diagram.file;
      check_own_file(file);
      write_file_atomically(file, marked(diagram.svg, file));
      fmt::print("{}\n", file.string());
      std::fflush(stdout);
    }
}

}  // namespace gen

// Reads back what the charts of a page, or of a picture, show.
#pragma once
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/charts/vega.h"
#include "verif/cli/svg_reader.h"

namespace verif {

struct PageChart {
  std::string title;
  nlohmann::ordered_json spec;

  const nlohmann::ordered_json& rows() const { return spec["data"]["values"]; }
};

// The page less the text of the library that draws, in which anything may stand.
inline std::string without_library(std::string page) {
  const std::size_t begin = page.find("<script data-library");
  if (begin != std::string::npos) page.erase(begin, page.find("</script>", begin) - begin);
  return page;
}

// The JSON of the script that follows.
inline nlohmann::ordered_json script_behind(const std::string& page, std::size_t at) {
  const std::string begins = "<script type=\"application/json\">";
  const std::size_t begin = page.find(begins, at) + begins.size();
  return nlohmann::ordered_json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

inline std::vector<PageChart> charts_of(const std::string& page) {
  const std::string caption = "<figcaption>";
  std::vector<PageChart> charts;
  const std::size_t body = page.find("<body>");
  for (std::size_t at = page.find(caption, body); at != std::string::npos; at = page.find(caption, at + 1)) {
    const std::size_t begin = at + caption.size();
    charts.push_back(
        {plain_text(page.substr(begin, page.find('<', begin) - begin)), script_behind(page, at)});
  }
  return charts;
}

// What the reader may compare: points, figures, inputs, keys.
inline nlohmann::ordered_json comparison_of(const std::string& page) {
  return script_behind(page, page.find("<div class=\"comparison\">"));
}

inline bool can_draw() {
  try {
    gen::check_pictures();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}
inline constexpr const char* no_drawing = "no vl-convert: ./forge charts fetches it";

// A mark of a picture by its label for screen readers: "cycles: 123; configuration: l1d".
struct Drawn {
  std::string kind, label;
  double width = 0;  // of a bar or a level line

  // What stands behind the name.
  std::string at(const std::string& name) const {
    const std::string all = "; " + label + "; ", begins = "; " + name + ": ";
    const std::size_t found = all.find(begins);
    if (found == std::string::npos) return "";
    const std::size_t begin = found + begins.size();
    return all.substr(begin, all.find("; ", begin) - begin);
  }
};

inline std::vector<Drawn> marks_of(const std::string& svg) {
  std::vector<Drawn> marks;
  for (const SvgElement& e : read_svg(svg)) {
    if (!e.is("role", "graphics-symbol") || !e.attributes.contains("aria-label") || e.tag == "g") continue;
    Drawn& mark = marks.emplace_back(Drawn{e["aria-roledescription"], plain_text(e["aria-label"])});
    if (mark.kind == "rule mark" && e.attributes.contains("x2")) mark.width = e.number("x2");
    if (mark.kind == "bar") {
      const std::string& path = e["d"];
      mark.width = std::strtod(path.c_str() + path.find('h') + 1, nullptr);
    }
  }
  return marks;
}

}  // namespace verif

#include "gen/datasheet/block_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gen/html.h"
#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

constexpr double picture_width = 500, margin = 8, gap = 8, line = 15;
constexpr double letter = 7.0;  // at the font's size
constexpr int columns = 2;

// Instances of one module with names in a row: way0 to way3.
struct Part {
  std::string first, last;
  int count = 0;
  rtl::Module module;
};

std::vector<Part> parts_in(const std::vector<rtl::Item>& items, const std::string& prefix, int times) {
  std::vector<Part> parts;
  for (const rtl::Item& item : items) {
    if (const auto* repeat = std::get_if<rtl::Repeat>(&item.what)) {
      const std::string label = fmt::format("{}{}[0..{}].", prefix, repeat->label, repeat->times - 1);
      for (Part& part : parts_in(repeat->items, label, times * repeat->times))
        parts.push_back(std::move(part));
    }
    const auto* instance = std::get_if<rtl::Instance>(&item.what);
    if (instance == nullptr) continue;
    const std::string name = prefix + instance->name;
    if (!parts.empty() && parts.back().module.name() == instance->child.name()) {
      parts.back().last = name;
      parts.back().count += times;
    } else {
      parts.push_back({name, name, times, instance->child});
    }
  }
  return parts;
}

// At most as many letters as fit; the middle gives way.
std::string cut_to(const std::string& text, double available) {
  const auto most = static_cast<std::size_t>(available / letter);
  if (text.size() <= most) return text;
  const std::size_t half = (most - 2) / 2;
  return text.substr(0, half) + ".." + text.substr(text.size() - half);
}

std::string label_of(const Part& part) {
  std::string label = part.first;
  if (part.last != part.first) label += " to " + part.last;
  return part.count > 1 ? fmt::format("{} ({}x)", label, part.count) : label;
}

std::string label(double x, double y, const std::string& text, double available, const char* style = "") {
  return fmt::format(
      "  <text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"currentColor\" {}>{}</text>\n", x, y, style,
      escaped(cut_to(text, available)));
}

std::string frame(double x, double y, double width, double height, bool is_ram) {
  return fmt::format(
      "  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" fill=\"currentColor\" "
      "fill-opacity=\"{}\" stroke=\"currentColor\"/>\n",
      x, y, width, height, is_ram ? "0.15" : "0.03");
}

struct Drawn {
  std::string svg;
  double height = 0;
};

// Its name, its module, and a line for each of its own parts.
Drawn box(const Part& part, double x, double y, double width) {
  const double available = width - 2 * margin;
  std::string text = label(x + margin, y + line, label_of(part), available, "font-weight=\"bold\"") +
                     label(x + margin, y + 2 * line, part.module.name(), available, "opacity=\"0.75\"");
  double at = y + 2 * line + margin;
  for (const Part& inner : parts_in(part.module.data().items, "", 1)) {
    text += frame(x + margin, at, available, line + 3, is_ram(inner.module)) +
            label(x + 2 * margin, at + line - 2, fmt::format("{}: {}", label_of(inner), inner.module.name()),
                  available - 2 * margin);
    at += line + 6;
  }
  const double height = at - y + 2;
  return {frame(x, y, width, height, is_ram(part.module)) + text, height};
}

// The streams that enter, or leave, and other ports by number.
std::string ports_line(const rtl::Module& top, bool enters) {
  std::string names;
  for (const rtl::StreamPorts& stream : top.data().streams)
    if (stream.enters == enters) names += (names.empty() ? "" : ", ") + stream.name;
  return names;
}

}  // namespace

std::string block_diagram_svg(const rtl::Module& top) {
  const std::vector<Part> parts = parts_in(top.data().items, "", 1);
  const double inside = picture_width - 4 * margin;
  const int across = parts.size() > 1 ? columns : 1;
  const double width = (inside - gap * (across - 1)) / across;
  const std::string in = ports_line(top, true), out = ports_line(top, false);
  double head = margin + 2 * line;
  std::string body = label(2 * margin, margin + line, top.name(), inside, "font-weight=\"bold\"");
  for (const auto& [words, names] : {std::pair{"in: ", in}, {"out: ", out}})
    if (!names.empty()) body += label(2 * margin, head, words + names, inside), head += line;
  double ends[columns];
  std::ranges::fill(ends, head);
  for (const Part& part : parts) {
    // Into the shorter column.
    const int column = across > 1 && ends[1] < ends[0] ? 1 : 0;
    const Drawn drawn = box(part, 2 * margin + column * (width + gap), ends[column], width);
    body += drawn.svg;
    ends[column] += drawn.height + gap;
  }
  const double bottom = *std::ranges::max_element(ends);
  const std::string rest = parts.empty() ? "no parts: gates and flops of one module" : "";
  if (!rest.empty()) body += label(2 * margin, bottom + 2, rest, inside, "opacity=\"0.75\"");
  const double height = bottom + margin + (rest.empty() ? 0 : line);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "style=\"max-width:100%;height:auto\" font-family=\"sans-serif\" role=\"img\" "
      "aria-label=\"block diagram\">\n{2}{3}</svg>\n",
      picture_width, height + margin, frame(margin, margin / 2, picture_width - 2 * margin, height, false),
      body);
}

}  // namespace gen

#include "gen/drawing.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>
#include <utility>

#include "golden/trace/io/json_text.h"

namespace gen {
namespace {

constexpr std::size_t longest = 56;  // letters of a line
constexpr int title_height = 34, line_height = 17, bar_height = 15, bar_step = 22;

std::string framed(const std::string& body, int height, const std::string& label) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "style=\"max-width:100%;height:auto\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\" "
      "aria-label=\"{2}\">\n  <rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{3}</svg>\n",
      picture_area.picture, height, label, body);
}

}  // namespace

const char* colour_of(std::size_t number) {
  constexpr const char* colours[] = {"#3b6ea5", "#d08a2e", "#5a9367", "#b3564d",
                                     "#7d68a8", "#8c7355", "#c47aa6", "#6f7a85"};
  return colours[number % std::size(colours)];
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : golden::utf8(text))
    out += c == '&'                                                         ? "&amp;"
           : c == '<'                                                       ? "&lt;"
           : c == '>'                                                       ? "&gt;"
           : c == '"'                                                       ? "&quot;"
           : static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "?"  // none of XML
                                                                            : std::string(1, c);
  return out;
}

std::string fitted(const std::string& text) {
  if (text.size() <= longest) return text;
  std::size_t from = text.size() - (longest - 3);
  while (from < text.size() && (text[from] & 0xc0) == 0x80) ++from;  // no half of a UTF-8 character
  return "..." + text.substr(from);
}

Chart::Chart(std::string title) : title_(std::move(title)), y_(title_height) {
  body_ = fmt::format("  <text x=\"{}\" y=\"{}\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
                      picture_area.left, y_ - 12, escaped(title_));
}

void Chart::words(const std::string& text, const char* colour) {
  body_ += fmt::format("  <text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", picture_area.left, y_ + 12,
                       colour, escaped(fitted(text)));
  y_ += line_height;
}

void Chart::note(const std::string& text, const char* colour) {
  std::string line;
  std::istringstream all(text);
  for (std::string word; all >> word; line += (line.empty() ? "" : " ") + word)
    if (!line.empty() && line.size() + word.size() + 1 > longest) words(std::exchange(line, ""), colour);
  if (!line.empty()) words(line, colour);
}

void Chart::bar(const std::string& name, double share, const std::string& number, const char* colour) {
  note(name, "#444");
  const double width = picture_area.width * share;
  body_ += fmt::format(
      "  <rect x=\"{0}\" y=\"{1}\" width=\"{2:.1f}\" height=\"{3}\" fill=\"{4}\"/>\n"
      "  <text x=\"{5:.1f}\" y=\"{6}\">{7}</text>\n",
      picture_area.left, y_, width, bar_height, colour, picture_area.left + width + 6, y_ + 12, number);
  y_ += bar_step;
}

void Chart::add(const std::string& svg, int height) {
  body_ += svg;
  y_ += height;
}

std::string picture_of(const Chart& chart) {
  return framed(chart.body(), chart.y() + 6, escaped(chart.title()));
}

std::string picture_of(const std::vector<Chart>& charts) {
  std::string body, titles;
  int y = 0;
  for (const Chart& chart : charts) {
    body += fmt::format("  <g transform=\"translate(0,{})\">\n{}  </g>\n", y, chart.body());
    titles += (titles.empty() ? "" : "; ") + escaped(chart.title());
    y += chart.y() + 10;
  }
  return framed(body, y + 6, titles);
}

}  // namespace gen

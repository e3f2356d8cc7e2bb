#include "gen/explore/drawing.h"

#include <fmt/format.h>

#include <iterator>

namespace gen {

const char* colour_of(std::size_t number) {
  constexpr const char* colours[] = {"#3b6ea5", "#d08a2e", "#5a9367", "#b3564d",
                                     "#7d68a8", "#8c7355", "#c47aa6", "#6f7a85"};
  return colours[number % std::size(colours)];
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

std::string fitted(const std::string& text) {
  constexpr std::size_t most = 34;
  return text.size() <= most ? text : "..." + text.substr(text.size() - (most - 3));
}

std::string title_of(const std::string& text, int& y) {
  constexpr int height = 44;
  y += height;
  return fmt::format("  <text x=\"10\" y=\"{}\" font-size=\"17\" font-weight=\"bold\">{}</text>\n", y - 14,
                     escaped(text));
}

std::string framed(const std::string& body, int y) {
  constexpr int width = picture_area.left + picture_area.width + 130;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n  <rect width=\"{0}\" height=\"{1}\" "
      "fill=\"#fff\"/>\n{2}"
      "</svg>\n",
      width, y + 20, body);
}

}  // namespace gen

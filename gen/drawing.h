// What pictures of reports have in common: charts and the picture of several, colours, and names as they may
// stand in SVG. Words stand above what they name, so that a picture is as narrow as a telephone's screen.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace gen {

// Where plots begin, how wide they are, and how wide the picture is, with space for numbers behind them.
struct PictureArea {
  int left = 10, width = 360, picture = 500;
};
inline constexpr PictureArea picture_area;

// Of the run of that number; there are eight, then they come again.
const char* colour_of(std::size_t number);

std::string escaped(const std::string& text);
// Long names keep their end, in which files differ.
std::string fitted(const std::string& text);

// A chart under its title, drawn from top to bottom.
class Chart {
 public:
  explicit Chart(std::string title);

  // A line of words, which moves what follows below it.
  void words(const std::string& text, const char* colour = "#000");
  // The same over as many lines as it needs.
  void note(const std::string& text, const char* colour = "#555");
  // A bar of a figure, as long as its share of the plot, under its name and with its number behind it.
  void bar(const std::string& name, double share, const std::string& number, const char* colour);
  void space(int height) { y_ += height; }
  // SVG of something else, drawn from y() on.
  void add(const std::string& svg, int height);

  int y() const { return y_; }
  const std::string& title() const { return title_; }
  const std::string& body() const { return body_; }

 private:
  std::string title_, body_;
  int y_ = 0;
};

// A picture of its own of one chart, or of all, one below the other.
std::string picture_of(const Chart& chart);
std::string picture_of(const std::vector<Chart>& charts);

}  // namespace gen

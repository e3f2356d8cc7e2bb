#include "gen/layout/def_file.h"

#include <cmath>
#include <sstream>

#include "gen/process.h"

namespace gen {
namespace {

// Words of a DEF one after the other.
class DefWords {
 public:
  explicit DefWords(const std::string& text) : in_(text) {}

  bool next() {
    last_ = word_;
    return static_cast<bool>(in_ >> word_);
  }
  const std::string& word() const { return word_; }
  const std::string& last() const { return last_; }
  std::string following() {
    if (!next()) throw ToolError("the DEF ends within a statement");
    return word_;
  }
  double number() {
    std::size_t used = 0;
    const std::string text = following();
    try {
      const double value = std::stod(text, &used);
      if (used == text.size()) return value;
    } catch (const std::exception&) {
      // Below, too.
    }
    throw ToolError("the DEF has \"" + text + "\" in the place of a number");
  }
  // "(": of a point, or of a pin's name.
  void expect(const std::string& what) {
    if (following() != what)
      throw ToolError("the DEF has \"" + word_ + "\" in the place of \"" + what + "\"");
  }

 private:
  std::istringstream in_;
  std::string word_, last_;
};

class DefParser {
 public:
  explicit DefParser(const std::string& text) : words_(text) {}

  DefLayout parse() {
    bool found = false;
    while (words_.next()) {
      const std::string word = words_.word();
      if (word == "MICRONS") units_ = words_.number();
      if (word == "DIEAREA") found = true, die();
      const bool begins = words_.last() != "END";
      if (begins && word == "COMPONENTS") components();
      if (begins && (word == "NETS" || word == "SPECIALNETS")) nets(word);
    }
    if (!found || units_ <= 0) throw ToolError("the DEF has no DIEAREA");
    return std::move(layout_);
  }

 private:
  void die() {
    words_.expect("(");
    layout_.left = um();
    layout_.bottom = um();
    words_.expect(")");
    words_.expect("(");
    layout_.right = um();
    layout_.top = um();
    words_.expect(")");
  }

  double um() { return words_.number() / units_; }

  void components() {
    while (words_.following() != "END") {
      if (words_.word() != "-") continue;
      DefCell& cell = layout_.cells.emplace_back();
      cell.name = words_.following();
      cell.type = words_.following();
      while (words_.following() != ";") {
        if (words_.word() != "PLACED" && words_.word() != "FIXED") continue;
        words_.expect("(");
        cell.x = um();
        cell.y = um();
      }
    }
  }

  // "*": the same as before.
  double coordinate(double before) {
    const std::string text = words_.following();
    return text == "*" ? before : std::stod(text) / units_;
  }

  void nets(const std::string& section) {
    while (words_.following() != "END") {
      if (words_.word() != "-") continue;
      const std::string name = words_.following();
      const bool is_special = section == "SPECIALNETS";
      const bool is_supply = is_special && (name == "vdd" || name == "gnd");
      if (!is_special) ++layout_.nets;
      while (words_.following() != ";")
        if (words_.word() == "ROUTED" || words_.word() == "FIXED") {
          route(is_special, is_supply);
          break;
        }
    }
  }

  // Segments up to the end of the net: "metal1 ( 1 2 ) ( 3 * ) M2_M1 NEW metal2 ...".
  void route(bool has_widths, bool is_supply) {
    for (bool more = true; more;) {
      const std::string layer = words_.following();
      if (has_widths) words_.number();
      bool has_point = false;
      double x = 0, y = 0;
      more = false;
      while (words_.following() != ";") {
        if (words_.word() == "NEW") {
          more = true;
          break;
        }
        if (words_.word() != "(") {
          if (!is_supply) ++layout_.vias;
          continue;
        }
        const double to_x = coordinate(x), to_y = coordinate(y);
        words_.expect(")");
        if (has_point) (is_supply ? layout_.stripes : layout_.wires).push_back({layer, x, y, to_x, to_y});
        x = to_x;
        y = to_y;
        has_point = true;
      }
    }
  }

  DefWords words_;
  double units_ = 0;
  DefLayout layout_;
};

}  // namespace

double DefWire::length() const { return std::abs(x2 - x1) + std::abs(y2 - y1); }

DefLayout parse_def(const std::string& text) { return DefParser(text).parse(); }

std::map<std::string, LefSize> lef_sizes(const std::string& text) {
  std::map<std::string, LefSize> sizes;
  std::istringstream in(text);
  std::string macro;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key, by;
    words >> key;
    LefSize size;
    if (key == "MACRO") words >> macro;
    if (key == "SIZE" && !macro.empty() && words >> size.width >> by >> size.height) sizes[macro] = size;
  }
  return sizes;
}

}  // namespace gen

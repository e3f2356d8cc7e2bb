// Timing diagrams as SVG: names stand above their waves, so that a picture is as narrow as a telephone's
// screen.
#include <fmt/format.h>

#include <map>

#include "gen/datasheet/timing.h"
#include "gen/html.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr double width = 500, left = 10, waves_width = 480;
constexpr double title_step = 24, label_step = 14, wave_height = 14, lane_step = 34, legend_step = 15;
constexpr double letter_width = 7.2;  // of the font's size
constexpr const char* text_style = "font-size=\"12\"";

// The values of a lane that are too long for their cells, under letters.
class Legend {
 public:
  std::string letter(const std::string& value) {
    const auto [found, is_new] = letters_.emplace(value, letters_.size());
    if (is_new) order_.push_back(value);
    return name(found->second);
  }
  // Lines of "a: 1f480".
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (std::size_t n = 0; n < order_.size(); ++n) {
      const std::string entry = fmt::format("{} = {}", name(n), order_[n]);
      if (all.empty() || all.back().size() + entry.size() > 66) all.emplace_back();
      all.back() += (all.back().empty() ? "" : ",  ") + entry;
    }
    return all;
  }

 private:
  static std::string name(std::size_t number) {
    const std::string last(1, static_cast<char>('A' + number % 26));
    return number < 26 ? last : name(number / 26 - 1) + last;
  }
  std::map<std::string, std::size_t> letters_;
  std::vector<std::string> order_;
};

// Equal cycles of a lane.
struct Run {
  char state = 'x';  // 0 1 = x
  std::size_t first = 0, last = 0;
  std::string value = {};
};

std::vector<Run> runs_of(const Json& signal) {
  const auto wave = signal["wave"].get<std::string>();
  std::vector<Run> runs;
  std::size_t value = 0;
  for (std::size_t cycle = 0; cycle < wave.size(); ++cycle) {
    if (wave[cycle] == '.')
      runs.back().last = cycle;
    else
      runs.push_back(
          {wave[cycle], cycle, cycle, wave[cycle] == '=' ? signal["data"][value++].get<std::string>() : ""});
  }
  return runs;
}

// Whether the field counts in any of the cycles: its stream is valid then.
bool counts(const Json& diagram, const std::string& name, const Run& run) {
  for (const Json& signal : diagram["signal"]) {
    const auto valid = signal["name"].get<std::string>();
    if (!valid.ends_with("_valid") || !name.starts_with(valid.substr(0, valid.size() - 5))) continue;
    for (const Run& level : runs_of(signal))
      if (level.state == '1' && level.first <= run.last && level.last >= run.first) return true;
    return false;
  }
  return true;
}

class LanePen {
 public:
  LanePen(double y, double cell) : y_(y), cell_(cell) {}

  std::string clock(std::size_t cycles) const {
    std::string path = fmt::format("M{:.1f} {:.1f}", left, low());
    for (std::size_t n = 0; n < cycles; ++n)
      path += fmt::format("V{:.1f}h{:.1f}V{:.1f}h{:.1f}", y_, cell_ / 2, low(), cell_ / 2);
    return line(path);
  }
  std::string levels(const std::vector<Run>& runs) const {
    std::string path, unknown;
    for (const Run& run : runs) {
      if (run.state == 'x') {
        unknown += box(run, "x", true);
        continue;
      }
      const double y = run.state == '1' ? y_ : low();
      const bool joins = run.first > 0 && !path.empty();
      path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", joins ? "L" : "M", x(run.first), y, x(run.last + 1));
    }
    return line(path) + unknown;
  }
  std::string box(const Run& run, const std::string& text, bool dim) const {
    const double a = x(run.first), b = x(run.last + 1), middle = y_ + wave_height / 2;
    return fmt::format(
        "  <g{}><path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}Z\" "
        "fill=\"none\" stroke=\"currentColor\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" {} text-anchor=\"middle\" fill=\"currentColor\">{}</text></g>\n",
        dim ? " opacity=\"0.5\"" : "", a, middle, a + 2, y_, b - 2, b, middle, b - 2, low(), a + 2,
        (a + b) / 2, y_ + wave_height - 3, text_style, text);
  }
  double available(const Run& run) const { return x(run.last + 1) - x(run.first) - 5; }

 private:
  double low() const { return y_ + wave_height; }
  double x(std::size_t cycle) const { return left + cell_ * static_cast<double>(cycle); }
  static std::string line(const std::string& path) {
    return path.empty() ? ""
                        : fmt::format("  <path d=\"{}\" fill=\"none\" stroke=\"currentColor\"/>\n", path);
  }

  double y_, cell_;
};

std::string words_at(double x, double y, const std::string& text, const std::string& more = "") {
  return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\" {}>{}</text>\n", x, y,
                     more.empty() ? text_style : more, escaped(text));
}

// Lines at the beginning of each cycle, numbers above as many as fit.
std::string grid(std::int64_t first, std::size_t cycles, double cell, double top, double bottom) {
  std::string out;
  const double number = letter_width * static_cast<double>(fmt::format("{}", first).size() + 1);
  const auto step = static_cast<std::size_t>(number / cell) + 1;
  for (std::size_t n = 0; n <= cycles; ++n) {
    const double x = left + cell * static_cast<double>(n);
    out += fmt::format(
        "  <line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"currentColor\" "
        "opacity=\"0.15\"/>\n",
        x, top, bottom);
    if (n < cycles && n % step == 0)
      out += words_at(x + 1, top - 3, fmt::format("{}", first + static_cast<std::int64_t>(n)));
  }
  return out;
}

}  // namespace

std::string timing_svg(const Json& diagram) {
  const Json& signals = diagram["signal"];
  const auto title = diagram["head"]["text"].get<std::string>();
  const std::size_t cycles = signals.at(0)["wave"].get<std::string>().size();
  const double cell = waves_width / static_cast<double>(cycles), top = title_step + legend_step;
  std::string lanes;
  Legend legend;
  double y = top;
  for (const Json& signal : signals) {
    const auto name = signal["name"].get<std::string>();
    lanes += words_at(left, y + label_step - 3, name);
    const LanePen pen(y + label_step, cell);
    if (signal["wave"].get<std::string>().starts_with('p')) {
      lanes += pen.clock(cycles);
    } else if (const auto runs = runs_of(signal); !signal.contains("data")) {
      lanes += pen.levels(runs);
    } else {
      for (const Run& run : runs) {
        const bool fits = letter_width * static_cast<double>(run.value.size()) <= pen.available(run);
        lanes += pen.box(run,
                         run.state == 'x' ? "x"
                         : fits           ? run.value
                                          : legend.letter(run.value),
                         run.state == 'x' || !counts(diagram, name, run));
      }
    }
    y += lane_step;
  }
  std::string out = words_at(left, 16, title, "font-size=\"14\" font-weight=\"bold\"") +
                    grid(diagram["head"]["tick"].get<std::int64_t>(), cycles, cell, top, y) + lanes;
  for (const std::string& line : legend.lines()) out += words_at(left, y += legend_step, line);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "style=\"max-width:100%;height:auto\" font-family=\"sans-serif\" role=\"img\" "
      "aria-label=\"{2}\">\n{3}</svg>\n",
      width, y + 10, escaped(title), out);
}

}  // namespace gen

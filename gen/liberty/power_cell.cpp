#include "gen/liberty/power_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gen/liberty/liberty_reader.h"
#include "gen/process.h"

namespace gen {
namespace {

using Items = std::vector<LibertyItem>;
using Axis = LookupTable::Axis;

const LibertyItem* find(const Items& items, std::string_view key) {
  const auto found = std::ranges::find(items, key, &LibertyItem::key);
  return found == items.end() ? nullptr : &*found;
}

std::string word_of(const Items& items, std::string_view key) {
  const LibertyItem* item = find(items, key);
  return item == nullptr ? "" : liberty_word(item->value);
}

// Blanks stay, since one between names means "and".
std::string expression_of(const Items& items, std::string_view key) {
  const LibertyItem* item = find(items, key);
  std::string text(item == nullptr ? "" : item->value);
  std::erase(text, '"');
  return text;
}

// What "10ps" or "(1, pf)" is in units of `base`: "s", "f", "W", "V".
double unit_of(const std::string& text, char base) {
  double value = 1;
  const std::string_view number = std::string_view(text).substr(0, text.find_first_not_of("0123456789.eE+-"));
  std::from_chars(number.data(), number.data() + number.size(), value);
  std::string rest = text.substr(number.size());
  std::erase(rest, ',');
  for (char& c : rest)
    if (base == 'f') c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (rest.empty() || rest.back() != base || rest.size() > 2)
    throw ToolError(fmt::format("has the unit \"{}\", which is none of {}", text, base));
  if (rest.size() == 1) return value;
  constexpr std::pair<char, double> prefixes[] = {{'m', 1e-3},  {'u', 1e-6},  {'n', 1e-9},
                                                  {'p', 1e-12}, {'f', 1e-15}, {'a', 1e-18}};
  for (const auto& [prefix, factor] : prefixes)
    if (prefix == rest[0]) return value * factor;
  throw ToolError(fmt::format("has the unit \"{}\", whose prefix is unknown", text));
}

// One pin or one bit of a bus, and the groups that speak of it.
struct PinText {
  std::string name;
  std::vector<Items> groups;  // the outer first
};

class PowerReader {
 public:
  explicit PowerReader(const Items& library) {
    const auto unit = [&](const char* key, char base, const char* usual) {
      const std::string text = word_of(library, key);
      return unit_of(text.empty() ? usual : text, base);
    };
    ns_ = unit("time_unit", 's', "1ns") / 1e-9;
    ff_ = unit("capacitive_load_unit", 'f', "1,pf") / 1e-15;
    nw_ = unit("leakage_power_unit", 'W', "1nW") / 1e-9;
    const double volt = unit("voltage_unit", 'V', "1V");
    pj_ = ff_ * volt * volt / 1000;
    default_nw_ = liberty_number(word_of(library, "default_cell_leakage_power")) * nw_;
    for (const LibertyItem& item : library) {
      if (!item.is_group) continue;
      if (item.key.ends_with("_template")) templates_[liberty_word(item.value)] = liberty_items(item.body);
      if (item.key == "type") types_[liberty_word(item.value)] = liberty_items(item.body);
    }
  }

  PowerCell cell(const std::string& name, const Items& items) {
    PowerCell cell{.name = name};
    std::vector<PinText> texts;
    for (const LibertyItem& item : items)
      if (item.is_group && (item.key == "pin" || item.key == "bus")) add_pin(item, texts);
    for (const PinText& text : texts) cell.pins.push_back({.name = text.name});
    cell_ = &cell;
    read_state(items, cell);
    for (std::size_t i = 0; i < texts.size(); ++i) read_pin(texts[i], cell.pins[i]);
    read_leakage(items, cell);
    for (const PowerPin& pin : cell.pins) cell.has_power |= !pin.power.empty();
    return cell;
  }

 private:
  void add_pin(const LibertyItem& item, std::vector<PinText>& texts) const {
    const Items items = liberty_items(item.body);
    const std::string name = liberty_word(item.value);
    if (item.key == "pin") {
      // `pin (A, B)` is two.
      for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find(',', at), name.size());
        texts.push_back({name.substr(at, end - at), {items}});
        at = end + 1;
      }
      return;
    }
    const auto type = types_.find(word_of(items, "bus_type"));
    const int bits =
        type == types_.end() ? 1 : static_cast<int>(liberty_number(word_of(type->second, "bit_width")));
    if (bits < 1 || bits > 1 << 16) throw ToolError(fmt::format("has a bus {} of {} bits", name, bits));
    for (int bit = 0; bit < bits; ++bit) {
      PinText text{fmt::format("{}[{}]", name, bit), {items}};
      for (const LibertyItem& inner : items)
        if (inner.key == "pin" && inner.is_group && has_bit(liberty_word(inner.value), name, bit))
          text.groups.push_back(liberty_items(inner.body));
      texts.push_back(std::move(text));
    }
  }

  // "A[3]", "A[5:0]", or the bus itself.
  static bool has_bit(const std::string& pins, const std::string& bus, int bit) {
    if (pins == bus) return true;
    if (!pins.starts_with(bus + "[")) return false;
    int high = 0, low = 0;
    const char* end = pins.data() + pins.size();
    const auto [at, error] = std::from_chars(pins.data() + bus.size() + 1, end, high);
    if (error != std::errc() || at == end) return false;
    low = high;
    if (*at == ':') std::from_chars(at + 1, end, low);
    return std::min(low, high) <= bit && bit <= std::max(low, high);
  }

  Boolean boolean(const std::string& text) const {
    return Boolean(text, [&](std::string_view word) {
      for (int s = 0; s < 2; ++s)
        if (word == states_[s]) return cell_->state_variable() + s;
      const int pin = cell_->pin(std::string(word));
      if (pin < 0) throw ToolError(fmt::format("{}: has no pin {}", cell_->name, word));
      return pin;
    });
  }
  std::optional<Boolean> optional_boolean(const Items& items, std::string_view key) const {
    const std::string text = expression_of(items, key);
    if (text.empty()) return {};
    return boolean(text);
  }

  void read_state(const Items& items, PowerCell& cell) {
    states_[0] = states_[1] = "";
    for (const LibertyItem& item : items) {
      if (!item.is_group || (item.key != "ff" && item.key != "latch")) continue;
      const std::string names = liberty_word(item.value);
      const std::size_t comma = std::min(names.find(','), names.size());
      states_[0] = names.substr(0, comma);
      states_[1] = names.substr(std::min(comma + 1, names.size()));
      const Items inner = liberty_items(item.body);
      const bool latch = item.key == "latch";
      const std::string data = expression_of(inner, latch ? "data_in" : "next_state");
      const std::string clock = expression_of(inner, latch ? "enable" : "clocked_on");
      cell.state = StateElement{.is_latch = latch,
                                .data = data.empty() ? Boolean() : boolean(data),
                                .clock = clock.empty() ? Boolean() : boolean(clock),
                                .clear = optional_boolean(inner, "clear"),
                                .preset = optional_boolean(inner, "preset")};
    }
  }

  void read_pin(const PinText& text, PowerPin& pin) {
    for (const Items& items : text.groups) {
      if (const std::string direction = word_of(items, "direction"); !direction.empty())
        pin.is_input = direction == "input";
      pin.is_clock |= word_of(items, "clock") == "true";
      if (const std::string c = word_of(items, "capacitance"); !c.empty())
        pin.rise_ff = pin.fall_ff = liberty_number(c) * ff_;
      if (const std::string c = word_of(items, "rise_capacitance"); !c.empty())
        pin.rise_ff = liberty_number(c) * ff_;
      if (const std::string c = word_of(items, "fall_capacitance"); !c.empty())
        pin.fall_ff = liberty_number(c) * ff_;
      if (auto function = optional_boolean(items, "function")) pin.function = function;
      for (const LibertyItem& item : items) {
        if (!item.is_group) continue;
        if (item.key == "internal_power") read_power(liberty_items(item.body), pin);
        if (item.key == "timing") read_transitions(liberty_items(item.body), pin);
      }
    }
  }

  // Each pin of a related_pin : "A B"; -1 where there is none.
  std::vector<int> related_of(const Items& items) const {
    std::vector<int> list;
    std::string text = expression_of(items, "related_pin");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t from = text.find_first_not_of(" ,", at);
      if (from == text.npos) break;
      at = std::min(text.find_first_of(" ,", from), text.size());
      list.push_back(cell_->pin(text.substr(from, at - from)));
    }
    return list;
  }

  void read_power(const Items& items, PowerPin& pin) {
    PowerTables tables{.when = optional_boolean(items, "when"), .supply = word_of(items, "related_pg_pin")};
    for (const LibertyItem& item : items) {
      if (!item.is_group) continue;
      if (item.key == "rise_power" || item.key == "power") tables.rise = table(item, pj_);
      if (item.key == "fall_power" || item.key == "power") tables.fall = table(item, pj_);
    }
    const std::vector<int> related = related_of(items);
    if (related.empty()) pin.power.push_back(tables);
    for (const int one : related) {
      tables.related = one;
      pin.power.push_back(tables);
    }
  }

  void read_transitions(const Items& items, PowerPin& pin) {
    const std::string type = word_of(items, "timing_type"), sense = word_of(items, "timing_sense");
    TransitionTables tables{.sense = sense == "positive_unate"   ? TransitionTables::Sense::positive
                                     : sense == "negative_unate" ? TransitionTables::Sense::negative
                                                                 : TransitionTables::Sense::both,
                            .of_clock = type.ends_with("ing_edge")};
    if (!type.empty() && !type.starts_with("combinational") && !tables.of_clock) return;
    for (const LibertyItem& item : items) {
      if (item.is_group && item.key == "rise_transition") tables.rise = table(item, ns_);
      if (item.is_group && item.key == "fall_transition") tables.fall = table(item, ns_);
    }
    for (const int one : related_of(items)) {
      tables.related = one;
      if (one >= 0) pin.transitions.push_back(tables);
    }
  }

  void read_leakage(const Items& items, PowerCell& cell) {
    const std::string usual = word_of(items, "cell_leakage_power");
    cell.leakage_nw = usual.empty() ? default_nw_ : liberty_number(usual) * nw_;
    std::map<std::string, std::size_t> of_condition;  // indices of cell.leakage
    bool seen = false;
    for (const LibertyItem& item : items) {
      if (!item.is_group || item.key != "leakage_power") continue;
      const Items inner = liberty_items(item.body);
      const double nw = liberty_number(word_of(inner, "value")) * nw_;
      const bool of_supply = !word_of(inner, "related_pg_pin").empty();  // supplies add up
      const std::string condition = expression_of(inner, "when");
      if (condition.empty()) {
        if (usual.empty()) cell.leakage_nw = seen && of_supply ? cell.leakage_nw + nw : nw;
        seen = true;
      } else if (const auto at = of_condition.find(condition); of_supply && at != of_condition.end()) {
        cell.leakage[at->second].nw += nw;
      } else {
        of_condition.emplace(condition, cell.leakage.size());
        cell.leakage.push_back({boolean(condition), nw});
      }
    }
  }

  static Axis axis_of(const std::string& variable) {
    if (variable.starts_with("input") && variable.find("transition") != variable.npos)
      return Axis::transition;
    return variable == "total_output_net_capacitance" ? Axis::load : Axis::other;
  }

  LookupTable table(const LibertyItem& item, double unit) const {
    const Items own = liberty_items(item.body);
    const auto shape = templates_.find(liberty_word(item.value));
    std::vector<Axis> axes;
    std::vector<std::vector<double>> points;
    for (int a = 1; a <= 3 && shape != templates_.end(); ++a) {
      const std::string variable = word_of(shape->second, fmt::format("variable_{}", a));
      if (variable.empty()) break;
      const std::string key = fmt::format("index_{}", a);
      const LibertyItem* index = find(own, key);
      if (index == nullptr) index = find(shape->second, key);
      if (index == nullptr) break;
      axes.push_back(axis_of(variable));
      points.push_back(liberty_numbers(index->value));
      for (double& point : points.back()) point *= axes.back() == Axis::load ? ff_ : ns_;
    }
    const LibertyItem* written = find(own, "values");
    std::vector<double> values = liberty_numbers(written == nullptr ? "" : written->value);
    for (double& value : values) value *= unit;
    try {
      return LookupTable(axes, points, values);
    } catch (const ToolError& e) {
      throw ToolError(fmt::format("{}: a table {} has {}", cell_->name, item.key, e.what()));
    }
  }

  double ns_ = 1, ff_ = 1000, nw_ = 1, pj_ = 1, default_nw_ = 0;
  std::map<std::string, Items> templates_, types_;
  std::string states_[2];
  const PowerCell* cell_ = nullptr;
};

}  // namespace

int PowerCell::pin(const std::string& wanted) const {
  const auto found = std::ranges::find(pins, wanted, &PowerPin::name);
  return found == pins.end() ? -1 : static_cast<int>(found - pins.begin());
}

PowerLibrary power_library(const LibertyText& file, const std::set<std::string>& cells) try {
  PowerLibrary library;
  for (const LibertyItem& top : liberty_items(file.text)) {
    if (top.key != "library" || !top.is_group) continue;
    const Items items = liberty_items(top.body);
    library.volts = liberty_number(word_of(items, "nom_voltage"));
    PowerReader reader(items);
    for (const LibertyItem& item : items)
      if (item.key == "cell" && item.is_group)
        if (const std::string name = liberty_word(item.value); cells.contains(name))
          library.cells.emplace(name, reader.cell(name, liberty_items(item.body)));
  }
  if (library.volts <= 0) throw ToolError("states no nom_voltage, which energies need");
  return library;
} catch (const ToolError& e) {
  throw ToolError(fmt::format("{}: {}", file.path, e.what()));
}

}  // namespace gen

#include "gen/tech/macro.h"

#include <algorithm>
#include <charconv>

#include "gen/liberty/liberty_reader.h"

namespace gen {
namespace {

using Items = std::vector<LibertyItem>;

std::string value_of(const Items& items, std::string_view key) {
  for (const LibertyItem& item : items)
    if (item.key == key && !item.is_group) return liberty_word(item.value);
  return "";
}

Items library_of(const LibertyText& file) {
  for (const LibertyItem& library : liberty_items(file.text))
    if (library.key == "library" && library.is_group) return liberty_items(library.body);
  return {};
}

// ns of one unit of `time_unit : "10ps"`.
double nanoseconds_of(const std::string& unit) {
  double value = 1;
  const auto [end, error] = std::from_chars(unit.data(), unit.data() + unit.size(), value);
  if (error != std::errc()) value = 1;
  return unit.ends_with("ps") ? value / 1000 : unit.ends_with("fs") ? value / 1e6 : value;
}

// The entry in the middle of both axes.
double middle_of(const Items& table) {
  std::vector<double> values;
  std::size_t columns = 0;
  for (const LibertyItem& item : table) {
    if (item.key == "values") values = liberty_numbers(item.value);
    if (item.key == "index_2") columns = liberty_numbers(item.value).size();
  }
  if (values.empty()) return 0;
  if (columns == 0 || values.size() % columns != 0) return values[values.size() / 2];
  return values[values.size() / columns / 2 * columns + columns / 2];
}

class Reader {
 public:
  Reader(const Items& library, const Items& cell) : unit_(nanoseconds_of(value_of(library, "time_unit"))) {
    for (const LibertyItem& item : library)
      if (item.key == "type" && item.is_group)
        if (const std::string bits = value_of(liberty_items(item.body), "bit_width"); !bits.empty())
          widths_[liberty_word(item.value)] = static_cast<int>(liberty_number(bits));
    facts_.area = liberty_number(value_of(cell, "area"));
    for (const LibertyItem& item : cell) {
      if (!item.is_group) continue;
      const Items items = liberty_items(item.body);
      if (item.key == "memory") {
        facts_.word_bits = static_cast<int>(liberty_number(value_of(items, "word_width")));
        facts_.address_bits = static_cast<int>(liberty_number(value_of(items, "address_width")));
      }
      if (item.key == "pin" || item.key == "bus") add_pin(item, items);
    }
  }

  MacroFacts facts() const { return facts_; }

 private:
  void add_pin(const LibertyItem& item, const Items& items) {
    MacroPin pin{liberty_word(item.value), 1, item.key == "bus", value_of(items, "direction") == "input"};
    if (const auto width = widths_.find(value_of(items, "bus_type")); width != widths_.end())
      pin.bits = width->second;
    facts_.pins.push_back(pin);
    add_times(items);
  }

  void add_times(const Items& items) {
    for (const LibertyItem& item : items) {
      if (!item.is_group) continue;
      const Items inner = liberty_items(item.body);
      if (item.key == "pin") add_times(inner);
      if (item.key != "timing") continue;
      const std::string type = value_of(inner, "timing_type");
      for (const LibertyItem& table : inner) {
        if (!table.is_group) continue;
        const double ns = middle_of(liberty_items(table.body)) * unit_;
        if (type.starts_with("setup") && table.key.ends_with("_constraint"))
          facts_.setup_ns = std::max(facts_.setup_ns, ns);
        if (type.ends_with("_edge") && (table.key == "cell_rise" || table.key == "cell_fall"))
          facts_.access_ns = std::max(facts_.access_ns, ns);
      }
    }
  }

  double unit_;
  std::map<std::string, int> widths_;
  MacroFacts facts_;
};

}  // namespace

std::string ports_name(RamPorts ports) { return ports == RamPorts::one_rw ? "1rw" : "1r1w"; }

std::optional<MacroFacts> macro_facts(const LibertyText& file, const std::string& cell) {
  const Items library = library_of(file);
  for (const LibertyItem& item : library)
    if (item.key == "cell" && item.is_group && liberty_word(item.value) == cell)
      return Reader(library, liberty_items(item.body)).facts();
  return {};
}

std::vector<std::string> cell_names(const LibertyText& file) {
  std::vector<std::string> names;
  for (const LibertyItem& item : library_of(file))
    if (item.key == "cell" && item.is_group) names.push_back(liberty_word(item.value));
  return names;
}

}  // namespace gen

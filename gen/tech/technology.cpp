#include "gen/tech/technology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "gen/config/error.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"
#include "gen/tech/macro_verilog.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const Setting& s, const std::string& rule) {
  throw ConfigError(s.value.place.empty() ? s.key_place : s.value.place,
                    s.is_table ? fmt::format("{} {}", s.key, rule)
                               : fmt::format("{} = {}: {}", s.key, s.value.source, rule));
}

std::string word(const Setting& s) {
  if (s.is_table || s.value.type != Written::Type::text || s.value.text.empty())
    refuse(s, "must be a string in quotes");
  if (one_line(s.value.text) != s.value.text || s.value.text.size() > 200)
    refuse(s, "must be one short line");
  return s.value.text;
}

std::vector<std::string> words(const Setting& s) {
  const auto& items = s.value.items;
  if (s.is_table || s.value.type != Written::Type::list || items.empty() ||
      std::ranges::any_of(items,
                          [](const Written& w) { return w.text.empty() || one_line(w.text) != w.text; }))
    refuse(s, "must be a list of strings");
  std::vector<std::string> list;
  for (const Written& item : items) list.push_back(item.text);
  return list;
}

int whole(const Setting& s, int least, int most) {
  if (s.is_table || s.value.type != Written::Type::integer || s.value.integer < least ||
      s.value.integer > most)
    refuse(s, fmt::format("must be a whole number from {} to {}", least, most));
  return static_cast<int>(s.value.integer);
}

double real(const Setting& s, double most) {
  const bool integer = s.value.type == Written::Type::integer;
  const double value = integer ? static_cast<double>(s.value.integer) : s.value.real;
  if (s.is_table || (!integer && s.value.type != Written::Type::real) || !std::isfinite(value) ||
      value <= 0 || value > most)
    refuse(s, fmt::format("must be a number above 0, at most {:g}", most));
  return value;
}

// Two of them: a width and a height.
MacroSize size_of(const Setting& s) {
  if (s.is_table || s.value.type != Written::Type::list || s.value.items.size() != 2)
    refuse(s, "must be a list of two numbers, the width and the height in um");
  const auto side = [&](const Written& item) {
    Setting one = s;
    one.value = item;
    one.value.place = s.value.place;
    one.value.source = s.value.source;
    return real(one, 1e6);
  };
  return {side(s.value.items[0]), side(s.value.items[1])};
}

// A folder as a makefile may name it.
std::string flow_folder(const Setting& s) {
  const std::string folder = word(s);
  constexpr std::string_view known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./$()";
  if (folder.find_first_not_of(known) != std::string::npos)
    refuse(s, "must be letters, digits and _ - + . / alone, and make variables $(NAME)");
  return folder;
}

template <class Value>
Value choice(const Setting& s, const std::vector<std::pair<std::string, Value>>& known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) {
    if (s.value.type == Written::Type::text && s.value.text == name) return value;
    names.push_back("\"" + name + "\"");
  }
  refuse(s, "must be one of " + joined(names, ", "));
}

[[noreturn]] void no_such_key(const Setting& s, const std::vector<std::string>& known) {
  const std::string near = nearest_word(s.key, known);
  throw ConfigError(s.key_place, fmt::format("{}: no such key of a technology; {}", shortened(s.key),
                                             near.empty() ? "there are " + joined(known, ", ")
                                                          : "did you mean " + near + "?"));
}

bool read_pin(MacroPins& pins, const Setting& s) {
  const std::map<std::string, std::string MacroPins::*> roles = {
      {"pins.clock", &MacroPins::clock},      {"pins.access", &MacroPins::access},
      {"pins.write", &MacroPins::write},      {"pins.read", &MacroPins::read},
      {"pins.address", &MacroPins::address},  {"pins.write_address", &MacroPins::write_address},
      {"pins.data_in", &MacroPins::data_in},  {"pins.mask", &MacroPins::mask},
      {"pins.data_out", &MacroPins::data_out}};
  if (s.key == "pins.high") {
    pins.high = words(s);
    return true;
  }
  const auto role = roles.find(s.key);
  if (role != roles.end()) pins.*role->second = word(s);
  return role != roles.end();
}

// Every pin that is named is one of the cell.
void check_pins(const Macro& macro, const Setting& s) {
  std::vector<std::string> named = s.key == "pins.high" ? words(s) : std::vector{word(s)};
  for (std::string name : named) {
    if (name.starts_with('!')) name.erase(0, 1);
    if (std::ranges::find(macro.facts.pins, name, &MacroPin::name) == macro.facts.pins.end())
      refuse(s, fmt::format("{} has no pin {}", macro.cell, name));
  }
}

class MacroReader {
 public:
  MacroReader(const TomlTable& table, const fs::path& folder) : table_(table), folder_(folder) {}

  Macro read() {
    for (const Setting& s : table_.settings) read_key(s);
    for (const char* key : {"cell", "liberty", "words", "bits"})
      if (!given(key)) throw ConfigError(table_.place, fmt::format("[[macro]] needs {}", key));
    check();
    return macro_;
  }

 private:
  const Setting* given(std::string_view key) const {
    const auto found = std::ranges::find(table_.settings, key, &Setting::key);
    return found == table_.settings.end() ? nullptr : &*found;
  }

  void read_key(const Setting& s) {
    if (s.key == "cell")
      macro_.cell = word(s);
    else if (s.key == "liberty")
      macro_.liberty = (folder_ / word(s)).string();
    else if (s.key == "words")
      macro_.words = whole(s, 2, 1 << 20);
    else if (s.key == "bits")
      macro_.bits = whole(s, 1, 4096);
    else if (s.key == "ports")
      macro_.ports = choice<RamPorts>(s, {{"1rw", RamPorts::one_rw}, {"1r1w", RamPorts::one_r1w}});
    else if (s.key == "mask_bits")
      macro_.mask_bits = whole(s, 0, 4096);
    else if (s.key == "size_um")
      macro_.size = size_of(s);
    else if (s.key == "read_during_write")
      macro_.reads_old = choice<bool>(s, {{"old", true}, {"unknown", false}});
    else if (!s.key.starts_with("pins.") || !read_pin(pins_, s))
      no_such_key(s, {"cell", "liberty", "words", "bits", "ports", "mask_bits", "read_during_write",
                      "size_um", "pins.clock", "pins.access", "pins.write", "pins.read", "pins.address",
                      "pins.write_address", "pins.data_in", "pins.mask", "pins.data_out", "pins.high"});
  }

  void check() {
    const LibertyText file = read_liberty(macro_.liberty);
    const auto facts = macro_facts(file, macro_.cell);
    if (!facts) {
      const auto cells = cell_names(file);
      refuse(*given("cell"), fmt::format("{} has no such cell{}", macro_.liberty,
                                         cells.empty() ? "" : ", but " + joined({cells.front()}, "")));
    }
    macro_.facts = *facts;
    if (facts->area <= 0) refuse(*given("cell"), "has no area in " + macro_.liberty);
    if (macro_.size && std::abs(macro_.size->width * macro_.size->height / facts->area - 1) > 0.01)
      refuse(*given("size_um"), fmt::format("its area is {:g} um2 in {}", facts->area, macro_.liberty));
    if (facts->word_bits > 0 && facts->word_bits != macro_.bits)
      refuse(*given("bits"), fmt::format("its memory has words of {} bits", facts->word_bits));
    if (facts->address_bits > 0 && (std::int64_t{1} << std::min(facts->address_bits, 30)) < macro_.words)
      refuse(*given("words"), fmt::format("its memory has addresses of {} bits", facts->address_bits));
    if (macro_.mask_bits > 0 && macro_.bits % macro_.mask_bits != 0)
      refuse(*given("mask_bits"), fmt::format("must divide its {} bits", macro_.bits));
    bool has_pins = false;
    for (const Setting& s : table_.settings)
      if (s.key.starts_with("pins.")) {
        has_pins = true;
        check_pins(macro_, s);
      }
    if (!has_pins) return;
    check_roles();
    macro_.pins = pins_;
  }

  // Each role that the macro has is given, by a pin of the width that the shape needs.
  void check_roles() const {
    const bool two = macro_.ports == RamPorts::one_r1w;
    const int address = address_bits(macro_.words);
    struct Role {
      const char* key;
      const std::string& pin;
      int least, most;
      bool needed;
    };
    const int mask = macro_.mask_bits > 0 ? macro_.bits / macro_.mask_bits : 0;
    for (const Role& role :
         {Role{"pins.clock", pins_.clock, 1, 1, true}, Role{"pins.access", pins_.access, 1, 1, false},
          Role{"pins.write", pins_.write, 1, 1, true}, Role{"pins.read", pins_.read, 1, 1, two},
          Role{"pins.address", pins_.address, address, 32, true},
          Role{"pins.write_address", pins_.write_address, address, 32, two},
          Role{"pins.data_in", pins_.data_in, macro_.bits, macro_.bits, true},
          Role{"pins.mask", pins_.mask, mask, mask, mask > 0},
          Role{"pins.data_out", pins_.data_out, macro_.bits, macro_.bits, true}}) {
      if (role.pin.empty() && role.needed)
        throw ConfigError(table_.place, fmt::format("[[macro]] needs {}, as it has pins", role.key));
      const auto pin =
          std::ranges::find(macro_.facts.pins, role.pin.substr(role.pin.starts_with('!')), &MacroPin::name);
      if (pin != macro_.facts.pins.end() && (pin->bits < role.least || pin->bits > role.most))
        refuse(*given(role.key),
               fmt::format("the pin has {} bits, and {} are needed", pin->bits, role.least));
    }
  }

  const TomlTable& table_;
  const fs::path& folder_;
  Macro macro_;
  MacroPins pins_ = {.clock = "",
                     .access = "",
                     .write = "",
                     .address = "",
                     .write_address = "",
                     .data_in = "",
                     .mask = "",
                     .data_out = ""};
};

}  // namespace

std::vector<std::string> Technology::files() const {
  std::vector<std::string> all{path};
  all.insert(all.end(), cells.begin(), cells.end());
  for (const Macro& macro : macros) all.push_back(macro.liberty);
  return all;
}

Liberty Technology::liberty() const {
  return cells.empty() ? default_liberty() : user_liberty(cells, load_ff);
}

Technology read_technology(const std::string& path) {
  Technology tech{.path = path};
  const fs::path folder = fs::path(path).parent_path();
  const TomlTables file = read_toml_tables(path, "macro");
  for (const Setting& s : file.settings) {
    if (s.key == "name") {
      tech.name = word(s);
    } else if (s.key == "cells.files") {
      for (const std::string& name : words(s)) tech.cells.push_back((folder / name).string());
    } else if (s.key == "cells.load_ff") {
      tech.load_ff = real(s, 1e6);
    } else if (s.key == "supply") {
      tech.supply = real(s, 100);
    } else if (s.key == "clock_ns") {
      tech.clock_ns = real(s, 1e6);
    } else if (s.key == "fallback") {
      tech.fallback = choice<RamFallback>(s, {{"flops", RamFallback::flops},
                                              {"latches", RamFallback::latches},
                                              {"refuse", RamFallback::refuse}});
    } else if (s.key == "orfs.platform") {
      tech.flow.platform = flow_folder(s);
    } else if (s.key == "orfs.lefs") {
      tech.flow.lefs = flow_folder(s);
    } else if (s.key == "orfs.libs") {
      tech.flow.libs = flow_folder(s);
    } else if (s.key == "orfs.gds") {
      tech.flow.gds = flow_folder(s);
    } else if (s.key == "orfs.halo_um") {
      tech.flow.halo = size_of(s);
    } else {
      no_such_key(s, {"name", "cells.files", "cells.load_ff", "supply", "clock_ns", "fallback",
                      "orfs.platform", "orfs.lefs", "orfs.libs", "orfs.gds", "orfs.halo_um", "macro"});
    }
  }
  if (tech.name.empty()) throw ConfigError(path, "needs name = \"...\", what the technology is called");
  for (const TomlTable& table : file.tables) {
    tech.macros.push_back(MacroReader(table, folder).read());
    if (std::ranges::count(tech.macros, tech.macros.back().cell, &Macro::cell) > 1)
      throw ConfigError(table.place, fmt::format("[[macro]] names {} again", tech.macros.back().cell));
  }
  return tech;
}

}  // namespace gen

#include "gen/unit/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/unit/part_names.h"
#include "gen/unit/unit_kind.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/names.h"

namespace gen {
namespace {

void collect(const std::vector<rtl::Item>& items, const std::string& path, std::vector<StorageArray>& found) {
  for (const rtl::Item& item : items) {
    if (const auto* repeat = std::get_if<rtl::Repeat>(&item.what))
      for (int i = 0; i < repeat->times; ++i)
        collect(repeat->items, fmt::format("{}{}[{}].", path, repeat->label, i), found);
    const auto* instance = std::get_if<rtl::Instance>(&item.what);
    if (instance == nullptr) continue;
    const rtl::ModuleData& child = instance->child.data();
    if (!is_ram(instance->child)) {
      collect(child.items, path + instance->name + ".", found);
      continue;
    }
    for (const rtl::Store& rows : child.mems)
      found.push_back(
          {path + instance->name, instance->child.name(), rows.mem.depth, rows.mem.width, child.cell});
  }
}

// Each description once: several may be of one name and text.
void rename_parts(const rtl::Module& module, const std::string& prefix,
                  std::set<const rtl::ModuleData*>& renamed) {
  const auto visit = [&](const auto& self, const std::vector<rtl::Item>& items) -> void {
    for (const rtl::Item& item : items) {
      if (const auto* repeat = std::get_if<rtl::Repeat>(&item.what)) self(self, repeat->items);
      const auto* instance = std::get_if<rtl::Instance>(&item.what);
      if (instance == nullptr || is_ram(instance->child) || !renamed.insert(&instance->child.data()).second)
        continue;
      rtl::Module child = instance->child;
      child.rename(prefix + child.name());
      if (!child.data().cell.empty()) child.cell(prefix + child.data().cell);
      rename_parts(child, prefix, renamed);
    }
  };
  visit(visit, module.data().items);
}

// Verilog has one module of a name: the top takes none that a part has, or that says what a RAM is.
void check_name(const rtl::Module& top) {
  const std::string& name = top.name();
  const auto modules = rtl::modules_of(top);
  const bool is_part = std::ranges::any_of(modules, [&](const rtl::Module& m) {
    return &m.data() != &top.data() && (m.name() == name || m.data().cell == name);
  });
  hw::require(!is_part, "name", fmt::format("\"{}\"", name), "is the name of a part of the unit",
              "choose another");
  hw::require(name != "sram" && !is_ram(top), "name", fmt::format("\"{}\"", name),
              "begins like the RAM wrappers, which stand for macros", "choose another");
}

}  // namespace

std::int64_t StorageAccount::bits() const {
  std::int64_t sum = 0;
  for (const auto& [field, width] : fields) sum += width;
  return entries * sum;
}

std::int64_t published_bits(const std::vector<StorageAccount>& accounts) {
  std::int64_t sum = 0;
  for (const StorageAccount& account : accounts) sum += account.published ? account.bits() : 0;
  return sum;
}

bool is_ram(std::string_view module) { return module.starts_with("sram_"); }

bool is_ram(const rtl::Module& module) { return is_ram(module.name()); }

std::vector<StorageArray> storage_of(const rtl::Module& top) {
  std::vector<StorageArray> found;
  collect(top.data().items, "", found);
  return found;
}

const UnitKind& unit_kind_of(const Config& config) { return preset_named(config.preset).family->unit(); }

Unit elaborate(const Config& config) {
  const auto elaborated = [&](const std::string& name) {
    return with_places(config, [&] { return unit_kind_of(config).elaborated(config.params, name); });
  };
  Unit unit = with_short_names(elaborated, config.top, preset_named(config.preset).stem());
  with_places(config, [&] { check_name(unit.top); });
  unit.storage = storage_of(unit.top);
  return unit;
}

Unit elaborate_with_prefix(const Config& config, const std::string& prefix) {
  Unit unit = elaborate(config);
  if (prefix.empty()) return unit;
  if (const std::string fault = rtl::name_fault(prefix + "x"); !fault.empty())
    throw ConfigError("--prefix", fmt::format("{}: {}", prefix, fault));
  if (prefix.starts_with("sram"))
    throw ConfigError("--prefix",
                      fmt::format("{}: begins like the RAM wrappers, which stand for macros", prefix));
  std::set<const rtl::ModuleData*> renamed;
  rename_parts(unit.top, prefix, renamed);
  with_places(config, [&] { check_name(unit.top); });
  return unit;
}

}  // namespace gen

#include "gen/unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/units/unit_kind.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"

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
      found.push_back({path + instance->name, instance->child.name(), rows.mem.depth, rows.mem.width});
  }
}

// Verilog has one module of a name: the top takes none that a part has, or that says what a RAM is.
void check_name(const rtl::Module& top) {
  const std::string& name = top.name();
  const auto modules = rtl::modules_of(top);
  hw::require(std::ranges::count(modules, name, &rtl::Module::name) == 1, "name", fmt::format("\"{}\"", name),
              "is the name of a part of the unit", "choose another");
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

bool is_ram(const rtl::Module& module) { return module.name().starts_with("sram_"); }

std::vector<StorageArray> storage_of(const rtl::Module& top) {
  std::vector<StorageArray> found;
  collect(top.data().items, "", found);
  return found;
}

const UnitKind& unit_kind_of(const Config& config) { return preset_named(config.preset).family->unit(); }

Unit elaborate(const Config& config) {
  Unit unit = with_places(config, [&] { return unit_kind_of(config).elaborated(config.params, config.top); });
  with_places(config, [&] { check_name(unit.top); });
  unit.storage = storage_of(unit.top);
  return unit;
}

}  // namespace gen

#include "gen/unit/part_names.h"

#include <algorithm>
#include <set>

#include "gen/config/top_name.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

// Calls `see` with each description below the top once: several may be of one name and text.
void each_part(const std::vector<rtl::Item>& items, std::set<const rtl::ModuleData*>& seen,
               const std::function<void(rtl::Module&)>& see) {
  for (const rtl::Item& item : items) {
    if (const auto* repeat = std::get_if<rtl::Repeat>(&item.what)) each_part(repeat->items, seen, see);
    const auto* instance = std::get_if<rtl::Instance>(&item.what);
    if (instance == nullptr || !seen.insert(&instance->child.data()).second) continue;
    rtl::Module child = instance->child;
    see(child);
    each_part(child.data().items, seen, see);
  }
}

// Calls `see` with each part that is called after the top and whose name is too long.
void each_long_part(const rtl::Module& top, const std::function<void(rtl::Module&)>& see) {
  std::set<const rtl::ModuleData*> seen;
  each_part(top.data().items, seen, [&](rtl::Module& m) {
    if (m.name().starts_with(top.name() + "_") && m.name().size() > longest_made_name) see(m);
  });
}

// With as many of the last words as fit.
std::string shortened(const std::string& name, const std::string& stem) {
  const std::string start = stem + "_x" + crc32(name);
  const std::size_t left = longest_made_name - std::min(longest_made_name, start.size());
  const std::size_t from = name.size() > left ? name.size() - left : 0;
  const std::size_t word = name.find('_', from);
  return start + (word == std::string::npos ? "" : name.substr(word));
}

}  // namespace

Unit with_short_names(const std::function<Unit(const std::string& name)>& elaborated, const std::string& top,
                      const std::string& stem) {
  Unit unit = elaborated(top);
  bool any = false;
  each_long_part(unit.top, [&](rtl::Module&) { any = true; });
  if (!any) return unit;
  const std::string shorter = stem + "_x" + crc32(top);
  if (shorter.size() < top.size()) unit = elaborated(shorter);
  each_long_part(unit.top, [&](rtl::Module& m) { m.rename(shortened(m.name(), stem)); });
  unit.top.rename(top);
  return unit;
}

}  // namespace gen

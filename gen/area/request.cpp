#include "gen/area/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "gen/ports.h"
#include "gen/print_verilog.h"
#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

using Visit = std::function<void(const rtl::Module& child, const std::string& name)>;

// Calls `visit` for each instance in these items that is no RAM.
void each_instance(const std::vector<rtl::Item>& items, const std::string& prefix, const Visit& visit) {
  for (const rtl::Item& item : items) {
    if (const auto* repeat = std::get_if<rtl::Repeat>(&item.what))
      for (int i = 0; i < repeat->times; ++i)
        each_instance(repeat->items, fmt::format("{}{}[{}].", prefix, repeat->label, i), visit);
    const auto* instance = std::get_if<rtl::Instance>(&item.what);
    if (instance != nullptr && !is_ram(instance->child)) visit(instance->child, prefix + instance->name);
  }
}

}  // namespace

AreaRequest area_request(const std::string& name, const rtl::Module& top, std::uint32_t order) {
  AreaRequest request{.name = name, .top = top.name(), .sources = {}};
  for (const rtl::Module& m : rtl::modules_of(top)) {
    request.sources.push_back({m.name() + ".v", verilog(m, order)});
    if (is_ram(m)) request.black_boxes.push_back(m.name());
  }
  for (const Port& p : ports_of(top)) {
    if (p.is_clock) request.clocks.push_back(p.name);
    if (p.is_reset) request.resets.push_back(p.name);
  }
  return request;
}

std::vector<std::string> part_modules(const rtl::Module& top, int depth) {
  std::set<std::string> names;
  const std::function<void(const rtl::Module&, int)> descend = [&](const rtl::Module& m, int levels) {
    if (levels == 0) return;
    each_instance(m.data().items, "", [&](const rtl::Module& child, const std::string&) {
      names.insert(child.name());
      descend(child, levels - 1);
    });
  };
  descend(top, depth);
  return {names.begin(), names.end()};
}

std::vector<std::string> part_instances(const rtl::Module& top, int depth) {
  std::vector<std::string> names;
  const std::function<void(const rtl::Module&, const std::string&, int)> descend =
      [&](const rtl::Module& m, const std::string& prefix, int levels) {
        if (levels == 0) return;
        each_instance(m.data().items, prefix, [&](const rtl::Module& child, const std::string& name) {
          names.push_back(name);
          descend(child, name + ".", levels - 1);
        });
      };
  descend(top, "", depth);
  return names;
}

std::vector<AreaPart> parts_of(const rtl::Module& top, const AreaResult& kept, double nand2_area) {
  std::vector<AreaPart> parts;
  const std::function<void(const rtl::Module&, const std::string&)> descend = [&](const rtl::Module& m,
                                                                                  const std::string& name) {
    const ModuleFigure& figure = kept.modules.at(m.name());
    parts.push_back({name, figure.area / nand2_area, figure.flops});
    each_instance(m.data().items, name.empty() ? "" : name + ".",
                  [&](const rtl::Module& child, const std::string& path) {
                    if (kept.modules.contains(child.name())) descend(child, path);
                  });
  };
  descend(top, "");
  std::ranges::stable_sort(parts, std::ranges::greater(), &AreaPart::gate_equivalents);
  return parts;
}

}  // namespace gen

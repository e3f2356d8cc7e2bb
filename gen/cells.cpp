#include "gen/cells.h"

#include <fmt/format.h>

#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"

namespace gen {

bool is_shared(const rtl::ModuleData& m, CellText cells) {
  if (m.cell.empty() || cells == CellText::apart) return false;
  return cells == CellText::shared || !is_ram(*m.name);
}

rtl::Expr in_numbers(const rtl::Expr& e) {
  if (!e.known()) return e;
  rtl::Node node = e.node();
  node.sizes = {};
  for (rtl::Expr& arg : node.args) arg = in_numbers(arg);
  return rtl::Expr(std::make_shared<const rtl::Node>(std::move(node)));
}

std::string in_numbers(std::string doc, const rtl::ModuleData& module) {
  for (const rtl::Parameter& p : module.parameters)
    for (std::size_t at = 0; (at = doc.find(p.name, at)) != std::string::npos;)
      doc.replace(at, p.name.size(), fmt::format("{}", p.argument.value()));
  return doc;
}

}  // namespace gen

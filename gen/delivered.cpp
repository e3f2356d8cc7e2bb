#include "gen/delivered.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "gen/cells.h"
#include "gen/print_verilog.h"
#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

CellText cells_of(RamBodies rams) {
  return rams == RamBodies::shared ? CellText::shared : CellText::shared_but_rams;
}

}  // namespace

std::string delivered_name(const rtl::Module& module, RamBodies rams) {
  return is_shared(module.data(), cells_of(rams)) ? module.data().cell : module.name();
}

std::vector<DeliveredModule> delivered_verilog(const rtl::Module& top, RamBodies rams) {
  std::vector<DeliveredModule> modules;
  for (const rtl::Module& m : rtl::modules_of(top)) {
    const bool stub = rams == RamBodies::stubs && is_ram(m);
    DeliveredModule one{delivered_name(m, rams), stub ? verilog_stub(m) : verilog(m, 0, cells_of(rams)),
                        is_ram(m)};
    const auto known = std::ranges::find(modules, one.name, &DeliveredModule::name);
    if (known == modules.end())
      modules.push_back(std::move(one));
    else if (known->text != one.text)
      throw std::logic_error(
          fmt::format("{}: the text of cell {} depends on the values of its parameters", m.name(), one.name));
  }
  return modules;
}

}  // namespace gen

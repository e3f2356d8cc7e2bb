#include "hw/topology/fabric.h"

#include <fmt/format.h>

#include "hw/rtl/enabled.h"

namespace hw {

rtl::Module FabricClock::timed(const rtl::Module& m) const {
  return enable.known() && rtl::is_clocked(m) ? rtl::enabled(m) : m;
}

Pins FabricClock::timed(Pins pins, const rtl::Module& m) const {
  if (enable.known() && rtl::is_clocked(m)) pins.emplace_back("enable", enable);
  return pins;
}

std::string Fabric::end_name(int message_class, bool sends, int port) const {
  return fmt::format("{} class {} {} {}", name(), message_class, sends ? "from" : "to", port);
}

}  // namespace hw

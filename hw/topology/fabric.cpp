#include "hw/topology/fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/rtl/enabled.h"

namespace hw {

rtl::Module FabricClock::timed(const rtl::Module& m) const {
  return enable && rtl::is_clocked(m) ? rtl::enabled(m) : m;
}

Pins FabricClock::timed(Pins pins, const rtl::Module& m) const {
  if (enable && rtl::is_clocked(m)) pins.emplace_back("enable", *enable);
  return pins;
}

Link::Choice in_rounds(rtl::Module& m, const rtl::Expr& loop, const std::vector<int>& numbers,
                       const std::string& table, const std::string& doc) {
  const int first = numbers[0];
  const int step = numbers.size() > 1 ? numbers[1] - first : 0;
  bool even = step >= 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) even = even && numbers[i] == numbers[i - 1] + step;
  if (even) {
    const std::vector<rtl::Step> steps =
        step > 0 ? std::vector{rtl::Step{loop, step}} : std::vector<rtl::Step>{};
    return [=](const rtl::Expr& vector, int width) { return vector.stepped(steps, first, width); };
  }
  return [=, m = m](const rtl::Expr& vector, int width) mutable {
    const int bits = number_bits(vector.width() / width);
    return vector.part(m.table(table, bits, numbers, doc).part(loop, bits), width);
  };
}

std::vector<int> numbers_at(const std::vector<int>& ports, int first, int step, int rounds) {
  std::vector<int> numbers;
  for (int round = 0; round < rounds; ++round)
    numbers.push_back(static_cast<int>(std::ranges::find(ports, first + round * step) - ports.begin()));
  return numbers;
}

std::string Fabric::link_name(int message_class, bool sends) const {
  const std::string& messages = classes()[static_cast<std::size_t>(message_class)].name;
  return (messages.empty() ? "" : messages + "_") + (sends ? "in" : "out");
}

Link Fabric::links(rtl::Module& m, const std::string& prefix, int message_class, bool sends,
                   const ClassPorts& ports, Link::Made made) const {
  const FlitShape shape = sends ? shape_of(classes()[static_cast<std::size_t>(message_class)].sent, false)
                                : leaving(message_class);
  return {m, prefix + link_name(message_class, sends), shape, made, static_cast<int>(ports.of(sends).size())};
}

Link Fabric::port_links(rtl::Module& m, int message_class, bool sends, const ClassPorts& ports) const {
  return links(m, "", message_class, sends, ports, sends ? Link::Made::sink_ports : Link::Made::sender_ports);
}

Link Fabric::wire_links(rtl::Module& m, const std::string& prefix, int message_class, bool sends,
                        const ClassPorts& ports) const {
  return links(m, prefix, message_class, sends, ports, Link::Made::wires);
}

std::string Fabric::end_name(int message_class, bool sends, int port) const {
  return fmt::format("{} class {} {} {}", name(), message_class, sends ? "from" : "to", port);
}

}  // namespace hw

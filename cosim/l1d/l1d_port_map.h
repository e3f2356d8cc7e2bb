// The ports of a Verilated cache and what golden has for each: integers up to 64 bits, arrays of 32-bit words
// beyond. A port that golden does not know is an error of the compilation.
#pragma once
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "cosim/harness/port_name.h"
#include "cosim/l1d/l1d_dut.h"
#include "golden/l1d/l1d_ports.h"

namespace verif {

template <class Port, class Value>
void put_port(Port& port, const Value& value) {
  port = static_cast<Port>(value);
}
// Null leaves what was there: it does not count.
template <class Port>
void put_port(Port& port, const golden::LineData* line) {
  if (line) std::memcpy(static_cast<void*>(&port), line->data(), sizeof port);
}
template <class Port>
void put_port(Port& port, const golden::ByteMask* enables) {
  static constexpr golden::ByteMask none{};
  std::memcpy(static_cast<void*>(&port), (enables ? enables : &none)->data(), sizeof port);
}

template <class Port, class Value>
void get_port(const Port& port, Value& value) {
  value = static_cast<Value>(port);
}
template <class Port>
void get_port(const Port& port, const std::uint8_t*& bytes) {
  bytes = reinterpret_cast<const std::uint8_t*>(&port);
}

// `skip` characters of the name are a prefix of the wrapper that the cache lies in.
template <PortName name, std::size_t skip = 0, class Port>
void drive_port(Port& port, const golden::L1dIn& in) {
  constexpr std::size_t place = golden::place_of(name.view().substr(skip), golden::l1d_inputs);
  constexpr std::size_t beside = golden::sideband_place(name.view().substr(skip));
  if constexpr (place < std::tuple_size_v<decltype(golden::l1d_inputs)>)
    put_port(port, in.*std::get<place>(golden::l1d_inputs).member);
  else if constexpr (beside < hw::sideband_count)
    put_port(port, in.core_request_sideband.*std::get<beside>(hw::sideband_fields).value);
  else if constexpr (hw::is_control(name.view().substr(skip)))
    put_port(port, in.controls[name.text + skip]);
  else
    put_port(port, in.monitor_inputs[hw::MonitorInput(name.text + skip)]);
}

template <PortName name, std::size_t skip = 0, class Port>
void show_port(const Port& port, L1dSeen& seen) {
  constexpr auto& ports = golden::all_l1d_outputs<L1dSeen>;
  constexpr std::size_t place = golden::place_of(name.view().substr(skip), ports);
  if constexpr (place < std::tuple_size_v<std::remove_cvref_t<decltype(ports)>>)
    get_port(port, seen.*std::get<place>(ports).member);
  else if constexpr (!name.view().substr(skip).starts_with("event_"))
    seen.decisions[name.text + skip] = port;
}

}  // namespace verif

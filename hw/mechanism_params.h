// What a mechanism of the L1 data cache declares of its ports: controls that it reads, and inputs of its
// monitors from the GPU. It does so beside its own parameters, in rows over those of the cache; the lists
// hw/l1d/controls_params.h and hw/l1d/monitor_inputs_params.h put the rows of all together.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hw {

// output: the cache decides, and shows it; inner: it decides, for itself alone.
enum class ControlRole { none, input, output, inner };

template <class Cache>
struct ControlOf {
  std::string_view name;
  ControlRole (*role)(const Cache&) = [](const Cache&) { return ControlRole::none; };
  int (*width)(const Cache&) = [](const Cache&) { return 1; };  // where there is one
  std::string_view as_input = "", as_output = "";               // its description
};

// Who drives an input of a monitor: the kernel, the cache's own SM, all SMs, or the memory below them.
enum class InputSource { kernel_start, resident_warps, issued_lanes, lanes_of_sms, memory_buffers };

template <class Cache>
struct MonitorInputOf {
  std::string_view name;  // behind it the number of the port, from 0, where `numbered`
  InputSource source;
  bool numbered = false;
  int most = 1;                                                      // ports at most
  bool (*wanted)(const Cache&) = [](const Cache&) { return true; };  // somebody reads it
  int (*ports)(const Cache&) = [](const Cache&) { return 1; };       // if so
  int (*width)(const Cache&) = [](const Cache&) { return 1; };       // at most 8 where `numbered`, else 16
  int (*greatest)(const Cache&) = [](const Cache&) { return 255; };  // value that its source drives
  std::string_view doc = "";

  // 0: nobody reads it.
  constexpr int count(const Cache& p) const { return wanted(p) ? ports(p) : 0; }
};

// The rows of all lists, in order.
template <class Row, std::size_t... rows>
constexpr auto joined(const std::array<Row, rows>&... lists) {
  std::array<Row, (rows + ...)> all{};
  auto at = all.begin();
  ((at = std::ranges::copy(lists, at).out), ...);
  return all;
}

}  // namespace hw

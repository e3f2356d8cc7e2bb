// Readers of what users hand in, each as a function that takes any bytes and must neither crash nor hang.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace verif {

struct FuzzTarget {
  std::string_view name;  // also the folder of its seeds
  void (*run)(std::span<const std::uint8_t>);
};

std::span<const FuzzTarget> fuzz_targets();

}  // namespace verif

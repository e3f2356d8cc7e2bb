// Lock step of home selection and its reference model: every output for addresses of every kind.
#pragma once
#include <bitset>

#include "cosim/harness/cycle_cosim.h"
#include "golden/topology/kinds.h"

namespace verif {

template <class Dut, hw::HomeParams P>
class HomeBench {
 public:
  struct Inputs {
    bool rst = false;  // not a port
    std::uint64_t address = 0;
  };
  struct Alone {
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) { kept += home.of(in.address).cache_address; }
  };

  // Random bits, a few of them, or the neighbour of the address before: a step over a boundary of slices.
  Inputs draw(std::mt19937_64& draw) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - P.address_bits);
    switch (draw() % 4) {
      case 0:
        last_ += 256;
        break;
      case 1:
        last_ = draw() & draw() & draw();
        break;
      case 2:
        last_ = ~(draw() & draw() & draw());
        break;
      default:
        last_ = draw();
    }
    last_ &= all;
    return {.address = last_};
  }

  static void drive(Dut& dut, const Inputs& in) { put(dut.address, std::bitset<64>(in.address)); }

  static std::string words(const Inputs& in) { return fmt::format("address {:#x}", in.address); }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const golden::Home::Place want = home.of(in.address);
    const auto differs = [](const char* port, std::uint64_t got, std::uint64_t expected) {
      return got == expected ? std::nullopt : std::optional(Difference{port, got, expected});
    };
    if constexpr (requires { dut.slice; })
      if (const auto d = differs("slice", dut.slice, number(want.slice))) return d;
    if constexpr (requires { dut.home; })
      if (const auto d = differs("home", dut.home, number(want.home))) return d;
    if constexpr (requires { dut.output_number; })
      if (const auto d = differs("output_number", dut.output_number, number(want.output))) return d;
    return differs("cache_address", dut.cache_address, want.cache_address);
  }

  void edge(const Inputs& in) {
    const golden::Home::Place place = home.of(in.address);
    slices_.set(static_cast<std::size_t>(place.slice));
    homes_.set(static_cast<std::size_t>(place.home));
    shown_ = number(place.home);
  }

  void add_golden(Waves& waves) { waves.add_golden("home", 7, &shown_); }

  Goals goals() const {
    return {{"each slice", slices_.count() == static_cast<std::size_t>(P.shape.slices)},
            {"each home", homes_.count() == static_cast<std::size_t>(home.rule().homes)}};
  }

 private:
  static constexpr golden::Home home = golden::home_of(P);
  static std::uint64_t number(int n) { return static_cast<std::uint64_t>(n); }

  std::uint64_t last_ = 0, shown_ = 0;
  std::bitset<128> slices_, homes_;
};

}  // namespace verif

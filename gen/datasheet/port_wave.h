// What a waveform of lock step shows at a unit's ports, cycle by cycle.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gen {

class PortWave {
 public:
  // None: unknown.
  using Value = std::optional<std::uint64_t>;

  // The ports of up to 64 bits in a VCD of `cosim`: the signals right below its scope `dut`. Throws ToolError
  // where the text is no such file.
  explicit PortWave(std::string_view vcd);

  std::int64_t cycles() const { return cycles_; }
  bool has(const std::string& port) const { return ports_.contains(port); }
  Value at(const std::string& port, std::int64_t cycle) const;
  // A port of one bit that is known to be high.
  bool high(const std::string& port, std::int64_t cycle) const { return at(port, cycle) == 1; }

 private:
  class Filler;

  std::int64_t cycles_ = 0;
  std::map<std::string, std::vector<Value>> ports_;
};

}  // namespace gen

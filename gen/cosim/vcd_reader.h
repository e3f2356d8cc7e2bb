// Reads the VCD of a co-simulation: the ports of the DUT, and their values by time.
#pragma once
#include <cstdint>
#include <string_view>

namespace gen {

// Who wants to know. Texts are parts of the file's.
class VcdListener {
 public:
  virtual ~VcdListener() = default;
  // A signal right below the scope `dut`; `code` stands for it in what follows.
  virtual void port(std::string_view code, std::string_view name, int width) = 0;
  // Values behind it hold from this time on.
  virtual void time(std::uint64_t time) = 0;
  // Of any signal. Zeros or unknown bits above are left out.
  virtual void value(std::string_view code, std::string_view bits) = 0;
};

constexpr std::uint64_t vcd_units_of_cycle = 2;  // a half for each level of its clock

// Throws ToolError for text that is no such file.
void read_vcd(std::string_view text, VcdListener& listener);

}  // namespace gen

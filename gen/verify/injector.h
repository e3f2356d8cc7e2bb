// Breaks elaborated modules on purpose: a fault changes an expression that drives a named net, and a fault
// that changes nothing is an error.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

// The nets of the module that holds a fault.
class Nets {
 public:
  explicit Nets(const rtl::Module& module) : module_(module) {}
  rtl::Expr operator()(const std::string& name) const;

 private:
  const rtl::Module& module_;
};

// An expression of a module that a fault may change: a driver, a condition, a part of one, or a reset value.
struct Place {
  enum class Role { driver, condition, pin, reset };
  std::size_t number = 0;  // in the order of the module
  Role role = Role::driver;
  bool root = false;                // the whole of it
  bool clocked = false;             // decides or computes what a register takes
  std::set<std::string> nets = {};  // that it drives, or INSTANCE.PIN
  rtl::Expr sound = {};
  rtl::Loc loc = {};  // the line that made it
};

std::vector<Place> places_of(const rtl::Module& module);

// What an expression becomes; of the same width.
using Change = std::function<rtl::Expr(const rtl::Expr& sound, const Nets& net)>;

Change low();
Change high();  // all bits
Change inverted();
Change stuck(std::uint64_t value);
Change other(const std::string& net);
Change only_with(const std::string& net);  // and that net
Change other_tie();                        // of < or >=: equal ones go the other way

struct Fault {
  std::string what;
  std::string module;  // how its name begins or ends; empty: the top
  std::string net;     // with a driver: a wire, output, register or memory, or INSTANCE.PIN
  std::string term;    // of the driver, or of a condition over it, as printed; empty: the driver itself
  Change becomes;
  int occurrence = 1;                     // of the term in the driver
  std::optional<std::size_t> place = {};  // number of it, in the stead of net, term and occurrence
};

// In the place of a term: what a register's reset brings.
inline constexpr const char* reset_value = "reset value";

// File name -> text.
using Verilog = std::map<std::string, std::string>;

// Puts all faults into one copy of the unit. Fault n is at work where the file `fault_file` in the program's
// folder holds n + 1, in hexadecimal; 0 is the sound unit. `verilog` has a file MODULE.v for each module.
void inject_all(Verilog& verilog, const rtl::Module& top, std::span<const Fault> faults);
inline constexpr const char* fault_file = "fault.hex";
inline constexpr std::size_t most_faults = 0xffff;  // in one copy

// The modules by name: sound, or with this fault for good, or with all of these at once.
std::map<std::string, std::string> texts_of(const rtl::Module& top, const Fault* fault = nullptr);
std::map<std::string, std::string> texts_of(const rtl::Module& top, std::span<const Fault> faults);

// One module with this fault for good.
std::string faulty_text(const rtl::Module& module, const Fault& fault);

}  // namespace gen

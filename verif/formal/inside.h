// Brings values from inside a unit out of its Verilog, as outputs see_<name> for a property to look at.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace verif {

// A text without what is to be replaced is a mistake of the test.
inline void replace_once(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' in\n{}", from, text));
  text.replace(at, from.size(), to);
}

inline void add_output(std::string& module, const std::string& name, int bits) {
  replace_once(module, " (\n", fmt::format(" (\n  output wire [{}:0] see_{},\n", bits - 1, name));
}

inline void add_input(std::string& module, const std::string& name) {
  replace_once(module, " (\n", fmt::format(" (\n  input wire {},\n", name));
}

inline void bring_out(std::string& module, const std::string& name, int bits, const std::string& value) {
  add_output(module, name, bits);
  replace_once(module, "endmodule", fmt::format("  assign see_{} = {};\nendmodule", name, value));
}

inline void bring_out(std::string& module, const std::string& net, int bits) {
  bring_out(module, net, bits, net);
}

// Output see_`name` of an instance, given as "MODULE INSTANCE", goes to see_`net` of the module around it.
inline void connect(std::string& module, const std::string& instance, const std::string& name,
                    const std::string& net) {
  replace_once(module, instance + " (\n", fmt::format("{} (\n    .see_{}(see_{}),\n", instance, name, net));
}

// The same of the instances of a generate loop, whose values of so many bits lie side by side in see_`net`.
inline void connect_each(std::string& module, const std::string& instance, const std::string& name,
                         const std::string& net, int bits) {
  connect(module, instance, name, fmt::format("{}[gi * {} +: {}]", net, bits, bits));
}

}  // namespace verif

// Verilog files of a user, each in the place of the generated one of its name: found, read and looked at
// before anything is built.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

// Puts the files' texts into `verilog`, which has the generated ones by name. Throws ConfigError, in terms of
// --verilog, for a file that replaces nothing, comes twice, or whose module lacks ports.
void take_user_verilog(const rtl::Module& top, const std::vector<std::string>& files,
                       std::map<std::string, std::string>& verilog);

}  // namespace gen

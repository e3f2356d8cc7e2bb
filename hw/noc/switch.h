// A switch without virtual channels: every word is its own packet (DC-L1 thesis, chapter 5).
#pragma once
#include <string>

#include "hw/noc/switch_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no switch can be built from the parameters.
void check(const SwitchParams& p);

// Ports: streams `in<i>` with fields destination and data, streams `out<j>` with fields source and data.
// Fields that need no bits are left out.
rtl::Module word_switch(const SwitchParams& p, const std::string& name);

// One output of a switch of two inputs or more, for words of any width: who is next, and that input's word.
rtl::Module switch_output(int inputs, int width, const std::string& name);

}  // namespace hw

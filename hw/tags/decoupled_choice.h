// The tag that a line without one takes in decoupled sectored tags (Seznec, ISCA 1994; the DSC of the TSC
// paper).
#pragma once
#include <string>

#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// Module, of gates alone. Tag j of way w is bit w * k + j of every vector.
rtl::Module decoupled_choice(const TagParams& p, const std::string& name);

}  // namespace hw

// A crossbar with virtual channels and credits, matched by iSLIP (DC-L1 thesis, chapter 5;
// docs/contracts/vc-crossbar.md).
#pragma once
#include <string>

#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no crossbar can be built from the parameters.
void check(const CrossbarParams& p);

// State for benches: instance `input<i>` has `accept_pointer_q` and, below `each_vc[v].queue` (`queue` for
// one VC), `valid_q`; instance `output<j>` has the pointer over heads of hw/noc/vc_head_search.h as
// `head_inputs_q`, `head_input_q`, `head_vcs_q`, further `vc_pointer_q`, `owner<u>_q`, `owner<u>_vc_q` and
// `spent<u>_q`. Pointers are masks as in hw/noc/round_robin.h; registers without bits do not exist.
rtl::Module vc_crossbar(const CrossbarParams& p, const std::string& name, const VcRule& rule = any_vc());

}  // namespace hw

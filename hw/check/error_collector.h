// The first broken rule of several checks (docs/contracts/protocol-checks.md).
#pragma once
#include "hw/rtl/stream.h"

namespace hw {

// What a part's checks have found: codes of `protocol_code_bits`, side by side, of as many checks as there
// are.
inline constexpr const char* protocol_codes = "protocol_codes";

// Codes of the checks in a module that has this output; 0 where it has none.
int checks_in(const rtl::Module& m);

// A cell. Input `codes`: of so many checks, each 0 until its rule is broken, and then the same until reset.
// Outputs `protocol_error` and `protocol_error_code`, a cycle later.
rtl::Module error_collector(int checks);

// Adds such an instance to `m`, with outputs of the same names; the first vector lowest.
void collect_errors(rtl::Module& m, const std::vector<rtl::Expr>& codes);

}  // namespace hw

// What checks of neighbours have in common: the first broken rule stays as a code, and a request without a
// response is detected in time (docs/contracts/protocol-checks.md).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "hw/check/check_params.h"
#include "hw/rtl/module.h"
#include "hw/rtl/optional.h"

namespace hw {

void check(const CheckParams& p);
// The same, where requests of a core are checked, whose ids have so many bits.
void check_ids(const CheckParams& p, int core_id_bits);

struct BrokenRule {
  std::optional<rtl::Expr> when;  // none: never
  ProtocolError error;
};

// No bit is set.
rtl::Expr none(const rtl::Expr& bits);

// Assigns `code` the first rule that was broken since reset; of several in one cycle the first of the list.
void keep_first_error(rtl::Module& m, const std::vector<BrokenRule>& rules, const rtl::Expr& code);

// A request is in flight too long; none without a timeout. One id of `id_bits` is watched at a time, so
// that one counter is enough. `in_flight` gives the bit of an id.
std::optional<rtl::Expr> late_request(rtl::Module& m, int timeout, int id_bits,
                                      const std::function<rtl::Expr(const rtl::Expr& id)>& in_flight);

// Outputs protocol_error and protocol_error_code of `m`, from a code.
void add_protocol_ports(rtl::Module& m, const rtl::Expr& code);

}  // namespace hw

#include "gen/units/keys/check_keys.h"

#include "hw/check/check_params.h"
#include "hw/check/check_ranges.h"

namespace gen {

KeyInfo check_ports_key() {
  return {.key = "check.ports",
          .type = KeyType::boolean,
          .meaning =
              "Outputs protocol_error, high since a neighbour has broken a rule of a stream, and "
              "protocol_error_code, the first broken rule.",
          .source = "this generator's checks",
          .suffix = "checks"};
}

KeyInfo check_timeout_key() {
  return {.key = "check.timeout",
          .range = hw::CheckRanges::timeout,
          .depends = true,
          .unit = "cycles",
          .meaning =
              "With check.ports, how long a watched request may be without a response until "
              "protocol_error rises; 0: no limit.",
          .source = "this generator's checks",
          .suffix = "timeout"};
}

}  // namespace gen

#include "gen/units/shared/l1_arbiter_keys.h"

#include "gen/units/shared/l1_arbiter.h"
#include "gen/units/shared/shared_keys.h"

namespace gen {

const Family& l1_arbiter_family() {
  using hw::L1ArbiterParams;
  static const Family family{
      .name = "arbiter of a shared L1",
      .doc = "whether a core's own request or another's enters its L1 next",
      .defaults = L1ArbiterParams{},
      .unit = l1_arbiter_unit,
      .keys = {field<L1ArbiterParams>(remote_wait_limit_key(), &L1ArbiterParams::remote_wait_limit)}};
  return family;
}

}  // namespace gen

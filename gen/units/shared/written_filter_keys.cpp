#include "gen/units/shared/written_filter_keys.h"

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "gen/units/shared/written_filter.h"

namespace gen {
namespace {

using hw::WrittenFilterParams;

std::vector<Key> make_keys() {
  return {field<WrittenFilterParams>(address_bits_key(), &WrittenFilterParams::address_bits),
          field<WrittenFilterParams>(line_bytes_key(), &WrittenFilterParams::line_bytes),
          field<WrittenFilterParams>(filter_bits_key(), &WrittenFilterParams::filter_bits)};
}

}  // namespace

const Family& written_filter_family() {
  static const Family family{.name = "written filter",
                             .doc = "remembers lines that a core has stored to past their homes",
                             .defaults = WrittenFilterParams{},
                             .unit = written_filter_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen

// The written filter of shared L1s (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/shared/shared_ranges.h"
#include "hw/shared/written_filter.h"

namespace gen {

KeyInfo filter_bits_key() {
  return {.key = "shared.filter_bits",
          .range = hw::SharedRanges::filter_bits,
          .depends = true,
          .unit = "bits",
          .meaning =
              "Log2 of the bits of the filter over lines that were stored to past their homes; at most "
              "the bits of a block address.",
          .source = "private-store rule beside DC-L1 thesis, chapter 4",
          .suffix = "filter"};
}

namespace {

Unit elaborated(const hw::WrittenFilterParams& p, const std::string& top) {
  Unit unit{
      .top = hw::written_filter(p, top),
      .latency = 1,
      .accounts = {
          {"filter", hw::written_rows(p), {{"lines", hw::written_row_bits}}, true},
          {"clear", 1, {{"clears", 1}, {"row", rtl::clog2(static_cast<unsigned>(hw::written_rows(p)))}}},
          {"request",
           1,
           {{"marks", 1}, {"at", p.filter_bits}, {"again", 1}, {"newer", hw::written_row_bits}}}}};
  unit.facts = {{"cycles_of_a_clear", hw::written_rows(p)}};
  return unit;
}

CosimMain cosim(const hw::WrittenFilterParams& p) {
  return cycle_bench("units/written_filter_cosim.h", "WrittenFilterBench", "WrittenFilterParams", p, 500'000,
                     {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::WrittenFilterParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::WrittenFilterParams;

std::vector<Key> make_keys() {
  return {field<WrittenFilterParams>(address_bits_key(), &WrittenFilterParams::address_bits),
          field<WrittenFilterParams>(line_bytes_key(), &WrittenFilterParams::line_bytes),
          field<WrittenFilterParams>(filter_bits_key(), &WrittenFilterParams::filter_bits)};
}

const Family& family() {
  static const Family family{.name = "written filter",
                             .doc = "remembers lines that a core has stored to past their homes",
                             .defaults = WrittenFilterParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> written_filter_unit() {
  return {{.place = 400,
           .name = "written_filter",
           .family = &family(),
           .doc = "lines that a core has stored to past their homes, by a bit for each hash",
           .source = "private-store rule beside DC-L1 thesis, chapter 4"}};
}

}  // namespace gen

#include "hw/tags/tag_rams.h"

#include <fmt/format.h>

#include "hw/prim/sram.h"

namespace hw {

using rtl::Expr;

Expr tag_rams(rtl::Module& m, const std::string& stem, int sets, const TagProbe& probe, const Expr& written) {
  m.section("Tags. A tag written as the next request reads its row reaches that request beside the RAM.");
  const int ways = written.width(), bits = probe.tag.width();
  const rtl::Module ram = sram_1r1w(sets, bits);
  const Expr bypass_q = m.reg("bypass_q", ways, 0, "tags whose row was written as it was read");
  const Expr bypass_equal = m.data_reg("bypass_equal_q", 1, "the written tag is the probe's");
  // Complemented, as a copy of probe_tag would be merged with it: that one has many other readers.
  const Expr unlike_q = m.data_reg("unlike_q", bits, "complement of the probe's tag");
  const Expr equal = m.wire("tag_equal", ways, "ways whose tag is the probe's");
  for (int w = 0; w < ways; ++w) {
    const Expr stored = m.wire(fmt::format("stored{}", w), bits, fmt::format("tag of {} {}", stem, w));
    m.instance(ram, fmt::format("{}{}", stem, w),
               {{"read", probe.enter},
                {"read_row", probe.enter_set},
                {"read_data", stored},
                {"write", written.bit(w)},
                {"write_row", probe.set},
                {"write_data", probe.tag}},
               fmt::format("Tags of {} {}.", stem, w));
    m.assign(equal.bit(w), rtl::mux(bypass_q.bit(w), bypass_equal, rtl::all(stored ^ unlike_q)));
  }
  const Expr set = m.looked_at("set", probe.enter_set.width());
  std::vector<Expr> rows;
  for (int w = ways - 1; w >= 0; --w) rows.push_back(m.stored(fmt::format("{}{}", stem, w), set));
  m.observe("tag", rtl::cat(rows), {{stem, ways}});
  m.clocked("Tags to look at beside the RAM.", [&] {
    m.when(probe.enter, [&] { m.set(bypass_q, written & rtl::replicate(ways, probe.same)); });
  });
  m.clocked("The tag to compare.", [&] {
    m.when(probe.anew.known() ? probe.enter & ~probe.anew : probe.enter, [&] {
      m.set(bypass_equal, probe.enter_tag == probe.tag);
      m.set(unlike_q, ~probe.enter_tag);
    });
  });
  return equal;
}

}  // namespace hw

#include "hw/check/search_check.h"

#include "hw/check/first_error.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

rtl::Module search_check(int entries, int id_bits, const std::string& name) {
  rtl::Module m(name, "The line of a search comes as a reply of that search (this generator's checks).");
  const int bits = rtl::clog2(static_cast<std::uint64_t>(entries));
  const Expr miss = m.input("miss_valid", 1, "a search begins at this edge"),
             miss_entry = m.input("miss_entry", bits, "its MSHR entry"),
             fill = m.input("fill_valid", 1, "a reply goes to the L1 at this edge"),
             id = m.input("fill_id", id_bits, "its id: of a line the MSHR entry"),
             of_search = m.input("of_search", 1, "it is a reply of a search"),
             l1_code =
                 m.input("l1_code", protocol_code_bits, "rule that the L1 has found broken; 0 for none"),
             code = m.output("code", protocol_code_bits, "rule that was broken first; 0 for none");
  const Expr searches = m.reg("searches_q", entries, 0, "searches without a line, by their entries"),
             unasked = m.reg("unasked_q", 1, 0, "a line came that only a search may bring"),
             broken = m.reg("broken_q", 1, 0, "such a line was the first error");
  const Expr line = m.let("line", fill & none(id.slice(id_bits - 1, bits)), "the reply brings a line"),
             entry = m.let("entry", id.slice(bits - 1, 0), "MSHR entry of the line");
  m.clocked("A line ends its search.", [&] {
    m.when(line, [&] { m.set(searches.at(entry), lit(1, 0)); });
    m.when(miss, [&] { m.set(searches.at(miss_entry), lit(1, 1)); });
  });
  m.clocked("The first error stays.", [&] {
    m.set(unasked, line & ~of_search & searches.at(entry));
    m.when(unasked & ~rtl::any(l1_code), [&] { m.set(broken, lit(1, 1)); });
  });
  const Expr response_unasked =
      m.constant("RESPONSE_UNASKED", protocol_code_bits, code_of(ProtocolError::answer_unasked));
  m.assign(code, mux(broken, response_unasked, l1_code));
  return m;
}

}  // namespace hw

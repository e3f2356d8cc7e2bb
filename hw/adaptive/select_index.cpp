#include "hw/adaptive/select_index.h"

#include <fmt/format.h>

#include "hw/adaptive/adi_monitor.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit;

// Sel is decoded first: it is a register's, and a multiplexer would drive a gate a bit of the address with
// it.
rtl::Module select_index(const AdiMonitorParams& p, const std::string& name,
                         const std::vector<std::string>& requests) {
  const int s = index_bits(p), width = sel_bits(p), low = offset_bits(p), bits = block_address_bits(p);
  rtl::Module m(name, fmt::format("Set index of {} selected address bits (ACI thesis, section 3.3).", s));
  std::vector<std::pair<Expr, Expr>> lookups;
  for (const std::string& request : requests)
    lookups.emplace_back(m.input(request + "block_address", bits, "line of a request"),
                         m.output(request + "set_index", s, "its set"));
  std::vector<Expr> chosen;
  for (int i = 0; i < s; ++i) {
    const Expr sel =
        m.input(fmt::format("sel{}", i), width, fmt::format("address bit that is index bit {}", i));
    const Expr all =
        one_hot_of(m, fmt::format("decoded{}", i), Expr{}, sel, p.address_bits, "the same, one-hot");
    m.unused(fmt::format("unused{}", i), all.slice(low - 1, 0), "the place in the line is no index");
    chosen.insert(chosen.begin(), m.let(fmt::format("chosen{}", i), all.slice(p.address_bits - 1, low),
                                        "its bit of the line"));
  }
  for (const auto& [block, set_index] : lookups) {
    std::vector<Expr> index;
    for (const Expr& one : chosen) index.push_back(rtl::any(block & one));
    m.assign(set_index, rtl::cat(index));
  }
  return m;
}

}  // namespace hw

#include "hw/monitors/select_index.h"

#include <fmt/format.h>

#include "hw/monitors/adi_monitor.h"

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module select_index(const AdiMonitorParams& p, const std::string& name) {
  const int s = index_bits(p), width = sel_bits(p), low = offset_bits(p);
  rtl::Module m(name, fmt::format("Set index of {} selected address bits (ACI thesis, section 3.3).", s));
  const Expr block = m.input("block_address", block_address_bits(p), "line of the request");
  std::vector<Expr> sels;
  for (int i = 0; i < s; ++i)
    sels.push_back(
        m.input(fmt::format("sel{}", i), width, fmt::format("address bit that is index bit {}", i)));
  const Expr set_index = m.output("set_index", s, "set of the block");
  std::vector<Expr> address, bits;
  if (p.address_bits < 1 << width) address.push_back(lit((1 << width) - p.address_bits, 0));
  address.push_back(block);
  address.push_back(lit(low, 0));
  const Expr byte_address = m.let("byte_address", rtl::cat(address), "of the line");
  for (auto sel = sels.rbegin(); sel != sels.rend(); ++sel) bits.push_back(byte_address.at(*sel));
  m.assign(set_index, rtl::cat(bits));
  return m;
}

}  // namespace hw

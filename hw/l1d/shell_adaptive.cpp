// The adaptive index in the request path of the L1 data cache: the monitor beside the probe stage, and the
// two cycles in which sel moves (docs/l1d-adaptive.md).
#include <fmt/format.h>

#include "hw/adaptive/adi_monitor.h"
#include "hw/adaptive/select_index.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/shell.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

void L1dShell::adaptive_wires() {
  const AdiMonitorParams monitor = monitor_params(p_);
  for (int i = 0; i < index_bits(monitor); ++i)
    sels_.push_back(m_.wire(fmt::format("sel{}", i), sel_bits(monitor),
                            fmt::format("address bit that is index bit {}, of the monitor's registers", i)));
  moves_sel_ = m_.wire("moves_sel", 1, "sel moves at this edge, and all lines become invalid");
  again_ = m_.reg("again_q", 1, 0, "sel has moved: the request in the probe stage is looked up anew");
  held_up_ = m_.let("held_up", moves_sel_ | again_, "no request moves on");
}

void L1dShell::with_selected_index(Beat& beat) {
  tag_bits_ = p_.address_bits - offset_;
  indexed_ = m_.wire("indexed_block", tag_bits_, "line whose set is computed");
  beat.set_index = m_.wire("set_index", set_bits_, "set of the request");
  beat.tag = indexed_;
  std::vector<std::pair<std::string, Expr>> pins{{"block_address", indexed_}, {"set_index", beat.set_index}};
  for (std::size_t i = 0; i < sels_.size(); ++i) pins.emplace_back(fmt::format("sel{}", i), sels_[i]);
  m_.instance(select_index(monitor_params(p_), m_.name() + "_index"), "index", pins, "Set index.");
}

// The monitor sees loads a cycle after they fired, and gives back nothing but registers.
void L1dShell::monitor() {
  m_.section("Adaptive index.");
  const Expr valid_q = m_.reg("watched_valid_q", 1, 0, "a load left the probe stage in the cycle before");
  const Expr block_q = m_.data_reg("watched_block_address_q", tag_bits_, "its line");
  const Expr miss_q = m_.data_reg("watched_miss_q", 1, "it fetched");
  m_.clocked("The load that the monitor watches.", [&] {
    m_.set(valid_q, fire_ & load_);
    m_.set(block_q, probe_.block_address);
    m_.set(miss_q, push_);
  });
  m_.clocked("Cycle after the move.", [&] { m_.set(again_, moves_sel_); });
  std::vector<std::pair<std::string, Expr>> pins{{"probe_valid", valid_q},
                                                 {"probe_block_address", block_q},
                                                 {"probe_miss", miss_q},
                                                 {"flush_ready", lit(1, 1)},
                                                 {"flush_valid", moves_sel_}};
  for (std::size_t i = 0; i < sels_.size(); ++i) pins.emplace_back(fmt::format("sel{}", i), sels_[i]);
  m_.instance(adi_monitor(monitor_params(p_), m_.name() + "_monitor").module, "monitor", pins,
              "Chooses the address bits.");
}

}  // namespace hw

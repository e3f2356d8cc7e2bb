// The adaptive index in the request path of the L1 data cache: the monitor beside the probe stage, and the
// cycles in which sel moves: two, and three with split tags (docs/l1d-adaptive.md).
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
  Expr pause = moves_sel_ | again_;
  if (split_) {
    settles_ = m_.reg("settles_q", 1, 0, "that request is compared, and the one in the compare stage read");
    pause = pause | settles_;
  }
  held_up_ = m_.let("held_up", pause, "no request moves on");
}

void L1dShell::with_selected_index(Beat& beat) {
  tag_bits_ = p_.address_bits - offset_;
  beat.set_index = m_.wire("set_index", set_bits_, "set of the request");
  beat.tag = beat.block_address;
  if (!split_) return;
  beat.tag = indexed_ = m_.wire("indexed_block", tag_bits_, "line whose set is computed");
  selected_index("index", indexed_, beat.set_index);
}

Expr L1dShell::selected_index(const std::string& instance, const Expr& block, const Expr& set_index) {
  std::vector<std::pair<std::string, Expr>> pins{{"block_address", block}, {"set_index", set_index}};
  for (std::size_t i = 0; i < sels_.size(); ++i) pins.emplace_back(fmt::format("sel{}", i), sels_[i]);
  m_.instance(select_index(monitor_params(p_), m_.name() + "_index"), instance, pins, "Set index.");
  return set_index;
}

// All slots are compared in a stage of its own, which the request enters as its row is read.
L1dShell::Beat L1dShell::compare_stage(Beat from, const Expr& moves) {
  read_set_ = from.set_index;
  if (!adaptive_) return held_stage(from, "compare", "the compare stage", moves);
  arriving_block_ = from.block_address;
  from.set_index = from.tag = {};
  Beat held = held_stage(from, "compare", "the compare stage", moves);
  held.tag = held.block_address;
  held.set_index = m_.data_reg("compare_set_q", set_bits_, "its set");
  m_.clocked("Set of the request in the compare stage.",
             [&] { m_.when(read_ | settles_, [&] { m_.set(held.set_index, read_set_); }); });
  return held;
}

// A request that is looked up anew has been in the probe stage for more than a cycle. Except with split tags
// it has an index unit of its own, as the next request's set is on the longest path; and its tag stays where
// it is: no MSHR entry has its line, since all were flushed.
void L1dShell::computes_set(const Beat& next) {
  if (split_)
    return m_.assign(indexed_,
                     mux(again_, stayed_block_, mux(settles_, next.block_address, arriving_block_)));
  const auto set_of = [&](const std::string& stem, const Expr& block, const std::string& doc) {
    return selected_index(stem + "_index", block, m_.wire(stem + "_set", set_bits_, doc));
  };
  const Expr next_set = set_of("next", next.block_address, "set of the next request");
  const Expr old_set = set_of("old", stayed_block_, "set of the one in the probe stage");
  m_.assign(next.set_index, mux(again_, old_set, next_set));
}

// What is known of the next request as it enters the probe stage, or of the one that stands there, when sel
// has moved.
void L1dShell::looks_up(const Beat& next, const Expr& enters) {
  moves_ = probe_free_;
  comes_ = next.valid;
  enter_ = enters;
  enter_set_ = next.set_index;
  enter_tag_ = next.tag;
  enter_mask_ = next.mask;
  if (!adaptive_) return;
  const Expr& anew = split_ ? settles_ : again_;
  moves_ = m_.let("turns_over", probe_free_ | anew, "the next request is looked up, or the old one anew");
  if (!split_) comes_ = m_.let("comes", mux(again_, probe_.valid, next.valid), "there is one");
  enter_ = m_.let("looks_up", enters | (anew & probe_.valid),
                  "the probe's set is read, the old request's anew or the next one's");
  if (!split_) return;
  read_ = m_.let("reads", read_ | (again_ & probe_.valid) | (settles_ & next.valid),
                 "tags are read: of a request that enters the compare stage, or anew");
  enter_set_ = m_.let("looked_up_set", mux(settles_, probe_.set_index, next.set_index), "its set");
  enter_tag_ = m_.let("looked_up_tag", mux(settles_, probe_.tag, next.tag), "its tag");
  enter_mask_ = m_.let("looked_up_mask", mux(settles_, probe_.mask, next.mask), "its chunks");
}

void L1dShell::takes_set(const Beat& next, const Expr& enters) {
  m_.clocked("Its set.", [&] {
    if (split_)
      m_.when(enters | (again_ & probe_.valid),
              [&] { m_.set(probe_.set_index, mux(again_, read_set_, next.set_index)); });
    else
      m_.when(enter_, [&] { m_.set(probe_.set_index, next.set_index); });
  });
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
  if (split_) m_.clocked("The one after it.", [&] { m_.set(settles_, again_); });
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

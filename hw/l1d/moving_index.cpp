#include "hw/l1d/moving_index.h"

#include <fmt/format.h>

#include "hw/l1d/adi_in_cache.h"
#include "hw/monitors/adi_monitor.h"
#include "hw/monitors/select_index.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

MovingIndex::MovingIndex(const L1dParams& p, rtl::Module m)
    : IndexSocket(m), set_bits_(index_bits(monitor_params(p))), monitor_(monitor_params(p)) {}

int MovingIndex::tag_bits() const { return block_address_bits(monitor_); }

void MovingIndex::wires() {
  for (int i = 0; i < set_bits_; ++i)
    sels_.push_back(m_.wire(fmt::format("sel{}", i), sel_bits(monitor_),
                            fmt::format("address bit that is index bit {}, of the monitor's registers", i)));
  moves_sel_ = m_.wire("moves_sel", 1, "sel moves at this edge, and all lines become invalid");
  again_ = m_.reg("again_q", 1, 0, "sel has moved: the request in the tag-lookup stage is looked up again");
  held_up_ = m_.let("held_up", pause(), "no request moves on");
}

void MovingIndex::compute(Request& request) {
  request.set_index = m_.wire("set_index", set_bits_, "set of the request");
  request.tag = request.block_address;
}

Expr MovingIndex::selected(const std::string& instance, const Expr& line, const Expr& set_index) {
  Pins pins{{"block_address", line}, {"set_index", set_index}};
  for (std::size_t i = 0; i < sels_.size(); ++i) pins.emplace_back(fmt::format("sel{}", i), sels_[i]);
  m_.instance(select_index(monitor_, m_.name() + "_index"), instance, pins, "Set index.");
  return set_index;
}

void MovingIndex::after_move() {
  m_.clocked("Cycle after the move.", [&] { m_.set(again_, moves_sel_); });
}

// What is known of the next request as it enters the tag-lookup stage, or of the one that stands there, when
// sel has moved. The tag of that one stays where it is: no MSHR entry has its line, since all were flushed.
Entering MovingIndexOfProbe::looked_up(const Request& probe, const Request& next, const Expr& free,
                                       const Expr& enters) {
  Entering e;
  e.rehashed = again_;
  e.moves = m_.let("turns_over", free | again_, "the next request is looked up, or the old one once more");
  e.comes = m_.let("comes", mux(again_, probe.valid, next.valid), "there is one");
  e.enters = m_.let("looks_up", enters | (again_ & probe.valid),
                    "the probe's set is read, for the old request or the next one");
  e.set_index = next.set_index;
  e.tag = next.tag;
  e.mask = next.mask;
  return e;
}

void MovingIndexOfProbe::settle(const Request& probe, const Request& next, const Entering& entering,
                                const Expr&, const Expr& stayed_line) {
  const auto set_of = [&](const std::string& stem, const Expr& line, const std::string& doc) {
    return selected(stem + "_index", line, m_.wire(stem + "_set", set_bits_, doc));
  };
  const Expr next_set = set_of("next", next.block_address, "set of the next request");
  // A snoop that has passed a request was the next one, and the one that stayed is parked.
  const rtl::Condition& back = entering.back;
  const Expr old_line = back.can_be() ? mux(again_, probe.block_address, stayed_line) : stayed_line;
  const Expr old_set = set_of("old", old_line, "set of the one in the tag-lookup stage");
  m_.assign(next.set_index, mux(again_ | back, old_set, next_set));
  m_.clocked("Set of the request in the tag-lookup stage.",
             [&] { m_.when(entering.enters, [&] { m_.set(probe.set_index, next.set_index); }); });
}

Expr MovingIndexOfCompare::pause() {
  const Expr moves = MovingIndex::pause();
  settles_ =
      m_.reg("settles_q", 1, 0, "the request is compared again, and the one in the compare stage read");
  return moves | settles_;
}

void MovingIndexOfCompare::after_move() {
  MovingIndex::after_move();
  m_.clocked("The one after it.", [&] { m_.set(settles_, again_); });
}

void MovingIndexOfCompare::compute(Request& request) {
  MovingIndex::compute(request);
  request.tag = indexed_line_ = m_.wire("indexed_block", tag_bits(), "line whose set is computed");
  selected("index", indexed_line_, request.set_index);
}

bool MovingIndexOfCompare::enters_compare(const Request& from) {
  arriving_line_ = from.block_address;
  read_set_ = from.set_index;
  return false;
}

void MovingIndexOfCompare::in_compare(Request& compared, const Expr& enters) {
  IndexSocket::in_compare(compared, enters);
  compared.tag = compared.block_address;
  compared.set_index = m_.data_reg("compare_set_q", set_bits_, "set of the request");
  m_.clocked("Set of the request in the compare stage.",
             [&] { m_.when(read_ | settles_, [&] { m_.set(compared.set_index, read_set_); }); });
}

Entering MovingIndexOfCompare::looked_up(const Request& probe, const Request& next, const Expr& free,
                                         const Expr& enters) {
  const auto either = [&](const std::string& name, const Expr& old, const Expr& coming,
                          const std::string& doc) { return m_.let(name, mux(settles_, old, coming), doc); };
  Entering e;
  e.rehashed = settles_;
  e.moves = m_.let("turns_over", free | settles_, "the next request is looked up, or the old one once more");
  e.comes = next.valid;
  e.enters = m_.let("looks_up", enters | (settles_ & probe.valid),
                    "the probe's set is read, for the old request or the next one");
  e.read = m_.let("reads", read_ | (again_ & probe.valid) | (settles_ & next.valid),
                  "tags are read: of a request that enters the compare stage, or again");
  e.read_set = read_set_;
  e.set_index =
      either("looked_up_set", probe.set_index, next.set_index, "set of the request that is looked up");
  e.tag = either("looked_up_tag", probe.tag, next.tag, "tag of the request that is looked up");
  e.mask = either("looked_up_mask", probe.mask, next.mask, "chunks of the request that is looked up");
  return e;
}

void MovingIndexOfCompare::settle(const Request& probe, const Request& next, const Entering&,
                                  const Expr& enters, const Expr& stayed_line) {
  m_.assign(indexed_line_, mux(again_, stayed_line, mux(settles_, next.block_address, arriving_line_)));
  m_.clocked("Set of the request in the tag-lookup stage.", [&] {
    m_.when(enters | (again_ & probe.valid),
            [&] { m_.set(probe.set_index, mux(again_, read_set_, next.set_index)); });
  });
}

}  // namespace hw

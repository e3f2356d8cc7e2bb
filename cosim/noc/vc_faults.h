// Faults of the neighbours of a crossbar that checks them: now and then a flit without a credit, one that
// breaks its packet, or a credit for no flit; the crossbar must say so, and a reset ends it.
#pragma once
#include <array>
#include <bit>

#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/vc_check.h"

namespace verif {

// `number` of a flit says where it goes; `routed`: to a node rather than an output.
template <hw::CrossbarParams P, class Flit, int Flit::*number = &Flit::port, bool routed = false>
class VcFaults {
 public:
  // A fault has begun and its reset has not come.
  bool running() const { return left_ > 0; }
  bool ends() const { return left_ == 1; }

  // Now and then puts a fault beside the traffic of a cycle, in which the crossbar shows `shown`.
  template <class Check, class Shown, class In, class Credit>
  void alter(std::mt19937_64& draw, const Check& check, const Shown& shown, In& in, Credit& credit) {
    constexpr int all = has_other_outputs ? kinds : no_output;
    if (begun_ && !planned_ && once_in(draw, 300)) planned_ = static_cast<Kind>(pick(draw, all));
    if (!planned_) return;
    kind_ = *planned_;
    const int i = pick(draw, P.inputs), v = pick(draw, P.vcs), j = pick(draw, P.outputs);
    const bool freed = shown.credit[i] == v, full = check.inside(i, v) - freed == P.vc_depth;
    Flit flit{.vc = v, .head = !check.open(i, v), .tail = draw() % 2 == 0};
    flit.*number = routed ? 0 : pick(draw, P.outputs);
    if (kind_ == surplus_credit) {
      if (check.at_receiver(j, v) > 0 || (shown.out[j] && shown.out[j]->vc == v)) return;
      credit[j] = v;
    } else {
      if (full != (kind_ == no_credit)) return;
      if (kind_ == breaks_packet) flit.head = !flit.head;
      if (kind_ == no_output) {
        if (!flit.head) return;
        flit.*number = P.outputs;
      }
      in[i] = flit;
    }
    planned_.reset();
    ++seen_[kind_];
    left_ = 6;
  }

  // The edge of each cycle.
  void edge() {
    begun_ = true;
    if (running()) --left_;
  }
  // Of a crossbar whose outputs are undefined.
  std::optional<Difference> undefined() const {
    return running() ? std::nullopt : std::optional(Difference{"protocol_error without a fault", 1, 0});
  }
  // At the reset: what was not noticed. `code` is the crossbar's.
  std::optional<Difference> reset(std::uint64_t code) {
    const bool ended = running();
    left_ = 0;
    const auto want = hw::code_of(rows[kind_].code);
    if (!ended || code == want) return {};
    return Difference{fmt::format("protocol_error_code, of {}", rows[kind_].name), code, want};
  }

  void goals(Goals& seen) const {
    for (std::size_t k = 0; k < kinds; ++k)
      if (k != no_output || has_other_outputs) seen[rows[k].name] = seen_[k];
  }

 private:
  enum Kind { no_credit, surplus_credit, breaks_packet, no_output, kinds };
  struct Row {
    const char* name;
    hw::ProtocolError code;
  };
  static constexpr std::array<Row, kinds> rows{
      {{"a flit without a credit", hw::ProtocolError::queue_full},
       {"a credit for no flit", hw::ProtocolError::credit_excess},
       {"a flit that breaks its packet", hw::ProtocolError::packet_broken},
       {"a head for an output that is not there", hw::ProtocolError::packet_broken}}};
  // The port of a destination can hold more numbers than there are outputs.
  static constexpr bool has_other_outputs = !routed && !std::has_single_bit(static_cast<unsigned>(P.outputs));

  static int pick(std::mt19937_64& draw, int n) {
    return static_cast<int>(draw() % static_cast<unsigned>(n));
  }

  std::array<std::int64_t, kinds> seen_{};
  bool begun_ = false;           // the first cycle, a reset, is over
  std::optional<Kind> planned_;  // as soon as there is a chance
  Kind kind_ = no_credit;
  int left_ = 0;  // cycles to the reset
};

}  // namespace verif

// Golden check of the neighbours of a crossbar with virtual channels: flits against credits and packets, and
// credits against flits (docs/contracts/protocol-checks.md).
#pragma once
#include <array>
#include <optional>

#include "hw/check/check_params.h"
#include "hw/noc/vc_crossbar_params.h"

namespace golden {

template <hw::CrossbarParams P>
class VcCheck {
 public:
  // The edge, with what is on the ports: flits in, credits for them, flits out, credits for those.
  template <class In, class InCredit, class Out, class OutCredit>
  void edge(const In& in, const InCredit& in_credit, const Out& out, const OutCredit& out_credit) {
    bool excess = false, full = false, broken = false;
    for (int j = 0; j < P.outputs; ++j) {
      if (out[j]) ++at_receiver_[j][out[j]->vc];
      if (!out_credit[j]) continue;
      if (*out_credit[j] >= P.vcs || at_receiver_[j][*out_credit[j]] == 0)
        excess = true;
      else
        --at_receiver_[j][*out_credit[j]];
    }
    for (int i = 0; i < P.inputs; ++i) {
      if (in_credit[i]) --inside_[i][*in_credit[i]];
      if (!in[i]) continue;
      if (in[i]->vc >= P.vcs || (in[i]->head && in[i]->port >= P.outputs)) {
        broken = true;
        continue;
      }
      int& inside = inside_[i][in[i]->vc];
      full |= ++inside > P.vc_depth;
      bool& open = open_[i][in[i]->vc];
      broken |= open == in[i]->head;
      open = !in[i]->tail;
    }
    using hw::ProtocolError;
    if (code_ != ProtocolError::none) return;
    if (excess)
      code_ = ProtocolError::credit_excess;
    else if (full)
      code_ = ProtocolError::queue_full;
    else if (broken)
      code_ = ProtocolError::packet_broken;
  }

  hw::ProtocolError code() const { return code_; }
  // Flits without a credit for their sender, flits that a receiver has, and whether a packet has not ended.
  int inside(int input, int vc) const { return inside_[input][vc]; }
  int at_receiver(int output, int vc) const { return at_receiver_[output][vc]; }
  bool open(int input, int vc) const { return open_[input][vc]; }

 private:
  std::array<std::array<int, P.vcs>, P.inputs> inside_{};
  std::array<std::array<bool, P.vcs>, P.inputs> open_{};
  std::array<std::array<int, P.vcs>, P.outputs> at_receiver_{};
  hw::ProtocolError code_ = hw::ProtocolError::none;
};

}  // namespace golden

// The rules at the ports of a butterfly with any arbitration, kept from the ports alone: every flit
// leaves once, at its output, on its VC, in order and unmixed, against a credit.
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <string>

#include "cosim/harness/cycle_cosim.h"
#include "hw/noc/butterfly_params.h"

namespace verif {

// `Flit` has vc, head, tail, destination and payload.
template <hw::ButterflyParams P, class Flit>
class ButterflyScoreboard {
 public:
  static constexpr int ports = hw::ports_of(P.size), longest_packet = 6;
  template <int n>
  using Flits = std::array<std::optional<Flit>, n>;
  template <int n>
  using Credits = std::array<std::optional<int>, n>;

  void reset() { *this = {}; }

  // Flits in the queue of an input's VC; slots at the receiver of an output's.
  int held(int k) const { return held_[k / P.vcs][k % P.vcs]; }
  int credits(int j, int u) const { return P.vc_flits - spent_[j][u]; }
  std::int64_t inside() const { return inside_; }

  // What the ports show in a cycle.
  std::optional<Difference> settle(const Flits<ports>& out, const Credits<ports>& credit) {
    for (int i = 0; i < ports; ++i)
      if (credit[i] && --held_[i][*credit[i]] < 0) return wrong("in", i, "a credit for no flit");
    for (int j = 0; j < ports; ++j)
      if (out[j])
        if (const auto d = leaves(j, *out[j])) return d;
    return {};
  }

  // What enters in this cycle.
  void enter(const Flits<ports>& in, const Credits<ports>& credit) {
    for (int i = 0; i < ports; ++i) {
      if (!in[i]) continue;
      int& to = entering_[i][in[i]->vc];
      if (in[i]->head) to = in[i]->destination;
      under_way_[i][to][in[i]->vc].push_back(*in[i]);
      ++held_[i][in[i]->vc];
      ++inside_;
    }
    for (int j = 0; j < ports; ++j)
      if (credit[j]) --spent_[j][*credit[j]];
  }

 private:
  template <class T>
  using ByPortAndVc = std::array<std::array<T, P.vcs>, ports>;

  static Difference wrong(const char* side, int n, const std::string& what) {
    return {fmt::format("{}{}: {}", side, n, what), 1, 0};
  }

  static bool same(const Flit& a, const Flit& b) {
    return a.vc == b.vc && a.head == b.head && a.tail == b.tail && a.payload == b.payload &&
           (!a.head || a.destination == b.destination);
  }

  std::optional<Difference> leaves(int j, const Flit& flit) {
    std::optional<int>& from = source_[j][flit.vc];
    if (flit.head == from.has_value()) return wrong("out", j, "a head inside a packet, or none before");
    for (int i = 0; i < ports && flit.head && !from; ++i) {
      const auto& queue = under_way_[i][j][flit.vc];
      if (!queue.empty() && same(queue.front(), flit)) from = i;
    }
    if (!from) return wrong("out", j, "a packet that nobody sent here");
    auto& queue = under_way_[*from][j][flit.vc];
    if (queue.empty() || !same(queue.front(), flit)) return wrong("out", j, "another flit than the next");
    queue.pop_front();
    --inside_;
    if (flit.tail) from.reset();
    if (++spent_[j][flit.vc] > P.vc_flits) return wrong("out", j, "a flit without a credit");
    return {};
  }

  std::array<ByPortAndVc<std::deque<Flit>>, ports> under_way_{};  // by input, output and VC
  ByPortAndVc<int> entering_{};                                   // output of the packet
  ByPortAndVc<std::optional<int>> source_{};                      // its input, by output
  ByPortAndVc<int> held_{}, spent_{};
  std::int64_t inside_ = 0;
};

}  // namespace verif

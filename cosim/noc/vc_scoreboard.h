// The rules at the ports of a crossbar with virtual channels and any arbitration, kept from the
// ports alone: every flit leaves once, at its output, in order, unmixed, against a credit, and none starves.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "hw/noc/vc_crossbar_params.h"

namespace verif {

// `Flit` has vc, head, tail, port (destination or source) and payload.
template <hw::CrossbarParams P, class Flit>
class VcScoreboard {
 public:
  static constexpr int input_vcs = P.inputs * P.vcs, longest_packet = 6;
  template <int n>
  using Flits = std::array<std::optional<Flit>, n>;
  template <int n>
  using Credits = std::array<std::optional<int>, n>;

  void reset() {
    const Goals kept = seen_;
    const Covered covered = covered_;
    *this = {};
    seen_ = kept;
    covered_ = covered;
  }

  int held(int k) const { return static_cast<int>(inside_[k].size()); }
  int credits(int j, int u) const { return P.vc_depth - spent_[j][u]; }

  // What the outputs show in a cycle: flits that were matched in the cycle before. Afterwards the scoreboard
  // are those of the start of this cycle.
  std::optional<Difference> settle(const Flits<P.outputs>& out, const Credits<P.inputs>& credit) {
    ++cycle_;
    if (const auto d = waits(out)) return d;
    std::array<bool, P.inputs> sent{};
    for (int j = 0; j < P.outputs; ++j) {
      if (!out[j]) continue;
      const int i = out[j]->port;
      if (i >= P.inputs || !credit[i] || *credit[i] >= P.vcs || sent[i])
        return wrong(j, "source without a credit of its own", i);
      sent[i] = true;
      if (const auto d = leaves(j, *out[j], i * P.vcs + *credit[i])) return d;
    }
    for (int i = 0; i < P.inputs; ++i)
      if (credit[i] && !sent[i]) return Difference{fmt::format("in{}_credit_valid without a flit", i), 1, 0};
    look();
    return {};
  }

  // What enters in this cycle.
  std::optional<Difference> enter(const Flits<P.inputs>& in, const Credits<P.outputs>& credit) {
    for (int i = 0; i < P.inputs; ++i) {
      if (!in[i]) continue;
      const int k = i * P.vcs + in[i]->vc;
      if (held(k) >= P.vc_depth) return Difference{"flit of the bench into a full FIFO", 1, 0};
      Flit flit = *in[i];
      if (flit.head) destination_[k] = flit.port;
      flit.port = destination_[k];
      inside_[k].push_back({flit, cycle_});
    }
    for (int j = 0; j < P.outputs; ++j) {
      if (!credit[j]) continue;
      const int left = --spent_[j][*credit[j]], n = j * P.vcs + *credit[j];
      if (left < 0) return Difference{"surplus credit of the bench", 1, 0};
      if (left == 0 && exhausted_[n]) covered_.returned.set(n), exhausted_.reset(n);
    }
    return {};
  }

  // Goals that only the ports show.
  Goals goals() const {
    Goals all = seen_;
    all["each FIFO full"] = covered_.full.all();
    all["each output VC without a credit for a flit"] = covered_.no_credit.all();
    all["each credit of an output VC spent"] = covered_.spent.all();
    all["each credit of an output VC back after that"] = covered_.returned.all();
    all["all VCs of each output owned"] = covered_.owned.all();
    if (P.inputs > 1) all["a head for each output that finds none free"] = covered_.none_free.all();
    // Packets are mixed on one VC else.
    if (P.vcs > 1) all["two packets interleaved on each output"] = covered_.interleaved.all();
    return all;
  }

 private:
  // What happened to each, over resets.
  struct Covered {
    std::bitset<input_vcs> full;
    std::bitset<P.outputs * P.vcs> no_credit, spent, returned;
    std::bitset<P.outputs> owned, none_free, interleaved;
  };
  struct Inside {
    Flit flit;
    std::int64_t since;  // cycle in which it entered
  };

  static Difference wrong(int j, const std::string& what, int value) {
    return {fmt::format("out{}: {}", j, what), static_cast<std::uint64_t>(value), 0};
  }

  // The flit that could have been matched in the last cycle.
  const Flit* front(int k) const {
    return inside_[k].empty() || inside_[k].front().since > cycle_ - 2 ? nullptr : &inside_[k].front().flit;
  }

  std::optional<Difference> leaves(int j, const Flit& out, int k) {
    const Flit* expected = front(k);
    if (!expected) return wrong(j, "flit that is not inside, of input VC", k);
    if (expected->port != j) return wrong(j, "flit for another output, of input VC", k);
    if (expected->head != out.head || expected->tail != out.tail)
      return wrong(j, "head or tail of input VC", k);
    if (const auto d =
            difference(fmt::format("out{}_data, of the scoreboard", j), out.payload, expected->payload))
      return d;
    if (out.vc >= P.vcs) return wrong(j, "vc", out.vc);
    auto& owner = owner_[j][out.vc];
    if (out.head ? owner.has_value() : owner != k) return wrong(j, "packets mixed on VC", out.vc);
    if (!out.head && last_[j] != k) covered_.interleaved.set(j);
    owner.reset();
    if (!out.tail) owner = k;
    last_[j] = k;
    if (++spent_[j][out.vc] > P.vc_depth) return wrong(j, "flit without a credit on VC", out.vc);
    if (const int n = j * P.vcs + out.vc; spent_[j][out.vc] == P.vc_depth)
      covered_.spent.set(n), exhausted_.set(n);
    length_[k] = out.head ? 1 : length_[k] + 1;
    seen_["longest packet"] += out.tail && length_[k] == longest_packet;
    inside_[k].pop_front();
    passed_[k] = 0;
    return {};
  }

  // Nobody waits beyond the bounds, and somebody is served whenever there is an offer.
  std::optional<Difference> waits(const Flits<P.outputs>& out) {
    const bool some = std::ranges::any_of(out, [](const auto& flit) { return flit.has_value(); });
    for (int j = 0; j < P.outputs; ++j) {
      if (offered_[j] && !some) return wrong(j, "nothing moves, although it can send", 1);
      unserved_[j] = out[j] ? 0 : unserved_[j] + offered_[j];
      if (P.iterations == 1 && unserved_[j] >= (P.inputs + 1) * P.vcs * P.outputs)
        return wrong(j, "starves; cycles", unserved_[j]);
    }
    if (P.iterations > 1) return {};
    for (int k = 0; k < input_vcs; ++k) {
      const Flit* f = front(k);
      if (!f || !f->head || !out[f->port]) continue;  // its own leaving sets it to 0 afterwards
      if (++passed_[k] > (P.inputs + 1) * P.vcs * longest_packet)
        return wrong(f->port, "flits that left before the head of input VC", k);
    }
    return {};
  }

  // Which outputs can send in this cycle.
  void look() {
    std::array<bool, P.outputs> heads{};
    std::array<bool, input_vcs> holds{};
    seen_["no flit inside"] += std::ranges::all_of(inside_, [](const auto& flits) { return flits.empty(); });
    for (int k = 0; k < input_vcs; ++k) {
      if (held(k) == P.vc_depth) covered_.full.set(k);
      holds[k] = !inside_[k].empty();
      if (holds[k] && inside_[k].front().flit.head) heads[inside_[k].front().flit.port] = true;
    }
    for (int j = 0; j < P.outputs; ++j) {
      int owned = 0;
      offered_[j] = false;
      for (int u = 0; u < P.vcs; ++u) {
        const auto& owner = owner_[j][u];
        const bool wants = owner ? holds[*owner] : heads[j];
        owned += owner.has_value();
        offered_[j] |= wants && spent_[j][u] < P.vc_depth;
        if (wants && spent_[j][u] == P.vc_depth) covered_.no_credit.set(j * P.vcs + u);
      }
      if (owned == P.vcs) covered_.owned.set(j);
      if (owned == P.vcs && heads[j]) covered_.none_free.set(j);
    }
  }

  std::int64_t cycle_ = 0;
  std::array<std::deque<Inside>, input_vcs> inside_{};
  std::array<int, input_vcs> destination_{}, length_{};
  std::array<int, input_vcs> passed_{};  // flits that left before a head in front, at its output
  std::array<std::array<std::optional<int>, P.vcs>, P.outputs> owner_{};
  std::array<std::array<int, P.vcs>, P.outputs> spent_{};
  std::array<int, P.outputs> last_{}, unserved_{};
  std::array<bool, P.outputs> offered_{};
  std::bitset<P.outputs * P.vcs> exhausted_;  // output VCs that had no credit, and not yet all again
  Covered covered_;
  Goals seen_{{"longest packet", 0}, {"no flit inside", 0}};
};

}  // namespace verif

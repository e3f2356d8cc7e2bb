// Golden crossbar with virtual channels, cycle by cycle, from docs/contracts/vc-crossbar.md (DC-L1 thesis,
// chapter 5).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "golden/noc/vc_check.h"
#include "golden/ring.h"
#include "golden/state.h"
#include "hw/noc/vc_crossbar_params.h"

namespace golden {

// Which VCs of an output a head may be offered: any, or that on which it came.
struct AnyVc {
  static constexpr bool any = true;
  static constexpr bool allows(int, int) { return true; }
};
struct KeptVc {
  static constexpr bool any = false;
  static constexpr bool allows(int from, int to) { return from == to; }
};

// `Payload` is a bench's type of side and data: the crossbar only moves it. `watched`: a bench asks for all
// of last_step(), which else has the matches alone.
template <hw::CrossbarParams P, class Payload, class Rule = AnyVc, bool watched = true>
class VcCrossbar {
 public:
  static constexpr int input_vcs = P.inputs * P.vcs;

  struct Flit {
    int vc = 0;
    bool head = false, tail = false;
    int port = 0;  // the destination on the way in, on heads; the source on the way out
    Payload payload{};
    bool operator==(const Flit&) const = default;
  };
  template <int n>
  using Flits = std::array<std::optional<Flit>, n>;
  template <int n>
  using Credits = std::array<std::optional<int>, n>;  // the VC that a credit is for

  struct Outputs {
    Flits<P.outputs> out{};
    Credits<P.inputs> credit{};
  };

  // What an output VC knows of its receiver.
  struct OutputVc {
    std::optional<int> owner{};  // input VC
    int credits = P.vc_depth;
  };

  // One flit that is moved.
  struct Match {
    int input, output, input_vc, output_vc;  // input_vc: i*V + v
    int iteration;
  };

  // What happened at the last edge, for benches.
  struct Step {
    std::vector<Match> matches{};
    int refused = 0;                             // offers, all iterations
    std::bitset<input_vcs> full{};               // FIFOs, before the edge
    std::bitset<P.outputs * P.vcs> no_credit{};  // output VCs without one for the flit of their owner
    std::bitset<P.outputs> none_free{};          // outputs of heads that found all their VCs owned

    void clear() {
      matches.clear();
      refused = 0;
      full.reset(), no_credit.reset(), none_free.reset();
    }
  };

  // The registers: what the ports show in this cycle.
  const Outputs& outputs() const { return shown_; }

  void edge(const Flits<P.inputs>& in, const Credits<P.outputs>& credit) {
    if constexpr (P.checks) {
      check_.edge(in, shown_.credit, shown_.out, credit);
      if (undefined()) return;
    }
    step_.clear();
    for (auto& flit : shown_.out) flit.reset();
    for (auto& returned : shown_.credit) returned.reset();
    if (held_) {
      if constexpr (watched) look_around();
      allocate();
      for (const Match& m : step_.matches) move(m);
    }
    for (int j = 0; j < P.outputs; ++j)
      if (credit[j]) ++vc_[j][*credit[j]].credits;
    for (int i = 0; i < P.inputs; ++i)
      if (in[i]) fifo_[i * P.vcs + in[i]->vc].push_back(*in[i]), ++held_;
  }

  void reset() { *this = {}; }

  // Of a crossbar that checks its neighbours: what they have done, behind which nothing else counts.
  const VcCheck<P>& check() const { return check_; }
  bool undefined() const { return check_.code() != hw::ProtocolError::none; }

  const Step& last_step() const { return step_; }
  const std::array<int, P.outputs>& head_pointers() const { return h_; }
  const std::array<int, P.outputs>& vc_pointers() const { return g_; }
  const std::array<int, P.inputs>& accept_pointers() const { return a_; }
  const OutputVc& output_vc(int output, int vc) const { return vc_[output][vc]; }

  // By name; read as long as the crossbar lives.
  void publish(StateList& list) const {
    for (int j = 0; j < P.outputs; ++j) publish_output(list, j);
    for (int i = 0; i < P.inputs; ++i) {
      const std::string name = "input" + std::to_string(i);
      list.value(name + ".accept_pointer", bits(P.outputs - 1), {},
                 [this, i](unsigned, unsigned) { return static_cast<unsigned>(a_[i]); });
      for (int v = 0; v < P.vcs; ++v)
        list.value(name + ".queue" + (P.vcs > 1 ? std::to_string(v) : "") + ".held", P.vc_depth, {},
                   [this, k = i * P.vcs + v](unsigned, unsigned) {
                     return ones(static_cast<int>(fifo_[k].size()));
                   });
    }
  }

 private:
  // Of a number up to `most`.
  static constexpr int bits(int most) { return std::bit_width(static_cast<unsigned>(most)); }

  // Registers in their codes: one-hot owners, and credits that are not there as so many ones.
  void publish_output(StateList& list, int j) const {
    const std::string name = "output" + std::to_string(j);
    const StateIndex vcs{"VC", P.vcs};
    list.words(name + ".owner_input", 1, {.parts = {vcs, {"input", P.inputs}}}, 64,
               [this, j](unsigned, StateWord* words) {
                 std::fill_n(words, (P.vcs * P.inputs + 63) / 64, StateWord{0, ~std::uint64_t{0}});
                 for (int u = 0; u < P.vcs; ++u)
                   if (const auto& owner = vc_[j][u].owner) set_bit(words, u * P.inputs + *owner / P.vcs);
               });
    if (P.vcs > 1 && Rule::any)
      list.words(name + ".owner_vc", P.vcs, {.parts = {vcs}}, P.vcs, [this, j](unsigned, StateWord* words) {
        for (int u = 0; u < P.vcs; ++u) {
          const auto& owner = vc_[j][u].owner;
          words[u] = owner ? StateWord{std::uint64_t{1} << *owner % P.vcs, ~std::uint64_t{0}} : StateWord{};
        }
      });
    list.value(name + ".spent", P.vc_depth, {.parts = {vcs}},
               [this, j](unsigned, unsigned u) { return ones(P.vc_depth - vc_[j][u].credits); });
    list.value(name + ".vc_pointer", bits(P.vcs - 1), {},
               [this, j](unsigned, unsigned) { return static_cast<unsigned>(g_[j]); });
    list.value(name + ".head_pointer", input_vcs > 1 ? bits(input_vcs) : 0, {},
               [this, j](unsigned, unsigned) { return static_cast<unsigned>(h_[j]); });
  }
  static std::uint64_t ones(int n) { return (std::uint64_t{1} << n) - 1; }
  static void set_bit(StateWord* words, int n) { words[n / 64].value |= std::uint64_t{1} << n % 64; }

  struct Offer {
    int input_vc, output_vc;
  };

  const Flit* front(int k) const { return fifo_[k].empty() ? nullptr : &fifo_[k].front(); }

  // The first of n positions, at or after the pointer, for which the test holds.
  template <class Test>
  static std::optional<int> first_from(int pointer, int n, const Test& test) {
    for (int step = 0; step < n; ++step)
      if (const int at = (pointer + step) % n; test(at)) return at;
    return {};
  }

  // The first head for output j that its VC u may be offered to.
  std::optional<int> head_for(int j, int u) const {
    return first_from(h_[j], input_vcs, [&](int k) {
      const Flit* f = front(k);
      return f && f->head && f->port == j && !matched_input_[k / P.vcs] && Rule::allows(k % P.vcs, u);
    });
  }

  std::optional<Offer> offer(int j) const {
    const auto any_head = Rule::any ? head_for(j, 0) : std::nullopt;
    const auto head = [&](int u) { return Rule::any ? any_head : head_for(j, u); };
    const auto u = first_from(g_[j], P.vcs, [&](int vc) {
      const OutputVc& state = vc_[j][vc];
      if (state.credits == 0) return false;
      return state.owner ? front(*state.owner) && !matched_input_[*state.owner / P.vcs]
                         : head(vc).has_value();
    });
    if (!u) return {};
    const auto& owner = vc_[j][*u].owner;
    return Offer{owner ? *owner : *head(*u), *u};
  }

  void allocate() {
    matched_input_ = {};
    matched_output_ = {};
    for (int iteration = 1; iteration <= P.iterations; ++iteration) {
      std::array<std::optional<Offer>, P.outputs> offers;
      for (int j = 0; j < P.outputs; ++j)
        if (!matched_output_[j]) offers[j] = offer(j);
      for (int i = 0; i < P.inputs; ++i) {
        if (matched_input_[i]) continue;
        const auto to_me = [&](int j) { return offers[j] && offers[j]->input_vc / P.vcs == i; };
        const auto j = first_from(a_[i], P.outputs, to_me);
        if constexpr (watched)
          for (int other = 0; other < P.outputs; ++other) step_.refused += to_me(other) && other != *j;
        if (!j) continue;
        matched_input_[i] = matched_output_[*j] = true;
        step_.matches.push_back({i, *j, offers[*j]->input_vc, offers[*j]->output_vc, iteration});
      }
    }
  }

  void move(const Match& m) {
    Flit& flit = shown_.out[m.output].emplace(std::move(fifo_[m.input_vc].front()));
    fifo_[m.input_vc].pop_front();
    --held_;
    OutputVc& state = vc_[m.output][m.output_vc];
    --state.credits;
    if (flit.head) state.owner = m.input_vc;
    if (flit.tail) state.owner.reset();
    if (m.iteration == 1) {
      g_[m.output] = (m.output_vc + 1) % P.vcs;
      a_[m.input] = (m.output + 1) % P.outputs;
      if (flit.head) h_[m.output] = (m.input_vc + 1) % input_vcs;
    }
    shown_.credit[m.input] = m.input_vc % P.vcs;
    flit.vc = m.output_vc;
    flit.port = m.input;
  }

  void look_around() {
    for (int k = 0; k < input_vcs; ++k) {
      step_.full[k] = fifo_[k].size() == P.vc_depth;
      const Flit* f = front(k);
      if (!f || !f->head) continue;
      bool free = false;
      for (int u = 0; u < P.vcs; ++u) free |= Rule::allows(k % P.vcs, u) && !vc_[f->port][u].owner;
      if (!free) step_.none_free.set(f->port);
    }
    for (int n = 0; n < P.outputs * P.vcs; ++n) {
      const OutputVc& o = vc_[n / P.vcs][n % P.vcs];
      step_.no_credit[n] = o.credits == 0 && o.owner && front(*o.owner);
    }
  }

  std::vector<Ring<Flit>> fifo_ = std::vector<Ring<Flit>>(input_vcs, Ring<Flit>(P.vc_depth));
  int held_ = 0;  // flits in them
  std::array<std::array<OutputVc, P.vcs>, P.outputs> vc_{};
  std::array<int, P.outputs> h_{}, g_{};
  std::array<int, P.inputs> a_{};
  std::array<bool, P.inputs> matched_input_{};
  std::array<bool, P.outputs> matched_output_{};
  Outputs shown_{};
  Step step_{};
  VcCheck<P> check_{};
};

}  // namespace golden

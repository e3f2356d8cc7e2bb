// Lock step of a crossbar with virtual channels and its golden twin: every port and every register of the
// allocator in every cycle, with properties that do not come from the model.
#pragma once
#include <array>

#include "golden/noc/vc_crossbar.h"
#include "verif/lockstep/harness/cycle_cosim.h"
#include "verif/lockstep/noc/vc_books.h"
#include "verif/lockstep/noc/vc_traffic.h"

namespace verif {

// Bits of a pointer over n positions that the hardware keeps as a mask, in groups where `group` is not 0.
constexpr int mask_bits(int n, int group) {
  return n == 1 ? 0 : group == 0 ? n - 1 : (n + group - 1) / group + group - 2;
}

// The position that such a mask prefers: the first in it, or 0 of an empty one. In groups, the low bits are
// those of the last grant's group behind its place, the high bits the groups behind it.
template <std::size_t bits>
int position_of(const std::bitset<bits>& mask, int n, int group) {
  const auto first = [&](int from, int to) {
    for (int b = from; b < to; ++b)
      if (mask[static_cast<std::size_t>(b)]) return b - from + 1;
    return 0;
  };
  if (group == 0) return first(0, n - 1);
  const int groups = (n + group - 1) / group, next = first(group - 1, group - 1 + groups - 1);
  const int own = (next == 0 ? groups : next) - 1, place = first(0, group - 1);
  const int at = place == 0 ? (own + 1) * group : own * group + place;
  return at >= n ? 0 : at;
}

// `Ports` names the ports and the state: see crossbar_ports() in gen/units/noc/noc.cpp, which writes it.
template <class Dut, hw::CrossbarParams P, class Ports>
class VcBench {
 public:
  static constexpr int data_bits = 8 * P.flit_bytes, width = data_bits + P.side_bits,
                       input_vcs = P.inputs * P.vcs;
  using Payload = std::bitset<width>;
  using Golden = golden::VcCrossbar<P, Payload>;
  using Flit = typename Golden::Flit;
  using Outputs = typename Golden::Outputs;
  struct Inputs {
    bool rst = false;
    typename Golden::template Flits<P.inputs> in{};
    typename Golden::template Credits<P.outputs> credit{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs().out[0].has_value();
      in.rst ? golden.reset() : golden.edge(in.in, in.credit);
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    Inputs in{.rst = once_in(draw, 4000)};
    if (!in.rst)
      traffic_.draw(draw, books_, golden_.outputs().out, golden_.outputs().credit, in.in, in.credit);
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    Ports::each_input(dut, [&](int i, auto& valid, auto& vc, auto& head, auto& tail, auto& destination,
                               auto& side, auto& data, auto&, auto&) {
      const auto& flit = in.in[i];
      valid = flit.has_value();
      if (!flit) return;
      vc = static_cast<std::uint8_t>(flit->vc);
      head = flit->head;
      tail = flit->tail;
      destination = static_cast<std::uint8_t>(flit->port);
      split(flit->payload, side, data);
    });
    Ports::each_output(dut, [&](int j, auto&, auto&, auto&, auto&, auto&, auto&, auto&, auto& credit_valid,
                                auto& credit_vc) {
      credit_valid = in.credit[j].has_value();
      credit_vc = static_cast<std::uint8_t>(in.credit[j].value_or(0));
    });
  }

  static std::string words(const Inputs& in) {
    std::string text;
    for (int i = 0; i < P.inputs; ++i)
      if (const auto& f = in.in[i])
        text += fmt::format("in{} vc{} {} to {} ({:#x}..), ", i, f->vc,
                            f->head ? (f->tail ? "single" : "head") : (f->tail ? "tail" : "body"), f->port,
                            word_of(f->payload, 0));
    text += "credits";
    for (int j = 0; j < P.outputs; ++j)
      if (in.credit[j]) text += fmt::format(" out{} vc{}", j, *in.credit[j]);
    return text;
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    read(dut);
    if (const auto d = as_golden()) return d;
    if (const auto d = state_as_golden(dut)) return d;
    return books_.settle(seen_outputs_.out, seen_outputs_.credit);
  }

  void edge(const Inputs& in) {
    if (in.rst) {
      golden_.reset();
      books_.reset();
      traffic_.reset();
      ++seen_["reset"];
      return;
    }
    const auto h = golden_.head_pointers(), g = golden_.vc_pointers();
    const auto a = golden_.accept_pointers();
    golden_.edge(in.in, in.credit);
    if (const auto d = books_.enter(in.in, in.credit)) throw std::logic_error(d->what);
    const auto& step = golden_.last_step();
    if (input_vcs > 1) seen_["a head pointer wraps"] += wrapped(h, golden_.head_pointers());
    if (P.vcs > 1) seen_["a VC pointer wraps"] += wrapped(g, golden_.vc_pointers());
    if (P.outputs > 1) seen_["an accept pointer wraps"] += wrapped(a, golden_.accept_pointers());
    if (P.vcs > 1 && P.outputs > 1) seen_["a refused offer"] += step.refused > 0;
    if (P.vcs > 1 && P.outputs > 1 && P.inputs > 1 && P.iterations > 1)
      seen_["a match in a later iteration"] +=
          std::ranges::any_of(step.matches, [](const auto& m) { return m.iteration > 1; });
    for (const auto& m : step.matches)
      served_.set(static_cast<std::size_t>((m.input_vc * P.outputs + m.output) * P.vcs + m.output_vc));
    for (int j = 0; j < P.outputs; ++j) shown_[j] = static_cast<std::uint64_t>(golden_.head_pointers()[j]);
  }

  void add_golden(Waves& waves) {
    for (int j = 0; j < P.outputs; ++j) waves.add_golden(fmt::format("head_pointer{}", j), 10, &shown_[j]);
  }

  MustSee must_see(std::int64_t cycles) {
    if (cycles < 20'000) return {{"a cycle", cycles}};
    MustSee all = seen_;
    for (const auto& [event, times] : books_.seen()) all[event] += times;
    if (P.vcs > 1) all["two packets interleaved on an output"] += 0;
    all["longest packet"] += 0;
    if (cycles >= 100 * static_cast<std::int64_t>(served_.size()))
      all["each input VC to each output VC"] = served_.all();
    return all;
  }

 private:
  template <class Side, class Data>
  static void split(const Payload& payload, [[maybe_unused]] Side& side, Data& data) {
    if constexpr (P.side_bits == 0) {
      put(data, payload);
    } else {
      std::bitset<data_bits> low;
      std::bitset<P.side_bits> high;
      for (std::size_t b = 0; b < width; ++b)
        b < data_bits ? low[b] = payload[b] : high[b - data_bits] = payload[b];
      put(data, low);
      put(side, high);
    }
  }

  template <class Side, class Data>
  static Payload joined([[maybe_unused]] const Side& side, const Data& data) {
    if constexpr (P.side_bits == 0) {
      return bits_of<width>(data);
    } else {
      const auto low = bits_of<data_bits>(data);
      const auto high = bits_of<P.side_bits>(side);
      Payload payload;
      for (std::size_t b = 0; b < width; ++b) payload[b] = b < data_bits ? low[b] : high[b - data_bits];
      return payload;
    }
  }

  void read(Dut& dut) {
    Ports::each_input(dut, [&](int i, auto&, auto&, auto&, auto&, auto&, auto&, auto&, auto& credit_valid,
                               auto& credit_vc) {
      seen_outputs_.credit[i].reset();
      if (credit_valid) seen_outputs_.credit[i] = credit_vc;
    });
    Ports::each_output(dut, [&](int j, auto& valid, auto& vc, auto& head, auto& tail, auto& source,
                                auto& side, auto& data, auto&, auto&) {
      seen_outputs_.out[j].reset();
      if (valid)
        seen_outputs_.out[j] = Flit{.vc = vc,
                                    .head = static_cast<bool>(head),
                                    .tail = static_cast<bool>(tail),
                                    .port = source,
                                    .payload = joined(side, data)};
    });
  }

  static Difference differs(const std::string& what, int dut, int golden) {
    return {what, static_cast<std::uint64_t>(dut), static_cast<std::uint64_t>(golden)};
  }

  std::optional<Difference> as_golden() const {
    const Outputs& want = golden_.outputs();
    for (int i = 0; i < P.inputs; ++i)
      if (seen_outputs_.credit[i] != want.credit[i])
        return differs(fmt::format("in{}_credit (VC, -1 none)", i), seen_outputs_.credit[i].value_or(-1),
                       want.credit[i].value_or(-1));
    for (int j = 0; j < P.outputs; ++j) {
      const auto &got = seen_outputs_.out[j], &flit = want.out[j];
      const std::string port = fmt::format("out{}_", j);
      if (got.has_value() != flit.has_value())
        return differs(port + "valid", got.has_value(), flit.has_value());
      if (!got) continue;
      if (got->vc != flit->vc) return differs(port + "vc", got->vc, flit->vc);
      if (got->head != flit->head) return differs(port + "head", got->head, flit->head);
      if (got->tail != flit->tail) return differs(port + "tail", got->tail, flit->tail);
      if (got->port != flit->port) return differs(port + "source", got->port, flit->port);
      if (const auto d = difference(port + "side_and_data", got->payload, flit->payload)) return d;
    }
    return {};
  }

  // Reads each register that the wrapper brings out; without one, nothing.
  struct State {
    bool known = false;
    std::array<int, P.outputs> after{}, own{}, behind{}, g{};  // after, own, behind: the head pointer's parts
    std::array<int, P.inputs> a{};
    std::array<int, P.outputs * P.vcs> owner_input{}, owner_vc{}, credits{};
    std::array<int, input_vcs> held{};
  };
  struct StateReader {
    State& state;

    template <std::size_t bits>
    static int place(const std::bitset<bits>& hot) {
      return hot.none() ? -1 : hot.count() > 1 ? -2 : static_cast<int>(hot._Find_first());
    }
    template <class Port>
    void head_inputs(int j, const Port& port) const {
      const auto mask = bits_of<mask_bits(P.inputs, Ports::input_group)>(port);
      state.after[j] = position_of(mask, P.inputs, Ports::input_group);
    }
    template <class Port>
    void head_input(int j, const Port& port) const {
      state.own[j] = place(bits_of<P.inputs>(port));
    }
    template <class Port>
    void head_vcs(int j, const Port& port) const {
      state.behind[j] = position_of(bits_of<P.vcs - 1>(port), P.vcs, 0);
    }
    template <class Port>
    void g(int j, const Port& port) const {
      state.g[j] = position_of(bits_of<P.vcs - 1>(port), P.vcs, 0);
    }
    template <class Port>
    void a(int i, const Port& port) const {
      const auto mask = bits_of<mask_bits(P.outputs, Ports::output_group)>(port);
      state.a[i] = position_of(mask, P.outputs, Ports::output_group);
    }
    template <class Port>
    void held(int k, const Port& port) const {
      state.known = true;
      state.held[k] = static_cast<int>(bits_of<P.vc_depth>(port).count());
    }
    template <class Port>
    void owner(int n, const Port& port) const {
      state.owner_input[n] = place(bits_of<P.inputs>(port));
    }
    template <class Port>
    void owner_vc(int n, const Port& port) const {
      state.owner_vc[n] = place(bits_of<P.vcs>(port));
    }
    template <class Port>
    void spent(int n, const Port& port) const {
      state.credits[n] = P.vc_depth - static_cast<int>(bits_of<P.vc_depth>(port).count());
    }
  };

  std::optional<Difference> state_as_golden(Dut& dut) const {
    State state;
    Ports::each_state(dut, StateReader{state});
    if (!state.known) return {};
    const auto name = [](const char* what, int n) { return fmt::format("{}({})", what, n); };
    for (int j = 0; j < P.outputs; ++j) {
      const int h = state.behind[j] ? state.own[j] * P.vcs + state.behind[j] : state.after[j] * P.vcs;
      if (h != golden_.head_pointers()[j])
        return differs(name("head pointer", j), h, golden_.head_pointers()[j]);
      if (state.g[j] != golden_.vc_pointers()[j])
        return differs(name("VC pointer", j), state.g[j], golden_.vc_pointers()[j]);
      for (int u = 0; u < P.vcs; ++u) {
        const int n = j * P.vcs + u;
        const auto& want = golden_.output_vc(j, u);
        const int owner = state.owner_input[n] < 0 ? state.owner_input[n]
                                                   : state.owner_input[n] * P.vcs + state.owner_vc[n];
        if (owner != want.owner.value_or(-1))
          return differs(name("owner of output VC", n), owner, want.owner.value_or(-1));
        if (state.credits[n] != want.credits)
          return differs(name("credits of output VC", n), state.credits[n], want.credits);
      }
    }
    for (int i = 0; i < P.inputs; ++i)
      if (state.a[i] != golden_.accept_pointers()[i])
        return differs(name("accept pointer", i), state.a[i], golden_.accept_pointers()[i]);
    for (int k = 0; k < input_vcs; ++k)
      if (state.held[k] != static_cast<int>(golden_.held(k)))
        return differs(name("flits held by input VC", k), state.held[k], static_cast<int>(golden_.held(k)));
    return {};
  }

  template <std::size_t n>
  static bool wrapped(const std::array<int, n>& before, const std::array<int, n>& after) {
    for (std::size_t k = 0; k < n; ++k)
      if (after[k] < before[k]) return true;
    return false;
  }

  Golden golden_;
  VcBooks<P, Flit> books_;
  VcTraffic<P, Flit> traffic_;
  Outputs seen_outputs_;
  std::array<std::uint64_t, P.outputs> shown_{};
  std::bitset<static_cast<std::size_t>(input_vcs* P.outputs* P.vcs)> served_;
  MustSee seen_;
};

}  // namespace verif

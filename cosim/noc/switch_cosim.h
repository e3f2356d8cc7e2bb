// Lock step of a switch and its reference model, with the stream rules on every stream, and properties that
// do not come from the model: each word leaves once, at its output, in order, and none is passed over more
// often than there are others.
#pragma once
#include <array>
#include <deque>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/stream_monitor.h"
#include "golden/noc/switch.h"

namespace verif {

// `Ports` names the streams: each_input(dut, visit) calls visit(i, valid, ready, destination, data),
// each_output(dut, visit) calls visit(j, valid, ready, source, data).
template <class Dut, hw::SwitchParams P, class Ports>
class SwitchBench {
 public:
  static constexpr int width = 8 * P.flit_bytes;
  using Data = std::bitset<width>;
  using Golden = golden::Switch<P, Data>;
  using Word = typename Golden::Word;
  using Offer = typename Golden::Offer;
  struct Inputs {
    bool rst = false;
    typename Golden::Inputs in{};
    typename Golden::template Bits<P.outputs> ready{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.offers(in.in)[0].has_value() + golden.ready(in.in, in.ready)[0];
      in.rst ? golden.reset() : golden.edge(in.in, in.ready);
    }
  };

  // A word stays until it is taken; who sends how often, and where to, changes from phase to phase.
  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      idle_ = std::array{1, 2, 8, 16 * P.inputs}[draw() % 4];
      stall_ = std::array{0, 1, 3, 7}[draw() % 4];
      hot_ = draw() % 3 == 0 ? static_cast<int>(draw() % P.outputs) : -1;
    }
    Inputs in{.rst = once_in(draw, 4000)};
    for (int i = 0; i < P.inputs; ++i) {
      if (!waiting_[i] && once_in(draw, idle_)) waiting_[i] = Word{destination(draw), data(draw)};
      if (!in.rst) in.in[i] = waiting_[i];
    }
    for (int j = 0; j < P.outputs; ++j) in.ready[j] = !in.rst && draw() % 8 >= stall_;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    Ports::each_input(dut, [&](int i, auto& valid, auto&, auto& destination, auto& data) {
      valid = in.in[i].has_value();
      if (!in.in[i]) return;
      destination = static_cast<std::uint8_t>(in.in[i]->destination);
      put(data, in.in[i]->data);
    });
    drive_ready(dut, in, false);
  }

  static std::string words(const Inputs& in) {
    std::string text;
    for (int i = 0; i < P.inputs; ++i)
      if (in.in[i])
        text += fmt::format("in{} to {} ({:#x}..), ", i, in.in[i]->destination, word_of(in.in[i]->data, 0));
    text += "ready";
    for (const bool r : in.ready) text += r ? " 1" : " 0";
    return text;
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) {  // words are lost, and rules do not hold across it
      forget();
      return {};
    }
    drive_ready(dut, in, true);
    dut.eval();
    read(dut);
    for (int j = 0; j < P.outputs; ++j) out_monitor_[j].probe(out_[j].has_value(), out_[j].value_or(Offer{}));
    drive_ready(dut, in, false);
    dut.eval();
    read(dut);
    if (const auto d = stream_rules(in)) return d;
    if (const auto d = deliver(in)) return d;
    return as_golden(in);
  }

  void edge(const Inputs& in) {
    const auto ready = golden_.ready(in.in, in.ready);
    const auto before = golden_.pointers();
    count(in, ready);
    for (int i = 0; i < P.inputs; ++i)
      if (in.in[i] && ready[i] && !in.rst) waiting_[i].reset();
    in.rst ? golden_.reset() : golden_.edge(in.in, in.ready);
    for (int j = 0; j < P.outputs; ++j) {
      pointer_[j] = static_cast<std::uint64_t>(golden_.pointers()[j]);
      if (P.inputs > 1) seen_["a pointer wraps"] += !in.rst && golden_.pointers()[j] < before[j];
    }
  }

  void add_golden(Waves& waves) {
    for (int j = 0; j < P.outputs; ++j) waves.add_golden(fmt::format("pointer{}", j), 8, &pointer_[j]);
  }

  Goals goals() {
    seen_["reset"] += 0;
    seen_["each input to each output"] = served_.all();
    seen_["each output stalls"] = stalled_.all();
    if (P.inputs > 1) seen_["each input passed over by all others"] = patient_.all();
    if (P.buffers > 0) {
      seen_["each queue full"] = full_.all();
      seen_["a word outside each full queue"] = outside_.all();
    }
    return seen_;
  }

 private:
  int destination(std::mt19937_64& draw) {
    if (hot_ >= 0 && draw() % 4) return hot_;
    return static_cast<int>(draw() % P.outputs);
  }

  static Data data(std::mt19937_64& draw) {
    Data data;
    for (int w = 0; w < (width + 63) / 64; ++w) data = data << std::min(64, width - 1) | Data(draw());
    return data;
  }

  static void drive_ready(Dut& dut, const Inputs& in, bool inverted) {
    Ports::each_output(dut,
                       [&](int j, auto&, auto& ready, auto&, auto&) { ready = in.ready[j] != inverted; });
  }

  void read(Dut& dut) {
    Ports::each_input(dut, [&](int i, auto&, auto& ready, auto&, auto&) { in_ready_[i] = ready; });
    Ports::each_output(dut, [&](int j, auto& valid, auto&, auto& source, auto& data) {
      out_[j].reset();
      if (valid) out_[j] = Offer{source, bits_of<width>(data)};
    });
  }

  std::optional<Difference> stream_rules(const Inputs& in) {
    const auto broken = [](const char* side, int n, const std::string& rule) {
      return Difference{fmt::format("{}{}: {}; broken rules", side, n, rule), 1, 0};
    };
    for (int i = 0; i < P.inputs; ++i)
      if (const auto rule =
              in_monitor_[i].cycle(in.in[i].has_value(), in_ready_[i], in.in[i].value_or(Word{}));
          !rule.empty())
        return broken("in", i, rule);
    for (int j = 0; j < P.outputs; ++j)
      if (const auto rule =
              out_monitor_[j].cycle(out_[j].has_value(), in.ready[j], out_[j].value_or(Offer{}));
          !rule.empty())
        return broken("out", j, rule);
    return {};
  }

  // The scoreboard of what entered and left, kept from the ports alone.
  std::optional<Difference> deliver(const Inputs& in) {
    std::array<std::optional<Word>, P.inputs> head;
    for (int i = 0; i < P.inputs; ++i) {
      if (P.buffers == 0 && in.in[i]) head[i] = in.in[i];
      if (P.buffers > 0 && !inside_[i].empty()) head[i] = inside_[i].front();
    }
    for (int i = 0; i < P.inputs; ++i)
      if (in.in[i] && in_ready_[i]) inside_[i].push_back(*in.in[i]);
    for (int j = 0; j < P.outputs; ++j) {
      if (!out_[j] || !in.ready[j]) continue;
      const int s = out_[j]->source;
      const auto port = fmt::format("out{}", j);
      if (s >= P.inputs || inside_[s].empty())
        return Difference{port + "_source, which sent nothing", static_cast<std::uint64_t>(s), 0};
      const Word word = inside_[s].front();
      inside_[s].pop_front();
      if (word.destination != j)
        return Difference{"output of a word for another", static_cast<std::uint64_t>(j),
                          static_cast<std::uint64_t>(word.destination)};
      if (const auto d = difference(port + "_data, of the scoreboard", out_[j]->data, word.data)) return d;
      served_.set(static_cast<std::size_t>(s * P.outputs + j));
      passed_[s] = 0;
      for (int i = 0; i < P.inputs; ++i)
        if (i != s && head[i] && head[i]->destination == j) {
          if (++passed_[i] == P.inputs - 1) patient_.set(i);
          if (passed_[i] >= P.inputs)
            return Difference{fmt::format("words that passed over input {}", i),
                              static_cast<std::uint64_t>(passed_[i]), P.inputs - 1};
        }
    }
    for (int i = 0; i < P.inputs; ++i)
      if (inside_[i].size() > P.buffers)
        return Difference{fmt::format("words of input {} inside", i), inside_[i].size(), P.buffers};
    return {};
  }

  std::optional<Difference> as_golden(const Inputs& in) {
    const auto ready = golden_.ready(in.in, in.ready);
    const auto offers = golden_.offers(in.in);
    for (int i = 0; i < P.inputs; ++i)
      if (in_ready_[i] != ready[i]) return Difference{fmt::format("in{}_ready", i), in_ready_[i], ready[i]};
    for (int j = 0; j < P.outputs; ++j) {
      const auto port = fmt::format("out{}", j);
      if (out_[j].has_value() != offers[j].has_value())
        return Difference{port + "_valid", out_[j].has_value(), offers[j].has_value()};
      if (!out_[j]) continue;
      if (out_[j]->source != offers[j]->source)
        return Difference{port + "_source", static_cast<std::uint64_t>(out_[j]->source),
                          static_cast<std::uint64_t>(offers[j]->source)};
      if (const auto d = difference(port + "_data", out_[j]->data, offers[j]->data)) return d;
    }
    return {};
  }

  void count(const Inputs& in, const typename Golden::template Bits<P.inputs>& ready) {
    std::size_t valid = 0, left = 0;
    std::array<int, P.outputs> asked{};
    for (int j = 0; j < P.outputs; ++j) {
      valid += out_[j].has_value();
      left += out_[j].has_value() && in.ready[j];
      if (!in.rst && out_[j] && !in.ready[j]) stalled_.set(j);
    }
    for (int i = 0; i < P.inputs; ++i)
      if (in.in[i]) ++asked[in.in[i]->destination];
    if (in.rst) {
      ++seen_["reset"];
      return;
    }
    seen_["no word anywhere"] += valid == 0;
    if (P.inputs > 1 && P.outputs > 1) seen_["words leave by several outputs at once"] += left > 1;
    if (P.inputs > 1) {
      seen_["two inputs ask for one output"] += std::ranges::any_of(asked, [](int n) { return n > 1; });
    }
    for (int i = 0; P.buffers > 0 && i < P.inputs; ++i) {
      if (golden_.held(i) == P.buffers) full_.set(i);
      if (in.in[i] && !ready[i]) outside_.set(i);
      if (P.buffers > 1)
        seen_["a word enters a queue that is not empty"] += in.in[i] && ready[i] && golden_.held(i) > 0;
    }
  }

  void forget() {
    for (auto& m : in_monitor_) m.reset();
    for (auto& m : out_monitor_) m.reset();
    for (auto& words : inside_) words.clear();
    passed_ = {};
    out_ = {};
  }

  Golden golden_;
  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0;
  int hot_ = -1;  // an output that most words go to
  std::array<std::optional<Word>, P.inputs> waiting_{};
  std::array<StreamMonitor<Word>, P.inputs> in_monitor_;
  std::array<StreamMonitor<Offer>, P.outputs> out_monitor_;
  std::array<std::deque<Word>, P.inputs> inside_{};  // taken and not yet delivered
  std::array<int, P.inputs> passed_{};  // words of others that left first, at the output of its front
  std::array<std::optional<Offer>, P.outputs> out_{};
  std::array<bool, P.inputs> in_ready_{};
  std::array<std::uint64_t, P.outputs> pointer_{};
  std::bitset<P.inputs * P.outputs> served_;
  std::bitset<P.inputs> patient_, full_, outside_;
  std::bitset<P.outputs> stalled_;
  Goals seen_;
};

}  // namespace verif

// Golden switch without virtual channels: a word a cycle and output, inputs served in turn (DC-L1 thesis,
// chapter 5).
#pragma once
#include <array>
#include <deque>
#include <optional>

#include "hw/noc/switch_params.h"

namespace golden {

// `Data` is any type of a bench: the switch only moves it.
template <hw::SwitchParams P, class Data>
class Switch {
 public:
  struct Word {
    int destination = 0;
    Data data{};
    bool operator==(const Word&) const = default;
  };
  struct Offer {
    int source = 0;
    Data data{};
    bool operator==(const Offer&) const = default;
  };
  using Inputs = std::array<std::optional<Word>, P.inputs>;  // empty: not valid
  using Offers = std::array<std::optional<Offer>, P.outputs>;
  template <int n>
  using Bits = std::array<bool, n>;

  // What leaves in this cycle, and which inputs are ready, from the state before its edge.
  Offers offers(const Inputs& in) const {
    Offers out;
    for (int j = 0; j < P.outputs; ++j)
      if (const auto i = chosen(j, in)) out[j] = Offer{*i, front(*i, in)->data};
    return out;
  }

  Bits<P.inputs> ready(const Inputs& in, const Bits<P.outputs>& out_ready) const {
    Bits<P.inputs> r{};
    for (int i = 0; i < P.inputs; ++i)
      r[i] = P.buffers ? fifo_[i].size() < P.buffers : leaves(i, in, out_ready);
    return r;
  }

  void edge(const Inputs& in, const Bits<P.outputs>& out_ready) {
    const auto accepted = ready(in, out_ready);
    std::array<std::optional<int>, P.outputs> served;
    for (int j = 0; j < P.outputs; ++j) served[j] = chosen(j, in);
    for (int j = 0; j < P.outputs; ++j) {
      if (!served[j]) continue;
      pointer_[j] = out_ready[j] ? (*served[j] + 1) % P.inputs : *served[j];
      if (P.buffers && out_ready[j]) fifo_[*served[j]].pop_front();
    }
    if (P.buffers)
      for (int i = 0; i < P.inputs; ++i)
        if (in[i] && accepted[i]) fifo_[i].push_back(*in[i]);
  }

  void reset() { *this = {}; }

  const std::array<int, P.outputs>& pointers() const { return pointer_; }
  std::size_t held(int input) const { return fifo_[input].size(); }

 private:
  // The word that input i has to give.
  std::optional<Word> front(int i, const Inputs& in) const {
    if (!P.buffers) return in[i];
    if (fifo_[i].empty()) return {};
    return fifo_[i].front();
  }

  std::optional<int> chosen(int j, const Inputs& in) const {
    for (int step = 0; step < P.inputs; ++step) {
      const int i = (pointer_[j] + step) % P.inputs;
      if (const auto word = front(i, in); word && word->destination == j) return i;
    }
    return {};
  }

  bool leaves(int i, const Inputs& in, const Bits<P.outputs>& out_ready) const {
    return in[i] && in[i]->destination < P.outputs && out_ready[in[i]->destination] &&
           chosen(in[i]->destination, in) == i;
  }

  std::array<int, P.outputs> pointer_{};
  std::array<std::deque<Word>, P.inputs> fifo_{};
};

}  // namespace golden

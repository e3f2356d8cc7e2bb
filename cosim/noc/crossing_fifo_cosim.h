// Lock step of the FIFO between two clocks and its reference model, with properties that do not come from the
// model: every word leaves once and in order, and none before its cycle.
#pragma once
#include <array>
#include <deque>

#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/crossing_fifo.h"

namespace verif {

// A step is a cycle of the fast clock; two of them are one of the slow clock.
template <class Dut, hw::CrossingParams P>
class CrossingBench {
 public:
  using Word = std::bitset<P.width>;
  struct Inputs {
    bool rst = false, slow_edge = false;
    std::optional<Word> in{};
    bool out_ready = false;
  };
  struct Alone {
    golden::CrossingFifo<Word> golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.ready();
      step(golden, in);
    }
  };

  // The slow side's inputs, and rst, change at slow edges only.
  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      idle_ = std::array{1, 1, 2, 8}[draw() % 4];
      stall_ = std::array{0, 0, 3, 7}[draw() % 4];
    }
    const bool first_half = last_.slow_edge;
    Inputs in{.rst = last_.rst, .slow_edge = !last_.slow_edge};
    if (first_half) in.rst = first_ || once_in(draw, 2000);
    first_ = false;
    if (!waiting_ && once_in(draw, idle_)) waiting_ = word(draw);
    in.in = waiting_;
    in.out_ready = draw() % 8 >= stall_;
    if (!first_half && P.to_fast) in.in = last_.in;
    if (!first_half && !P.to_fast) in.out_ready = last_.out_ready;
    last_ = in;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.in_valid = in.in.has_value();
    if (in.in) put(dut.in_data, *in.in);
    dut.out_ready = in.out_ready;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("{} in {} out_ready {}", in.slow_edge ? "second half" : "first half",
                       in.in ? fmt::format("{:#x}", word_of(*in.in, 0)) : "-", in.out_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    ready_ = dut.in_ready;
    shown_.reset();
    if (dut.out_valid) shown_ = bits_of<P.width>(dut.out_data);
    if (in.rst) return {};
    if (ready_ != golden_.ready()) return Difference{"in_ready", ready_, golden_.ready()};
    const Word* front = golden_.front();
    if (shown_.has_value() != (front != nullptr)) return Difference{"out_valid", shown_.has_value(), !!front};
    if (!front) return {};
    if (const auto d = difference("out_data", *shown_, *front)) return d;
    if (inside_.empty()) return Difference{"out_valid of a word that never came", 1, 0};
    if (const auto d = difference("out_data, of the scoreboard", *shown_, inside_.front().word)) return d;
    if (now_ < inside_.front().earliest)
      return Difference{"fast cycle of a word before its time", now_, inside_.front().earliest};
    return {};
  }

  void edge(const Inputs& in) {
    const bool push = !in.rst && in.in && ready_ && rises(in, P.to_fast);
    const bool pop = !in.rst && in.out_ready && shown_ && rises(in, !P.to_fast);
    count(in, push, pop);
    if (pop) inside_.pop_front();
    if (push) inside_.push_back({*in.in, earliest()}), waiting_.reset(), ++pushed_;
    if (in.rst) inside_.clear(), waiting_.reset(), pushed_ = 0;
    step(golden_, in);
    ++now_;
    held_ = inside_.size();
  }

  void add_golden(Waves& waves) { waves.add_golden("held", 8, &held_); }

  Goals goals() {
    Goals all = seen_;
    for (const char* event : {"push in the first half", "push in the second half", "pop in the first half",
                              "pop in the second half", "reset", "reset of a FIFO that is not empty"})
      all[event] += 0;
    all["full from each entry on"] = full_.all();
    all["empty at each entry"] = empty_.all();
    // The slow side moves at slow edges.
    all.erase(P.to_fast ? "push in the first half" : "pop in the first half");
    return all;
  }

 private:
  struct Inside {
    Word word;
    std::uint64_t earliest = 0;  // fast cycle
  };

  static bool rises(const Inputs& in, bool slow) { return in.slow_edge || !slow; }

  static void step(golden::CrossingFifo<Word>& fifo, const Inputs& in) {
    if (in.rst) return fifo.reset();
    fifo.edge(in.slow_edge ? golden::Edge::both : golden::Edge::fast_alone, in.in ? &*in.in : nullptr,
              in.out_ready);
  }

  // now_ is 2k or 2k + 1. From slow k: fast 2k + 2. From fast 2k: slow k + 1; from fast 2k + 1: slow k + 2.
  std::uint64_t earliest() const {
    if (P.to_fast) return now_ / 2 * 2 + 2;
    return now_ % 2 ? now_ / 2 * 2 + 4 : now_ + 2;
  }

  static Word word(std::mt19937_64& draw) {
    Word bits;
    for (int w = 0; w < (P.width + 63) / 64; ++w) bits = bits << std::min(64, P.width - 1) | Word(draw());
    return bits;
  }

  void count(const Inputs& in, bool push, bool pop) {
    const char* half = in.slow_edge ? "second half" : "first half";
    seen_["reset"] += in.rst;
    seen_[fmt::format("push in the {}", half)] += push;
    seen_[fmt::format("pop in the {}", half)] += pop;
    seen_["reset of a FIFO that is not empty"] += in.rst && !inside_.empty();
    const std::size_t next = pushed_ % entries;
    if (inside_.size() == entries) full_.set(next);
    if (inside_.empty()) empty_.set(next);
  }

  golden::CrossingFifo<Word> golden_{P};
  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0, now_ = 0, held_ = 0;
  Inputs last_{.slow_edge = true};
  bool first_ = true;
  std::optional<Word> waiting_, shown_;
  bool ready_ = false;
  std::deque<Inside> inside_;
  static constexpr std::size_t entries = P.entries;
  std::size_t pushed_ = 0;             // words, since the reset
  std::bitset<entries> full_, empty_;  // by the entry that the next word goes to
  Goals seen_;
};

}  // namespace verif

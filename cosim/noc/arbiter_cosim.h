// Lock step of a round-robin arbiter and its reference model, with properties that do not come from the
// model: one grant to one who asks, and nobody passed over more often than there are others.
#pragma once
#include <array>

#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/arbiter_round_robin.h"

namespace verif {

template <class Dut, hw::ArbiterParams P>
class ArbiterBench {
 public:
  using Golden = golden::ArbiterRoundRobin<P>;
  using Lines = typename Golden::Lines;
  struct Inputs {
    bool rst = false, advance = false;
    Lines request{};
  };
  struct Alone {
    Golden golden;
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept ^= golden.grant(in.request)._Find_first();
      in.rst ? golden.reset() : golden.edge(in.request, in.advance);
    }
  };

  // Requests come and go at random, or stand until they are served; or one asks alone that was never served
  // behind the one before it.
  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      alone_ = draw() % 2;
      standing_ = draw() % 2;
      rarity_ = std::array{1, 2, 8, 3 * P.inputs}[draw() % 4];
      pause_ = 1 + draw() % 4;
    }
    if (alone_) return {.rst = once_in(draw, 5000), .advance = true, .request = new_turn(draw)};
    Inputs in{.rst = once_in(draw, 5000), .advance = once_in(draw, pause_)};
    for (int i = 0; i < P.inputs; ++i) in.request[i] = (standing_ && waiting_[i]) || once_in(draw, rarity_);
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    put(dut.request, in.request);
    dut.advance = in.advance;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("advance {} request {}", in.advance ? 1 : 0, in.request.to_string());
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const Lines grant = bits_of<P.inputs>(dut.grant), want = golden_.grant(in.request);
    pointer_ = static_cast<std::uint64_t>(golden_.pointer());
    served_ = want._Find_first();
    if (grant.count() > 1) return Difference{"number of grants", grant.count(), 1};
    if ((grant & ~in.request).any())
      return Difference{"grant without a request", grant._Find_first(), P.inputs};
    if (in.request.any() && grant.none()) return Difference{"number of grants", 0, 1};
    if (const auto d = difference("grant", grant, want)) return d;
    return passed_over(grant, in);
  }

  void edge(const Inputs& in) {
    const Lines grant = golden_.grant(in.request);
    const int before = golden_.pointer();
    in.rst ? golden_.reset() : golden_.edge(in.request, in.advance);
    waiting_ = in.rst ? Lines{} : in.advance ? in.request & ~grant : in.request;
    granted_ |= grant;
    seen_["no request"] += in.request.none();
    seen_["all ask"] += in.request.all();
    seen_["a grant that is not used"] += in.request.any() && !in.advance;
    seen_["advance without a request"] += in.request.none() && in.advance;
    seen_["reset"] += in.rst;
    if (grant.any() && in.advance && !in.rst) turns_.set(at(before) * P.inputs + grant._Find_first());
    if (P.inputs == 1) return;
    seen_["the search wraps"] += grant.any() && static_cast<int>(grant._Find_first()) < before;
    seen_["the pointer wraps behind the last input"] += !in.rst && in.advance && grant[P.inputs - 1];
    seen_["reset of a pointer that had moved"] += in.rst && before != 0;
  }

  void add_golden(Waves& waves) {
    waves.add_golden("pointer", 8, &pointer_);
    waves.add_golden("served", 8, &served_);
  }

  Goals goals() {
    seen_["every input served"] = granted_.all();
    seen_["every input served behind every other"] = turns_.all();
    seen_["every input passed over by all others"] = patient_.all();
    return seen_;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  Lines new_turn(std::mt19937_64& draw) const {
    const std::size_t first = draw() % P.inputs;
    Lines one;
    for (std::size_t n = 0; n < P.inputs; ++n)
      if (const std::size_t i = (first + n) % P.inputs; !turns_[at(golden_.pointer()) * P.inputs + i])
        return one.set(i);
    return one.set(first);
  }

  // Counts, for each who asks without pause, the grants to others that were used.
  std::optional<Difference> passed_over(const Lines& grant, const Inputs& in) {
    for (int i = 0; i < P.inputs; ++i) {
      if (!in.request[i] || grant[i] || in.rst)
        waits_[i] = 0;
      else if (in.advance && ++waits_[i] >= P.inputs)
        return Difference{fmt::format("grants that passed over input {}", i),
                          static_cast<std::uint64_t>(waits_[i]), P.inputs - 1};
      if (waits_[i] == P.inputs - 1) patient_.set(at(i));
    }
    return {};
  }

  Golden golden_;
  Phase phase_;
  bool standing_ = false, alone_ = false;
  std::uint64_t rarity_ = 1, pause_ = 1, pointer_ = 0, served_ = 0;
  Lines waiting_, granted_;
  std::array<int, P.inputs> waits_{};
  std::bitset<P.inputs * P.inputs> turns_;  // by pointer and input
  Lines patient_;                           // waited as long as any may
  Goals seen_;
};

}  // namespace verif

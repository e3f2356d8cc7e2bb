// Lock step of the selector between fine and coarse accesses and its reference model, under loads that lead
// to each decision; and a property that does not come from the model: the mode changes 24 to 48 cycles behind
// a miss that could have shifted the counters, and then not for 24 cycles.
#pragma once
#include <array>

#include "cosim/harness/cycle_cosim.h"
#include "golden/monitors/mode_selector.h"

namespace verif {

template <class Dut, hw::ModeSelectorParams P>
class ModeSelectorBench {
 public:
  using Selector = golden::ModeSelector;
  struct Inputs : Selector::In {
    std::uint64_t block = 0;
  };
  struct Alone {
    Selector golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.mode_coarse();
      golden.edge(in);
    }
  };

  ModeSelectorBench() {
    for (unsigned set = 0; set < static_cast<unsigned>(P.sets); ++set)
      sets_[static_cast<std::size_t>(golden_.samplers()[set])].push_back(set);
    // States the goals, of which none is reached yet.
    see(false, 0, {}, golden::ModeSamplers::Role::follower);
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) {
    if (left_-- <= 0) open_phase(draw);
    Inputs in;
    // Winners are rare: one in eight or so meets a reset.
    in.rst = once_in(draw, golden_.left() > 0 ? 8 * Selector::search_cycles : 60 * (P.threshold + 64));
    in.probe_valid = draw() % 256 < load_rate_;
    const unsigned role =
        draw() % 256 < other_rate_ ? 0 : 1 + static_cast<unsigned>(draw() % 256 < coarse_rate_);
    const auto& sets = sets_[sets_[role].empty() ? 1 : role];
    in.probe_set = sets[draw() % sets.size()];
    in.probe_miss = draw() % 256 < miss_rate_[role == 2];
    const Chunks& c = chunks_[role == 2];
    in.probe_chunks = c.least + static_cast<unsigned>(draw() % (c.most - c.least + 1));
    if (close_) draw_close(in);
    in.block = draw() & (~std::uint64_t{0} >> (64 - block_bits));
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    using Block = std::remove_reference_t<decltype(dut.probe_block_address)>;
    dut.probe_valid = in.probe_valid;
    dut.probe_block_address = static_cast<Block>(in.block);
    dut.probe_miss = in.probe_miss;
    dut.probe_set = in.probe_set;
    dut.probe_chunks = in.probe_chunks;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("probe_valid {:d}, probe_set {}, probe_miss {:d}, probe_chunks {}", in.probe_valid,
                       in.probe_set, in.probe_miss, in.probe_chunks);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const bool got = dut.mode_coarse, want = golden_.mode_coarse();
    shown_ = want;
    if (got != before_ && !was_reset_) {
      if (!missed_before())
        return Difference{"mode_coarse, which changed without a miss before", got, before_};
      if (now_ - changed_ < Selector::search_cycles)
        return Difference{"mode_coarse, which changed twice within 24 cycles", got, before_};
      changed_ = now_;
    }
    before_ = got;
    if (got != want) return Difference{"mode_coarse", got, want};
    return {};
  }

  void edge(const Inputs& in) {
    const bool coarse = golden_.mode_coarse();
    const int left = golden_.left();
    waited_ = golden_.another_waits();
    const auto role = golden_.samplers()[in.probe_set];
    const bool sampled = in.probe_valid && role != golden::ModeSamplers::Role::follower;
    misses_[now_ % history] = sampled && in.probe_miss;
    ++now_;
    was_reset_ = in.rst;
    golden_.edge(in);
    see(coarse, left, in, role);
  }

  void add_golden(Waves& waves) { waves.add_golden("mode_coarse", 1, &shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr int block_bits = P.address_bits - std::countr_zero(static_cast<unsigned>(P.line_bytes));
  static constexpr unsigned chunks = static_cast<unsigned>(P.line_bytes / P.chunk_bytes);
  static constexpr std::size_t history = 64;

  // A miss of a sampler 24 to 48 cycles ago.
  bool missed_before() const {
    for (std::size_t ago = Selector::search_cycles; ago <= 2 * Selector::search_cycles; ++ago)
      if (misses_[(now_ - ago) % history]) return true;
    return false;
  }

  void see(bool coarse, int left, const Inputs& in, golden::ModeSamplers::Role role) {
    using Role = golden::ModeSamplers::Role;
    using Decision = golden::ModeCounters::Decision;
    seen_["reset with a winner on its way"] += in.rst && left > 0;
    if (in.rst) return;
    const bool shifted = golden_.shifted();
    seen_["becomes coarse"] += !coarse && golden_.mode_coarse();
    seen_["becomes fine"] += coarse && !golden_.mode_coarse();
    if (!sets_[static_cast<std::size_t>(Role::follower)].empty())
      seen_["load of another set"] += in.probe_valid && role == Role::follower;
    seen_["hit in a sampler"] += in.probe_valid && role != Role::follower && !in.probe_miss;
    seen_["shift by the fine sets"] += shifted && role == Role::fine;
    seen_["shift by the coarse sets"] += shifted && role == Role::coarse;
    see_products(shifted);
    seen_["stays, for want of a better mode"] += shifted && golden_.counters().decision() == Decision::stay;
    // A shift halves both counters: so many misses, in as many cycles, are between it and the next.
    constexpr int between = (P.threshold + 2) / 2;
    if (between < Selector::search_cycles) seen_["shift with a winner on its way"] += shifted && left > 0;
    if (2 * between < Selector::search_cycles)
      seen_["shift in the place of one that waits"] += shifted && waited_ && left > 0;
  }

  // How the products of a comparison stand to each other.
  void see_products(bool shifted) {
    const auto& fine = golden_.counters().fine();
    const auto& coarse = golden_.counters().coarse();
    using Decision = golden::ModeCounters::Decision;
    const Decision decision = golden_.counters().decision();
    // Of few chunks no misses are rare enough for it.
    if (chunks >= 3 && P.threshold >= 64) {
      seen_["fine wins with more traffic"] +=
          shifted && decision == Decision::fine && fine.traffic > coarse.traffic;
      seen_["coarse wins with more traffic"] +=
          shifted && decision == Decision::coarse && coarse.traffic > fine.traffic;
    }
    if (P.threshold % 2) return;  // halved, a mode that shifts has a miss more than any other
    const bool even = shifted && fine.misses == coarse.misses;
    seen_["a tie"] += even && fine.traffic == coarse.traffic;
    seen_["fine wins by one of the traffic"] += even && fine.traffic + 1 == coarse.traffic;
    seen_["coarse wins by one of the traffic"] += even && coarse.traffic + 1 == fine.traffic;
  }

  // As many misses of both modes, and traffic that differs by next to nothing as the fine sets shift.
  void draw_close(Inputs& in) {
    const auto& fine = golden_.counters().fine();
    const auto& coarse = golden_.counters().coarse();
    const bool is_fine = fine.misses <= coarse.misses;
    in.probe_valid = in.probe_miss = true;
    in.probe_set = sets_[is_fine ? 1 : 2].front();
    if (is_fine && fine.misses == P.threshold) in.probe_chunks = 1;  // of which coarse is ahead
    if (is_fine) return;
    const int behind = fine.traffic + 2 + 2 * ahead_ - coarse.traffic - 1;
    in.probe_chunks = static_cast<unsigned>(std::clamp(behind, 1, static_cast<int>(chunks)));
  }

  // Loads sparse and dense, misses rare and frequent, of few chunks and of many; now and then a mode that
  // sees no load.
  void open_phase(std::mt19937_64& draw) {
    static constexpr std::array<unsigned, 5> rates{2, 20, 128, 250, 256};
    left_ = static_cast<int>(draw() % static_cast<unsigned>(8 * P.threshold + 64));
    load_rate_ = rates[draw() % rates.size()];
    other_rate_ = rates[draw() % 3];
    coarse_rate_ =
        draw() % 4 == 0 ? 256 * static_cast<unsigned>(draw() % 2) : static_cast<unsigned>(draw() % 257);
    for (unsigned m = 0; m < 2; ++m) {
      miss_rate_[m] = rates[draw() % rates.size()];
      chunks_[m].most = 1 + static_cast<unsigned>(draw() % chunks);
      chunks_[m].least = draw() % 2 ? chunks_[m].most : 1;
    }
    close_ = false;
    if (const auto kind = draw() % 4; kind < 2) {
      load_rate_ = 256, other_rate_ = 0, miss_rate_ = {256, 256};
      left_ += 4 * P.threshold;
      close_ = kind == 1;
      ahead_ = close_ ? static_cast<int>(draw() % 3) - 1 : 0;
      if (!close_) open_uneven(draw() % 2);
      return;
    }
    if (draw() % 8 == 0) {  // a miss of one mode in each cycle
      load_rate_ = 256, other_rate_ = 0, miss_rate_ = {256, 256};
      coarse_rate_ = 256 * static_cast<unsigned>(draw() % 2);
    }
  }

  // One mode misses less, and yet fetches more.
  void open_uneven(bool coarse) {
    coarse_rate_ = coarse ? 116 : 140;  // in 256ths
    chunks_[coarse] = {chunks, chunks};
    chunks_[!coarse] = {chunks > 2 ? chunks - 2 : 1, chunks > 1 ? chunks - 1 : 1};
  }

  struct Chunks {  // of a miss
    unsigned least = 1, most = 1;
  };

  Selector golden_{P};
  std::array<std::vector<unsigned>, 3> sets_;  // by their role
  int left_ = 0;
  unsigned load_rate_ = 0, other_rate_ = 0, coarse_rate_ = 0;
  std::array<unsigned, 2> miss_rate_{};
  std::array<Chunks, 2> chunks_{};
  bool close_ = false;
  int ahead_ = 0;  // of the traffic of the coarse sets, halved
  std::array<bool, history> misses_{};
  std::size_t now_ = history, changed_ = 0;
  bool before_ = false, was_reset_ = false, waited_ = false;
  std::uint64_t shown_ = 0;
  Goals seen_;
};

template <class Dut, hw::ModeSelectorParams P>
class ModeSelectorCosim : public CycleCosim<Dut, ModeSelectorBench<Dut, P>> {
 public:
  ModeSelectorCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&))
      : CycleCosim<Dut, ModeSelectorBench<Dut, P>>(options, 1'000'000, add_probes) {}
};

}  // namespace verif

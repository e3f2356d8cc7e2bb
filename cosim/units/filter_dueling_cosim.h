// Lock step of the SM dueling unit and its reference model, under loads that lead to each decision; and a
// property that does not come from the model: the output changes 32 cycles behind an interval or not at all.
#pragma once
#include <array>
#include <numeric>

#include "cosim/harness/cycle_cosim.h"
#include "golden/monitors/filter_dueling.h"

namespace verif {

template <class Dut, hw::FilterDuelingParams P>
class FilterDuelingBench {
 public:
  struct Inputs {
    bool rst = false;
    std::array<golden::DuelingProbe, 2> probes{};
    std::array<std::uint64_t, 2> blocks{};
  };
  struct Alone {
    golden::FilterDueling golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.filter_enable();
      in.rst ? golden.reset() : golden.edge(in.probes);
    }
  };

  // States the goals, of which none is reached yet.
  FilterDuelingBench() {
    seen_["reset with a decision under way"] = 0;
    conclude();
    on_ = false;
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) {
    const auto at = static_cast<int>(since_reset_ % P.interval);
    if (left_-- <= 0) open_phase(draw);
    if (at == 0) exact_ = can_be_exact && turn_ == 0 && draw() % 4;
    if (at == 0 && exact_) choose_misses(draw);
    Inputs in{.rst = once_in(draw, decision_under_way() ? 6 * 31 : 40 * P.interval)};
    for (unsigned k = 0; k < 2; ++k) {
      in.probes[k].valid = exact_ ? at < exact_loads : in_256ths(draw, load_rate_[k]);
      in.probes[k].miss = exact_ ? at < misses_[k] : in_256ths(draw, miss_rate_[k]);
      in.blocks[k] = draw() & (~std::uint64_t{0} >> (64 - block_bits));
    }
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    using Block = std::remove_reference_t<decltype(dut.probe0_block_address)>;
    dut.probe0_valid = in.probes[0].valid;
    dut.probe0_miss = in.probes[0].miss;
    dut.probe0_block_address = static_cast<Block>(in.blocks[0]);
    dut.probe1_valid = in.probes[1].valid;
    dut.probe1_miss = in.probes[1].miss;
    dut.probe1_block_address = static_cast<Block>(in.blocks[1]);
  }

  static std::string words(const Inputs& in) {
    return fmt::format("probe0_valid {:d}, probe0_miss {:d}, probe1_valid {:d}, probe1_miss {:d}",
                       in.probes[0].valid, in.probes[0].miss, in.probes[1].valid, in.probes[1].miss);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const bool got = dut.filter_enable, want = golden_.filter_enable();
    shown_ = want;
    const bool may_change =
        since_reset_ == 0 || (since_reset_ > P.interval && since_reset_ % P.interval == 31);
    if (got != before_ && !may_change)
      return Difference{"filter_enable, which changed inside an interval", got, before_};
    before_ = got;
    if (got != want) return Difference{"filter_enable", got, want};
    return {};
  }

  void edge(const Inputs& in) {
    if (in.rst) {
      seen_["reset with a decision under way"] += decision_under_way();
      golden_.reset();
      score_.clear();
      since_reset_ = 0;
      on_ = false;
      return;
    }
    golden_.edge(in.probes);
    bool both = true;
    for (unsigned k = 0; k < 2; ++k) {
      both &= in.probes[k].valid;
      if (in.probes[k].valid) score_.load(k, in.probes[k].miss);
    }
    full_cycles_ += both;
    if (++since_reset_ % P.interval == 0) conclude();
  }

  void add_golden(Waves& waves) { waves.add_golden("filter_enable", 1, &shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr int block_bits = P.address_bits - std::countr_zero(static_cast<unsigned>(P.line_bytes));

  // So many loads of both have a difference that is the margin.
  static constexpr int exact_loads = 100 / std::gcd(100, P.margin_percent);
  static constexpr bool can_be_exact = exact_loads <= P.interval;

  // At the margin, or by one miss off it.
  void choose_misses(std::mt19937_64& draw) {
    const int apart = exact_loads * P.margin_percent / 100;
    misses_[1] = static_cast<int>(draw() % static_cast<unsigned>(exact_loads - apart + 1));
    misses_[0] = misses_[1] + apart + 1 - exacts_++ % 3;
  }
  bool decision_under_way() const { return since_reset_ > P.interval && since_reset_ % P.interval < 31; }

  static bool in_256ths(std::mt19937_64& draw, unsigned rate) { return draw() % 256 < rate; }

  // Idle, sparse and full loads; miss rates that are far apart, close to the margin, or alike.
  void open_phase(std::mt19937_64& draw) {
    static constexpr std::array<unsigned, 6> rates{0, 2, 20, 128, 250, 256};
    left_ = static_cast<int>(draw() % (3 * P.interval)) + P.interval / 2;
    const bool alike = draw() % 2;
    for (unsigned k = 0; k < 2; ++k) {
      load_rate_[k] = alike && k ? load_rate_[0] : rates[draw() % rates.size()];
      miss_rate_[k] = static_cast<unsigned>(draw() % 257);
    }
    if (draw() % 2) miss_rate_[1] = 2 * (draw() % 129);
    if (draw() % 2) {
      const unsigned above = miss_rate_[1] + 256 * P.margin_percent / 100;
      miss_rate_[0] = std::min(256u, above + static_cast<unsigned>(draw() % 5) - std::min(above, 2u));
    }
    if (draw() % 8 == 0) miss_rate_ = {256, 0};
    // For a whole interval: both always have loads, mostly so that the filter is on; each is idle in turn.
    turn_ = (turn_ + 1) % 4;
    if (turn_ == 1) load_rate_ = {256, 256};
    if (turn_ == 1 && draw() % 4) miss_rate_ = {0, 256};
    if (turn_ == 2) load_rate_ = {0, 128};
    if (turn_ == 3) load_rate_ = {128, 0};
    if (turn_ > 0) left_ = 2 * P.interval;
  }

  void conclude() {
    const bool idle = score_.idle(0) || score_.idle(1), on = score_.decision(on_);
    seen_["off, then on"] += !on_ && on;
    seen_["stays on by a decision"] += on_ && on && !idle;
    if (P.margin_percent < 100) {  // nothing is worse by more than that
      seen_["on, then off"] += on_ && !on;
      seen_["stays off by a decision"] += !on_ && !on && !idle;
    }
    seen_["cache 0 idle"] += score_.idle(0) && !score_.idle(1);
    seen_["cache 1 idle"] += score_.idle(1) && !score_.idle(0);
    seen_["stays on for want of loads"] += on_ && idle;
    if (can_be_exact) seen_["exactly at the margin"] += !idle && score_.excess() == 0;
    seen_["a load of both in each cycle"] += full_cycles_ == P.interval;
    score_.clear();
    full_cycles_ = 0;
    on_ = on;
  }

  golden::FilterDueling golden_{P};
  golden::DuelingScore score_{P.margin_percent};
  int left_ = 0, turn_ = 0, exacts_ = 0, full_cycles_ = 0;
  bool exact_ = false;
  std::array<int, 2> misses_{};
  std::array<unsigned, 2> load_rate_{}, miss_rate_{};
  std::int64_t since_reset_ = 0;
  bool on_ = false, before_ = false;
  std::uint64_t shown_ = 0;
  Goals seen_;
};

template <class Dut, hw::FilterDuelingParams P>
class FilterDuelingCosim : public CycleCosim<Dut, FilterDuelingBench<Dut, P>> {
 public:
  FilterDuelingCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&))
      : CycleCosim<Dut, FilterDuelingBench<Dut, P>>(options, 1'000'000, add_probes) {}
};

}  // namespace verif

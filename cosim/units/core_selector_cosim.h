// Lock step of the core selector and its reference model; and properties that do not come from the model: a
// list takes its cycles, holds that many other cores, none twice, and stays as it is until it is taken.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/port_name.h"
#include "cosim/harness/state_compare.h"
#include "golden/remote/core_selector.h"

namespace verif {

template <class Dut, hw::CoreSelectorParams P, class Ports>
class CoreSelectorBench {
 public:
  using Unit = golden::CoreSelector;
  using Targets = std::array<int, P.coverage>;
  struct Inputs {
    bool rst = false;
    Unit::In in = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.valid();
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  CoreSelectorBench() {
    see({});
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) {
    if (std::exchange(is_first_, false)) pairs_.seed(std::mt19937_64(draw)());
    const bool phase = phase_.next(draw);
    if (phase) {
      takes_ = std::array{4u, 32u, 256u}[draw() % 3];
      replies_ = std::array{0u, 8u, 64u, 256u}[draw() % 4];
      suppliers_ = 1 + static_cast<int>(draw() % static_cast<unsigned>(P.cores - 1));
      first_ = static_cast<int>(draw() % static_cast<unsigned>(P.cores));
      waits_ = draw() % 16 == 0 ? 2 * P.period : 0;
    }
    if (std::exchange(rolled_, golden_.roll()) && !golden_.roll()) ++rolls_, plan_replies();
    if (phase && round() < 4) plan_replies();
    waits_ -= waits_ > 0;
    Inputs drawn{.rst = once_in(draw, 20'000 + 8 * P.period)};
    Unit::In& in = drawn.in;
    in.clear = once_in(draw, 3'000 + 4 * P.period);
    in.take = waits_ == 0 && draw() % 256 < takes_;
    in.reply = draw() % 256 < replies_;
    in.core = (first_ + static_cast<int>(draw() % static_cast<unsigned>(suppliers_))) % P.cores;
    if (in_turn_) in.core = next_++ % P.cores;
    if (!wanted_.empty()) reply_as_wanted(in);
    if (in.core == P.core) in.core = (in.core + 1) % P.cores;
    return drawn;
  }

  static void drive(Dut& dut, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    dut.take = in.take, dut.reply = in.reply, dut.clear = in.clear;
    dut.reply_core = static_cast<std::uint8_t>(in.core);
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    return fmt::format("take {:d}, reply {:d} core {}, clear {:d}", in.take, in.reply, in.core, in.clear);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    if (dut.valid != golden_.valid()) return Difference{"valid", dut.valid, golden_.valid()};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    valid_shown_ = dut.valid, probes_shown_ = dut.probes;
    if (!dut.valid) return {};
    const Unit::List& want = golden_.list();
    const auto got = targets_of(dut);
    if (dut.probes != want.probes)
      return Difference{"probes", dut.probes, static_cast<std::uint64_t>(want.probes)};
    for (std::size_t t = 0; t < got.size(); ++t)
      if (got[t] != want.targets[t])
        return Difference{fmt::format("target{}", t), static_cast<std::uint64_t>(got[t]),
                          static_cast<std::uint64_t>(want.targets[t])};
    return broken_property(dut, got);
  }

  void edge(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    see(inputs);
    const bool begins = !in.clear && (golden_.valid() ? in.take : since_ < 0);
    if (begins)
      since_ = golden_.roll() ? -roll_cycles : 0, last_.reset();
    else if (since_ >= -roll_cycles)
      ++since_;
    since_ = inputs.rst || in.clear ? none : since_;
    if (inputs.rst || in.clear) last_.reset();
    inputs.rst ? golden_.reset() : golden_.edge(in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) {
    waves.add_golden("valid", 1, &valid_shown_);
    waves.add_golden("probes", hw::probe_count_bits(P.probes), &probes_shown_);
  }

  Goals goals() { return seen_; }

 private:
  static constexpr int none = -1000, roll_cycles = P.stages ? 2 * P.cores + 4 : 2;
  static constexpr int rounds = 8, near = 6, most = (1 << P.count_bits) - 1;

  // A core that replies so often.
  struct Wanted {
    std::size_t core = 0;
    int count = 0;
  };

  std::vector<std::size_t> others() const {
    std::vector<std::size_t> others;
    for (int c = 0; c < P.cores; ++c)
      if (c != P.core) others.push_back(static_cast<std::size_t>(c));
    return others;
  }
  std::size_t below(std::size_t n) { return pairs_() % n; }

  // A comparison of two counts that differ by one depends on each bit of both.
  void plan_pair(bool first_more) {
    const std::vector<std::size_t> all = others();
    if (all.size() < 2) return;
    const std::size_t apart = std::array{1u, 1u, 2u, 3u, 8u}[below(5)], one = below(all.size()),
                      two = (one + apart) % all.size();
    if (one == two) return;
    const auto [first, second] = std::minmax(all[one], all[two]);
    const int longest = std::max(1, std::min(most - 1, P.period / 2 - 1)),
              count = 1 + static_cast<int>(below(static_cast<unsigned>(longest)));
    want({{first_more ? second : first, count}, {first_more ? first : second, count + 1}});
  }

  // Up to eight cores, neighbours or any, whose counts are all near one number: each comparison on the way
  // to the smallest depends on each bit of it. Some are a power of two.
  void plan_near() {
    std::vector<std::size_t> cores = others();
    if (cores.size() < 2) return;
    if (below(2))
      std::ranges::shuffle(cores, pairs_);
    else
      std::ranges::rotate(cores, cores.begin() + static_cast<std::ptrdiff_t>(below(cores.size())));
    cores.resize(std::min(cores.size(), 2 + below(7)));
    const int spread = static_cast<int>(cores.size()), longest = std::min(most, P.period / spread) - spread;
    if (longest < 1) return;
    int count = 1 + static_cast<int>(below(static_cast<unsigned>(longest)));
    if (below(2))
      count = std::max(1, static_cast<int>(std::bit_floor(static_cast<unsigned>(count))) - spread / 2);
    std::vector<Wanted> wanted;
    for (const std::size_t core : cores)
      wanted.push_back({core, count + static_cast<int>(below(static_cast<unsigned>(spread)))});
    want(std::move(wanted));
  }

  void want(std::vector<Wanted> wanted) {
    wanted_ = std::move(wanted);
    int replies = 0;
    for (const Wanted& w : wanted_) replies += w.count;
    waits_ = std::max(waits_, replies - P.period);
  }

  void reply_as_wanted(Unit::In& in) const {
    const auto& counts = golden_.cores().counts();
    const auto next =
        std::ranges::find_if(wanted_, [&](const Wanted& w) { return counts[w.core] < w.count; });
    in.reply = next != wanted_.end();
    in.core = static_cast<int>(in.reply ? next->core : wanted_.back().core);
  }

  // Each kind of replies once, then mostly the one that takes the longest.
  int round() const { return rolls_ < rounds ? rolls_ : rolls_ % 3 ? near : rolls_ / 3 % rounds; }

  // From roll to roll, so that counts become weights of each kind: nobody replies, one core in each cycle,
  // two cores, all in turn, two cores that differ by one reply, some that are near each other; and once as
  // phases have it. Where a period is too short for that, the list waits.
  void plan_replies() {
    in_turn_ = round() == 3;
    wanted_.clear();
    switch (round()) {
      case 0:
        replies_ = 0;
        break;
      case 1:
        replies_ = 256, suppliers_ = 1, first_ = rolls_ % P.cores;
        waits_ = most >= P.period ? 2 * most : 0;
        break;
      case 2:
        replies_ = 64, suppliers_ = std::min(2, P.cores - 1);
        break;
      case 3:
        replies_ = 256;
        waits_ = P.cores >= P.period ? 2 * P.cores : 0;
        break;
      case 4:
      case 5:
        plan_pair(round() == 5);
        break;
      case near:
        plan_near();
        break;
      default:
        break;
    }
  }

  static Targets targets_of(Dut& dut) {
    Targets targets = {};
    Ports::each_output(dut, [&]<PortName name>(const auto& port) {
      constexpr std::string_view stem = "target";
      if constexpr (name.view().starts_with(stem)) {
        std::size_t number = 0;
        const auto digits = name.view().substr(stem.size());
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        targets[number] = port;
      }
    });
    return targets;
  }

  std::optional<Difference> broken_property(Dut& dut, const Targets& got) {
    const std::set<int> different(got.begin(), got.end());
    if (different.size() != got.size()) return Difference{"different targets", different.size(), got.size()};
    if (different.contains(P.core)) return Difference{"a target, which is this core", P.core, P.core};
    if (*different.rbegin() >= P.cores)
      return Difference{"a target that is no core", static_cast<std::uint64_t>(*different.rbegin()), P.cores};
    if (dut.probes + 1 < P.probes || dut.probes > P.probes)
      return Difference{"probes, S or one less", dut.probes, P.probes};
    if (last_ && *last_ != got) return Difference{"a list that changes before it is taken", 0, 0};
    last_ = got;
    return {};
  }

  void see(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const auto cycle = golden_.cycle_of_list();
    seen_["a clear while a list is drawn"] += in.clear && cycle && *cycle > 0;
    seen_["a clear of a list"] += in.clear && golden_.valid();
    if (in.clear) return;
    seen_["roll while a list waits"] += golden_.roll() && golden_.valid() && !in.take;
    seen_["roll while a list is drawn"] += golden_.roll() && cycle && *cycle > 0;
    seen_["a list that is taken at once"] +=
        golden_.valid() && in.take && since_ == (2 + P.stages) * P.coverage;
    if (P.probability > 0 && P.probability < 1) {
      seen_["all probes"] += golden_.valid() && golden_.list().probes == P.probes;
      seen_["one probe less"] += golden_.valid() && golden_.list().probes < P.probes;
    }
    if (P.kind == hw::SelectorKind::index) return;
    see_counts(in, golden_.roll() && (golden_.valid() ? in.take : !cycle));
  }

  void see_counts(const Unit::In& in, bool rolls) {
    const auto& counts = golden_.cores().counts();
    seen_["a count at its most"] += in.reply && counts[static_cast<std::size_t>(in.core)] == most;
    seen_["a reply as counts become weights"] += rolls && in.reply;
    const auto silent = std::ranges::count(counts, 0);
    seen_["weights without a reply"] += rolls && silent == P.cores;
    if (P.cores > 2) seen_["weights with replies of some"] += rolls && silent > 1 && silent < P.cores;
    seen_["weights with replies of all"] += rolls && silent == 1;
    if (P.cores < 3 || most < 2 || P.period < 4) return;
    std::vector<int> replied;
    for (const int count : counts)
      if (count) replied.push_back(count);
    const bool two = rolls && replied.size() == 2;
    seen_["weights of two cores, the first with one reply less"] += two && replied[1] - replied[0] == 1;
    seen_["weights of two cores, the first with one reply more"] += two && replied[0] - replied[1] == 1;
    if (P.cores < 5 || most < 31 || P.period < 128) return;
    const auto [least, largest] = std::ranges::minmax(replied.empty() ? std::vector{0} : replied);
    seen_["weights of some cores, near each other"] +=
        rolls && replied.size() > 2 && silent > 1 && largest > 8 && largest - least < 8;
  }

  Unit golden_{P};
  Phase phase_;
  unsigned takes_ = 256, replies_ = 64;  // in 256ths
  int suppliers_ = 1, first_ = 0, waits_ = 0, rolls_ = 0, next_ = 0;
  bool is_first_ = true, rolled_ = false, in_turn_ = false;
  int since_ = none;             // cycles since the list began
  std::optional<Targets> last_;  // the list as it was
  std::uint64_t valid_shown_ = 0, probes_shown_ = 0;
  std::vector<Wanted> wanted_;  // replies of this period, where they are planned one by one
  std::mt19937_64 pairs_;       // apart from all else, which stays as it was
  std::optional<StateCompare> state_;
  Goals seen_;
};

}  // namespace verif

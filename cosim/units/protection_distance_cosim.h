// Lock step of protection distances and their reference model, in few sets, so that loads, fills, kills and
// flushes meet; and properties that do not come from the model: a way is open behind a flush, and no load
// bypasses while a way is open.
#pragma once
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "golden/policy/protection_distance.h"

namespace verif {

template <class Dut, hw::ProtectionDistanceParams P>
class ProtectionDistanceBench {
 public:
  using Unit = golden::ProtectionDistance;
  struct Inputs {
    bool rst = false;
    Unit::In in = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.bypasses(in.in.load);
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  ProtectionDistanceBench() {
    see({.load = {.probe = true, .accept = true}});
    see({.load = {.probe = true}});
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) open_phase(draw);
    const auto often = [&](unsigned rate) { return draw() % 256 < rate; };
    Inputs drawn{.rst = once_in(draw, 4000)};
    Unit::Load& load = drawn.in.load;
    load = {.probe = often(loads_),
            .index = set(draw),
            .hit = often(hits_),
            .way = way(draw),
            .accept = often(220)};
    for (int w = 0; w < P.ways; ++w) load.reserved |= static_cast<std::uint32_t>(often(reserves_)) << w;
    drawn.in.fill = {.valid = often(fills_), .index = set(draw), .way = way(draw)};
    drawn.in.kill = {.valid = often(kills_), .index = set(draw), .way = way(draw)};
    drawn.in.flush = once_in(draw, 600);
    return drawn;
  }

  static void drive(Dut& dut, const Inputs& in) {
    const Unit::Load& load = in.in.load;
    put(dut.probe, load.probe), put(dut.index, load.index), put(dut.hit, load.hit), put(dut.way, load.way);
    put(dut.reserved, load.reserved), put(dut.accept, load.accept);
    put(dut.fill, in.in.fill.valid), put(dut.fill_index, in.in.fill.index), put(dut.fill_way, in.in.fill.way);
    put(dut.kill, in.in.kill.valid), put(dut.kill_index, in.in.kill.index), put(dut.kill_way, in.in.kill.way);
    put(dut.flush, in.in.flush);
  }

  static std::string words(const Inputs& in) {
    const Unit::Load& load = in.in.load;
    return fmt::format(
        "probe {:d}, index {}, hit {:d}, way {:#x}, reserved {:#x}, accept {:d}, fill {:d} {} {:#x}, kill "
        "{:d} {} "
        "{:#x}, flush {:d}",
        load.probe, load.index, load.hit, load.way, load.reserved, load.accept, in.in.fill.valid,
        in.in.fill.index, in.in.fill.way, in.in.kill.valid, in.in.kill.index, in.in.kill.way, in.in.flush);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const Unit::Load& load = in.in.load;
    const std::uint64_t open = dut.open, want = golden_.open(load.index, load.reserved);
    if (open != want) return Difference{"open", open, want};
    if (dut.bypass != golden_.bypasses(load)) return Difference{"bypass", dut.bypass, golden_.bypasses(load)};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    if (flushed_ && open != (~load.reserved & all))
      return Difference{"open, every way that is not reserved behind a flush", open, ~load.reserved & all};
    if (dut.bypass && (open || load.hit || !load.probe))
      return Difference{"bypass, of loads that find neither tag nor open way", 1, 0};
    open_shown_ = open;
    return {};
  }

  void edge(const Inputs& in) {
    see(in.in);
    flushed_ = in.rst || in.in.flush;
    seen_["reset"] += in.rst;
    in.rst ? golden_.reset() : golden_.edge(in.in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("open", P.ways, &open_shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr std::uint32_t all = (1u << P.ways) - 1;

  template <class Port>
  static void put(Port& port, std::uint32_t value) {
    port = static_cast<Port>(value);
  }
  // Any rates, in 256ths; or sets are filled, or their lines get old.
  void open_phase(std::mt19937_64& draw) {
    static constexpr std::array<unsigned, 5> rates{0, 8, 64, 160, 256};
    for (unsigned* rate : {&hits_, &fills_, &kills_, &reserves_}) *rate = rates[draw() % rates.size()];
    kills_ /= 4;
    loads_ = 220;
    sets_ = draw() % 2 ? 2 : P.sets;
    const auto kind = draw() % 4;
    if (kind > 1) return;
    kills_ = reserves_ = 0;
    hits_ = kind == 0 ? 64 : 0;
    fills_ = kind == 0 ? 256 : 0;
    loads_ = kind == 0 ? 8 : 256;
    sets_ = kind == 0 ? 2 : 1;
  }
  unsigned set(std::mt19937_64& draw) const {
    return static_cast<unsigned>(draw() % static_cast<unsigned>(sets_));
  }
  static std::uint32_t way(std::mt19937_64& draw) { return 1u << draw() % static_cast<unsigned>(P.ways); }

  void see(const Unit::In& in) {
    const Unit::Load& load = in.load;
    const bool bypass = golden_.bypasses(load);
    std::uint32_t guarded = 0;
    for (int w = 0; w < P.ways; ++w)
      guarded |= static_cast<std::uint32_t>(golden_.left(load.index, w) > 0) << w;
    seen_["a set all reserved"] += bypass && load.reserved == all && !guarded;
    seen_["a set all protected"] += bypass && guarded == all && !load.reserved;
    if (P.ways > 1)
      seen_["a set part reserved, part protected"] += bypass && (guarded & ~load.reserved) && guarded != all;
    seen_["a bypass that waits"] += bypass && !load.accept;
    if (!load.probe || !load.accept) {
      seen_["a load that fails"] += load.probe && load.hit && guarded;
      return;
    }
    const bool same_fill = in.fill.valid && in.fill.index == load.index;
    seen_["an accepted bypass"] += bypass;
    seen_["a load and a fill of one set"] += same_fill;
    seen_["a hit and a fill of one line"] += same_fill && load.hit && in.fill.way == load.way;
    seen_["a hit and a kill of one line"] +=
        in.kill.valid && load.hit && in.kill.index == load.index && in.kill.way == load.way;
    seen_["a fill and a kill of one line"] +=
        in.kill.valid && in.fill.valid && in.kill.index == in.fill.index && in.kill.way == in.fill.way;
    seen_["a fill in a flush"] += in.fill.valid && in.flush;
    seen_["a hit on a reserved way"] += load.hit && (load.way & load.reserved);
    for (int w = 0; w < P.ways; ++w)
      seen_["a line whose protection ends"] +=
          golden_.left(load.index, w) == 1 && !(load.hit && (load.way >> w & 1));
  }

  Unit golden_{P};
  Phase phase_;
  unsigned loads_ = 220, hits_ = 64, fills_ = 64, kills_ = 8, reserves_ = 8;  // in 256ths
  int sets_ = 2;
  bool flushed_ = true;
  std::uint64_t open_shown_ = 0;
  std::optional<StateCompare> state_;
  Goals seen_;
};

}  // namespace verif

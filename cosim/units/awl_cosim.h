// Lock step of adaptive warp limiting and its reference model, over searches of all kinds; and properties
// that do not come from the model: the limit is from 1 to the kernel's warps and changes with periods alone,
// and a search ends within its bound.
#pragma once
#include <array>
#include <bit>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/stimulus/awl_cells.h"
#include "cosim/stimulus/awl_stimulus.h"

namespace verif {

template <class Dut, hw::AwlParams P>
class AwlBench {
 public:
  using Inputs = AwlInputs;
  struct Alone {
    golden::Awl golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += static_cast<unsigned>(golden.limit());
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& in) {
    dut.kernel_start = in.in.kernel_start;
    dut.total = static_cast<std::uint8_t>(in.in.total);
    dut.start = in.in.start;
    dut.issued = static_cast<std::remove_reference_t<decltype(dut.issued)>>(in.in.issued);
  }

  static std::string words(const Inputs& in) {
    return fmt::format("kernel_start {:d}, total {}, start {:d}, issued {}", in.in.kernel_start, in.in.total,
                       in.in.start, in.in.issued);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const std::tuple<const char*, std::uint64_t, std::uint64_t> outputs[] = {
        {"limit", dut.limit, static_cast<unsigned>(golden_.limit())},
        {"busy", dut.busy, golden_.busy()},
        {"done", dut.done, golden_.done()},
        {"moved", dut.moved, golden_.moved()}};
    for (const auto& [port, got, want] : outputs)
      if (got != want) return Difference{port, got, want};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    limit_shown_ = dut.limit;
    return broken_property(dut.limit, dut.busy);
  }

  void edge(const Inputs& in) {
    see(in);
    const golden::Awl before = golden_;
    const std::int64_t ipc = golden_.ipc() + in.in.issued;
    const bool searching = golden_.busy(), judged = searching && ends_period() && ipc > 0;
    if (in.rst || in.in.kernel_start) {
      total_ = in.rst ? P.warps : in.in.total;
      since_start_ = periods_ = 0;
    } else if (searching) {
      periods_ += judged;
      ++since_start_;
    } else {
      since_start_ = periods_ = 0;
    }
    may_change_ = in.rst || in.in.kernel_start || (searching && since_start_ % P.period == 0);
    in.rst ? golden_.reset() : golden_.edge(in.in);
    if (in.rst || in.in.kernel_start || !judged) return;
    for (const std::string& goal : awl_reached(P, before, golden_, in.in.issued))
      if (!goal.empty()) ++seen_[goal], stimulus_.reached(goal);
    see_ipc(ipc, before.search().previous_ipc(), in.in.issued);
    if (!golden_.done()) return;
    see_details(before, ipc > before.search().previous_ipc());
    seen_["moved"] += golden_.moved();
    seen_["not moved"] += !golden_.moved();
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("limit", hw::warp_count_bits(P), &limit_shown_); }

  Goals goals() { return seen_; }

 private:
  bool ends_period() const { return golden_.cycle() == P.period - 1; }

  std::optional<Difference> broken_property(std::uint64_t limit, bool busy) {
    if (limit < 1 || limit > static_cast<std::uint64_t>(total_))
      return Difference{"limit, which is from 1 to the kernel's warps", limit, static_cast<unsigned>(total_)};
    if (limit != limit_before_ && !may_change_)
      return Difference{"limit, which changed inside a period", limit, limit_before_};
    limit_before_ = limit;
    if (busy && periods_ >= bound())
      return Difference{"busy, longer than a search may be", static_cast<unsigned>(periods_),
                        static_cast<unsigned>(bound())};
    return {};
  }

  // Periods in which something is issued: of 24 warps as the contract states it.
  int bound() const {
    if (P.warps == 24) return P.linear_from == hw::LinearFrom::best ? 21 : 20;
    return reach_.longest;
  }

  void see(const Inputs& in) {
    const bool kernel = in.in.kernel_start && !in.rst, busy = golden_.busy();
    seen_["reset"] += in.rst;
    seen_["kernel start without a search"] += kernel && !busy;
    seen_["kernel start with a start"] += kernel && in.in.start;
    seen_["a kernel of one warp"] += kernel && in.in.total == 1;
    seen_["a start of one warp"] += !kernel && !busy && in.in.start && golden_.search().total() == 1;
    if (P.warps == 1) return;
    seen_["kernel start as a period ends"] += kernel && busy && ends_period();
    seen_["a start while a search goes on"] += in.in.start && busy;
    seen_["a period in which nothing was issued"] +=
        busy && ends_period() && golden_.ipc() + in.in.issued == 0;
    if (P.warps < 4) return;  // too few for each kind of search
    seen_["kernel start in halving"] += kernel && in_step(golden::WarpSearch::Step::binary_down);
    seen_["kernel start in doubling"] += kernel && in_step(golden::WarpSearch::Step::binary_up);
    seen_["kernel start in one by one down"] += kernel && in_step(golden::WarpSearch::Step::linear_down);
    seen_["kernel start in one by one up"] += kernel && in_step(golden::WarpSearch::Step::linear_up);
  }
  bool in_step(golden::WarpSearch::Step step) const {
    return golden_.busy() && golden_.search().step() == step;
  }

  void see_details(const golden::Awl& before, bool pays) {
    for (const std::string& goal : awl_details(P, before.settled(), golden_.limit(), pays))
      if (seen_.contains(goal)) ++seen_[goal], stimulus_.reached(goal);
  }

  void see_ipc(std::int64_t ipc, std::int64_t before, int issued) {
    if (upper_bits) {
      const bool carries = ipc / lower > (ipc - issued) / lower;
      seen_["a carry of the last cycle decides"] +=
          before > 0 && carries && (ipc - issued) / lower == before / lower && ipc % lower <= before % lower;
      const auto differ = static_cast<std::uint64_t>(ipc / lower ^ before / lower);
      const bool lower_tell = (ipc % lower > before % lower) != (ipc > before);
      for (const bool carry : {false, true})
        seen_[carry ? "one upper bit decides, with a carry" : "one upper bit decides"] +=
            before > 0 && carries == carry && std::has_single_bit(differ) && lower_tell;
      if (before > 0 && ipc < before && std::has_single_bit(differ) && lower_tell) {
        fail_[carries] |= differ;
        stimulus_.failed(differ, carries);
        seen_[each_bit(carries)] = fail_[carries] == upper_mask;
      }
    }
    seen_["the same IPC as before"] += ipc == before;
    seen_["one instruction more than before"] += before > 0 && ipc == before + 1;
    seen_["one instruction less than before"] += ipc + 1 == before;
    seen_["all lanes in each cycle"] += ipc == std::int64_t{P.period} * P.issue_max;
  }

  // The bits above those of a cycle, one at a time, with the lower bits to the contrary.
  static const char* each_bit(bool carries) {
    return carries ? "each upper bit alone makes a count fail, with a carry"
                   : "each upper bit alone makes a count fail";
  }

  static Goals stated() {
    Goals goals;
    if (P.warps == 1) return goals;  // no search
    for (const char* goal : {"the same IPC as before", "one instruction more than before",
                             "one instruction less than before", "all lanes in each cycle", "not moved"})
      goals[goal] = 0;
    // A sequence of many periods, each better than the one before, needs as many IPCs.
    if (std::int64_t{P.period} * P.issue_max < 2 * P.warps) return goals;
    if (upper_bits)
      for (const char* goal : {"a carry of the last cycle decides", "one upper bit decides",
                               "one upper bit decides, with a carry", each_bit(false), each_bit(true)})
        goals[goal] = 0;
    for (const std::string& cell : awl_reach(P).cells) goals[cell] = 0;
    for (const std::string& result : awl_results(P)) goals[result] = 0;
    for (const std::string& result : awl_all_details(P)) goals[result] = 0;
    return goals;
  }

  // Of an IPC: the bits of what is issued in a cycle, and those above, where there are some.
  static constexpr std::int64_t lower = std::int64_t{1} << hw::issued_bits(P);
  static constexpr bool upper_bits = std::int64_t{P.period} * P.issue_max >= 8 * lower;

  static constexpr std::uint64_t upper_mask =
      (std::uint64_t{1} << (hw::ipc_bits(P, P.period) - hw::issued_bits(P))) - 1;

  golden::Awl golden_{P};
  AwlStimulus stimulus_{P};
  std::array<std::uint64_t, 2> fail_ = {};  // upper bits that made a count fail, by whether with a carry
  const AwlReach reach_ = awl_reach(P);
  std::optional<StateCompare> state_;
  int total_ = P.warps, periods_ = 0;
  std::int64_t since_start_ = 0;
  std::uint64_t limit_before_ = P.warps, limit_shown_ = 0;
  bool may_change_ = true;
  Goals seen_ = stated();
};

}  // namespace verif

// Lock step of the written filter and its reference model, over few lines and many; and properties that do
// not come from the model: a line that was marked is found until the next clear, nothing is found of a group
// of sets in which nothing was marked, and a clear takes its cycles.
#pragma once
#include <array>
#include <optional>
#include <set>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "golden/shared/written_filter.h"

namespace verif {

template <class Dut, hw::WrittenFilterParams P>
class WrittenFilterBench {
 public:
  using Unit = golden::WrittenFilter;
  struct Inputs {
    bool rst = false;
    Unit::In in = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.written();
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  WrittenFilterBench() {
    see({}, false);
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      valid_ = std::array{32u, 128u, 256u}[draw() % 3];
      marks_ = std::array{0u, 32u, 128u, 256u}[draw() % 4];
      kind_ = draw() % 4;
      base_ = draw() & all_blocks;
    }
    Inputs drawn{.rst = once_in(draw, 20'000)};
    Unit::In& in = drawn.in;
    in.clear = once_in(draw, golden_.ready() ? 3 * rows : 40 * rows);
    in.valid = draw() % 256 < valid_;
    in.mark = draw() % 256 < marks_;
    in.block = block(draw);
    in.odd = kind_ == 3 ? draw() % 2 : in.block & 1;
    return drawn;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.clear = in.in.clear, dut.request_valid = in.in.valid, dut.request_mark = in.in.mark;
    dut.request_block_address =
        static_cast<std::remove_reference_t<decltype(dut.request_block_address)>>(in.in.block);
    dut.request_odd = in.in.odd;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("clear {:d}, {} {:#x} odd {:d}", in.in.clear,
                       in.in.valid ? in.in.mark ? "mark" : "ask" : "nothing", in.in.block, in.in.odd);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const bool ready = dut.request_ready, written = dut.written;
    if (ready != golden_.ready()) return Difference{"request_ready", ready, golden_.ready()};
    if (golden_.answers() && written != golden_.written())
      return Difference{"written", written, golden_.written()};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    if (ready != (clearing_ == 0)) return Difference{"cycles of a clear left over", ready, clearing_};
    if (asked_ && known_ && !written) return Difference{"written, of a line that was marked", 0, 1};
    if (asked_ && untouched_ && written) return Difference{"written, where nothing was marked", 1, 0};
    written_shown_ = written;
    return {};
  }

  void edge(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    const bool takes = in.valid && clearing_ == 0 && !inputs.rst;
    see(inputs, takes);
    const std::pair line{in.block, in.odd};
    asked_ = takes;
    known_ = takes && marked_.contains(line);
    untouched_ = !marked_in_[in.odd];
    if (takes && in.mark) marked_.insert(line), marked_in_[in.odd] = true;
    clearing_ -= clearing_ > 0;
    if (in.clear || inputs.rst) marked_.clear(), marked_in_ = {}, clearing_ = rows;
    inputs.rst ? golden_.reset() : golden_.edge(in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("written", 1, &written_shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr int rows = hw::written_rows(P);
  static constexpr int block_bits = P.address_bits - std::bit_width(static_cast<unsigned>(P.line_bytes)) + 1;
  static constexpr std::uint64_t all_blocks = (std::uint64_t{1} << block_bits) - 1;

  // Any line; neighbours; or lines that differ in two bits.
  std::uint64_t block(std::mt19937_64& draw) const {
    if (kind_ == 0) return draw() & all_blocks;
    if (kind_ == 1) return base_ ^ (draw() % 4);
    const auto bit = [&] { return std::uint64_t{1} << draw() % block_bits; };
    return base_ ^ bit() ^ bit();
  }

  void see(const Inputs& inputs, bool takes) {
    const Unit::In& in = inputs.in;
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const std::size_t at = golden_.index(in.block, in.odd);
    const bool again = takes && last_ && *last_ / hw::written_row_bits == at / hw::written_row_bits;
    seen_["a request behind a mark of its row"] += again;
    seen_["a request behind a mark of its bit"] += again && *last_ == at;
    seen_["a mark in the cycle of a clear"] += in.clear && takes && in.mark;
    seen_["a clear while it clears"] += in.clear && clearing_ > 0;
    seen_["a request that waits"] += in.valid && clearing_ > 0;
    seen_["found"] += asked_ && golden_.written();
    seen_["not found"] += asked_ && !golden_.written();
    seen_["found, though another was marked"] += asked_ && !known_ && golden_.written();
    last_.reset();
    if (takes && in.mark && !in.clear) last_ = at;
  }

  Unit golden_{P};
  Phase phase_;
  unsigned valid_ = 128, marks_ = 64;  // in 256ths
  std::uint64_t kind_ = 0, base_ = 0;
  std::set<std::pair<std::uint64_t, bool>> marked_;
  std::array<bool, 2> marked_in_ = {};  // of even sets and odd ones
  int clearing_ = rows;
  bool asked_ = false, known_ = false, untouched_ = true;
  std::optional<std::size_t> last_;  // bit of the request before, if it marked
  std::uint64_t written_shown_ = 0;
  std::optional<StateCompare> state_;
  Goals seen_;
};

}  // namespace verif

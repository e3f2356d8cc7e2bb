#include "cosim/l1d/flop_upsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "golden/l1d/l1d_ports.h"

namespace verif {
namespace {

// Of traffic around an upset, which comes in the first half.
constexpr std::int64_t cycles_of_a_run = 2'000;
// In which an idle cache takes a request or a flush.
constexpr int longest_idle_wait = 5'000;

// What the cache shows, as the model's outputs.
class ShownOut {
 public:
  const golden::L1dOut& of(const L1dSeen& seen, int line_bytes) {
    constexpr auto places = std::make_index_sequence<
        std::tuple_size_v<std::remove_cvref_t<decltype(golden::all_l1d_outputs<L1dSeen>)>>>();
    [&]<std::size_t... place>(std::index_sequence<place...>) { (number<place>(seen), ...); }
    (places);
    out_.decisions = seen.decisions;
    const auto bytes = static_cast<std::size_t>(line_bytes);
    std::memcpy(response_.data(), seen.core_response_data, bytes);
    std::memcpy(request_.data(), seen.memory_request_data, bytes);
    std::memcpy(enables_.data(), seen.memory_request_byte_enable, bytes / 8);
    out_.core_response_data = &response_;
    out_.memory_request_data = &request_;
    out_.memory_request_byte_enable = &enables_;
    return out_;
  }

 private:
  template <std::size_t place>
  void number(const L1dSeen& seen) {
    constexpr auto from = std::get<place>(golden::all_l1d_outputs<L1dSeen>).member;
    constexpr auto to = std::get<place>(golden::all_l1d_outputs<golden::L1dOut>).member;
    if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(seen.*from)>>) out_.*to = seen.*from;
  }

  golden::L1dOut out_;
  golden::LineData response_{}, request_{};
  golden::ByteMask enables_{};
};

// Rules that the core or memory can check by what it has sent and received. Any other broken rule is silent.
bool neighbour_sees(const std::string& rule) {
  static constexpr std::array seen{"core_response_id, an answer to no request",
                                   "core_response_mask, of the request",
                                   "core_response_valid, fell",
                                   "core_response_id or _mask, changed",
                                   "core_response_data, changed",
                                   "core_request_ready for a snoop",
                                   "memory_request_id of a fetch",
                                   "memory_request_id, in flight already",
                                   "memory_request_id, top bit",
                                   "memory_request_mask of a fetch",
                                   "memory_request_address, offset bits",
                                   "memory_request_byte_enable of a load",
                                   "memory_request_valid, fell",
                                   "memory_request, changed",
                                   "memory_request_byte_enable, changed",
                                   "memory_request_data, changed",
                                   "memory_response_ready"};
  return std::ranges::any_of(seen, [&](const char* start) { return rule.starts_with(start); });
}

}  // namespace

FlopUpsets::FlopUpsets(const CosimOptions& options, const hw::L1dParams& params, const MakeL1d& make)
    : options_(options),
      params_(params),
      cache_(make()),
      reference_(make()),
      at_rest_(golden::CycleL1d::make(params)),
      compare_(params),
      draw_(options.seed ^ 0x666c6f70) {
  for (const SeenRam& flops : cache_.state.rams()) {
    const std::size_t dot = flops.name.find('.');
    const std::string name = dot == flops.name.npos ? options.top : flops.name.substr(0, dot);
    auto group = std::ranges::find(groups_, name, &Group::name);
    if (group == groups_.end()) group = groups_.insert(group, {.name = name});
    group_of_.push_back(static_cast<std::size_t>(group - groups_.begin()));
    group->flops += std::int64_t{flops.rows} * flops.row_bits;
    flops_ += std::int64_t{flops.rows} * flops.row_bits;
  }
  if (flops_ == 0) throw std::runtime_error("no flip-flop of the cache can be reached");
}

// Each as often as any other.
FlopUpsets::Flop FlopUpsets::any_flop() {
  std::uint64_t n = draw_() % static_cast<std::uint64_t>(flops_);
  for (std::size_t r = 0;; ++r) {
    const SeenRam& flops = cache_.state.rams()[r];
    const std::uint64_t here = std::uint64_t{flops.rows} * flops.row_bits;
    if (n < here)
      return {&flops, &groups_[group_of_[r]], static_cast<unsigned>(n / flops.row_bits),
              static_cast<unsigned>(n % flops.row_bits)};
    n -= here;
  }
}

// An output that counts is another than that of the cache without the upset, which has the same inputs.
bool FlopUpsets::differs(const golden::L1dIn& in) {
  L1dSeen reference;
  reference_.dut->settle(in);
  reference_.dut->read(reference);
  ShownOut want;
  return !compare_.ports(shown_, want.of(reference, params_.line_bytes));
}

// Behind the last answer no request is under way, but one may wait in front of the cache, or a flush.
bool FlopUpsets::takes_what_waits(const golden::L1dIn& last) {
  golden::L1dIn in = last;
  in.rst = in.memory_response_valid = false;
  in.core_response_ready = in.memory_request_ready = true;
  for (int n = 0; n < longest_idle_wait; ++n) {
    cache_.dut->settle(in);
    cache_.dut->read(shown_);
    in.flush_valid = in.flush_valid && !shown_.flush_ready;
    in.core_request_valid = in.core_request_valid && !shown_.core_request_ready;
    cache_.dut->edge();
    if (!in.core_request_valid && !in.flush_valid) return true;
  }
  return false;
}

FlopUpsets::Fate FlopUpsets::upset(std::uint64_t seed, const Flop& flop) {
  L1dScoreboard scoreboard(params_);
  L1dStimulus stimulus(params_, seed, cycles_of_a_run, scoreboard);
  stimulus.aim_at(*at_rest_);
  const auto at = 2 + static_cast<std::int64_t>(draw_() % (cycles_of_a_run / 2));
  golden::L1dIn in;
  ShownOut shown;
  bool differed = false, known = false;
  for (std::int64_t cycle = 0; stimulus.drive(in); ++cycle, ++cycles_) {
    if (cycle == at) flop.of->flip(flop.row, {flop.bit});
    cache_.dut->settle(in);
    cache_.dut->read(shown_);
    if (known && !in.rst && !differed) differed = differs(in);
    if (in.rst) {
      scoreboard.reset();
      stimulus.fill(scoreboard.lines());
    } else if (known) {
      if (shown_.protocol_error || shown_.ecc_uncorrectable) return detected;
      const L1dDifference& broken = scoreboard.cycle(in, shown_);
      if (!broken.port.empty()) return neighbour_sees(broken.port) ? detected : silent;
    }
    stimulus.clock(in, shown.of(shown_, params_.line_bytes), shown_);
    cache_.dut->edge();
    if (!differed) {
      reference_.dut->settle(in);
      reference_.dut->edge();
    }
    known |= in.rst;
  }
  if (scoreboard.outstanding() > 0) return hung;
  if (!differed) return masked;
  in.core_request_valid = in.core_request_valid && !shown_.core_request_ready;
  in.flush_valid = in.flush_valid && !shown_.flush_ready;
  return takes_what_waits(in) ? harmless : hung;
}

CosimReport FlopUpsets::run() {
  CosimReport report;
  report.stimulus = "random traffic";
  Progress progress(options_, options_.flop_upsets * cycles_of_a_run);
  for (std::int64_t n = 0; n < options_.flop_upsets; ++n) {
    const Flop flop = any_flop();
    ++flop.group->seen[upset(options_.seed + static_cast<std::uint64_t>(n), flop)];
    progress.at(n * cycles_of_a_run);
  }
  report.cycles = cycles_;
  report.json.emplace_back("flop_upsets", json());
  return report;
}

std::string FlopUpsets::json() const {
  std::string text;
  for (const Group& g : groups_)
    text += fmt::format(
        "{}{{\"registers\": \"{}\", \"flops\": {}, \"upsets\": {}, \"masked\": {}, \"harmless\": {}, "
        "\"detected\": {}, \"hung\": {}, \"silent\": {}}}",
        text.empty() ? "" : ", ", g.name, g.flops,
        g.seen[masked] + g.seen[harmless] + g.seen[detected] + g.seen[hung] + g.seen[silent], g.seen[masked],
        g.seen[harmless], g.seen[detected], g.seen[hung], g.seen[silent]);
  return "[" + text + "]";
}

}  // namespace verif

#include "cosim/units/adi_stimulus.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "golden/trace/coalesce.h"

namespace verif {
namespace {
constexpr std::size_t trace_window = 4096;
int offset_of(int line_bytes) { return std::countr_zero(static_cast<unsigned>(line_bytes)); }
}  // namespace

TraceLoads::TraceLoads(std::vector<std::string> files, int line_bytes, std::uint64_t block_mask,
                       std::size_t window)
    : records_(std::move(files)),
      line_bytes_(line_bytes),
      offset_bits_(std::countr_zero(static_cast<unsigned>(line_bytes))),
      mask_(block_mask),
      window_(window) {}

bool TraceLoads::next_load(golden::Record& record) {
  while (records_.next(record))
    if (!record.is_barrier() && record.kind == golden::AccessKind::load) return true;
  return false;
}

bool TraceLoads::refill() {
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::deque<std::vector<std::uint64_t>>> warps;
  golden::Record record;
  std::vector<std::uint64_t> lines;
  std::size_t n = 0;
  for (; n < window_ && next_load(record); ++n) {
    golden::coalesce(record, line_bytes_, lines);
    warps[{record.cta, record.warp}].push_back(lines);
  }
  while (!warps.empty())
    for (auto warp = warps.begin(); warp != warps.end();) {
      for (const std::uint64_t line : warp->second.front()) blocks_.push_back(line >> offset_bits_ & mask_);
      warp->second.pop_front();
      warp = warp->second.empty() ? warps.erase(warp) : std::next(warp);
    }
  return n > 0;
}

bool TraceLoads::next(std::uint64_t& block_address) {
  while (blocks_.empty())
    if (!refill()) return false;
  block_address = blocks_.front();
  blocks_.pop_front();
  return true;
}

AdiStimulus::AdiStimulus(const CosimOptions& options, const hw::AdiMonitorParams& p)
    : options_(options),
      p_(p),
      draw_(options.seed),
      environment_(p.address_bits - offset_of(p.line_bytes), offset_of(p.line_bytes)) {
  if (options.traces.empty())
    total_ = options.random_cycles ? options.random_cycles : default_cycles;
  else
    trace_ = std::make_unique<TraceLoads>(
        options.traces, p.line_bytes, ~std::uint64_t{0} >> (64 - p.address_bits + offset_of(p.line_bytes)),
        trace_window);
}

std::string AdiStimulus::words() const {
  if (!trace_) return "random loads";
  return options_.traces.size() == 1 ? "a trace" : fmt::format("{} traces", options_.traces.size());
}

void AdiStimulus::open_environment(std::span<const int> sel) {
  environment_.open(draw_, sel);
  // From shorter than a phase to longer than a round.
  environment_left_ =
      1 + static_cast<std::int64_t>(draw_() % (chance(8) ? 8 * p_.period : 4 * (2 * p_.period + p_.idle)));
  constexpr unsigned rates[] = {16, 16, 12, 2};
  valid_rate_ = rates[draw_() % 4];
  miss_rate_ = rates[draw_() % 4];
  ready_rate_ = rates[draw_() % 4];
}

// While it rests, soon; else rarely, but in searches and flushes, which are short.
bool AdiStimulus::round_starts(golden::AdiMonitor::Step step) {
  using Step = golden::AdiMonitor::Step;
  const auto once_in = [&](int n) { return draw_() % static_cast<unsigned>(n) == 0; };
  if (step == Step::idle) return once_in(10);
  if (step == Step::victim_search || step == Step::winner_search) return once_in(150);
  return once_in(step == Step::flush ? 8 : 20 * p_.period);
}

bool AdiStimulus::next(AdiInputs& in, const golden::AdiMonitor& golden) {
  if (trace_) {
    // Warm-up of the reset, then a load in each cycle; a flush is taken in one of four cycles.
    in = {.rst = done_ == 0, .probe_valid = done_ != 0, .flush_ready = done_ % 4 == 3};
    ++done_;
    return in.rst || trace_->next(in.block_address);
  }
  if (done_ == total_) return false;
  in.rst = done_ == 0;
  if (environment_left_-- == 0) {
    open_environment(golden.sel());
    in.rst |= draw_() % 64 == 0;
  }
  in.probe_valid = chance(valid_rate_);
  in.block_address = environment_.block(draw_);
  in.probe_miss = chance(miss_rate_);
  in.flush_ready = chance(ready_rate_);
  in.adi_start = p_.steered && round_starts(golden.step());
  ++done_;
  return true;
}

}  // namespace verif

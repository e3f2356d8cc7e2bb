#include "verif/lockstep/l1d/l1d_cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "golden/l1d/l1d_ports.h"
#include "verif/lockstep/harness/cpu_seconds.h"
#include "verif/lockstep/l1d/l1d_stimulus.h"

namespace verif {

using golden::L1dIn, golden::L1dOut;

namespace {

constexpr std::int64_t default_cycles = 1'000'000, timed_cycles = 400'000;
// After so many cycles an event that was not reached is a fault of the stimulus.
constexpr std::int64_t enough_cycles = 200'000;

// Outputs that are no bytes.
template <class See>
void each_number(const See& see) {
  const auto look = [&](const auto& port) {
    if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(L1dOut{}.*port.member)>>) see(port);
  };
  std::apply([&](const auto&... port) { (look(port), ...); }, golden::l1d_outputs<L1dOut>);
}

std::string words(const L1dIn& in) {
  std::string text = in.rst ? "rst " : "";
  if (in.core_request_valid)
    text +=
        fmt::format("core_request id {:#x} kind {} address {:#x} mask {:#x}, ", in.core_request_id,
                    static_cast<int>(in.core_request_kind), in.core_request_address, in.core_request_mask);
  if (in.memory_response_valid)
    text +=
        fmt::format("memory_response id {:#x} mask {:#x}, ", in.memory_response_id, in.memory_response_mask);
  return text + fmt::format("core_response_ready {:d}, memory_request_ready {:d}, flush_valid {:d}",
                            in.core_response_ready, in.memory_request_ready, in.flush_valid);
}

}  // namespace

L1dCosim::L1dCosim(const CosimOptions& options, const hw::L1dParams& params, int tag_bits, L1dDut& dut,
                   L1dDut& bare)
    : options_(options),
      params_(params),
      dut_(dut),
      bare_(bare),
      owned_(golden::CycleL1d::make(params)),
      owned_alone_(golden::CycleL1d::make(params)),
      golden_(*owned_),
      golden_alone_(*owned_alone_),
      books_(params),
      compare_(params, tag_bits),
      watch_(params),
      has_events_(dut.has_events()),
      view_(dut.state()) {
  batch_.reserve(batch_size);
  if (options.vcd.empty()) return;
  waves_ = std::make_unique<Waves>(options);
}

CosimReport L1dCosim::run() {
  if (waves_) add_golden_waves();
  if (!options_.replays.empty())
    run_replays();
  else if (!options_.traces.empty())
    run_traces();
  else
    run_random();
  if (timed_) {
    report_.cosim_cycles_per_second = static_cast<double>(timed_) / cosim_seconds_;
    report_.bare_cycles_per_second = static_cast<double>(timed_) / bare_seconds_;
    report_.golden_cycles_per_second = static_cast<double>(timed_) / golden_seconds_;
  }
  if (!view_.valid) report_.lines.push_back("ports alone: the inner state could not be looked at");
  if (waves_) waves_->close();
  return report_;
}

void L1dCosim::run_random() {
  L1dStimulus stimulus(params_, options_.seed,
                       options_.random_cycles ? options_.random_cycles : default_cycles, books_);
  stimulus.aim_at(golden_);
  Progress progress(options_, stimulus.total());
  report_.stimulus = "random traffic";
  drive(stimulus, progress);
  if (report_.mismatches.empty() && books_.outstanding() > 0)
    fail({.port = "requests that are never answered", .dut = books_.outstanding()});
  if (report_.cycles >= enough_cycles) report_.must_see = watch_.must_see(golden_, books_);
  report_counters(golden_.counters());
}

void L1dCosim::drive(L1dDriver& driver, Progress& progress) {
  for (bool more = true; more && report_.mismatches.empty();) {
    before_.assign(batch_.end() - std::min<std::ptrdiff_t>(8, std::ssize(batch_)), batch_.end());
    batch_.clear();
    const double start = cpu_seconds();
    while (batch_.size() < batch_size && (more = cycle(driver)))
      ;
    if (timed_ < timed_cycles && !waves_ && report_.mismatches.empty()) time_batch(cpu_seconds() - start);
    progress.at(report_.cycles);
  }
}

void L1dCosim::time_batch(double checked_seconds) {
  const double start = cpu_seconds();
  for (const L1dIn& in : batch_) {
    bare_.settle(in);
    bare_.edge();
  }
  const double middle = cpu_seconds();
  for (const L1dIn& in : batch_) {
    golden_alone_.outputs(in);
    golden_alone_.edge(in);
  }
  cosim_seconds_ += checked_seconds;
  bare_seconds_ += middle - start;
  golden_seconds_ += cpu_seconds() - middle;
  timed_ += std::ssize(batch_);
}

bool L1dCosim::fail(const Mismatch& found) {
  Mismatch m = found;
  m.cycle = report_.cycles;
  std::vector<L1dIn> last = before_;
  last.insert(last.end(), batch_.begin(), batch_.end());
  const std::int64_t shown = std::min<std::int64_t>(8, std::ssize(last));
  for (std::int64_t i = shown; i > 0; --i)
    m.last_inputs.push_back(fmt::format("cycle {:>8}  {}", m.cycle + 1 - i, words(last[last.size() - i])));
  report_.mismatches.push_back(std::move(m));
  return false;
}

// The same cycle with other values of what the outputs must not depend on.
bool L1dCosim::independent_of_ready() {
  L1dIn other = in_;
  L1dSeen seen;
  if (report_.cycles % 512 == 0) {
    other.core_response_ready = !in_.core_response_ready;
    other.memory_request_ready = !in_.memory_request_ready;
    dut_.settle(other);
    dut_.read(seen);
    dut_.settle(in_);
    dut_.read(seen_);
    if (seen.core_response_valid != seen_.core_response_valid ||
        seen.memory_request_valid != seen_.memory_request_valid)
      return fail({.port = "valid, which depends on ready", .dut = 1});
    if (seen_.core_response_valid && seen.core_response_id != seen_.core_response_id)
      return fail({.port = "core_response_id, which depends on ready", .dut = 1});
  } else {
    other.core_request_valid = !in_.core_request_valid;
    dut_.settle(other);
    dut_.read(seen);
    dut_.settle(in_);
    dut_.read(seen_);
    if (seen.core_request_ready != seen_.core_request_ready)
      return fail({.port = "core_request_ready, which depends on valid", .dut = 1});
    if (seen.flush_ready != seen_.flush_ready)
      return fail({.port = "flush_ready, which depends on a request", .dut = 1});
  }
  return true;
}

bool L1dCosim::compare_state() {
  const auto entries = static_cast<unsigned>(params_.mshr_entries);
  if (view_.sel && !compare_.adaptive(view_, *golden_.adaptive())) return false;
  if (view_.valid && !compare_.probed_set(view_, golden_, set_shown_)) return false;
  const auto same_slots = [&](unsigned e) {
    return !view_.entry_slots || compare_.entry_slots(view_, golden_, e);
  };
  if (view_.valid && entry_probed_ != ~0u &&
      !(compare_.entry(view_, golden_.entry(entry_probed_), entry_probed_) && same_slots(entry_probed_)))
    return false;
  for (int i = 0; i < (entries > 64 ? 2 : 1); ++i) {
    entry_swept_ = entry_swept_ + 1 < entries ? entry_swept_ + 1 : 0;
    const auto entry = golden_.entry(entry_swept_);
    watch_.entry(entry_swept_, entry.in_use && entry.doomed);
    if (view_.valid && !(compare_.entry(view_, entry, entry_swept_) && same_slots(entry_swept_)))
      return false;
  }
  return true;
}

bool L1dCosim::cycle(L1dDriver& driver) {
  if (!driver.drive(in_)) return false;
  batch_.push_back(in_);
  dut_.settle(in_);
  dut_.read(seen_);
  out_ = &golden_.outputs(in_);
  if (waves_) {
    sample_golden();
    waves_->known(known_);
    waves_->sample(report_.cycles);
  }
  if (known_) {
    if (report_.cycles % 256 == 0 && !independent_of_ready()) return false;
    if (!compare_.ports(seen_, *out_)) return fail(compare_.found());
    if (has_events_) {
      dut_.read_events(events_);
      if (!compare_.events(events_, golden_.events())) return fail(compare_.found());
    }
    if (!compare_state()) return fail(compare_.found());
    watch_.before(in_, *out_, golden_);
    if (in_.memory_response_valid && out_->memory_response_ready && driver.out_of_order())
      watch_.out_of_order();
  }
  if (in_.rst) {
    books_.reset();
    watch_.reset();
    driver.fill(books_.lines());
  } else if (known_) {
    if (const Mismatch& broken = books_.cycle(in_, seen_); !broken.port.empty()) return fail(broken);
  }
  driver.clock(in_, *out_, seen_);
  if (const Mismatch* wrong = driver.wrong()) return fail(*wrong);
  golden_.edge(in_);
  dut_.edge();
  known_ |= in_.rst;
  if (!in_.rst) watch_.behind(golden_);
  // The set of a probe is looked at behind its edge, in other cycles any set, one after the other.
  const auto& probe = golden_.last_probe();
  entry_probed_ = probe.occupied ? probe.entry : ~0u;
  const auto sets = static_cast<unsigned>(params_.index.sets);
  if (!probe.occupied) set_swept_ = set_swept_ + 1 < sets ? set_swept_ + 1 : 0;
  set_shown_ = probe.occupied ? probe.set : set_swept_;
  dut_.look_at(set_shown_);
  if (waves_) waves_->sample(report_.cycles, true);
  ++report_.cycles;
  return true;
}

void L1dCosim::add_golden_waves() {
  each_number([&](const auto& port) {
    golden_waves_.push_back(0);
    waves_->add_golden(std::string(port.name), hw::width_of_port(params_, port.name), &golden_waves_.back());
  });
  golden_waves_.push_back(0);
  waves_->add_golden("lfsr", 16, &golden_waves_.back());
}

void L1dCosim::sample_golden() {
  auto wave = golden_waves_.begin();
  each_number([&](const auto& port) { *wave++ = static_cast<std::uint64_t>(out_->*port.member); });
  *wave = golden_.tags().lfsr();
}

}  // namespace verif

#include "cosim/l1d/l1d_cosim.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/l1d/l1d_stimulus.h"
#include "golden/l1d/l1d_ports.h"

namespace verif {

using golden::L1dIn, golden::L1dOut;

namespace {

constexpr std::int64_t timed_cycles = 400'000;

// See(port, words): a port of the model, and its value as words; none where it does not count.
template <class See>
void each_output(const L1dOut& out, const See& see) {
  const auto look = [&](const auto& port) {
    const auto& value = out.*port.member;
    bool counts = true;
    if constexpr (std::is_member_pointer_v<decltype(port.valid)>) counts = out.*port.valid;
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(value)>>) {
      see(port.name,
          counts && value ? std::span<const std::uint64_t>(*value) : std::span<const std::uint64_t>());
    } else {
      const std::uint64_t word[] = {static_cast<std::uint64_t>(value)};
      see(port.name, counts ? std::span<const std::uint64_t>(word) : std::span<const std::uint64_t>());
    }
  };
  std::apply([&](const auto&... port) { (look(port), ...); }, golden::l1d_outputs<L1dOut>);
}

std::string words(const L1dIn& in, const hw::SidebandBits& sideband) {
  std::string text = in.rst ? "rst " : "";
  if (in.core_request_valid) {
    text +=
        fmt::format("core_request id {:#x} kind {} address {:#x} mask {:#x}, ", in.core_request_id,
                    static_cast<int>(in.core_request_kind), in.core_request_address, in.core_request_mask);
    hw::each_sideband_field(sideband, [&](const auto& field, int) {
      text += fmt::format("{} {}, ", field.name, unsigned{in.core_request_sideband.*field.value});
    });
  }
  if (in.memory_response_valid)
    text +=
        fmt::format("memory_response id {:#x} mask {:#x}, ", in.memory_response_id, in.memory_response_mask);
  return text + fmt::format("core_response_ready {:d}, memory_request_ready {:d}, flush_valid {:d}",
                            in.core_response_ready, in.memory_request_ready, in.flush_valid);
}

golden::StateList published(const golden::CycleL1d& golden) {
  golden::StateList list;
  golden.publish(list);
  return list;
}

}  // namespace

L1dCosim::L1dCosim(const CosimOptions& options, const hw::L1dParams& params, L1dDut& dut,
                   const SeenState& state, L1dDut& bare, MakeGate make_gate)
    : options_(options),
      make_gate_(std::move(make_gate)),
      params_(params),
      dut_(dut),
      bare_(bare),
      owned_(golden::CycleL1d::make(params)),
      owned_alone_(golden::CycleL1d::make(params)),
      golden_(*owned_),
      golden_alone_(*owned_alone_),
      scoreboard_(params),
      compare_(params),
      state_(state, published(golden_)),
      ports_alone_(!state.complete()),
      watch_(params),
      seen_state_(state) {
  batch_.reserve(batch_size);
  if (options.waves().empty()) return;
  waves_ = std::make_unique<Waves>(options);
}

CosimReport L1dCosim::run() {
  open();
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
  return conclude();
}

void L1dCosim::open() {
  if (waves_) add_golden_waves();
}

bool L1dCosim::step(L1dDriver& driver) {
  if (batch_.size() == batch_size) begin_batch();
  return cycle(driver);
}

const CosimReport& L1dCosim::conclude() {
  report_.goals = watch_.goals(golden_, scoreboard_);
  if (faults_) report_.goals.merge(faults_->goals());
  if (upsets_) {
    if (upsets_->checked()) {
      if (!report_.mismatches.empty()) upsets_->blame(report_.mismatches.front().port);
      report_.goals.merge(upsets_->goals());
      for (const std::string& line : upsets_->lines()) report_.lines.push_back(line);
    }
    report_.json.emplace_back("upsets", upsets_->json(scoreboard_.wrong_answers()));
  }
  if (ports_alone_) report_.lines.push_back("ports alone: the inner state could not be looked at");
  if (waves_) waves_->close(report_.mismatches);
  return report_;
}

void L1dCosim::run_random() {
  L1dStimulus stimulus(params_, options_.seed,
                       options_.random_cycles ? options_.random_cycles : default_cycles, scoreboard_);
  stimulus.aim_at(golden_);
  if (params_.check.ports) faults_.emplace(params_, options_.seed);
  if (hw::is_protected(params_.ecc) && !ports_alone_)
    upsets_.emplace(params_, params_.ecc, seen_state_, golden_, options_.seed);
  if (hw::is_protected(options_.upsets_as_with)) {
    golden_.meet_upsets(params_, options_.upsets_as_with);
    scoreboard_.count_wrong();
    upsets_.emplace(params_, options_.upsets_as_with, seen_state_, golden_, options_.seed);
  }
  Progress progress(options_, stimulus.total());
  report_.stimulus = "random traffic";
  drive(stimulus, progress);
  const bool whole = report_.cycles < options_.most_cycles;  // else it was cut while requests were open
  if (whole && report_.mismatches.empty() && scoreboard_.outstanding() > 0)
    fail({.port = "requests that are never answered", .dut = scoreboard_.outstanding()});
  report_counters(golden_.counters());
}

void L1dCosim::drive(L1dDriver& driver, Progress& progress) {
  bool more = true;
  const auto goes_on = [&] { return more && report_.cycles < options_.most_cycles; };
  while (goes_on() && report_.mismatches.empty()) {
    begin_batch();
    const double start = cpu_seconds();
    while (batch_.size() < batch_size && goes_on()) more = cycle(driver);
    if (timed_ < timed_cycles && !waves_ && !upsets_ && report_.mismatches.empty())
      time_batch(cpu_seconds() - start);
    progress.at(report_.cycles);
  }
}

// The last inputs of the one before stay for a message.
void L1dCosim::begin_batch() {
  before_.assign(batch_.end() - std::min<std::ptrdiff_t>(8, std::ssize(batch_)), batch_.end());
  batch_.clear();
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
    m.last_inputs.push_back(fmt::format("cycle {:>8}  {}", m.cycle + 1 - i,
                                        words(last[last.size() - i], hw::sideband_bits(params_))));
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

// Any entry, one after the other.
void L1dCosim::watch_entries() {
  entry_watched_ = entry_watched_ + 1 < static_cast<unsigned>(params_.mshr_entries) ? entry_watched_ + 1 : 0;
  const auto entry = golden_.entry(entry_watched_);
  watch_.entry(entry_watched_, entry.in_use && entry.poisoned);
}

bool L1dCosim::cycle(L1dDriver& driver) {
  if (faults_ && faults_->running())
    faults_->drive(in_);
  else if (!driver.drive(in_))
    return false;
  const bool faulty = faults_ && known_ && faults_->alter(in_, *golden_.answer_check());
  batch_.push_back(in_);
  if (upsets_ && known_ && !faulty) upsets_->cycle();
  dut_.settle(in_);
  dut_.read(seen_);
  out_ = &golden_.outputs(in_);
  if (waves_) {
    sample_golden();
    waves_->known(known_);
    waves_->sample(report_.cycles);
  }
  if (known_) {
    if (!faulty && report_.cycles % 256 == 0 && !independent_of_ready()) return false;
    if (!compare_.ports(seen_, *out_)) return fail(compare_.found());
  }
  if (known_ && !faulty) {
    if (out_->undefined) return fail({.port = "protocol_error without a fault", .dut = 1});
    if (!state_.same()) return fail(state_.found());
    watch_entries();
    watch_.before(in_, *out_, golden_);
    if (upsets_ && upsets_->checked() && !in_.rst)
      upsets_->watch(*out_, [this] { return scoreboard_.is_wrong(seen_); });
    if (in_.memory_response_valid && out_->memory_response_ready && driver.out_of_order())
      watch_.out_of_order();
  }
  if (in_.rst) {
    scoreboard_.reset();
    watch_.reset();
    driver.fill(scoreboard_.lines());
  } else if (known_ && !faulty) {
    if (const Mismatch& broken = scoreboard_.cycle(in_, seen_); !broken.port.empty()) return fail(broken);
  }
  if (!faulty || in_.rst) driver.clock(in_, *out_, seen_);
  if (const Mismatch* wrong = driver.wrong()) return fail(*wrong);
  if (faults_) faults_->clock(in_, seen_);
  if (const Mismatch* missed = faults_ ? faults_->missed() : nullptr) return fail(*missed);
  golden_.edge(in_);
  dut_.edge();
  known_ |= in_.rst;
  if (!in_.rst && !faulty) watch_.behind(golden_);
  state_.choose_rows();
  ++report_.cycles;
  return true;
}

void L1dCosim::add_golden_waves() {
  const auto add = [&](std::string_view name, int width) {
    GoldenWave& wave = golden_waves_.emplace_back();
    waves_->add_golden(std::string(name), width, [this, &wave](std::span<std::uint64_t> words) {
      std::ranges::copy(std::span(wave.words).first(std::min(words.size(), wave.words.size())),
                        words.begin());
      return known_ && wave.counts;
    });
  };
  each_output({}, [&](std::string_view name, std::span<const std::uint64_t>) {
    add(name, hw::width_of_port(params_, name));
  });
  add("lfsr", 16);
}

// Before the edge: then the model's answers may point elsewhere.
void L1dCosim::sample_golden() {
  auto wave = golden_waves_.begin();
  each_output(*out_, [&](std::string_view, std::span<const std::uint64_t> words) {
    wave->counts = !words.empty();
    std::ranges::copy(words, wave++->words.begin());
  });
  wave->counts = true;
  wave->words[0] = golden_.tags().lfsr();
}

}  // namespace verif

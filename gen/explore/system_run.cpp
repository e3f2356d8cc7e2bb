#include "gen/explore/system_run.h"

#include <utility>

#include "gen/system/system_checks.h"

namespace gen {

namespace {

golden::SystemFrontEnd::CacheSide cache_side(const hw::L1dParams& p) {
  return {.line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .address_bits = p.address_bits,
          .id_bits = p.core_id_bits,
          .limit = p.limit};
}

}  // namespace

SystemRun::SystemRun(const hw::L1dParams& cache, const golden::SystemParams& system,
                     std::unique_ptr<golden::TraceSource> trace, std::unique_ptr<golden::MemorySide> other)
    : params_(cache),
      system_(system),
      source_(std::move(trace)),
      gpu_(*source_, system, cache_side(cache)),
      memory_(golden::for_lines(other ? std::move(other) : std::make_unique<golden::SystemMemory>(system),
                                system.sms, cache.line_bytes, cache.chunk_bytes)),
      own_(golden::own_memory_of(*memory_)),
      duel_(cache),
      unit_(cache, system.sms),
      sleeps_(!unit_.is_reported() && cache.limit.kind == hw::LimitKind::none) {
  for (int i = 0; i < system.sms; ++i)
    cores_.push_back(std::make_unique<Core>(unit_.follower(cache_of_sm(cache, i)), i, *memory_, gpu_.sm(i),
                                            hit_delay(cache, system)));
}

void SystemRun::run(RunResult& result, const std::function<void(std::uint64_t, double)>& watch) {
  bool kernel_starts = gpu_.kernel_started();
  while (!gpu_.done()) {
    cycle(result, kernel_starts);
    memory_->tick();
    if (unit_.active()) unit_.edge(cores_[unit_.watched()]->between.cache);
    if (duel_.active()) duel_.edge(cores_[0]->between.cache, cores_[1]->between.cache);
    gpu_.tick();
    kernel_starts = gpu_.kernel_started();
    if (gpu_.kernel_ended() && own_) own_->kernel_ends();
    if (++result.cycles % sample_cycles != 0) continue;
    if (cores_.size() > 1) replicas_.take(models());
    watch(sample_cycles * cores_.size(), source_->fraction());
  }
  finish(result);
}

void SystemRun::cycle(RunResult& result, bool kernel_starts) {
  golden::Controls controls = cores_[0]->between.cache.decisions();
  duel_.drive(controls);
  monitor_inputs_ = unit_.notify(gpu_, *memory_);
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    unit_.drive(controls, i);
    cycle_core(i, result.sms[i], controls, kernel_starts);
  }
}

bool SystemRun::answer_waits(std::size_t i) const { return !own_ || own_->answers(static_cast<int>(i)); }

void SystemRun::cycle_core(std::size_t i, SmResult& result, const golden::Controls& controls,
                           bool kernel_starts) {
  Core& core = *cores_[i];
  golden::SystemSm& sm = core.sm;
  // What its loads wait for when the cycle begins.
  const golden::CycleCause loads = loads_wait_for(i);
  const bool cache_works = !core.rests || sm.offer() || sm.wants_flush() || answer_waits(i) || duel_.active();
  if (cache_works) {
    core.between.cycle(core.port, result, controls, monitor_inputs_, params_, kernel_starts);
    core.rests = sleeps_ && core.between.cache.rests();
  } else {
    ++core.between.now;
  }
  core.port.release();
  if (sleeps_ && sm.quiet() && sm.wakes_at() > sm.now())
    sm.skip(1);
  else
    sm.tick();
  const auto& probe = core.between.cache.last_probe();
  const bool stalled = cache_works && probe.occupied && !probe.fired;
  ++result.causes[golden::cycle_cause(sm.last_cycle(), stalled ? probe.stall : golden::Stall::none, loads)];
}

golden::CycleCause SystemRun::loads_wait_for(std::size_t i) const {
  if (!own_) return golden::CycleCause::below;
  const auto oldest = own_->oldest_read(static_cast<int>(i));
  return oldest ? golden::cause_at(*oldest) : golden::CycleCause::l1;
}

std::vector<const golden::CycleL1d*> SystemRun::models() const {
  std::vector<const golden::CycleL1d*> all;
  for (const auto& core : cores_) all.push_back(&core->between.cache);
  return all;
}

void SystemRun::finish(RunResult& result) {
  if (cores_.size() > 1) {
    replicas_.take(models());
    result.mean_replicas = replicas_.mean();
  }
  result.duel = duel_.result();
  result.nodes = memory_->figures();
  SystemResult& system = result.system.emplace();
  if (own_) system.memory = own_->memory_figures();
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    SmResult& sm = result.sms[i];
    const golden::SystemSm& core = cores_[i]->sm;
    sm.take(cores_[i]->between.cache);
    sm.loads_by_degree = cores_[i]->between.degrees.by_degree();
    sm.cycles = core.cycles();
    sm.instructions = core.instructions();
    system.warp_instructions += core.warp_instructions();
    system.thread_instructions += core.thread_instructions();
    system.issue_cycles.add(core.issue_cycles());
  }
  if (const golden::History* history = unit_.history())
    result.sms[unit_.watched()].histories.push_back(*history);
}

}  // namespace gen

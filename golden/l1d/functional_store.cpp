#include "golden/l1d/functional_store.h"

#include "golden/cache/chunk_count.h"

namespace golden {
namespace {

Decision bypassed(Decision decision, Bypass reason) {
  decision.result = Result::bypass;
  decision.bypass = reason;
  decision.missed = 0;
  return decision;
}

}  // namespace

FunctionalStore::FunctionalStore(const hw::L1dParams& p, std::unique_ptr<Policy> policy)
    : FunctionalL1d(p),
      kind_(tag_kind(p.tags)),
      line_(~0u >> (32 - hw::chunks_of_line(p))),
      tags_(kind_.store(p)),
      policy_(std::move(policy)),
      unit_(PolicyUnit::make(p)),
      fetches_lines_(p.fetch == hw::FetchSize::line) {
  tags_->reset();
  if (policy_) policy_->reset();
  if (kind_.has_modes) mode_.emplace(p);
  if (unit_) steer({});
}

std::vector<const History*> FunctionalStore::histories() const {
  auto all = FunctionalL1d::histories();
  if (unit_) all.push_back(unit_->history());
  return all;
}

void FunctionalStore::flush() {
  ++counters_.flushes;
  tags_->flush();
  if (policy_) policy_->flushed();
}

void FunctionalStore::steer(const Controls& controls) {
  controls_ = controls;
  if (unit_) unit_->drive(controls_, unit_->watched_sm());
  tags_->steer(controls_);
  if (policy_) policy_->steer(controls_);
  if (mode_) mode_->follow(controls["mode_coarse"]);
}

// A request is a cycle, and the sub-partitions' buffers are empty.
void FunctionalStore::pass_cycle() {
  unit_->edge(counters_.loads);
  unit_->notify({});
  follow_unit();
}

void FunctionalStore::notify(const MonitorInputs& inputs) {
  FunctionalL1d::notify(inputs);
  if (!unit_) return;
  if (!inputs["kernel_start"]) return unit_->notify(inputs);
  unit_->reset(counters_.loads);
  follow_unit();
}

void FunctionalStore::follow_unit() {
  Controls now = controls_;
  unit_->drive(now, unit_->watched_sm());
  if (now != controls_) policy_->steer(controls_ = now);
}

Controls FunctionalStore::decisions() const {
  Controls shown;
  shown["mode_coarse"] = mode_ && mode_->decides() && mode_->now();
  return shown;
}

std::vector<std::uint64_t> FunctionalStore::resident_lines() const {
  std::vector<std::uint64_t> lines = tags_->resident_blocks();
  for (std::uint64_t& line : lines) line = index_.address_of(line);
  return lines;
}

bool FunctionalStore::holds(std::uint64_t address) const {
  const std::uint64_t block = index_.block_of(address);
  Lookup line;
  tags_->lookup({.set = index_.set_of(block), .block = block}, line);
  return line.found;
}

void FunctionalStore::serve(std::span<const Request> requests, Result* results) {
  for (size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    const std::uint64_t block = index_.block_of(request.address);
    const Held held{.kind = request.kind, .mask = request.mask, .set = index_.set_of(block), .block = block};
    ++counters_.accesses;
    const auto loaded = [&] {
      const Decision decision = load(held, request);
      if (decision.bypass == Bypass::unseen) unseen_.push_back(i);
      return decision.result;
    };
    results[i] = by_kind(request, loaded, [&] { change(held); });
    if (unit_) pass_cycle();
  }
}

Decision FunctionalStore::load(const Held& held, const Request& request) {
  ++counters_.loads;
  ++set_loads_[held.set];
  const PolicyLoad asked{
      .address = index_.address_of(held.block), .set = held.set, .sideband = request.sideband};
  const Decision decision = decide(held, request, asked);
  if (policy_)
    policy_->served(asked, decision.result, decision.line.found ? decision.line.place : nowhere, false);
  count(decision, held.mask);
  if (const auto counter = counter_of(decision.bypass)) ++(counters_.*counter);
  if (decision.bypass == Bypass::filtered) count(tags_->filter(held, decision));
  if (decision.result != Result::bypass) count(tags_->load(held, decision));
  if (decision.missed) fill(held, decision);
  if (decision.bypass == Bypass::unseen) return decision;
  const ProbeEvent event{.block = held.block,
                         .set = held.set,
                         .result = decision.result,
                         .missed = chunk_count(decision.missed)};
  if (unit_) unit_->observe(event, 0);
  if (!mode_) return decision;
  mode_->observe(event, 0);
  mode_->edge(counters_.loads);
  return decision;
}

Decision FunctionalStore::decide(const Held& held, const Request& request, const PolicyLoad& asked) {
  Decision v;
  if (policy_ && policy_->before_lookup(asked)) return bypassed(v, Bypass::unseen);
  tags_->lookup(held, v.line);
  const std::uint32_t mask = mode_ && mode_->coarse(held.set) ? line_ : held.mask;
  v.wanted = hw::by_chunk(kind_.kind) ? mask : 1;
  v.missed = v.wanted & ~v.line.valid;
  if (!v.missed) return v;
  v.result = v.missed != v.wanted ? Result::partial_miss : Result::miss;
  if (fetches_lines_) v.missed = line_ & ~v.line.valid;
  v.entry = only_entry;
  if (kind_.plans) tags_->plan(&held, v);
  switch (tags_->reserve(held, v, policy_ ? policy_->open_ways(held.set) : ~std::uint64_t{0})) {
    case Reservation::filtered:
      return bypassed(v, Bypass::filtered);
    case Reservation::none:
      if (policy_ && policy_->in_place_of_allocation(asked)) return bypassed(v, Bypass::closed);
      tags_->reserve(held, v, ~0u);  // what it waits for comes at once
      break;
    default:
      break;
  }
  if (request.stalls && policy_ && policy_->in_place_of_fail(asked)) return bypassed(v, Bypass::stalled);
  return v;
}

// What was missed comes at once.
void FunctionalStore::fill(const Held& held, const Decision& decision) {
  ++counters_.fills;
  tags_->fill(only_entry, decision.missed, true);
  if (policy_) policy_->filled(held.set, tags_->place_of_entry(only_entry));
  tags_->answered(only_entry, held.mask);
  tags_->settle(only_entry, 0);
  tags_->dealloc(only_entry);
}

void FunctionalStore::change(const Held& held) {
  Lookup line;
  tags_->lookup(held, line);
  const std::uint32_t there = hw::by_chunk(kind_.kind) ? line.valid : line.valid ? line_ : 0;
  if (only_writes(held.kind, there, held.mask)) return;
  if (policy_ && line.found && !tags_->keeps_some(held, line)) policy_->invalidated(held.set, line.place);
  if (line.found && tags_->invalidate(held, line)) ++counters_.store_invalidations;
}

void FunctionalStore::count(const Decision& decision, std::uint32_t mask) {
  switch (decision.result) {
    case Result::hit:
      ++counters_.hits;
      return;
    case Result::bypass:
      ++counters_.bypasses;
      counters_.chunks_requested += chunk_count(mask);
      break;
    case Result::partial_miss:
      ++counters_.partial_misses;
      counters_.chunks_requested += chunk_count(decision.missed);
      break;
    default:
      ++counters_.misses;
      counters_.chunks_requested += chunk_count(hw::by_chunk(kind_.kind) ? decision.missed : line_);
      break;
  }
  ++counters_.requests_down;
}

void FunctionalStore::count(Lost lost) {
  counters_.evicted_lines += lost.lines;
  counters_.evicted_chunks += lost.chunks;
}

}  // namespace golden

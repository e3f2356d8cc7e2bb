#include "golden/gpu/system/system_sm.h"

#include <algorithm>
#include <utility>

namespace golden {

namespace {

constexpr int most_ids = 4096;

bool is_load(RequestKind kind) { return kind != RequestKind::store; }

}  // namespace

void IssueCycles::add(const IssueCycles& o) {
  issued += o.issued, no_warp += o.no_warp, scoreboard += o.scoreboard, load += o.load;
  lsu_full += o.lsu_full, barrier += o.barrier, empty += o.empty;
}

std::uint64_t& IssueCycles::of(IssueCause cause) {
  switch (cause) {
    case IssueCause::issued:
      return issued;
    case IssueCause::scoreboard:
      return scoreboard;
    case IssueCause::load:
      return load;
    case IssueCause::lsu_full:
      return lsu_full;
    case IssueCause::barrier:
      return barrier;
    case IssueCause::empty:
      return empty;
    default:
      return no_warp;
  }
}

SystemSm::SystemSm(const SystemParams& p, const hw::LimitParams& limit, int id_bits)
    : p_(p),
      unit_free_(static_cast<std::size_t>(p.schedulers)),
      warps_(static_cast<std::size_t>(p.warps)),
      lives_(static_cast<std::size_t>(p.warps)),
      cta_slots_(static_cast<std::size_t>(p.ctas)),
      free_warps_(p.warps),
      lsu_(p.lsu_queue, p.l1_queue_latency),
      issued_(static_cast<std::size_t>(p.schedulers)) {
  constexpr int fetch_group = 8;
  for (int s = 0; s < p.schedulers; ++s) {
    schedulers_.emplace_back(p.scheduler, p.warps, fetch_group);
    std::uint64_t own = 0;
    for (int slot = s; slot < p.warps; slot += p.schedulers) own |= slot_bit(slot);
    owned_.push_back(own);
  }
  const int ids = id_bits < 12 ? 1 << id_bits : most_ids;
  load_of_.assign(static_cast<std::size_t>(ids), -1);
  for (int id = 0; id < ids; ++id) free_ids_.push_back(static_cast<std::uint32_t>(id));
  if (limit.kind != hw::LimitKind::none) limited_ = std::make_shared<LimitedWarps>(limit);
  gate_ = limited_.get();
}

void SystemSm::start(Cta&& cta) {
  const auto free_cta = std::ranges::find(cta_slots_, false, &CtaSlot::used);
  CtaSlot& here = *free_cta;
  here = {
      .used = true, .warp_slots = cta.warp_slots, .running = static_cast<int>(cta.warps.size()), .slots = {}};
  ++ctas_;
  free_warps_ -= cta.warp_slots;
  int slot = 0;
  for (WarpStream& stream : cta.warps) {
    while (warps_[static_cast<std::size_t>(slot)].used) ++slot;
    Warp& warp = warps_[static_cast<std::size_t>(slot)];
    warp = {.used = true, .stream = std::move(stream), .next = {}, .registers = {}};
    warp.cta = static_cast<int>(free_cta - cta_slots_.begin());
    ++lives_[static_cast<std::size_t>(slot)];
    here.slots.push_back(slot);
    schedulers_[static_cast<std::size_t>(slot % p_.schedulers)].started(slot);
    launched_ |= slot_bit(slot);
  }
  const std::vector<int> slots = here.slots;  // fetching changes them when a warp has nothing to do
  for (const int one : slots) fetch(one);
}

// Gets the warp's next instruction, or ends it.
void SystemSm::fetch(int slot) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  if (!warp.stream.take(warp.next)) return end(slot);
  warp.gap = warp.next.before;
  settle(slot);
}

// Sorts the warp by what it can do next.
void SystemSm::settle(int slot) {
  const std::uint64_t bit = slot_bit(slot);
  for (std::uint64_t* mask : {&ready_, &memory_next_, &waits_result_, &waits_load_, &at_barrier_})
    *mask &= ~bit;
  for (std::uint64_t& mask : unit_next_) mask &= ~bit;
  const Warp& warp = warps_[static_cast<std::size_t>(slot)];
  if (!warp.used) return;
  if (warp.ended) {
    waits_load_ |= bit;
    return;
  }
  if (warp.at_barrier) {
    at_barrier_ |= bit;
    return;
  }
  if (warp.free_from > now_) {
    waits_result_ |= bit;
    return;
  }
  if (!warp.next.has_registers && warp.loads >= p_.loads_in_flight) {
    waits_load_ |= bit;
    return;
  }
  if (warp.next.has_registers) {
    const Scoreboard::Wait wait = warp.registers.waits(warp.next.registers);
    if (wait != Scoreboard::Wait::none) {
      (wait == Scoreboard::Wait::load ? waits_load_ : waits_result_) |= bit;
      return;
    }
  }
  ready_ |= bit;
  if (warp.gap > 0 || warp.next.barrier) return;
  if (!warp.next.plain)
    memory_next_ |= bit;
  else if (warp.next.has_registers)
    if (const Unit unit = unit_of(warp.next.operation); unit != no_unit) unit_next_[unit] |= bit;
}

// The warp has issued its last instruction; it leaves when its loads are answered.
void SystemSm::end(int slot) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  warp.ended = true;
  settle(slot);
  schedulers_[static_cast<std::size_t>(slot % p_.schedulers)].ended(slot);
  ended_ |= slot_bit(slot);
  if (warp.loads == 0) finish(slot);
}

void SystemSm::finish(int slot) {
  waits_load_ &= ~slot_bit(slot);
  CtaSlot& cta = cta_slots_[static_cast<std::size_t>(warps_[static_cast<std::size_t>(slot)].cta)];
  if (--cta.running == 0)
    retire(cta);
  else if (cta.arrived == cta.running)
    release(cta);
}

void SystemSm::arrive(int slot) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  CtaSlot& cta = cta_slots_[static_cast<std::size_t>(warp.cta)];
  warp.at_barrier = true;
  settle(slot);
  if (++cta.arrived == cta.running) release(cta);
}

void SystemSm::release(CtaSlot& cta) {
  cta.arrived = 0;
  const std::vector<int> slots = cta.slots;
  for (const int slot : slots) {
    Warp& warp = warps_[static_cast<std::size_t>(slot)];
    if (!warp.at_barrier) continue;
    warp.at_barrier = false;
    fetch(slot);
  }
}

void SystemSm::retire(CtaSlot& cta) {
  for (const int slot : cta.slots) {
    warps_[static_cast<std::size_t>(slot)].used = false;
    settle(slot);
  }
  cta.used = false;
  cta.slots.clear();
  free_warps_ += cta.warp_slots;
  --ctas_;
}

int SystemSm::resident(hw::LimitScope scope) const {
  std::array<int, 2> of_scheduler{};
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) of_scheduler[slot % 2] += warps_[slot].used;
  return scope == hw::LimitScope::core ? of_scheduler[0] + of_scheduler[1] : std::ranges::max(of_scheduler);
}

std::uint64_t SystemSm::allowed() {
  if (!gate_) return ~std::uint64_t{0};
  const std::uint64_t warps = gate_->cycle(launched_, ended_, at_barrier_);
  launched_ = ended_ = 0;
  return warps;
}

SystemSm::Unit SystemSm::unit_of(Operation operation) {
  switch (operation) {
    case Operation::fp:
      return fp_unit;
    case Operation::sfu:
      return sfu_unit;
    case Operation::dp:
      return dp_unit;
    case Operation::shared:
      return no_unit;
    default:
      return integer_unit;
  }
}

int SystemSm::result_latency(Operation operation) const {
  const ResultLatency& r = p_.result;
  const int of_class = operation == Operation::integer  ? r.integer
                       : operation == Operation::fp     ? r.fp
                       : operation == Operation::sfu    ? r.sfu
                       : operation == Operation::dp     ? r.dp
                       : operation == Operation::shared ? r.shared
                                                        : r.branch;
  return of_class + r.pipeline;
}

// An instruction of which no registers are known holds its warp.
void SystemSm::hold(int slot) {
  if (p_.alu_interval == 1) return;
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  warp.free_from = now_ + static_cast<std::uint64_t>(p_.alu_interval);
  wakes_.add(warp.free_from, slot);
}

void SystemSm::schedule(int number, std::uint64_t may) {
  const auto s = static_cast<std::size_t>(number);
  std::uint64_t candidates = ready_ & owned_[s] & may;
  if (candidates && !lsu_.can_take()) candidates &= ~memory_next_;
  if (candidates && p_.unit_interval > 1)
    for (std::size_t unit = 0; unit < units; ++unit)
      if (unit_free_[s][unit] > now_) candidates &= ~unit_next_[unit];
  const int slot = schedulers_[s].pick(candidates);
  issued_[s] = slot >= 0;
  if (slot >= 0) issue(slot, number);
}

void SystemSm::issue(int slot, int scheduler) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  ++warp_instructions_;
  if (!warp.next.barrier) warp.lanes = warp.next.lanes;
  thread_instructions_ += warp.lanes;
  if (warp.gap > 0) {
    --warp.gap;
    hold(slot);
    return settle(slot);
  }
  if (warp.next.barrier) return arrive(slot);
  warp.next.plain ? issue_plain(slot, scheduler) : issue_access(slot);
}

void SystemSm::issue_plain(int slot, int scheduler) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  if (!warp.next.has_registers) {
    hold(slot);
    return fetch(slot);
  }
  const Operation operation = warp.next.operation;
  if (const Unit unit = unit_of(operation); unit != no_unit)
    unit_free_[static_cast<std::size_t>(scheduler)][unit] =
        now_ + static_cast<std::uint64_t>(p_.unit_interval);
  if (const std::uint8_t number = warp.next.registers.destination; number != Registers::none) {
    warp.registers.reserve(number, false);
    results_.add(now_ + static_cast<std::uint64_t>(result_latency(operation)),
                 {slot, number, lives_[static_cast<std::size_t>(slot)]});
  }
  fetch(slot);
}

void SystemSm::issue_access(int slot) {
  Warp& warp = warps_[static_cast<std::size_t>(slot)];
  ++memory_instructions_;
  issued_lanes_ += warp.next.lanes;
  int load = -1;
  if (is_load(warp.next.kind)) {
    if (free_loads_.empty()) free_loads_.push_back(static_cast<int>(loads_.size())), loads_.emplace_back();
    load = free_loads_.back();
    free_loads_.pop_back();
    loads_[static_cast<std::size_t>(load)] = {slot, static_cast<int>(warp.next.lines.size()),
                                              warp.next.registers.destination};
    ++warp.loads;
    if (warp.next.has_registers) warp.registers.reserve(warp.next.registers.destination, true);
  }
  lsu_.take({std::move(warp.next), slot, load});
  fetch(slot);
}

void SystemSm::prepare() {
  const LoadStoreUnit::Ahead* const ahead = free_ids_.empty() ? nullptr : lsu_.front(now_);
  offering_ = ahead != nullptr;
  if (!offering_) return;
  offer_ = {ahead->request, free_ids_.front()};
  offered_load_ = ahead->load;
}

void SystemSm::accepted(std::uint32_t id) {
  taken_ = true;
  free_ids_.pop_front();
  load_of_[id] = offered_load_;
  ++in_flight_;
}

void SystemSm::answered(std::uint32_t id) {
  free_ids_.push_back(id);
  --in_flight_;
  const int number = std::exchange(load_of_[id], -1);
  if (number < 0) return;
  Load& load = loads_[static_cast<std::size_t>(number)];
  if (--load.left != 0) return;
  Warp& warp = warps_[static_cast<std::size_t>(load.slot)];
  --warp.loads;
  warp.registers.release(load.destination);
  free_loads_.push_back(number);
  if (warp.ended && warp.loads == 0)
    finish(load.slot);
  else
    settle(load.slot);
}

// Why a scheduler issued nothing.
IssueCause SystemSm::cause(const Waits& waits, std::uint64_t own) {
  if (waits.empty) return IssueCause::empty;
  if (waits.memory & own) return IssueCause::lsu_full;
  if ((waits.ready | waits.result) & own) return IssueCause::scoreboard;
  if (waits.load & own) return IssueCause::load;
  return waits.barrier & own ? IssueCause::barrier : IssueCause::no_warp;
}

void SystemSm::tick() {
  ++(taken_ ? cycles_.sending : offering_ ? cycles_.refused : ctas_ ? cycles_.waiting : cycles_.empty);
  if (taken_) {
    lsu_.sent();
    taken_ = offering_ = false;
  }
  wakes_.take(now_, [this](int slot) { settle(slot); });
  results_.take(now_, [this](const Result& result) {
    if (lives_[static_cast<std::size_t>(result.slot)] != result.life) return;
    warps_[static_cast<std::size_t>(result.slot)].registers.release(result.number);
    settle(result.slot);
  });
  issued_lanes_ = 0;
  const std::uint64_t may = allowed();
  Waits before = waits();
  before.ready &= may;
  before.memory &= may;
  const int first = static_cast<int>(now_ % static_cast<std::uint64_t>(p_.schedulers));
  for (int i = 0; i < p_.schedulers; ++i) schedule((first + i) % p_.schedulers, may);
  for (std::size_t s = 0; s < owned_.size(); ++s)
    ++issue_cycles_.of(issued_[s] ? IssueCause::issued : cause(before, owned_[s]));
  const bool some = std::ranges::find(issued_, true) != issued_.end();
  last_cycle_ = some ? IssueCause::issued : cause(before, ~std::uint64_t{0});
  lsu_.tick(now_);
  ++now_;
  if (!offering_) prepare();
}

bool SystemSm::quiet() const { return !gate_ && ready_ == 0 && !offering_ && !taken_ && lsu_.empty(); }

std::uint64_t SystemSm::wakes_at() const { return std::min(wakes_.next(now_), results_.next(now_)); }

void SystemSm::skip(std::uint64_t cycles) {
  (ctas_ ? cycles_.waiting : cycles_.empty) += cycles;
  for (const std::uint64_t own : owned_) issue_cycles_.of(cause(waits(), own)) += cycles;
  last_cycle_ = cause(waits(), ~std::uint64_t{0});
  issued_lanes_ = 0;
  now_ += cycles;
}

}  // namespace golden

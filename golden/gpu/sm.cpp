#include "golden/gpu/sm.h"

#include <algorithm>
#include <array>

namespace golden {

namespace {

constexpr int most_ids = 4096;  // more requests in flight than any cache takes

bool blocks(RequestKind kind) { return kind != RequestKind::store; }

}  // namespace

Sm::Sm(const GpuParams& params)
    : p_(params),
      scheduler_(params.scheduler, params.warps_per_sm, params.fetch_group),
      warps_(static_cast<size_t>(params.warps_per_sm)),
      cta_slots_(static_cast<size_t>(params.ctas_per_sm)),
      free_warps_(params.warps_per_sm),
      ports_(static_cast<size_t>(params.ports)) {
  const int ids = p_.id_bits < 12 ? 1 << p_.id_bits : most_ids;
  owner_.assign(static_cast<size_t>(ids), -1);
  for (int id = 0; id < ids; ++id) free_ids_.push_back(static_cast<std::uint32_t>(id));
  if (p_.limit.kind == hw::LimitKind::none) return;
  limited_ = std::make_shared<LimitedWarps>(p_.limit);
  gate_ = limited_.get();
}

void Sm::start(Cta&& cta) {
  const auto free_cta = std::ranges::find(cta_slots_, false, &CtaSlot::used);
  CtaSlot& here = *free_cta;
  here.used = true;
  here.number = cta.number;
  here.warp_slots = cta.warp_slots;
  here.running = static_cast<int>(cta.warps.size());
  here.arrived = 0;
  here.slots.clear();
  ++ctas_;
  free_warps_ -= cta.warp_slots;
  int slot = 0;
  for (WarpStream& stream : cta.warps) {
    while (warps_[static_cast<size_t>(slot)].used) ++slot;
    Warp& warp = warps_[static_cast<size_t>(slot)];
    warp.used = true;
    warp.number = started_++;
    warp.stream = std::move(stream);
    warp.cta = static_cast<int>(free_cta - cta_slots_.begin());
    warp.waiting_for = 0;
    warp.at_barrier = false;
    here.slots.push_back(slot);
    scheduler_.started(slot);
    launched_ |= slot_bit(slot);
  }
  const std::vector<int> slots = here.slots;  // fetching changes them when a warp has nothing to do
  for (const int one : slots) fetch(one);
}

// Makes the warp ready for its next instruction, or ends it.
void Sm::fetch(int slot) {
  Warp& warp = warps_[static_cast<size_t>(slot)];
  if (warp.stream.take(warp.next)) {
    ready_ |= slot_bit(slot);
    return;
  }
  ready_ &= ~slot_bit(slot);
  scheduler_.ended(slot);
  ended_ |= slot_bit(slot);
  CtaSlot& cta = cta_slots_[static_cast<size_t>(warp.cta)];
  if (--cta.running == 0)
    retire(cta);
  else if (cta.arrived == cta.running)
    release(cta);
}

void Sm::arrive(int slot) {
  Warp& warp = warps_[static_cast<size_t>(slot)];
  CtaSlot& cta = cta_slots_[static_cast<size_t>(warp.cta)];
  warp.at_barrier = true;
  at_barrier_ |= slot_bit(slot);
  ready_ &= ~slot_bit(slot);
  if (++cta.arrived == cta.running) release(cta);
}

void Sm::release(CtaSlot& cta) {
  cta.arrived = 0;
  const std::vector<int> slots = cta.slots;
  for (const int slot : slots) {
    Warp& warp = warps_[static_cast<size_t>(slot)];
    if (!warp.at_barrier) continue;
    warp.at_barrier = false;
    at_barrier_ &= ~slot_bit(slot);
    fetch(slot);
  }
}

void Sm::retire(CtaSlot& cta) {
  for (const int slot : cta.slots) warps_[static_cast<size_t>(slot)].used = false;
  cta.used = false;
  cta.slots.clear();
  free_warps_ += cta.warp_slots;
  --ctas_;
}

int Sm::resident(hw::LimitScope scope) const {
  std::array<int, 2> of_scheduler{};
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) of_scheduler[slot % 2] += warps_[slot].used;
  return scope == hw::LimitScope::core ? of_scheduler[0] + of_scheduler[1] : std::ranges::max(of_scheduler);
}

// The warps that may issue in this cycle; once a cycle, behind all that happens in it.
std::uint64_t Sm::allowed() {
  if (!gate_) return ~std::uint64_t{0};
  const std::uint64_t warps = gate_->cycle(launched_, ended_, at_barrier_);
  launched_ = ended_ = 0;
  return warps;
}

std::span<const Request> Sm::turn() {
  turn_.clear();
  issuer_ = -1;
  issued_lanes_ = 0;
  const std::uint64_t may = allowed();
  while (!waits_.empty() && (waits_.front().until <= requests_ || (ready_ & may) == 0)) {
    const int slot = waits_.front().slot;
    waits_.pop_front();
    fetch(slot);
  }
  const int slot = scheduler_.pick(ready_ & may);
  if (slot < 0) return {};  // no CTA is here, or its warps are not let in yet
  const Warp& warp = warps_[static_cast<size_t>(slot)];
  const WarpAccess& access = warp.next;
  if (access.barrier) {
    arrive(slot);
    return {};
  }
  issuer_ = slot;
  ++instructions_;
  issued_lanes_ = access.lanes;
  turn_cta_ = cta_slots_[static_cast<size_t>(warp.cta)].number;
  turn_warp_ = warp.number;
  requests_ += access.lines.size();
  for (std::size_t n = 0; n < access.lines.size(); ++n) turn_.push_back(request_of(access, n, slot));
  return turn_;
}

void Sm::served(bool waits) {
  if (issuer_ < 0) return;
  if (waits && blocks(turn_[0].kind)) {
    ready_ &= ~slot_bit(issuer_);
    waits_.push_back({requests_ + static_cast<std::uint64_t>(p_.load_wait), issuer_});
  } else {
    fetch(issuer_);
  }
}

// Hands the next instruction to the sending unit.
void Sm::issue(std::uint64_t may) {
  const int slot = scheduler_.pick(ready_ & may);
  if (slot < 0) return;
  Warp& warp = warps_[static_cast<size_t>(slot)];
  if (warp.next.barrier) {
    arrive(slot);
    return;
  }
  ++instructions_;
  std::swap(sending_, warp.next);
  issued_lanes_ = sending_.lanes;
  offered_ = sent_ = 0;
  sender_ = slot;
  ready_ &= ~slot_bit(slot);
  warp.waiting_for = blocks(sending_.kind) ? static_cast<int>(sending_.lines.size()) : 0;
}

// Ports that are free take the next requests.
void Sm::prepare() {
  if (sender_ < 0) return;
  for (Port& port : ports_) {
    if (port.offering) continue;
    if (offered_ == sending_.lines.size() || free_ids_.empty()) return;
    port = {.offering = true, .offer = {request_of(sending_, offered_++, sender_), free_ids_.front()}};
    free_ids_.pop_front();
  }
}

void Sm::accepted(std::uint32_t id) {
  const auto on =
      std::ranges::find_if(ports_, [&](const Port& port) { return port.offering && port.offer.id == id; });
  on->taken = true;
  owner_[id] = blocks(sending_.kind) ? sender_ : -1;
  ++in_flight_;
}

void Sm::answered(std::uint32_t id) {
  free_ids_.push_back(id);
  --in_flight_;
  const int slot = owner_[id];
  // A warp waits for its whole instruction, so that it is not still being sent when the last answer comes.
  if (slot >= 0 && --warps_[static_cast<size_t>(slot)].waiting_for == 0) fetch(slot);
}

void Sm::tick() {
  const bool taken = std::ranges::any_of(ports_, &Port::taken),
             offering = std::ranges::any_of(ports_, &Port::offering);
  ++(taken ? cycles_.sending : offering ? cycles_.refused : ctas_ ? cycles_.waiting : cycles_.empty);
  for (Port& port : ports_) {
    if (!port.taken) continue;
    port = {};
    ++sent_;
  }
  if (sender_ >= 0 && sent_ == sending_.lines.size()) {
    const int slot = sender_;
    sender_ = -1;
    if (!blocks(sending_.kind)) fetch(slot);
  }
  issued_lanes_ = 0;
  const std::uint64_t may = allowed();
  if (sender_ < 0) issue(may);
  prepare();
}

}  // namespace golden

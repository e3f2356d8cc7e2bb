// A streaming multiprocessor in front of its L1 data cache: resident CTAs, a warp scheduler, and a unit that
// sends the coalesced requests of one memory instruction, one a cycle and port of the cache.
//
// One instruction issues at a time; the next one issues when the last request of the one before is accepted.
// A load or an atomic blocks its warp until all its requests are answered; a store blocks nothing. A barrier
// takes an issue turn and holds its warp until every warp of the CTA that has not ended has come to it. A CTA
// leaves when its warps have ended and their loads are answered; stores may still be on their way.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/gpu/warp_gate.h"
#include "golden/gpu/warp_scheduler.h"
#include "golden/trace/cta_reader.h"

namespace golden {

struct GpuParams {
  int sms = 1;
  int ctas_per_sm = 8;
  int warps_per_sm = 48;  // at most WarpScheduler::max_slots
  SchedulerKind scheduler = SchedulerKind::gto;
  int fetch_group = 8;                     // warps of a two-level scheduler's group
  hw::LimitParams limit = {};              // warps that may issue
  int line_bytes = 128, chunk_bytes = 32;  // of the cache
  int address_bits = 64;                   // of a byte address: a trace that needs more is refused
  // Without time: requests that an SM sends while a load waits that missed; the latency of a NextLevel, at a
  // request a cycle.
  int load_wait = 100;
  int id_bits = 8;                     // of the cache's core side: at most 2^id_bits requests in flight
  int ports = 1;                       // of the cache's core side: requests that may leave in a cycle
  std::size_t spool_bytes = 32 << 20;  // decoded accesses kept in memory; more go to a temporary file
};

struct GpuRequest {
  Request request;  // its warp: the slot in the SM
  std::uint32_t id = 0;
};

// Driven cycle by cycle: offer() of each port, then accepted() and answered() for the transfers of the cycle,
// then the clock edge, FrontEnd::tick(). A port that is free takes the next request of the instruction, the
// lowest port first, and keeps it until it is accepted.
class Sm {
 public:
  explicit Sm(const GpuParams& params);

  // The request on a port's core_request in this cycle, or null; the same until it is accepted.
  const GpuRequest* offer(int port = 0) const {
    const Port& one = ports_[static_cast<std::size_t>(port)];
    return one.offering ? &one.offer : nullptr;
  }
  void accepted(std::uint32_t id);  // core_request transferred
  void answered(std::uint32_t id);  // core_response transferred; the SM is always ready for one
  void tick();

  // The cache is to be flushed: a kernel is over and the next one waits. Stays until flushed() says that the
  // flush has transferred; nothing is offered until then.
  bool wants_flush() const { return wants_flush_; }
  void flushed() { wants_flush_ = false; }
  void want_flush() { wants_flush_ = true; }

  bool fits(const Cta& cta) const { return ctas_ < p_.ctas_per_sm && cta.warp_slots <= free_warps_; }
  void start(Cta&& cta);
  // No CTA here, and every request answered.
  bool idle() const { return ctas_ == 0 && in_flight_ == 0; }
  // Idle, and no CTA will come any more.
  bool done() const { return last_cta_seen_ && idle(); }
  void no_more_ctas() { last_cta_seen_ = true; }

  // Without time: issues one instruction and gives its requests; none when that was a barrier, or when no CTA
  // is here. served() must follow, saying whether a request of it has to wait for the next level; its warp
  // then waits until load_wait more requests have been sent, or nothing else can issue. Stores never wait.
  std::span<const Request> turn();
  void served(bool waits);
  // Of the instruction of that turn its CTA's number in the grid, and its warp's among all that ever started
  // here.
  std::uint32_t turn_cta() const { return turn_cta_; }
  std::uint64_t turn_warp() const { return turn_warp_; }

  // The gate decides which warps may issue from now on, instead of the parameters' limit; it must outlive
  // the SM.
  void gate_by(WarpGate& gate) { gate_ = &gate; }
  // So many of a scope's warps may issue, from the next tick on; only for SMs with a limit.
  void limit_to(int count) {
    if (gate_) gate_->limit_to(count);
  }
  // Warps here, of the scheduler with the most or of all.
  int resident(hw::LimitScope scope) const;
  // Active lanes of the memory instruction that the last tick, or turn, issued; 0 for none.
  unsigned issued_lanes() const { return issued_lanes_; }

  // Memory instructions issued so far, barriers not counted.
  std::uint64_t instructions() const { return instructions_; }
  // Cycles so far by what the SM did in them.
  struct Cycles {
    std::uint64_t sending = 0;  // some request was accepted
    std::uint64_t refused = 0;  // requests were offered, and none was accepted
    std::uint64_t waiting = 0;  // nothing offered: the warps wait for loads or a barrier, or no id is free
    std::uint64_t empty = 0;    // no CTA here
  };
  const Cycles& cycles() const { return cycles_; }

 private:
  struct Warp {
    bool used = false;
    WarpStream stream;
    WarpAccess next;           // what it issues next, unless it has ended
    std::uint64_t number = 0;  // among all that started
    int cta = 0;               // slot of its CTA
    int waiting_for = 0;       // requests of its load that are not answered
    bool at_barrier = false;
  };
  struct CtaSlot {
    bool used = false;
    std::uint32_t number = 0;  // in the grid
    int warp_slots = 0;
    int running = 0;  // warps that have not ended
    int arrived = 0;  // at the barrier
    std::vector<int> slots;
  };

  // Of the cache.
  struct Port {
    bool offering = false, taken = false;
    GpuRequest offer;
  };

  void fetch(int slot);
  void arrive(int slot);
  void release(CtaSlot& cta);
  void retire(CtaSlot& cta);
  std::uint64_t allowed();
  void issue(std::uint64_t may);
  void prepare();

  GpuParams p_;
  WarpScheduler scheduler_;
  std::vector<Warp> warps_;
  std::vector<CtaSlot> cta_slots_;
  std::uint64_t ready_ = 0;  // warps that have an instruction to issue
  // The limit, if there is one, and its next inputs.
  std::shared_ptr<LimitedWarps> limited_;
  WarpGate* gate_ = nullptr;
  std::uint64_t launched_ = 0, ended_ = 0, at_barrier_ = 0;
  unsigned issued_lanes_ = 0;
  int ctas_ = 0, free_warps_ = 0;

  WarpAccess sending_;  // the instruction under way, and how many of its requests have gone to ports
  std::size_t offered_ = 0, sent_ = 0;  // and have been accepted there
  int sender_ = -1;                     // its warp; -1 when there is none
  std::vector<Port> ports_;
  std::deque<std::uint32_t> free_ids_;
  std::vector<int> owner_;  // per id: the warp that waits for the answer, or -1
  int in_flight_ = 0;
  bool wants_flush_ = false, last_cta_seen_ = false;
  // Without time: requests sent, and the warps that wait, the first to be answered first.
  struct Wait {
    std::uint64_t until;
    int slot;
  };
  std::deque<Wait> waits_;
  std::vector<Request> turn_;  // the requests of this turn's instruction
  std::uint32_t turn_cta_ = 0;
  std::uint64_t turn_warp_ = 0, started_ = 0;
  int issuer_ = -1;  // and its warp
  std::uint64_t requests_ = 0;
  std::uint64_t instructions_ = 0;
  Cycles cycles_;
};

}  // namespace golden

// A streaming multiprocessor that issues every instruction: warp schedulers, each with its own warps, and one
// load-store unit in front of the L1.
//
// Warp slot w belongs to scheduler w mod S, which issues at most one instruction a cycle. Where registers are
// known a scoreboard holds a warp until its next instruction's are there; elsewhere an instruction holds its
// warp for `alu_interval` cycles, and a load until its last answer. A memory instruction moves into the
// queue of the load-store unit, one a cycle of all schedulers; the scheduler that goes first rotates, and one
// whose warps' memory instructions cannot be taken issues from its others.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "golden/gpu/sm.h"
#include "golden/gpu/system/load_store_unit.h"
#include "golden/gpu/system/scoreboard.h"
#include "golden/gpu/system/system_params.h"
#include "golden/gpu/system/wheel.h"
#include "golden/gpu/warp_gate.h"
#include "golden/trace/cta_reader.h"

namespace golden {

// The result of a scheduler's cycle, or of an SM's.
enum class IssueCause : std::uint8_t { issued, no_warp, scoreboard, load, lsu_full, barrier, empty };

// Scheduler cycles by that.
struct IssueCycles {
  std::uint64_t issued = 0;
  std::uint64_t no_warp = 0;     // none of its warps may issue: there is none, or a limit holds them
  std::uint64_t scoreboard = 0;  // a warp waits for a result, or its unit is taken
  std::uint64_t load = 0;        // the warps wait for loads
  std::uint64_t lsu_full = 0;    // a memory instruction waits for the load-store unit
  std::uint64_t barrier = 0;
  std::uint64_t empty = 0;  // no CTA on the SM

  void add(const IssueCycles& other);
  std::uint64_t& of(IssueCause cause);
  std::uint64_t all() const { return issued + no_warp + scoreboard + load + lsu_full + barrier + empty; }
};

class SystemSm {
 public:
  SystemSm(const SystemParams& p, const hw::LimitParams& limit, int id_bits);

  // As those of Sm: offer(), accepted() and answered() for the transfers of a cycle, then tick().
  const GpuRequest* offer() const { return offering_ ? &offer_ : nullptr; }
  void accepted(std::uint32_t id);
  void answered(std::uint32_t id);
  void tick();

  bool wants_flush() const { return wants_flush_; }
  void flushed() { wants_flush_ = false; }
  void want_flush() { wants_flush_ = true; }

  // At most `most` CTAs of the kernel are here at once.
  bool fits(const Cta& cta, int most) const { return ctas_ < most && cta.warp_slots <= free_warps_; }
  void start(Cta&& cta);
  bool idle() const { return ctas_ == 0 && in_flight_ == 0 && lsu_.empty(); }

  // A tick would only let time pass, until answered() or this cycle; its number is that of the ticks so far.
  bool quiet() const;
  std::uint64_t wakes_at() const;
  void skip(std::uint64_t cycles);
  std::uint64_t now() const { return now_; }

  // The gate decides which warps may issue from now on, instead of the parameters' limit; it must outlive
  // this.
  void gate_by(WarpGate& gate) { gate_ = &gate; }
  void limit_to(int count) {
    if (gate_) gate_->limit_to(count);
  }
  int resident(hw::LimitScope scope) const;
  unsigned issued_lanes() const { return issued_lanes_; }

  std::uint64_t instructions() const { return memory_instructions_; }
  std::uint64_t warp_instructions() const { return warp_instructions_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }
  const Sm::Cycles& cycles() const { return cycles_; }
  const IssueCycles& issue_cycles() const { return issue_cycles_; }
  // Of the last cycle, of all schedulers together: issued, if one of them did.
  IssueCause last_cycle() const { return last_cycle_; }

 private:
  enum Unit : std::uint8_t { integer_unit, fp_unit, sfu_unit, dp_unit, units, no_unit = units };
  struct Warp {
    bool used = false, at_barrier = false, ended = false;
    WarpStream stream;
    WarpAccess next;
    std::uint32_t gap = 0;  // instructions to issue in front of it
    int cta = 0;
    int loads = 0;                // without their last answer
    std::uint64_t free_from = 0;  // may issue again
    std::uint8_t lanes = 32;      // of what it issued last
    Scoreboard registers;
  };
  struct CtaSlot {
    bool used = false;
    int warp_slots = 0, running = 0, arrived = 0;
    std::vector<int> slots;
  };
  struct Load {
    int slot = -1, left = 0;  // requests without an answer
    std::uint8_t destination = Registers::none;
  };
  struct Result {
    int slot;
    std::uint8_t number;
    std::uint32_t life;  // of the slot's warp, so that the next one is not meant
  };

  void fetch(int slot);
  void settle(int slot);
  void end(int slot);
  void finish(int slot);
  void arrive(int slot);
  void release(CtaSlot& cta);
  void retire(CtaSlot& cta);
  std::uint64_t allowed();
  void schedule(int number, std::uint64_t may);
  // What the warps here could do at the beginning of a cycle.
  struct Waits {
    std::uint64_t ready, memory, result, load, barrier;
    bool empty;
  };
  Waits waits() const {
    return {ready_, ready_ & memory_next_, waits_result_, waits_load_, at_barrier_, ctas_ == 0};
  }
  static IssueCause cause(const Waits& waits, std::uint64_t own);
  void issue(int slot, int scheduler);
  void issue_access(int slot);
  void issue_plain(int slot, int scheduler);
  void hold(int slot);
  int result_latency(Operation operation) const;
  static Unit unit_of(Operation operation);
  void prepare();

  const SystemParams p_;
  std::vector<WarpScheduler> schedulers_;
  std::vector<std::uint64_t> owned_;  // by scheduler: its slots
  std::vector<std::array<std::uint64_t, units>> unit_free_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> lives_;  // warps that a slot has had
  std::vector<CtaSlot> cta_slots_;
  // Of the warps here, by what they can do next.
  std::uint64_t ready_ = 0, memory_next_ = 0, waits_result_ = 0, waits_load_ = 0, at_barrier_ = 0;
  std::array<std::uint64_t, units> unit_next_{};
  int ctas_ = 0, free_warps_ = 0;

  std::shared_ptr<LimitedWarps> limited_;
  WarpGate* gate_ = nullptr;
  std::uint64_t launched_ = 0, ended_ = 0;
  unsigned issued_lanes_ = 0;

  LoadStoreUnit lsu_;
  bool offering_ = false, taken_ = false;
  GpuRequest offer_;
  int offered_load_ = -1;
  std::deque<std::uint32_t> free_ids_;
  std::vector<int> load_of_;  // by id
  std::vector<Load> loads_;
  std::vector<int> free_loads_;
  int in_flight_ = 0;
  bool wants_flush_ = false;

  std::uint64_t now_ = 0;
  Wheel<int> wakes_;  // slots
  Wheel<Result> results_;
  std::uint64_t memory_instructions_ = 0, warp_instructions_ = 0, thread_instructions_ = 0;
  Sm::Cycles cycles_;
  IssueCycles issue_cycles_;
  IssueCause last_cycle_ = IssueCause::empty;
  std::vector<bool> issued_;  // by scheduler, in this cycle
};

}  // namespace golden

// The cores of a system: kernels of a trace one after the other, CTAs dealt to SMs, every instruction issued.
#pragma once
#include <deque>
#include <vector>

#include "golden/gpu/cta_assignment.h"
#include "golden/gpu/system/system_sm.h"
#include "golden/trace/cta_reader.h"
#include "golden/trace/trace_source.h"

namespace golden {

class SystemFrontEnd {
 public:
  // Of the caches in front of which the SMs stand.
  struct CacheSide {
    int line_bytes = 128, chunk_bytes = 32, address_bits = 64, id_bits = 8;
    hw::LimitParams limit = {};
  };

  // `source` hands out all instructions, is read as CTAs are needed, and must outlive the front end.
  SystemFrontEnd(TraceSource& source, const SystemParams& p, const CacheSide& caches,
                 std::size_t spool_bytes = 32 << 20);

  SystemSm& sm(int number) { return sms_[static_cast<std::size_t>(number)]; }
  const SystemSm& sm(int number) const { return sms_[static_cast<std::size_t>(number)]; }
  int sms() const { return p_.sms; }
  // Ends a cycle, when every SM has been ticked or skipped: deals CTAs; when a kernel is over, asks for
  // flushes and goes on with the next one when they are done and its launch has taken its time.
  void tick();
  bool done() const { return ended_; }
  // In the last tick the first CTA of a kernel started.
  bool kernel_started() const { return kernel_started_; }
  // In the last tick a kernel ended, and another one follows.
  bool kernel_ended() const { return kernel_ended_; }

 private:
  bool idle() const;
  bool flushes_asked() const;
  bool waiting() const;
  void next_kernel();
  void deal();
  void deal_in_turn();
  void read_runs();
  void deal_runs();
  int most_here(const Cta& cta) const;
  bool sorts() const { return p_.cta_order == CtaOrder::blocks && reader_.kernel().ctas() != 0; }

  const SystemParams p_;
  TraceSource& source_;
  SpillFile spill_;
  CtaReader reader_;
  CtaAssignment assignment_;
  std::vector<SystemSm> sms_;
  Cta pending_;
  bool has_pending_ = false, started_ = false, first_cta_ = false, ended_ = false, flushing_ = false;
  bool kernel_started_ = false, kernel_ended_ = false;
  int launch_left_ = 0;
  std::vector<std::deque<Cta>> runs_;  // by core, where neighbours go to one core: what it still gets
};

}  // namespace golden

// Reads of the data store that found wrong data, in an L1 data cache with a protected data RAM: corrected, or
// fetched from memory once more (docs/contracts/l1d-ecc.md).
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/rtl/stream.h"
#include "hw/tags/exchange.h"

namespace hw {

// Events of protected RAMs, never by default, and the load that the last one is about.
struct EccEvents {
  rtl::Condition corrected = {}, refetched = {}, uncorrectable = {};
  std::optional<rtl::Expr> id = {};
};

// Adds the outputs ecc_*.
void add_ecc_ports(rtl::Module& m, int id_bits, const EccEvents& events);

// What stays since it cannot be corrected, and exists nowhere else: a waiting load, a queued request.
struct StuckRow {
  rtl::Condition wrong = {}, corrected = {};
  rtl::Expr id = {};
};
// The events, and those of waiting loads and of queued requests, of a cache that protects their RAMs. Each is
// reported once, in this order. `answered`: the waiting load is.
EccEvents with_stuck_rows(rtl::Module& m, const EccEvents& events, const StuckRow& load,
                          const StuckRow& request, const rtl::Expr& answered);

class RecoveryStage {
 public:
  // Adds the registers, and what the parts before the answer stage read of them. `queue_free`: the miss queue
  // takes a request.
  RecoveryStage(rtl::Module& m, const L1dParams& p, ProbeStage& probe, const rtl::Expr& queue_free);

  // An answer that is corrected keeps the stage for a cycle.
  const rtl::Condition& slow() const { return slow_; }
  // The answer in the stage is not given.
  const rtl::Expr& withdrawn() const { return withdrawn_; }
  rtl::Expr withheld() const { return withdrawn_ | slow_; }

  // The line that a snoop has read for an answer of this mask is wrong: it counts as not there.
  rtl::Condition snoop_wrong(const ProbeStage& probe, const rtl::Expr& mask) const;

  // Behind the answer stage, which shows an answer of this id and mask: checks it, and passes the wrong ones
  // on.
  void run(const ProbeStage& probe, const rtl::Expr& id, const rtl::Expr& mask);
  EccEvents events() const;

  // What goes to memory: the load that is fetched once more, else the request of the probe.
  const rtl::Expr& pushes() const { return pushes_; }
  rtl::Expr pushed(const rtl::Expr& own, const rtl::Expr& of_probe) const;
  const rtl::Expr& id() const { return front_.id; }
  const rtl::Expr& mask() const { return front_.mask; }
  const rtl::Expr& line() const { return front_.line; }

 private:
  struct Load {
    rtl::Expr valid, id, mask, line, late, set_index, way, stays;  // way: or slots, or a way and chunks
  };
  bool corrects() const { return p_.ecc.data == Protection::secded; }
  // Where a line lies: a way, or the slots of its chunks; what goes of it: that, or chunks of a shared way.
  bool in_slots() const;
  bool shares_ways() const;
  int read_bits() const;
  int place_bits() const;
  std::string place_name(const std::string& stem) const;
  const char* place_doc() const;
  Load load(const std::string& name, const std::string& doc);
  void add_place(Load& load, const std::string& name, int bits);
  void check(const ProbeStage& probe, const rtl::Expr& id, const rtl::Expr& mask);
  void correct(const ProbeStage& probe, const rtl::Expr& mask);

  rtl::Module& m_;
  const L1dParams& p_;
  rtl::Expr queue_free_;
  Load checked_, back_, front_;
  rtl::Condition slow_, snoop_checked_;
  rtl::Expr failed_, known_, fixing_, fixed_, withdrawn_, pushes_, wrong_, beyond_, done_;
};

}  // namespace hw

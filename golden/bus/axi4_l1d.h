// Golden L1 data cache with AXI4 on its memory side: the two models, port to port.
#pragma once
#include "golden/bus/axi4_bridge.h"
#include "golden/l1d/cycle_l1d.h"
#include "hw/bus/axi4_l1d_params.h"

namespace golden {

class Axi4L1d {
 public:
  explicit Axi4L1d(const hw::L1dParams& p)
      : owned_(CycleL1d::make(native(p))), core_(*owned_), bridge_(hw::axi4_bridge_of(p, 40)) {}

  // Core side: all but the fields of memory. AXI4 side: all but those of requests and responses.
  struct In {
    L1dIn core;
    Axi4In axi;
  };
  struct Out {
    L1dOut core;
    Axi4Out axi;
  };

  // Valid until the edge. Answers on the bridge depend on its registers alone, and so does what the cache
  // asks of memory; each then sees the other's ready.
  const Out& outputs(const In& in) {
    in_ = in;
    const Axi4Out answer = bridge_.outputs({});
    if (answer.undefined) {
      out_.axi = answer;
      return out_;
    }
    in_.core.memory_request_ready = false;
    in_.core.memory_response_valid = answer.response_valid;
    in_.core.memory_response_id = answer.response_id;
    in_.core.memory_response_mask = answer.response_mask;
    if (answer.response_data) line_ = *answer.response_data;  // the bridge's edge comes first
    in_.core.memory_response_data = answer.response_data ? &line_ : nullptr;
    const L1dOut asked = core_.outputs(in_.core);
    in_.axi.request_valid = asked.memory_request_valid;
    in_.axi.request_id = asked.memory_request_id;
    in_.axi.request_kind = asked.memory_request_kind;
    in_.axi.request_address = asked.memory_request_address;
    in_.axi.request_mask = asked.memory_request_mask;
    in_.axi.request_byte_enable = asked.memory_request_byte_enable;
    in_.axi.request_data = asked.memory_request_data;
    in_.axi.response_ready = asked.memory_response_ready;
    out_.axi = bridge_.outputs(in_.axi);
    in_.core.memory_request_ready = out_.axi.request_ready;
    out_.core = core_.outputs(in_.core);
    return out_;
  }

  // With the inputs of the last call of outputs().
  void edge() {
    in_.axi.rst = in_.core.rst;
    bridge_.edge(in_.axi);
    if (in_.axi.rst || !bridge_.outputs({}).undefined) core_.edge(in_.core);
  }

  const CycleL1d& core() const { return core_; }
  CycleL1d& core() { return core_; }
  const Axi4Bridge& bridge() const { return bridge_; }
  // What stands between the two in this cycle.
  const Axi4In& between() const { return in_.axi; }

 private:
  // Correct answers of the memory make the bridge's answers correct.
  static hw::L1dParams native(hw::L1dParams p) {
    p.check = {};
    return p;
  }

  const std::unique_ptr<CycleL1d> owned_;
  CycleL1d& core_;
  Axi4Bridge bridge_;
  In in_;
  Out out_;
  LineData line_{};
};

}  // namespace golden

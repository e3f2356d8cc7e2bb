// Golden L1 data cache behind a coalescer: the two models, port to port (docs/contracts/l1-subsystem.md).
#pragma once
#include <optional>

#include "golden/bus/axi4_l1d.h"
#include "golden/coalescer/coalescer.h"
#include "golden/topology/dc_l1_node.h"
#include "hw/coalescer/l1_subsystem_params.h"

namespace golden {

class L1Subsystem {
 public:
  explicit L1Subsystem(const hw::L1SubsystemParams& p) : coalescer_(hw::coalescer_of(p)) {
    if (p.l1d.protocol == hw::MemoryProtocol::axi4)
      axi4_.emplace(p.l1d);
    else
      native_ = CycleL1d::make(p.l1d);
  }

  // A memory side counts where the cache has it. The response stays until the edge.
  struct In {
    bool rst = false, flush_valid = false;
    std::optional<LaneInstruction> lane_request = {};
    bool lane_response_ready = false;
    bool memory_request_ready = false;
    const Message* memory_response = nullptr;
    Axi4In axi = {};
    Controls controls = {};
    MonitorInputs monitor_inputs = {};
  };
  struct Out {
    Coalescer::Out lanes;
    L1dOut cache;
    Axi4Out axi;
  };

  // Valid until the edge. What the coalescer asks the cache for, and whether it takes an answer, follows from
  // its registers and lane_response_ready; the cache sees both, and then the coalescer sees the cache.
  const Out& outputs(const In& in) {
    in_ = in;
    lanes_ = {.lane_request = in.lane_request, .lane_response_ready = in.lane_response_ready};
    const Coalescer::Out asked = coalescer_.outputs(lanes_);
    request_ = asked.core_request;
    cache_ = core_side(request_ ? &*request_ : nullptr, asked.core_response_ready);
    add_memory_side(cache_, in.memory_response, in.memory_request_ready);
    cache_.rst = in.rst;
    cache_.flush_valid = in.flush_valid;
    cache_.controls = in.controls;
    cache_.monitor_inputs = in.monitor_inputs;
    if (axi4_) {
      const Axi4L1d::Out& out = axi4_->outputs({cache_, in.axi});
      out_.cache = out.core;
      out_.axi = out.axi;
    } else {
      out_.cache = native_->outputs(cache_);
    }
    lanes_.core_request_ready = out_.cache.core_request_ready;
    lanes_.core_response = core_response(out_.cache);
    out_.lanes = coalescer_.outputs(lanes_);
    return out_;
  }

  // With the inputs of the last call of outputs().
  void edge() {
    if (axi4_)
      axi4_->edge();
    else
      native_->edge(cache_);
    in_.rst ? coalescer_.reset() : coalescer_.edge(lanes_);
  }

  const CycleL1d& cache() const { return axi4_ ? axi4_->core() : *native_; }
  CycleL1d& cache() { return axi4_ ? axi4_->core() : *native_; }
  const Coalescer& coalescer() const { return coalescer_; }
  // Null: its memory side is native.
  const Axi4Bridge* bridge() const { return axi4_ ? &axi4_->bridge() : nullptr; }
  // The request at the cache's core side in this cycle.
  const std::optional<Message>& request() const { return request_; }

 private:
  Coalescer coalescer_;
  std::unique_ptr<CycleL1d> native_;
  std::optional<Axi4L1d> axi4_;
  In in_;
  Coalescer::In lanes_;
  std::optional<Message> request_;
  L1dIn cache_;
  Out out_;
};

}  // namespace golden

// A topology of caches in a system: SMs that issue every instruction at its cores, L2 slices and DRAM behind
// its own.
//
// In each core cycle: drive(), then move() with what the topology shows, then the topology's edge. Slice s of
// the topology is slice s of the L2. Networks are the topology's, at the system's clock.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "golden/gpu/system/cycle_causes.h"
#include "golden/gpu/system/hit_delay.h"
#include "golden/gpu/system/l2_and_dram.h"
#include "golden/gpu/system/line_parts.h"
#include "golden/gpu/system/system_front_end.h"
#include "golden/l1d/l1d_figures.h"
#include "golden/topology/topology.h"

namespace verif {

// Core cycles to one of the topology's networks; of a boosted one, NoC#1 has half as many.
constexpr int network_ratio(const golden::SystemParams& p) { return p.core_clock / p.network_clock; }

// As golden::make_topology(), with networks that move in one of `ratio` cycles.
template <hw::TopologyParams P>
std::unique_ptr<golden::Topology> make_topology_at(int ratio) {
  static constexpr hw::TopologyParams slow = [] {
    hw::TopologyParams p = P;
    p.boost = false;
    p.clock_ratio = p.mesh.clock_ratio = 1;
    return p;
  }();
  static constexpr bool boosted_noc1 = golden::is_boosted(P);
  static constexpr golden::NetworkPlans plans = golden::kind_of(P.shape).networks(slow);
  std::vector<std::unique_ptr<golden::Fabric>> fabrics;
  const auto add = [&](std::unique_ptr<golden::Fabric> fabric, bool boosted) {
    const int cycles = boosted ? (ratio + 1) / 2 : ratio;
    if (cycles > 1) fabric = std::make_unique<golden::PacedFabric>(std::move(fabric), cycles);
    fabrics.push_back(std::move(fabric));
  };
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    (add(golden::make_network<plans.plans[n]>(), boosted_noc1 && n < 2), ...);
  }
  (std::make_index_sequence<plans.count>());
  return std::make_unique<golden::Topology>(slow, std::move(fabrics));
}

class TopologySystem {
 public:
  // `source` hands out all instructions and must outlive this. Hits are answered that many cycles later.
  TopologySystem(const hw::TopologyParams& topology, const golden::SystemParams& p,
                 golden::TraceSource& source, int hit_delay);

  // Stores and answers carry bytes from now on, other ones each: for hardware, whose wires have some.
  void carry_bytes() { bytes_ = true; }

  bool done() const { return gpu_.done(); }
  // The messages stay until the next call.
  const golden::TopologyIn& drive();
  // What moves at the edge that follows; the topology is as it was before it.
  void move(const golden::TopologyOut& shown, const golden::Topology& topology);

  std::int64_t cycles() const { return cycles_; }
  std::uint64_t loads() const { return loads_taken_; }
  const golden::Stay& load_time() const { return load_time_; }
  const std::vector<std::uint64_t>& slice_requests() const { return slice_requests_; }
  const std::vector<golden::CycleCauses>& causes() const { return causes_; }  // by core
  const golden::SystemSm& sm(int core) const { return gpu_.sm(core); }
  // By cache: cycles by the cause of a stalled lookup, and chunks that cores requested.
  const std::vector<golden::L1dFigures>& seen() const { return seen_; }
  golden::SystemMemoryFigures memory_figures() const;

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  struct Core {
    Core(golden::SystemSm& one, int delay) : sm(one), port(one, delay) {}
    golden::SystemSm& sm;
    golden::HitDelay port;
    golden::Message request;
    bool written = false;
    std::vector<golden::Message> flying;  // by id
  };
  // A request between a slice's port and its answer.
  struct Below {
    std::uint64_t id = 0, line = 0;
    bool writes = false;
    std::uint64_t number = 0;  // of the request
    std::uint32_t mask = 0;    // of the answer
    std::size_t left = 0;      // parts without an answer
  };

  void write(golden::Message& m, const golden::GpuRequest& offer);
  void fill(golden::Message& m, std::uint64_t number) const;
  void move_core(int c, const golden::TopologyOut& shown, const golden::Topology& topology);
  void move_slice(int s, const golden::TopologyOut& shown);
  void answered(std::uint64_t token);
  void take_request(int s, const golden::Message& m);
  void send_part(int s);
  // Of a slice: the request that is answered now, once all of its parts are; null if there is none.
  const Below* answer(int s) const;
  void note_hits(const golden::Topology& topology);
  // For whom a cache has looked up a request with that id.
  int core_of(int cache, std::uint64_t id) const;
  golden::CycleCause loads_wait_for(int c) const;

  const hw::TopologyParams topology_;
  const golden::SystemParams p_;
  const golden::Home home_;
  const std::uint32_t pc_mask_;
  const int id_bits_;  // of a core
  golden::SystemFrontEnd gpu_;
  golden::ClockDomain network_clock_;
  golden::Whereabouts reads_{1};  // below the slices, by token
  golden::Whereabouts loads_;     // of cores
  golden::L2AndDram lower_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<int> core_at_;                // node of a mesh
  std::vector<golden::Message> responses_;  // of slices
  golden::TopologyIn in_;
  std::vector<Below> below_;  // by token
  std::vector<std::deque<golden::MemoryPacket>>
      parts_;  // of slices: of a request that is taken, not yet sent
  std::vector<std::uint64_t> free_tokens_;
  std::unordered_map<std::uint64_t, std::uint64_t> reading_;  // token of the line's last read below
  std::vector<golden::CycleCauses> causes_;
  std::vector<golden::L1dFigures> seen_;
  std::vector<std::uint64_t> slice_requests_;
  golden::Stay load_time_;
  std::uint64_t loads_taken_ = 0, requests_ = 0, answers_ = 0, bytes_down_ = 0;
  std::int64_t cycles_ = 0;
  bool bytes_ = false;
  std::uint64_t stores_ = 0;
};

}  // namespace verif

// A memory of two nodes below all SMs (ACI thesis, section 5): the GPU's behind banks of an L2, the CPU's
// behind a link and past all caches; the unit `blpp` places pages by what it counts here.
//
// A page is placed at the first request of an SM for it, one page a cycle. Requests for pages of the GPU node
// go to the bank of their line: a hit is answered `l2_latency` cycles later, a miss when its line has come
// from the node, `gpu_memory_latency` cycles after its last byte, and the bank's cycles on top. A store takes
// a line without fetching it; its data goes to the node when the line is replaced. Requests for pages of the
// CPU node go to a port of the link, and are answered `cpu_memory_latency` and `link_latency` cycles after
// their last byte has moved. Every port moves 32 bytes a cycle.
#pragma once
#include <optional>
#include <vector>

#include "golden/gpu/answer_ports.h"
#include "golden/gpu/l2_bank.h"
#include "golden/gpu/memory_node.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/request_ports.h"
#include "golden/monitors/page_table.h"

namespace golden {

struct TwoNodesParams {
  hw::BlppParams blpp = {};  // bandwidths, latencies, pages, placement
  int sms = 15, line_bytes = 128, chunk_bytes = 32;
  int clock_mhz = 700;                           // at which 200 bytes a cycle are 140 GB/s
  int banks = 16, bank_bytes = 65536, ways = 8;  // of the L2 (ACI thesis, Table 6)
  int buffer_entries = 8, port_bytes = 32;       // of a bank or a port of the link
  int queue = 64;                                // entries of a node's queue
};

class TwoNodes final : public MemorySide {
 public:
  explicit TwoNodes(const TwoNodesParams& p);

  Access access(std::uint64_t address) override;
  void load_left(bool miss) override;
  void drive(int sm, L1dIn& in) const override;
  void take(int sm, const L1dIn& in, const L1dOut& out) override;
  void tick() override;
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override {
    requests_.occupancy(counts, most);
  }
  std::optional<NodeFigures> figures() const override;

 private:
  int end_of(const MemoryRequest& request) const;
  void serve(int end);
  // When its answer is there; none if the queue of a node is full now.
  std::optional<std::uint64_t> at_bank(int bank, const MemoryRequest& request);
  std::optional<std::uint64_t> at_link(const MemoryRequest& request);
  std::uint64_t fetch();  // a line from the GPU node: when it is in its bank
  void count(const MemoryRequest& request);
  static std::uint64_t number(int value) { return static_cast<std::uint64_t>(value); }

  const TwoNodesParams p_;
  Blpp unit_;
  PageTable pages_;
  RequestPorts requests_;
  AnswerPorts answers_;
  std::vector<L2Bank> banks_;
  MemoryNode gpu_, cpu_;
  std::vector<int> left_;  // by end: cycles of the request in front, 0 before its first
  std::uint64_t cycle_ = 0;
  Blpp::In now_ = {};  // the unit's inputs of this cycle
  NodeFigures figures_;
};

}  // namespace golden

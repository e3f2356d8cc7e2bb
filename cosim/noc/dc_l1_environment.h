// What stands around a topology while kernels run: an SM at each core, a memory behind each slice, and
// scoreboard that need no model: every request is answered once, and a line that nobody has written reads as
// it was.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/noc/dc_l1_result.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/next_level.h"
#include "golden/topology/topology.h"
#include "golden/trace/trace_source.h"

namespace verif {

// In each cycle of clk: drive(), then note() with what the topology shows before its edge.
class DcL1Environment {
 public:
  using Message = golden::Message;

  DcL1Environment(const hw::TopologyParams& params, const std::string& trace, const CosimOptions& options);

  // All kernels have run, everything is answered.
  bool over() const;
  // The messages stay until the next call.
  const golden::TopologyIn& drive();
  // What moves at this edge of clk; `golden` is as it was before it.
  std::optional<Mismatch> note(const golden::TopologyOut& shown, const golden::Topology& golden);
  DcL1Result finish(const golden::Topology& golden);
  std::int64_t cycles() const { return result_.cycles; }

 private:
  // What an answer has to be; a mask of ~0 stands for no request.
  struct Flying {
    golden::RequestKind kind = golden::RequestKind::load;
    std::uint64_t address = 0;
    std::uint32_t mask = 0;
    bool waits = false;
  };

  // A trace says which chunks a request touches: stores write all of them, each with other bytes.
  void write(Message& m, const golden::GpuRequest& offer);
  void accepted(int core, const golden::Topology& golden);
  std::optional<Mismatch> answered(int core, const Message& m);
  void move(std::size_t slice, const golden::TopologyOut& shown);
  // Of the cycle before.
  void note_probes(const golden::Topology& golden);
  void sample(const golden::Topology& golden);

  const hw::L1dParams share_;
  const std::uint32_t pc_mask_;  // of the cores' program counters
  const int cores_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd front_;
  golden::TopologyIn in_;
  std::vector<Message> requests_;
  std::vector<char> sends_;  // the request of that core is written
  std::vector<std::vector<Flying>> flying_;
  std::unordered_set<std::uint64_t> written_;  // lines
  std::vector<Message> responses_;
  std::vector<golden::L1dIn> memory_in_;
  std::vector<golden::NextLevel> memories_;
  std::uint64_t stores_ = 0, loads_ = 0, next_sample_ = 0, samples_ = 0;
  golden::Stay load_time_;
  double replicas_ = 0;
  std::int64_t progress_ = 0;
  DcL1Result result_;
};

// A kernel on a golden model by itself.
DcL1Result golden_kernel(const hw::TopologyParams& params, golden::Topology& golden, const std::string& trace,
                         const CosimOptions& options);

}  // namespace verif

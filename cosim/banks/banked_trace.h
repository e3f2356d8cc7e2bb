// A kernel in front of an L1 data cache in banks: an SM whose requests leave by all ports, a memory behind,
// and a scoreboard that needs no model: every request is answered once, at its port, and a line that nobody
// has written reads as it was.
#pragma once
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/trace_result.h"
#include "golden/banks/banked_l1d.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/next_level.h"
#include "golden/trace/trace_source.h"

namespace verif {

class BankedTrace {
 public:
  using Message = golden::Message;

  BankedTrace(const hw::BankedL1dParams& params, const std::string& trace, const CosimOptions& options);

  // All kernels have run, everything is answered, and nothing was wrong.
  bool over() const { return front_.done() && memory_.idle() && wrong_.empty(); }
  // Of this cycle; what is offered stays until it is taken.
  const std::optional<Message>& request(int port);
  bool wants_flush() { return front_.sm(0).wants_flush(); }
  const golden::L1dIn& memory();
  // The clock edge, with what both sides of the ports have driven.
  void edge(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out);

  // What an answer was that should be another, or nothing.
  const std::string& wrong() const { return wrong_; }
  TraceResult result(const golden::L1dCounters& counters);

 private:
  struct Flying {
    golden::RequestKind kind = golden::RequestKind::load;
    std::uint64_t address = 0;
    std::uint32_t mask = 0;
    int port = -1;  // -1: no such request
  };

  void write(Message& m, const golden::GpuRequest& offer);
  void answered(int port, const golden::BankedL1d::Response& response);

  const hw::BankedL1dParams p_;
  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd front_;
  golden::NextLevel memory_;
  golden::L1dIn memory_in_;
  golden::LineData fill_{};
  std::vector<std::optional<Message>> requests_;  // of the ports
  std::vector<Flying> flying_;                    // by id
  std::unordered_set<std::uint64_t> written_;     // lines
  std::uint64_t stores_ = 0;
  std::int64_t cycles_ = 0, progress_ = 0;
  std::string wrong_;
};

}  // namespace verif

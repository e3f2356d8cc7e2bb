// Which of a core's requests its own L1 serves among shared ones: always alike, or as a DynEB controller
// finds, with the written filter of the private-store rule beside it (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <deque>
#include <memory>
#include <optional>

#include "golden/index/run_time_index.h"
#include "golden/shared/dyneb.h"
#include "golden/shared/route_select.h"
#include "golden/topology/parts.h"
#include "hw/shared/marks_params.h"

namespace golden {

// What happens at a core in a cycle, beside what its L1 shows.
struct CoreCycle {
  bool flush = false, flush_valid = false, idle = false;  // idle: nothing of the core is open
  const Message* arrives = nullptr;                       // is accepted
  bool to_home = false;                                   // where the request in the stage goes
  bool answered = false;
  const Message* by_slice = nullptr;   // what a slice answered to the core
  const Message* slice = nullptr;      // leaves reply-in0
  const Message* home = nullptr;       // leaves reply-in1
  std::optional<bool> enters_l1 = {};  // a request: another core's
  std::uint64_t entering_id = 0;
  const Message* down_l1 = nullptr;  // a memory request of the L1 is taken
  bool answer_waits = false;         // the L1's answer
};

class LineOrganisation {
 public:
  static std::unique_ptr<LineOrganisation> make(const hw::TopologyParams& params, int core);
  virtual ~LineOrganisation() = default;

  virtual bool takes() const { return true; }
  // Of the request in the stage.
  virtual bool shared() const = 0;
  virtual bool written() const { return false; }
  virtual bool drops(RequestKind, Way) const { return false; }
  virtual std::uint64_t marks() const { return 0; }
  // What its id carries into the own L1.
  virtual std::uint64_t own_marks() const { return 0; }
  virtual std::uint64_t direct_tally() const { return 0; }
  // Of a memory request of the L1.
  virtual std::uint64_t missed_tally(const Message&) const { return 0; }
  virtual std::uint64_t answer_hit(const L1dCounters& /*events*/) const { return 0; }
  virtual bool clean() const { return true; }
  // Of even sets (bit 0) and of odd ones.
  virtual std::uint64_t shared_sets() const { return 0; }
  // Events of the L1 are those of the cycle before.
  virtual void edge(const CoreCycle&, const L1dCounters& /*events*/) {}
  virtual void reset() {}
  virtual void count(EventCounts&) const {}
  virtual const History* decisions() const { return nullptr; }
};

}  // namespace golden

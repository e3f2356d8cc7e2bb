// Golden core among cores that search each other's L1s, cycle by cycle: its L1 and all units of remote-core
// probing, with the messages of both networks (DC-L1 thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "golden/check/search_check.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/noc/packet.h"
#include "golden/remote/core_selector.h"
#include "golden/remote/probe_handler.h"
#include "golden/remote/probe_table.h"
#include "golden/remote/sharing_predictor.h"
#include "golden/shared/l1_arbiter.h"
#include "golden/shared/written_filter.h"
#include "hw/remote/remote_node_params.h"

namespace golden {

class RemoteNode {
 public:
  // Of the network of replies: of a core, or of a slice, which returns what a request of a search carried.
  struct Reply {
    bool core = false, tracked = false;
    int supplier = 0;
    std::uint64_t group = 0;
    Message message = {};
  };
  // Of the network of requests: a probe, or a request to a slice.
  struct Sent {
    std::optional<Probe> probe = {};
    int destination = 0;  // of a probe
    bool tracked = false;
    std::uint64_t group = 0;  // of a request that is tracked
    Message message = {};
  };
  struct In {
    bool rst = false;
    const Message* request = nullptr;  // null where not valid
    bool response_ready = false;
    bool flush_valid = false, flush_all = false;
    bool send_ready = false;
    std::optional<Probe> probe = {};
    bool supply_ready = false;
    const Reply* reply = nullptr;
  };
  struct Out {
    bool request_ready = false;
    std::optional<Message> response = {};
    bool flush_ready = false;
    std::optional<Sent> send = {};
    const ProbeHandler::Line* supply = nullptr;
    bool reply_ready = false;
  };
  // Why a message is sent, in the order in which they go.
  enum class Class { direct, other, late_ask, deflected, forwarded, vain_ask, own, none };

  // Whether another core has a line (its number): what a perfect predictor knows.
  using Foreign = std::function<bool(std::uint64_t line)>;

  explicit RemoteNode(const hw::RemoteNodeParams& p, Foreign foreign = {});

  // What the node shows in this cycle; valid until the edge.
  const Out& outputs(const In& in);
  // The edge, with the inputs of the last call of outputs().
  void edge(const In& in);
  const CycleL1d& cache() const { return *cache_; }
  CycleL1d& cache() { return *cache_; }
  // With checks of what comes: nothing else counts in this cycle, and edge() is that of the checks alone.
  bool undefined() const { return undefined_; }
  void check_edge();
  // The first rule that was broken; nothing without checks.
  std::optional<hw::ProtocolError> protocol_error_code() const;
  const ProbeTable& table() const { return table_; }
  const ProbeHandler& handler() const { return handler_; }
  Class sends() const { return class_; }
  // Classes that wait in this cycle.
  const std::vector<Class>& waiting() const { return waiting_; }
  // The miss in front is taken, and why it is not looked for elsewhere.
  bool takes() const { return takes_; }
  std::uint64_t missed_line() const { return line_of(*down_); }
  bool written() const { return written_now_; }
  bool owed() const { return owed_; }
  bool shared() const { return predicted_.shared; }
  // A probe has waited as long as it may, and the L1 is busy all the same.
  bool probe_is_late() const { return arbiter_in_.served && arbiter_.old() && !arbiter_in_.ready; }
  const CoreSelector& selector() const { return selector_; }
  // The reply of this cycle fills the L1.
  bool fills() const { return fills_; }
  unsigned entry_of(std::uint64_t group) const {
    return static_cast<unsigned>(group >> sequence_bits_ & ((1u << entry_bits_) - 1));
  }
  // The probes that enter the outgoing queue in it.
  struct Begun {
    unsigned entry = 0;
    bool list = false;  // else a leader for candidates
    int probes = 0;
  };
  std::optional<Begun> begins() const;
  bool returns(const Probe& probe) const {
    return probe.group >> (table_params_.group_bits - hw::core_or_none_bits(p_.cores)) ==
           static_cast<std::uint64_t>(p_.core);
  }

 private:
  bool stages() const { return p_.remote.table_stages > 0; }
  static bool of_search(const Reply* reply) { return reply && (reply->core || reply->tracked); }
  bool idle() const {
    return open_ == 0 && table_.idle() && handler_.idle() && outgoing_.empty() &&
           (!guards_ || (filter_.ready() && !dirty_));
  }
  std::uint64_t line_of(const Message& m) const { return m.address >> offset_bits_; }
  std::uint32_t sequence_of(std::uint64_t group) const {
    return static_cast<std::uint32_t>(group & ((std::uint64_t{1} << sequence_bits_) - 1));
  }
  std::uint64_t group_of(unsigned entry, std::uint32_t sequence) const {
    return (static_cast<std::uint64_t>(p_.core) << entry_bits_ | entry) << sequence_bits_ | sequence;
  }
  std::size_t filter_index(std::uint64_t line) const { return filter_.index(line, line & 1); }
  bool fetches() const { return down_ && !(down_->id >> (memory_id_bits_ - 1) & 1); }

  std::optional<std::uint64_t> snoop() const;
  std::optional<std::uint64_t> entering_mark(const In& in) const;
  void drive_cache(const In& in);
  void judge_miss(const In& in);
  SharingPredictor::Answer predict() const;
  ProbeTable::In table_in(const In& in) const;
  void choose(const In& in);
  Sent request_of(unsigned entry, std::uint64_t line, bool tracked, std::uint32_t sequence) const;
  void push_probes(const ProbeTable::Sent& sent, int probes);
  void step_filter(const In& in);
  std::optional<SearchCheck::Fill> filling() const;
  void reset();

  const hw::RemoteNodeParams p_;
  const Foreign foreign_;
  const hw::ProbeTableParams table_params_;
  const bool guards_;
  const int entry_bits_, sequence_bits_, offset_bits_, memory_id_bits_;
  const std::uint32_t all_chunks_;
  std::unique_ptr<CycleL1d> cache_;
  SearchCheck search_check_;
  L1Arbiter arbiter_;
  WrittenFilter filter_;
  SharingPredictor predictor_;
  CoreSelector selector_;
  ProbeTable table_;
  ProbeHandler handler_;

  std::deque<Probe> outgoing_;
  std::vector<std::uint64_t> lines_;  // of searches, by entry
  struct Direct {
    unsigned entry = 0;
    std::uint64_t line = 0;
  };
  std::optional<Direct> direct_;
  std::deque<std::uint64_t> snoops_;   // lines of snoops that wait for the L1, two at most
  std::optional<std::uint64_t> mark_;  // line of a store that enters, with stages one cycle ago
  int open_ = 0;
  bool undefined_ = false;
  bool asked_ = false, fresh_ = false, written_ = false, dirty_ = false;

  // Of this cycle.
  L1dIn driven_;
  L1Arbiter::In arbiter_in_;
  std::optional<Message> down_, l1_request_, fill_, answer_;
  bool looked_ = false, looked_fills_ = false;  // with stages: the reply in front
  bool serves_ = false, asks_filter_ = false, takes_ = false, plain_ = false, fills_ = false;
  bool written_now_ = false, owed_ = false;
  SharingPredictor::In predictor_in_;
  SharingPredictor::Answer predicted_;
  ProbeTable::In table_in_;
  std::vector<Class> waiting_;
  Class class_ = Class::none;
  Out out_;
};

}  // namespace golden

// The environment of a core among cores that search each other's L1s: a memory behind slices, other cores
// that have lines or have not, probes of theirs, and networks that lose, stall and confuse messages of
// searches.
#pragma once
#include <optional>
#include <random>
#include <vector>

#include "cosim/noc/dc_traffic.h"
#include "golden/topology/remote_node.h"

namespace verif {

class RemoteEnvironment {
 public:
  using Node = golden::RemoteNode;
  using Probe = golden::Probe;

  explicit RemoteEnvironment(const hw::RemoteNodeParams& p) : p_(p) {}

  void new_phase(std::mt19937_64& draw);
  // What comes in this cycle; a reply stays until it is taken. `quiet`: no probes of other cores begin.
  void next(bool quiet);
  const std::optional<Probe>& probe() const { return probe_; }
  const Node::Reply* reply() const { return reply_ ? &*reply_ : nullptr; }
  bool send_ready() const { return send_ready_; }
  bool supply_ready() const { return supply_ready_; }

  void sent(const Node::Sent& message);
  void reply_taken() { reply_.reset(); }
  // A line that this core has requested: others may request it, too.
  void asked_for(std::uint64_t address) { lines_[newest_++ % lines_.size()] = address; }
  // All L1s are empty: other cores find lines as the memory has them now.
  void flushed() { copies_ = memory_; }
  void reset();

 private:
  template <class What>
  struct Coming {
    std::int64_t due = 0;
    What what = {};
  };

  int line_bytes() const { return p_.l1d.line_bytes; }
  bool often(unsigned rate) { return draw_() % 256 < rate; }
  std::int64_t later() { return now_ + 1 + static_cast<std::int64_t>(draw_() % delay_); }
  void search(const Probe& probe);
  void found_late(const Probe& probe);
  bool data_comes_first(const Node::Sent& message);
  Node::Reply line_of(const Probe& probe, int core);  // what the core has of it
  Probe foreign();
  // Of all that is due any one.
  template <class What>
  std::optional<What> arrives(std::vector<Coming<What>>& coming) {
    std::vector<std::size_t> due;
    for (std::size_t n = 0; n < coming.size(); ++n)
      if (coming[n].due <= now_) due.push_back(n);
    if (due.empty()) return {};
    const auto at = static_cast<std::ptrdiff_t>(due[draw_() % due.size()]);
    const What what = coming[static_cast<std::size_t>(at)].what;
    coming.erase(coming.begin() + at);
    return what;
  }

  hw::RemoteNodeParams p_;
  std::mt19937_64 draw_;
  std::int64_t now_ = 0;
  std::uint64_t delay_ = 1, number_ = 0;
  unsigned probes_ = 64, finds_ = 128, lost_ = 0, wrong_ = 0, late_ = 0, sends_ = 256, supplies_ = 256;
  ByteMemory memory_, copies_;
  std::vector<Coming<Node::Reply>> replies_;
  std::vector<Node::Reply> slow_;  // lines that come after the time-out of their search
  std::vector<Coming<Probe>> returns_;
  std::optional<Node::Reply> reply_;
  std::optional<Probe> probe_;
  bool send_ready_ = false, supply_ready_ = false;
  std::vector<std::uint64_t> lines_ = std::vector<std::uint64_t>(16);
  std::size_t newest_ = 0;
};

}  // namespace verif

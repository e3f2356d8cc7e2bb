// The parts of golden topologies between their networks: at a core, instead of a node and at a slice, cycle
// by cycle (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/topology/checked_answers.h"
#include "golden/topology/dc_l1_node.h"
#include "golden/topology/fabric.h"
#include "hw/topology/topology_params.h"

namespace golden {

inline constexpr std::size_t most_parts = 128;  // cores, slices, caches

inline const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }

// What a topology is given in a cycle, by number. Messages are null where not valid, and must stay until the
// edge.
struct TopologyIn {
  bool rst = false, flush_valid = false;
  std::array<const Message*, most_parts> request{};  // of cores
  std::array<bool, most_parts> response_ready{};
  std::array<bool, most_parts> slice_request_ready{};
  std::array<const Message*, most_parts> slice_response{};
  std::array<Controls, most_parts> controls{};  // of caches
};

struct TopologyOut {
  std::array<bool, most_parts> request_ready{};
  std::array<const Message*, most_parts> response{};
  std::array<const Message*, most_parts> slice_request{};
  std::array<bool, most_parts> slice_response_ready{};
  bool flush_ready = true;
  // Where it checks its neighbours. `undefined`: one has broken a rule, and nothing else counts.
  hw::ProtocolError protocol_error_code = hw::ProtocolError::none;
  bool undefined = false;
};

// What a run has come by, by name.
using EventCounts = std::map<std::string, std::uint64_t>;

// Where a part is made: its number, and its ends in the order of its plan.
struct PartSite {
  const hw::TopologyParams& params;
  const Home& home;
  std::size_t number;
  std::vector<Sender> senders = {};
  std::vector<Sink> sinks = {};
  const std::vector<CycleL1d*>* caches = nullptr;  // of the topology, all once it is made
};

class Part {
 public:
  virtual ~Part() = default;

  // A cycle: drives senders, and shows what leaves the topology. It depends on registers and inputs alone.
  virtual void settle(const TopologyIn& in, TopologyOut& out) = 0;
  // All caches flush at the edge that follows; for parts that wait for all others.
  virtual void flush() {}
  // Behind the edge of the networks, which read what is in front of queues.
  virtual void edge(const TopologyIn& in, Edge edge) = 0;
  // What is left to do when caches have seen rst.
  virtual void reset() = 0;
  virtual CycleL1d* cache() { return nullptr; }
  // What its checks have found first, and whether a rule is broken that leaves nothing defined.
  virtual void report(FirstErrors::Codes&) const {}
  virtual bool undefined() const { return false; }
  // The edge once nothing is defined: of its checks alone.
  virtual void edge_of_checks() {}
  virtual void count(EventCounts&) const {}
  // Adds what it has come to.
  virtual void notify(TopologyFigures&) const {}
  // What stands beside its cache has decided.
  virtual const History* decisions() const { return nullptr; }
};

template <class P>
std::unique_ptr<Part> make_part(const PartSite& site) {
  return std::make_unique<P>(site);
}

// At a core with nodes.
class CorePort final : public Part {
 public:
  explicit CorePort(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override;
  void report(FirstErrors::Codes& codes) const override { answers_.report(codes); }
  bool undefined() const override { return answers_.broken(); }
  void edge_of_checks() override { answers_.edge(nullptr, nullptr); }

 private:
  const std::size_t core_;
  const Sender to_;
  const Sink from_;
  BoostQueue<Message> requests_, replies_;
  CheckedAnswers answers_;
  bool sent_ = false;  // the packetiser ends its message in this cycle
};

// A cache at a core.
class CoreCache final : public Part {
 public:
  explicit CoreCache(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override;
  CycleL1d* cache() override { return cache_.get(); }
  void report(FirstErrors::Codes& codes) const override {
    if (const AnswerCheck* const check = cache_->answer_check()) codes.insert(check->code());
  }
  bool undefined() const override { return undefined_; }
  void edge_of_checks() override {
    if (undefined_) cache_->edge(driven_);
  }

 private:
  const std::size_t core_;
  const Sender to_;
  const Sink from_;
  BoostQueue<Message> requests_, replies_;
  std::unique_ptr<CycleL1d> cache_;
  L1dIn driven_;
  std::optional<Message> request_, response_;
  bool sent_ = false, response_taken_ = false, undefined_ = false;
};

// A DC-L1 node.
class NodePort final : public Part {
 public:
  explicit NodePort(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override { fills_.reset(); }
  CycleL1d* cache() override { return &node_.cache(); }
  void report(FirstErrors::Codes& codes) const override { fills_.report(codes); }
  bool undefined() const override { return fills_.broken(); }
  void edge_of_checks() override { fills_.edge(nullptr, nullptr); }

 private:
  const std::size_t number_;
  const Sender to_cores_, to_slices_;
  const Sink from_cores_, from_slices_;
  DcL1Node node_;
  DcL1Node::In driven_;
  const int memory_id_bits_;
  CheckedAnswers fills_;
};

// Passes packets between two networks.
class Relay final : public Part {
 public:
  explicit Relay(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override;

 private:
  const Sender to_cores_, to_slices_;
  const Sink from_cores_, from_slices_;
  BoostQueue<Message> requests_, replies_;
  bool request_sent_ = false, reply_sent_ = false;
};

// At a slice.
class SlicePort final : public Part {
 public:
  explicit SlicePort(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override { requests_.reset(); }
  void notify(TopologyFigures& figures) const override { figures.at_slices.add(outside_); }

 private:
  const std::size_t slice_;
  const Sender to_;
  const Sink from_;
  Fifo<Message> requests_;
  bool answered_ = false;  // the slice's answer is taken in this cycle
  std::int64_t now_ = 0;
  Stay outside_;
};

}  // namespace golden

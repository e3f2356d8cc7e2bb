// Golden core with its L1 among shared L1s, cycle by cycle (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <deque>
#include <memory>
#include <optional>

#include "golden/shared/l1_arbiter.h"
#include "golden/shared/route_select.h"
#include "golden/topology/line_organisation.h"

namespace golden {

// What routes of a topology of shared L1s follow.
hw::RouteParams route_params(const hw::TopologyParams& p);

class SharedNode final : public Part {
 public:
  explicit SharedNode(const PartSite& site);
  void settle(const TopologyIn& in, TopologyOut& out) override;
  void flush() override { driven_.flush_valid = true; }
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override;
  CycleL1d* cache() override { return cache_.get(); }
  void count(EventCounts& events) const override;
  void notify(TopologyFigures& figures) const override;
  const History* decisions() const override { return organisation_->decisions(); }
  void report(FirstErrors::Codes& codes) const override { responses_.report(codes), fills_.report(codes); }
  bool undefined() const override { return responses_.broken() || fills_.broken(); }
  void edge_of_checks() override { responses_.edge(nullptr, nullptr), fills_.edge(nullptr, nullptr); }

 private:
  // Where an answer to the core comes from.
  enum class From { nobody, home, slice, l1 };

  // A request on its way to a node.
  struct Sent {
    Message message;
    int node = 0;
    bool operator==(const Sent&) const = default;
  };

  bool passes(const Message& reply) const { return reply.id >> (memory_id_bits_ - 1) & 1; }
  bool served(const Message& m) const { return m.id >> (l1_id_bits_ - 1) & 1; }
  std::uint64_t core_id(std::uint64_t id) const { return id & ((std::uint64_t{1} << core_id_bits_) - 1); }
  // {node, marks, id} of another core as it replies to it, {node, hit, marks, id}.
  std::uint64_t reply_id(std::uint64_t id, std::uint64_t hit) const {
    const std::uint64_t below = (std::uint64_t{1} << marked_bits_) - 1,
                        served = id & ((std::uint64_t{1} << (l1_id_bits_ - 1)) - 1);
    return (served & ~below) << hit_bits_ | hit << marked_bits_ | (served & below);
  }
  // The id that its sender gave a message which a slice has answered.
  std::uint64_t sent_id(std::uint64_t id) const { return id & ((std::uint64_t{1} << memory_id_bits_) - 1); }
  // Of a drop: its way is open, as far as that does not depend on the L1.
  bool way_open() const {
    return way_ == Way::home ? out0_.ready() : out1_.ready() && (direct_first_ || !missed_);
  }
  void steer(const TopologyIn& in);
  void enter_cache(const TopologyIn& in);
  void leave();
  void pass_replies();
  void answer_core(const TopologyIn& in, TopologyOut& out);
  void watch(const TopologyIn& in);
  void watch_home();
  void watch_stays();
  // The edge of the checks; the reply that comes from a slice, but for one that breaks a rule.
  const Message* check_edge(const Message* request, const Message* response);

  const std::size_t core_;
  const RouteSelect route_;
  const std::unique_ptr<LineOrganisation> organisation_;
  const bool shared_, min_home_l2_, folds_, drops_lines_, prefers_stale_lines_, withdraws_;
  const int core_id_bits_, marked_bits_, hit_bits_, l1_id_bits_, memory_id_bits_, tally_bits_;
  const std::uint64_t node_;
  const std::uint64_t asker_;  // in ids of requests to slices; crossbars give a slice the source themselves
  const int first_slice_;      // node that is the first port of networks to slices
  const Sender to_homes_, to_slices_, to_cores_;
  const Sink from_cores_, from_slices_, from_homes_;
  std::unique_ptr<CycleL1d> cache_;
  L1Arbiter arbiter_;
  CheckedAnswers responses_, fills_;
  Fifo<Message> in_, reply_in0_, reply_in1_, reply_out_;
  Fifo<Sent> out0_, out1_;
  std::optional<Message> stage_;
  int open_ = 0;
  bool direct_first_ = false;  // of the two that ask for out1
  std::deque<bool> origins_;   // whether the requests in the L1 are served ones
  From held_ = From::nobody;   // the answer that waits for the core

  // Of this cycle.
  Way way_ = Way::local;
  L1Arbiter::In asks_;
  bool drops_ = false, drop_goes_ = false;
  bool serves_ = false, l1_ready_ = false, accepts_ = false, leaves_ = false, direct_goes_ = false;
  bool sent0_ = false, sent1_ = false, sent_reply_ = false, passes_on_ = false, slice_taken_ = false;
  From from_ = From::nobody;
  std::optional<Message> l1_request_, fill_, missed_, answer_, reply_, response_;
  std::optional<Sent> home_request_, slice_request_;
  L1dIn driven_;
  EventCounts seen_;
  std::int64_t now_ = 0;
  L1dCounters direct_;  // requests to slices, past all L1s
  HomeLoads served_;
  Stay home_trips_, at_home_, slice_trips_;
};

}  // namespace golden

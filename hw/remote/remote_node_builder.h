// A core among cores that search each other's L1s, under construction: the L1's inputs and answers in one
// file, its misses and their searches in another, its messages in a third.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/packet/packet.h"
#include "hw/remote/own_core.h"
#include "hw/remote/remote_node.h"
#include "hw/rtl/condition.h"

namespace hw {

class RemoteNodeBuilder {
 public:
  RemoteNodeBuilder(const RemoteNodeParams& p, const std::string& top);
  L1d run();

 private:
  using Expr = rtl::Expr;
  // A probe as it is sent, or as the handler is given it.
  struct ProbeFields {
    Expr leader, group, targets, pointer, line, destination = {};
  };
  // One that waits to be sent.
  struct WaitingProbe : ProbeFields {
    Expr valid = {}, ready = {};
  };
  struct OwnProbe {
    Expr valid, ready, leader, entry, sequence, targets, line;
  };
  // What is sent, by its class; a direct load is a miss that is not searched for.
  struct Classes {
    Expr direct, other, late_ask, deflected, forwarded, vain_ask, own, ask;
  };
  // The last six are those of the cache's request.
  struct Sent {
    Expr probe, destination, leader, tracked, group, targets, pointer;
    Expr id, kind, address, mask, byte_enable, data;
  };

  // remote_node.cpp
  std::string name(const char* part) const { return m_.name() + "_" + part; }
  Expr ones_of_mask() const { return rtl::ones(chunks_of_line(p_.l1d)); }
  // A field of the cache's stream, by its name.
  std::vector<rtl::Field> cache_fields(const char* stream) const {
    return rtl::stream_of(cache_.module, stream).fields;
  }
  // An entry's number as an id of the memory side.
  Expr fetch_id(const Expr& entry) const { return rtl::zext(entry, cache_.facts.memory_id_bits); }
  // Of a group.
  Expr entry_of(const Expr& group) const {
    return group.slice(sequence_bits_ + entry_bits_ - 1, sequence_bits_);
  }
  Expr sequence_of(const Expr& group) const { return group.slice(sequence_bits_ - 1, 0); }
  Expr group_of(const Expr& entry, const Expr& sequence) const {
    return rtl::cat({own_.number(core_bits_), entry, sequence});
  }
  void core_ports();
  void network_ports();
  void enter_cache();
  void events();
  void searched();
  void answers();
  void replies();
  void flush();

  // remote_node_misses.cpp
  void misses();
  Expr filter();
  void look_up_reply();
  void predictor();
  void direct_loads();
  void lines();
  void table();
  void lists(Pins& pins);
  void outgoing(const Pins& pins);

  // remote_node_sends.cpp
  void injection();
  ProbeFields sent_probe();
  void sent_request(const ProbeFields& probe);

  const RemoteNodeParams& p_;
  const L1d cache_;
  rtl::Module m_;
  OwnCore own_;
  const ProbeTableParams table_;
  const ProbeHandlerParams handler_;
  const int core_bits_, entry_bits_, sequence_bits_, line_bits_, offset_bits_;

  rtl::Stream request_, response_, supply_, reply_;
  Expr flush_valid_, flush_all_, flush_ready_, probe_came_, send_valid_, send_ready_;
  ProbeFields probe_;  // that comes
  Sent send_;
  WaitingProbe deflected_, forwarded_;
  OwnProbe outgoing_;
  Classes shows_;
  Pins cache_pins_;
  Expr open_q_, accepts_, marks_, filter_ready_;
  rtl::Condition clean_ = rtl::Condition::always();  // no mark hinders a flush
  Expr serves_, snoop_valid_, snoop_ready_, snoop_line_, failed_;
  Expr snooped_, found_, answer_data_;  // what the L1 answers a snoop
  Expr returns_, handler_idle_, table_idle_, outgoing_idle_;
  Channel down_;
  Expr fetch_, down_entry_, down_line_, takes_, plain_, shared_, tracked_, miss_ready_;
  std::optional<Expr> slot_;  // of the predictor, where it has several
  Expr direct_q_, direct_entry_q_, direct_line_q_, direct_goes_, line_q_;
  Expr searching_, late_;
  Expr of_search_, looks_up_, looked_q_, fills_, goes_in_, fill_tracked_, fill_slot_, core_fills_;
  Expr rewards_, rewarded_slot_;  // what the predictor observes of a line that a core has sent
  Expr ask_valid_, ask_late_, ask_entry_, ask_sequence_, ask_take_;
  Expr list_take_, search_, probe_entry_, probe_sequence_;
};

}  // namespace hw

// Misses of a core among cores that search each other's L1s: their outcome, and the messages for them.
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"
#include "hw/remote/outgoing_probes.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/remote_node_builder.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/shared/written_filter.h"

namespace hw {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

// A request of the L1 stands in front until it is taken: a fetch, as a search or to its slice, all else as it
// is sent.
void RemoteNodeBuilder::misses() {
  m_.section("Requests of the L1.");
  down_ = Channel(m_, "down", cache_fields("memory_request"), "a request of the L1");
  append(cache_pins_, down_.pins("memory_request"));
  const Expr id = m_.let("down_id", down_["id"], "of the memory side"),
             address = m_.let("down_address", down_["address"], "byte address of the line");
  fetch_ = m_.let("fetch", down_.valid & ~id.bit(id.width() - 1), "the request is a miss");
  m_.unused("unused_down_offset", address.slice(offset_bits_ - 1, 0), "always 0");
  if (const int high = id.width() - 2; high >= entry_bits_)
    m_.unused("unused_down_id", id.slice(high, entry_bits_), "a fetch is named by its entry");
  down_entry_ = m_.let("down_entry", id.slice(entry_bits_ - 1, 0), "entry of the miss");
  down_line_ = m_.let("down_line", address.slice(p_.l1d.address_bits - 1, offset_bits_), "block address");
  takes_ = m_.wire("takes", 1, "the miss is taken");
  const Expr known = filter();
  miss_ready_ = m_.wire("miss_ready", 1, "a search may begin");
  direct_q_ = m_.reg("direct_q", 1, 0, "a miss waits to be sent to its slice");
  m_.assign(takes_, fetch_ & known & ~direct_q_ & (plain_ | miss_ready_));
  look_up_reply();
  predictor();
  direct_loads();
  lines();
  table();
  injection();
}

// Whether the miss in front may be looked for elsewhere is known in the cycle behind that in which the filter
// is asked; stores that come meanwhile count, too. Returns that it is known.
Expr RemoteNodeBuilder::filter() {
  const Expr owed = m_.let("owed", numbered(late_, down_entry_, 1), "L2 owes the entry a reply");
  if (!p_.remote.enable) m_.unused("unused_owed", owed, "nothing is searched for");
  if (!p_.remote.own_store_guard) {
    plain_ = p_.remote.enable ? owed : lit(1, 1);
    return lit(1, 1);
  }
  const WrittenFilterParams filter = filter_params(p_);
  const Expr line = m_.let("request_line", request_["address"].slice(p_.l1d.address_bits - 1, offset_bits_),
                           "block address of the core's request");
  const Expr written = m_.wire("filter_written", 1, "the filter's answer"),
             asked_q = m_.reg("asked_q", 1, 0, "the filter has looked up the miss in front"),
             fresh_q = m_.reg("fresh_q", 1, 0, "the filter answers in this cycle"),
             written_q = m_.data_reg("written_q", 1, "the core may have stored to the miss' line"),
             dirty_q = m_.reg("dirty_q", 1, 0, "there are marks in the filter");
  const Expr asks = m_.let("asks_filter", fetch_ & ~asked_q & ~marks_, "the filter looks up the miss");
  const Expr idle = flush_valid_ & ~any(open_q_);
  const Expr clear = m_.let("clear_filter", idle & dirty_q, "clear it before the flush");
  m_.instance(written_filter(filter, name("written_filter")), "written_filter",
              {{"clear", clear},
               {"request_valid", marks_ | asks},
               {"request_ready", filter_ready_},
               {"request_mark", marks_},
               {"request_block_address", mux(marks_, line, down_line_)},
               {"request_odd", mux(marks_, line.bit(0), down_line_.bit(0))},
               {"written", written}},
              "Lines that the core may have stored to.");
  const Expr alike =
      written_index(filter, line, line.bit(0)) == written_index(filter, down_line_, down_line_.bit(0));
  const Expr now =
      m_.let("marked_now", marks_ & alike, "a store to the miss' line, or like one, is taken now");
  const Expr found =
      m_.let("written", mux(fresh_q, written, written_q) | now, "the core may have stored to the line");
  m_.clocked("The filter is asked once for a miss.", [&] {
    m_.set(fresh_q, asks & filter_ready_);
    m_.set(written_q, found);
    m_.when(asks & filter_ready_, [&] { m_.set(asked_q, lit(1, 1)); }).otherwise([&] {
      m_.when(takes_, [&] { m_.set(asked_q, lit(1, 0)); });
    });
  });
  m_.clocked("Marks go with a flush.", [&] {
    m_.when(clear, [&] { m_.set(dirty_q, lit(1, 0)); }).otherwise([&] {
      m_.when(marks_, [&] { m_.set(dirty_q, lit(1, 1)); });
    });
  });
  clean_ = filter_ready_ & ~dirty_q;
  plain_ = m_.let("plain", p_.remote.enable ? found | owed : lit(1, 1), "other cores are not asked");
  return asked_q;
}

// With stages, a reply of a search is looked up in its first cycle in front, and taken in the next.
void RemoteNodeBuilder::look_up_reply() {
  const int slot_bits = bits_to_number(p_.remote.predictor.entries);
  fills_ = m_.wire("reply_fills", 1, "the reply is the first line of its search");
  fill_tracked_ = m_.wire("reply_slot_known", 1, "the predictor has an entry for its instruction");
  if (slot_bits) fill_slot_ = m_.wire("reply_slot", slot_bits, "number of the reply's entry");
  of_search_ = m_.let("of_search", reply_["core"] | reply_["tracked"], "the reply belongs to a search");
  looks_up_ = reply_.valid & of_search_;
  goes_in_ = fills_;
  rewards_ = fill_tracked_;
  rewarded_slot_ = fill_slot_;
  if (p_.remote.table_stages) {
    looked_q_ = m_.reg("looked_q", 1, 0, "the reply in front is looked up");
    looks_up_ = m_.let("looks_up", looks_up_ & ~looked_q_, "the reply is looked up now");
    goes_in_ = m_.reg("fills_q", 1, 0, "the reply in front is the first line of its search");
    rewards_ = m_.data_reg("fill_tracked_q", 1, "the predictor has an entry for its instruction");
    if (slot_bits) rewarded_slot_ = m_.data_reg("fill_slot_q", slot_bits, "number of that entry");
    m_.clocked("Whether it is looked up.", [&] {
      m_.set(looked_q_, looks_up_);
      m_.set(goes_in_, fills_);
    });
    m_.clocked("The predictor's entry for the reply.", [&] {
      m_.set(rewards_, fill_tracked_);
      if (slot_bits) m_.set(rewarded_slot_, fill_slot_);
    });
  }
  core_fills_ =
      m_.let("core_fills", reply_.valid & reply_["core"] & goes_in_, "a core has sent a line in time");
}

void RemoteNodeBuilder::predictor() {
  const int slot_bits = bits_to_number(p_.remote.predictor.entries);
  shared_ = m_.wire("shared", 1, "the miss is taken to be shared");
  tracked_ = m_.wire("tracked", 1, "the predictor has an entry for its instruction");
  Pins pins{{"miss", takes_ & ~plain_}, {"miss_pc", down_["pc"]}, {"reply", core_fills_ & rewards_},
            {"clear", flush_all_},      {"shared", shared_},      {"tracked", tracked_}};
  if (slot_bits) {
    slot_ = m_.wire("slot", slot_bits, "number of that entry");
    pins.insert(pins.end(), {{"slot", *slot_}, {"reply_slot", rewarded_slot_}});
  }
  m_.instance(sharing_predictor(predictor_params(p_), name("predictor")), "predictor", pins,
              "Predicts the misses whose lines other cores have.");
}

void RemoteNodeBuilder::direct_loads() {
  m_.section("Misses that go to their slices at once: one waits, so that later requests stand behind it.");
  direct_entry_q_ = m_.data_reg("direct_entry_q", entry_bits_, "entry of the miss");
  direct_line_q_ = m_.data_reg("direct_line_q", line_bits_, "block address of the miss");
  direct_goes_ = m_.wire("direct_goes", 1, "the miss is sent");
  const Expr direct = m_.let("goes_direct", takes_ & ~shared_, "the miss goes to its slice");
  m_.clocked("Whether one waits.",
             [&] { m_.when(direct | direct_goes_, [&] { m_.set(direct_q_, direct); }); });
  m_.clocked("The miss that waits.", [&] {
    m_.when(direct, [&] {
      m_.set(direct_entry_q_, down_entry_);
      m_.set(direct_line_q_, down_line_);
    });
  });
}

void RemoteNodeBuilder::lines() {
  line_q_ = m_.data_reg("line_q", table_.entries * line_bits_, "line of each search");
  m_.clocked("Lines that are searched for.", [&] {
    m_.loop("entry", table_.entries, [&](const Expr& e) {
      m_.when(takes_ & shared_ & (down_entry_ == e.slice(entry_bits_ - 1, 0)),
              [&] { m_.set(line_q_.part(e, line_bits_), down_line_); });
    });
  });
}

void RemoteNodeBuilder::table() {
  const auto wire = [&](const char* name, int width, const char* doc) { return m_.wire(name, width, doc); };
  table_idle_ = wire("table_idle", 1, "no search goes on");
  ask_valid_ = wire("ask_valid", 1, "a line is to be requested from L2 after a search");
  ask_late_ = wire("ask_timed_out", 1, "since its search has taken too long");
  ask_entry_ = wire("ask_entry", entry_bits_, "entry of that search");
  ask_sequence_ = wire("ask_sequence", sequence_bits_, "sequence of that search");
  ask_take_ = wire("ask_take", 1, "the request is sent");
  list_take_ = wire("list_take", 1, "a search takes a list of targets");
  probe_entry_ = wire("search_entry", entry_bits_, "entry of that search");
  probe_sequence_ = wire("search_sequence", sequence_bits_, "sequence of that search");
  if (!p_.remote.own_store_guard)
    m_.unused("unused_searching", searching_, "stores do not wait for searches");
  Pins pins{{"miss_valid", takes_ & shared_},
            {"miss_ready", miss_ready_},
            {"miss_entry", down_entry_},
            {"miss_tracked", tracked_},
            {"searching", searching_},
            {"late", late_},
            {"idle", table_idle_},
            {"list_take", list_take_},
            {"probe_entry", probe_entry_},
            {"probe_sequence", probe_sequence_},
            {"return_valid", returns_},
            {"return_entry", entry_of(probe_.group)},
            {"return_sequence", sequence_of(probe_.group)},
            {"reply_valid", looks_up_},
            {"reply_l2", ~reply_["core"]},
            {"reply_entry", entry_of(reply_["group"])},
            {"reply_sequence", sequence_of(reply_["group"])},
            {"reply_fills", fills_},
            {"reply_tracked", fill_tracked_},
            {"ask_valid", ask_valid_},
            {"ask_timed_out", ask_late_},
            {"ask_entry", ask_entry_},
            {"ask_sequence", ask_sequence_},
            {"ask_take", ask_take_}};
  if (slot_) append(pins, {{"miss_slot", *slot_}, {"reply_slot", fill_slot_}});
  if (most_candidates(table_)) {
    pins.emplace_back("return_scout", ~probe_.leader);
    for (int k = 0; k < scout_places(table_); ++k)
      pins.emplace_back(fmt::format("return_found{}", k),
                        probe_.targets.slice((k + 1) * core_bits_ - 1, k * core_bits_));
  }
  append(cache_pins_, {{"searching", p_.remote.own_store_guard ? searching_ : lit(table_.entries, 0)}});
  if (most_candidates(table_)) own_.pass_on(pins);
  lists(pins);
  m_.instance(probe_table(table_, name("table")), "probe_table", pins, "Searches of this core.");
}

// What the selector draws, and the probes that it becomes.
void RemoteNodeBuilder::lists(Pins& table_pins) {
  m_.section("Lists of targets, and the probes that share them.");
  const Expr valid = m_.wire("list_valid", 1, "there is a list"),
             probes = m_.wire("list_probes", probes_out_bits(table_), "probes that share it"),
             free_slots = m_.wire("free_slots", probe_count_bits(table_.outgoing), "free slots for probes");
  Pins selector{{"take", list_take_},  {"reply", core_fills_}, {"reply_core", reply_["supplier"]},
                {"clear", flush_all_}, {"valid", valid},       {"probes", probes}};
  Pins queue{{"list_take", list_take_},
             {"list_probes", probes},
             {"probe_entry", probe_entry_},
             {"probe_sequence", probe_sequence_},
             {"free_slots", free_slots}};
  for (int t = 0; t < p_.remote.coverage; ++t) {
    const std::string target = fmt::format("target{}", t);
    const Expr core = m_.wire(target, bits_to_number(p_.cores), "core that is searched, in this order");
    selector.emplace_back(target, core);
    queue.emplace_back(target, core);
  }
  append(table_pins, {{"list_valid", valid}, {"list_probes", probes}, {"free_slots", free_slots}});
  if (most_candidates(table_)) {
    search_ = m_.wire("search", 1, "a leader searches candidates");
    table_pins.emplace_back("search", search_);
    queue.emplace_back("search", search_);
    for (int t = 0; t < most_candidates(table_); ++t) {
      const std::string target = fmt::format("search_target{}", t);
      const Expr core = m_.wire(target, core_bits_, "candidate that is searched, in this order");
      table_pins.emplace_back(target, core);
      queue.emplace_back(target, core);
    }
  }
  own_.pass_on(selector);
  m_.instance(core_selector(selector_params(p_.remote, p_.cores, p_.core), name("selector")), "selector",
              selector, "Selects the cores to be searched.");
  outgoing(queue);
}

void RemoteNodeBuilder::outgoing(const Pins& pins) {
  Pins all = pins;
  const auto wire = [&](const char* field, int width) {
    all.emplace_back(fmt::format("sent_{}", field), m_.wire(fmt::format("outgoing_{}", field), width,
                                                            fmt::format("a probe of this core: {}", field)));
    return all.back().second;
  };
  outgoing_.valid = wire("valid", 1);
  outgoing_.ready = wire("ready", 1);
  outgoing_.leader = wire("leader", 1);
  outgoing_.entry = wire("entry", entry_bits_);
  outgoing_.sequence = wire("sequence", sequence_bits_);
  outgoing_.targets = wire("targets", list_bits(handler_));
  outgoing_.line = wire("line", line_bits_);
  all.emplace_back("probe_line", numbered(line_q_, probe_entry_, line_bits_));
  m_.instance(outgoing_probes(p_, name("outgoing")), "outgoing", all, "Probes of this core wait.");
  outgoing_idle_ = ~outgoing_.valid;
}

}  // namespace hw

#include "hw/remote/remote_node_misses.h"

#include "hw/prim/one_hot.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/shared/written_filter.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

FrontMiss front_miss(RemoteNodeFrame& n, Pins& cache) {
  rtl::Module& m = n.m;
  m.section("Requests of the L1.");
  const Channel down(m, "down", n.cache_fields("memory_request"), "a request of the L1");
  append(cache, down.pins("memory_request"));
  const Expr id = m.let("down_id", down["id"], "of the memory side"),
             address = m.let("down_address", down["address"], "byte address of the line");
  const Expr fetch = m.let("fetch", down.valid & ~id.bit(id.width() - 1), "the request is a miss");
  m.unused("unused_down_offset", address.slice(n.offset_bits - 1, 0), "always 0");
  if (const int high = id.width() - 2; high >= n.entry_bits)
    m.unused("unused_down_id", id.slice(high, n.entry_bits), "a fetch is named by its entry");
  const Expr entry = m.let("down_entry", id.slice(n.entry_bits - 1, 0), "entry of the miss"),
             line =
                 m.let("down_line", address.slice(n.p.l1d.address_bits - 1, n.offset_bits), "block address");
  return {down, fetch, entry, line, m.wire("takes", 1, "the miss is taken")};
}

namespace {

// What the written filter says of the miss in front is known in the cycle behind that in which it is asked;
// stores that come meanwhile count, too.
struct WrittenAnswer {
  Expr known, written;
  rtl::Condition clean;
};
WrittenAnswer ask_written_filter(RemoteNodeFrame& n, const CoreSide& core, const CacheEntry& entry,
                                 const FrontMiss& miss) {
  rtl::Module& m = n.m;
  const auto& [marks, line, ready] = entry.guard.value();
  const WrittenFilterParams filter = filter_params(n.p);
  const Expr written = m.wire("filter_written", 1, "the filter's answer"),
             asked_q = m.reg("asked_q", 1, 0, "the filter has looked up the miss in front"),
             fresh_q = m.reg("fresh_q", 1, 0, "the filter answers in this cycle"),
             written_q = m.data_reg("written_q", 1, "the core may have stored to the miss' line"),
             dirty_q = m.reg("dirty_q", 1, 0, "there are marks in the filter");
  const Expr asks = m.let("asks_filter", miss.fetch & ~asked_q & ~marks, "the filter looks up the miss");
  const Expr idle = core.flush_valid & entry.none_open;
  const Expr clear = m.let("clear_filter", idle & dirty_q, "clear it before the flush");
  m.instance(written_filter(filter, n.name("written_filter")), "written_filter",
             {{"clear", clear},
              {"request_valid", marks | asks},
              {"request_ready", ready},
              {"request_mark", marks},
              {"request_block_address", mux(marks, line, miss.line)},
              {"request_odd", mux(marks, line.bit(0), miss.line.bit(0))},
              {"written", written}},
             "Lines that the core may have stored to.");
  const Expr alike =
      written_index(filter, line, line.bit(0)) == written_index(filter, miss.line, miss.line.bit(0));
  const Expr now = m.let("marked_now", marks & alike, "a store to the miss' line, or like one, marks it now");
  const Expr found =
      m.let("written", mux(fresh_q, written, written_q) | now, "the core may have stored to the line");
  m.clocked("The filter is asked once for a miss.", [&] {
    m.set(fresh_q, asks & entry.guard->filter_ready);
    m.set(written_q, found);
    m.when(asks & entry.guard->filter_ready, [&] { m.set(asked_q, lit(1, 1)); }).otherwise([&] {
      m.when(miss.takes, [&] { m.set(asked_q, lit(1, 0)); });
    });
  });
  m.clocked("Marks go with a flush.", [&] {
    m.when(clear, [&] { m.set(dirty_q, lit(1, 0)); }).otherwise([&] {
      m.when(entry.guard->marks, [&] { m.set(dirty_q, lit(1, 1)); });
    });
  });
  return {asked_q, found, ready & ~dirty_q};
}

}  // namespace

GuardAnswer guard_misses(RemoteNodeFrame& n, const CoreSide& core, const CacheEntry& entry,
                         const FrontMiss& miss, const Expr& late) {
  rtl::Module& m = n.m;
  const bool enable = n.p.remote.enable;
  const Expr owed = m.let("owed", numbered(late, miss.entry, 1), "L2 owes the entry a reply");
  if (!enable) m.unused("unused_owed", owed, "nothing is searched for");
  if (!entry.guard) return {.known = lit(1, 1), .plain = enable ? owed : lit(1, 1)};
  const WrittenAnswer answer = ask_written_filter(n, core, entry, miss);
  const Expr plain = m.let("plain", enable ? answer.written | owed : lit(1, 1), "other cores are not asked");
  return {answer.known, plain, answer.clean};
}

namespace {

// The reply's answer of the table, kept for a cycle.
void keep_lookup(RemoteNodeFrame& n, const rtl::Stream& reply, ReplyLookup& lookup) {
  rtl::Module& m = n.m;
  const Expr looked_q = m.reg("looked_q", 1, 0, "the reply in front is looked up");
  const Expr looks_up =
      m.let("looks_up", reply.valid & lookup.of_search & ~looked_q, "the reply is looked up now");
  const Expr fills_q = m.reg("fills_q", 1, 0, "the reply in front is the first line of its search"),
             tracked_q = m.data_reg("fill_tracked_q", 1, "the predictor has an entry for its instruction");
  if (n.slot_bits) lookup.rewarded_slot = m.data_reg("fill_slot_q", n.slot_bits, "number of that entry");
  m.clocked("Whether it is looked up.", [&] {
    m.set(looked_q, looks_up);
    m.set(fills_q, lookup.table.fills);
  });
  m.clocked("The predictor's entry for the reply.", [&] {
    m.set(tracked_q, lookup.table.tracked);
    if (n.slot_bits) m.set(lookup.rewarded_slot.value(), lookup.table.slot.value());
  });
  lookup.looks_up = looks_up;
  lookup.goes_in = fills_q;
  lookup.looked_q = looked_q;
  lookup.rewards = tracked_q;
}

}  // namespace

ReplyLookup look_up_reply(RemoteNodeFrame& n, const rtl::Stream& reply) {
  rtl::Module& m = n.m;
  TableAnswer table{
      .fills = m.wire("reply_fills", 1, "the reply is the first line of its search"),
      .tracked = m.wire("reply_slot_known", 1, "the predictor has an entry for its instruction"),
      .slot = {}};
  if (n.slot_bits) table.slot = m.wire("reply_slot", n.slot_bits, "number of the reply's entry");
  const Expr of_search =
      m.let("of_search", reply["core"] | reply["tracked"], "the reply belongs to a search");
  ReplyLookup lookup{.table = table,
                     .of_search = of_search,
                     .looks_up = reply.valid & of_search,
                     .goes_in = table.fills,
                     .looked_q = {},
                     .core_fills = {},
                     .rewards = table.tracked,
                     .rewarded_slot = table.slot};
  if (n.p.remote.table_stages) keep_lookup(n, reply, lookup);
  lookup.core_fills =
      m.let("core_fills", reply.valid & reply["core"] & lookup.goes_in, "a core has sent a line in time");
  return lookup;
}

SharingGuess guess_sharing(RemoteNodeFrame& n, const FrontMiss& miss, const Expr& plain,
                           const ReplyLookup& reply, const Expr& clear) {
  rtl::Module& m = n.m;
  SharingGuess guess{.shared = m.wire("shared", 1, "the miss is taken to be shared"),
                     .tracked = m.wire("tracked", 1, "the predictor has an entry for its instruction"),
                     .slot = {}};
  Pins pins{{"miss", miss.takes & ~plain},
            {"miss_pc", miss.request["pc"]},
            {"reply", reply.core_fills & reply.rewards},
            {"clear", clear},
            {"shared", guess.shared},
            {"tracked", guess.tracked}};
  if (n.slot_bits) {
    guess.slot = m.wire("slot", n.slot_bits, "number of that entry");
    append(pins, {{"slot", *guess.slot}, {"reply_slot", reply.rewarded_slot.value()}});
  }
  m.instance(sharing_predictor(predictor_params(n.p), n.name("predictor")), "predictor", pins,
             "Predicts the misses whose lines other cores have.");
  return guess;
}

DirectLoad direct_load(RemoteNodeFrame& n, const FrontMiss& miss, const Expr& shared, const Expr& waits) {
  rtl::Module& m = n.m;
  m.section("Misses that go to their slices at once: one waits, so that later requests stand behind it.");
  const Expr entry_q = m.data_reg("direct_entry_q", n.entry_bits, "entry of the miss"),
             line_q = m.data_reg("direct_line_q", n.line_bits, "block address of the miss"),
             goes = m.wire("direct_goes", 1, "the miss is sent");
  const Expr direct = m.let("goes_direct", miss.takes & ~shared, "the miss goes to its slice");
  m.clocked("Whether one waits.", [&] { m.when(direct | goes, [&] { m.set(waits, direct); }); });
  m.clocked("The miss that waits.", [&] {
    m.when(direct, [&] {
      m.set(entry_q, miss.entry);
      m.set(line_q, miss.line);
    });
  });
  return {waits, entry_q, line_q, goes};
}

}  // namespace hw

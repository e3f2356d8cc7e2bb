#include "hw/l1d/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/l1d/held_stage.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/request_slice.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

Request Front::arrival(const CachePorts& ports) {
  const rtl::Stream& in = ports.core_request;
  const int offset = bits_to_number(p_.line_bytes);
  m_.section("Requests on their way to the probe.");
  m_.unused("unused_offset", in["address"].slice(offset - 1, 0), "offset in the line: masks say what counts");
  const Expr block =
      m_.let("block_address", in["address"].slice(p_.address_bits - 1, offset), "line of the request");
  const Expr offered = m_.let("offered", in.valid & ~ports.flush_valid, "a flush keeps requests out");
  Request request{.valid = offered,
                  .id = in["id"],
                  .kind = in["kind"],
                  .block_address = block,
                  .mask = in["mask"],
                  .written = WriteData{.byte_enable = in["byte_enable"], .data = in["data"]},
                  .set_index = {},
                  .tag = {}};
  constexpr std::array common{"id", "kind", "address", "mask", "byte_enable", "data"};
  for (const auto& [name, port] : in.fields())
    if (std::ranges::count(common, name) == 0) request.beside.emplace_back(name, port);
  // Kinds 4 and 5: for all that does not know them the kind of a load.
  if (p_.snoops) {
    const Expr beyond = in["kind"].bit(2);
    request.kind = in["kind"].slice(1, 0) & rtl::replicate(2, ~beyond);
    request.beside.emplace_back(extra::snoop.name, p_.drops ? beyond & in["kind"].bit(0) : beyond);
    if (p_.drops) request.beside.emplace_back(extra::drop.name, beyond & ~in["kind"].bit(0));
  } else if (p_.drops) {
    request.kind = in["kind"].slice(1, 0);
    request.beside.emplace_back(extra::drop.name, in["kind"].bit(2));
  }
  bypass_.arrive(p_.line_bytes, request);
  return request;
}

void Front::send_payload(Request& request, const Expr& moves) {
  payload = {.enters = m_.let("payload_enters", request.valid & moves & rtl::any(request.kind),
                              "the request's write data goes to the miss queue, ahead of it"),
             .written = *request.written};
  request.written.reset();
}

Expr Front::unless_held(const Expr& moves) const { return ~index_.held_up() & moves; }

// Requests before the probe: one in each stage, and bubbles close.
void Front::run(const CachePorts& ports, ProbeStage& probe) {
  Request request = arrival(ports);
  const int stages = p_.index.latency, computing = index_.stage(stages);
  std::vector<Expr> open;
  for (int k = 1; k <= stages; ++k)
    open.push_back(m_.wire(fmt::format("x{}_free", k), 1, "the stage is free or becomes free"));
  if (compares_first_)
    open.push_back(m_.wire("compare_free", 1, "the compare stage is free or becomes free"));
  probe_free = m_.wire("probe_free", 1, "the tag-lookup stage is free or becomes free");
  if (p_.snoops) aside.emplace(m_, probe_free);
  open.push_back(aside ? aside->open : probe_free);
  index_.wires();
  std::optional<Expr> index_free;
  if (p_.index_blocking) index_free = m_.wire("index_free", 1, "no request is in the stages of the index");
  const Expr accepts = index_free ? open[0] & *index_free : open[0];
  Expr ready = accepts;
  if (p_.request_slice) {
    const RequestSlice slice = request_slice(m_, request, accepts);
    request = slice.request;
    ready = slice.ready;
    held_.push_back(request.valid);
  }
  if (index_free)
    request.valid = m_.let("admitted", request.valid & *index_free, "the request may enter these stages");
  if (payload_goes_ahead(p_)) send_payload(request, open[0]);
  std::vector<Expr> in_index;
  if (computing == 0) index_.compute(request);
  const auto moves_on = [&](int stage) {
    held_.push_back(request.valid);
    const auto at = static_cast<std::size_t>(stage);
    m_.assign(open[at], unless_held(~request.valid | open[at + 1]));
  };
  for (int k = 1; k <= stages; ++k) {
    HeldStage stage(m_, request, fmt::format("x{}", k), fmt::format("stage X{}", k),
                    open[static_cast<std::size_t>(k - 1)], k > computing);
    stage.take_fields(stage.enters);
    if (request.written) stage.take_payload(stage.enters);
    request = stage.request;
    in_index.push_back(request.valid);
    moves_on(k - 1);
    if (k == computing) index_.compute(request);
  }
  if (index_free) m_.assign(*index_free, ~rtl::any(rtl::cat(in_index)));
  if (compares_first_) {
    request = compare_stage(request, open[static_cast<std::size_t>(stages)]);
    moves_on(stages);
  }
  m_.assign(ports.core_request.ready, ~ports.flush_valid & ready);
  probe_stage(request, probe);
}

// All that a set holds is compared in a stage of its own, which the request enters as its row is read.
// Whether there is one does not matter to its fields; what is known last in a cycle drives them alone.
Request Front::compare_stage(const Request& from, const Expr& moves) {
  const bool indexed = index_.enters_compare(from);
  HeldStage stage(m_, from, "compare", "the compare stage", moves, indexed);
  stage.take_fields(moves);
  if (from.written) stage.take_payload(goes_ahead(from, stage.request));
  index_.in_compare(stage.request, stage.enters);
  return stage.request;
}

// The advance of the compare stage is known late, and what its request writes is wide. So it goes to the
// tag-lookup stage as soon as that is free for it, if need be ahead of its request: behind a load, which
// writes nothing. Then what the next request writes may follow it, long before the next request itself.
Expr Front::goes_ahead(const Request& from, const Request& compared) {
  data_ready = m_.wire("data_ready", 1, "the write data of the request is not needed after this cycle");
  ahead_q_ =
      m_.reg("ahead_q", 1, 0, "the write data of the compare stage's request is in the tag-lookup stage");
  const Expr writes = m_.let("compare_writes", compared.valid & rtl::any(compared.kind),
                             "the request in the compare stage is no load");
  const Expr goes = m_.let("payload_goes", *ahead_q_ | *data_ready,
                           "the payload is in the tag-lookup stage after this cycle");
  m_.clocked("Whether the payload is there before its request.",
             [&] { m_.set(*ahead_q_, writes & goes & ~probe_free); });
  return from.valid & (~writes | goes);
}

// The advance of the tag-lookup stage is known late. Fields not requested at the beginning of a cycle are
// kept side by side for the next request and for the one that stays, so that this drives one flop. While a
// request is parked, the next was the snoop that passed it, and the one that stays is that request.
Front::Stayed Front::side_by_side(const Request& probe, const Request& next, const Expr& moves) {
  const Expr stayed_q = m_.reg("stayed_q", 1, 1, "the request in the tag-lookup stage was there before");
  std::vector<std::pair<Expr, Expr>> flops;
  const auto keep = [&](const std::string& name, const Expr& now, const Expr& coming) {
    const Expr next_q =
        m_.data_reg("next_" + name + "_q", now.width(), name + " of the request that was next");
    const Expr old_q = m_.data_reg("old_" + name + "_q", now.width(),
                                   name + " of the request that was in the tag-lookup stage");
    m_.assign(now, mux(stayed_q, old_q, next_q));
    flops.insert(flops.end(), {{next_q, coming}, {old_q, now}});
    return old_q;
  };
  keep("id", probe.id, next.id);
  const Expr line = keep("block_address", probe.block_address, next.block_address);
  const Expr tag = index_.tag_is_line() ? line : keep("tag", probe.tag, next.tag);
  const Expr stays = aside ? mux(aside->valid, probe_free, ~moves) : ~moves;
  m_.clocked("Whether the request stays.", [&] { m_.set(stayed_q, stays); });
  m_.clocked(
      "Of the next request and of the one in the tag-lookup stage, side by side: whether the stage moves on "
      "is "
      "known late, and so drives stayed_q alone.",
      [&] {
        const auto take = [&] {
          for (const auto& [q, value] : flops) m_.set(q, value);
        };
        if (aside)
          m_.when(~aside->valid, take);
        else
          take();
      });
  return {line, tag};
}

// An output where a monitor beside the cache watches.
Expr Front::probe_line(int bits) {
  const char *name = "probe_block_address", *doc = "line of the request";
  return p_.probe_ports ? m_.output(name, bits, doc) : m_.wire(name, bits, doc);
}

Request Front::probe_registers(const Request& next) {
  const auto write_data = [&]() -> WriteData {
    return {.byte_enable =
                m_.data_reg("probe_byte_enable_q", p_.line_bytes, "byte enables of the request, if no load"),
            .data = m_.data_reg("probe_data_q", 8 * p_.line_bytes, "data of the request, if no load")};
  };
  Request probe{.valid = m_.reg("probe_valid_q", 1, 0, "a request is looked up"),
                .id = m_.wire("probe_id", p_.core_id_bits, "id of the request"),
                .kind = m_.data_reg("probe_kind_q", 2, "0 load, 1 store, 2 atomic, 3 non-L1"),
                .block_address = probe_line(next.block_address.width()),
                .mask = m_.data_reg("probe_mask_q", next.mask.width(), "chunks that the request asks for"),
                .written = next.written ? std::optional(write_data()) : std::nullopt,
                .set_index = m_.data_reg("probe_set_q", next.set_index.width(), "set of the request"),
                .tag = {}};
  probe.tag = index_.probe_tag(probe);
  for (const auto& [name, value] : next.beside)
    probe.beside.emplace_back(name,
                              m_.data_reg("probe_" + name + "_q", value.width(), "the request's " + name));
  return probe;
}

// Data and byte enables may be overwritten as soon as the request in the stage has no use for them or is sure
// to leave: this is known earlier in the cycle than whether it leaves.
void Front::probe_stage(const Request& next, ProbeStage& stage) {
  m_.section("The request in the tag-lookup stage.");
  const Request probe = stage.request = probe_registers(next);
  if (!data_ready && next.written)
    data_ready = m_.wire("data_ready", 1, "the write data of the request is not needed after this cycle");
  Request coming = next;
  Expr moves = probe_free;
  Stayed stayed;
  if (aside) {
    aside->behind(next);
    moves = aside->moves;
    stayed = side_by_side(probe, next, moves);
    coming = aside->coming(probe, next, stayed.tag, !index_.tag_is_line());
  }
  const Expr enters = m_.let("enter", coming.valid & moves, "the next request enters");
  stage.next = index_.looked_up(probe, coming, moves, enters);
  if (aside) stage.next.back = aside->valid;
  tags_.settle(stage);
  m_.clocked("Tag-lookup stage.", [&] { m_.when(moves, [&] { m_.set(probe.valid, coming.valid); }); });
  m_.clocked("The request in the tag-lookup stage.", [&] {
    m_.when(enters, [&] {
      m_.set(probe.kind, coming.kind);
      m_.set(probe.mask, coming.mask);
      for (std::size_t i = 0; i < coming.beside.size(); ++i)
        m_.set(probe.beside[i].second, coming.beside[i].second);
      if (!index_.tag_is_line()) m_.set(probe.set_index, coming.set_index);
    });
  });
  if (!aside) stayed = side_by_side(probe, next, moves);
  index_.settle(probe, next, stage.next, enters, stayed.line);
  if (!next.written) return;
  m_.clocked("Write data of the request in the tag-lookup stage.", [&] {
    Expr comes = next.valid;
    if (ahead_q_) comes = comes & ~*ahead_q_;
    if (aside) comes = comes & ~aside->valid;  // what that one writes stays
    m_.when(comes & *data_ready & rtl::any(next.kind), [&] {
      m_.set(probe.written->byte_enable, next.written->byte_enable);
      m_.set(probe.written->data, next.written->data);
    });
  });
}

Expr Front::empty(const ProbeStage& probe) const {
  Expr empty = ~probe.request.valid;
  for (const Expr& held : held_) empty = empty & ~held;
  return empty;
}

}  // namespace hw

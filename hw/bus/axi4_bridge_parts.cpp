#include "hw/bus/axi4_bridge_parts.h"

#include <utility>
#include <vector>

#include "hw/bus/axi4_read_order.h"
#include "hw/bus/axi4_read_order_params.h"
#include "hw/bus/axi4_table.h"
#include "hw/l1d/request_kind.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

int log2_of(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

}  // namespace

BridgeFrame::BridgeFrame(const Axi4BridgeParams& params, rtl::Module module)
    : m(std::move(module)),
      p(params),
      chunks(chunks_of_line(p)),
      line_bits(p.address_bits - log2_of(p.line_bytes)),
      place_bits(axi_id_bits(p)),
      two_beats(p.line_bytes > beat_bytes(p)),
      scatters(chunks > 2) {}

FrontProgress front_progress(BridgeFrame& f) {
  rtl::Module& m = f.m;
  m.section("The entry of the next request.");
  const SpareEntry spare{.number = m.wire("spare", f.place_bits, "number of the free entry"),
                         .valid = m.wire("spare_valid", 1, "there is one"),
                         .taken = m.wire("taken", 1, "the request is taken")};
  m.section("The request at memory_request.");
  WriteProgress write{.aw_done = m.reg("aw_done_q", 1, 0, "the write address of the request was sent"),
                      .w_done = m.reg("w_done_q", 1, 0, "all its write data was sent"),
                      .w_second = {}};
  if (f.two_beats) write.w_second = m.reg("w_second_q", 1, 0, "the first half of its write data was sent");
  if (!f.scatters) return {spare, write, {}};
  return {spare, write,
          GatherProgress{.chunks = m.reg("gathered_q", f.chunks, 0, "chunks that a scattered load has got"),
                         .waits = m.reg("gathering_q", 1, 0, "one of its reads is on its way")}};
}

AnswerStages answer_stages(BridgeFrame& f) {
  rtl::Module& m = f.m;
  m.section("Answers.");
  ReadStage read{.full = m.reg("read_full_q", 1, 0, "there is a load's answer"),
                 .place = m.data_reg("read_place_q", f.place_bits, "entry of the request that is read"),
                 .data = m.data_reg("read_data_q", 8 * f.p.line_bytes, "line that is read"),
                 .second = {}};
  if (f.two_beats) read.second = m.reg("read_second_q", 1, 0, "the first beat of two has come");
  const AckStage ack{
      .full = m.reg("ack_full_q", 1, 0, "there is a write's answer"),
      .place = m.data_reg("ack_place_q", f.place_bits, "entry of the request that is acknowledged")};
  const Expr turn_ack = m.reg("turn_ack_q", 1, 0, "a write's answer is preferred");
  return {read, ack, turn_ack, m.reg("error_q", 1, 0, "drives axi_error")};
}

// memory_response, and space for the next R and B.
BridgeAnswer answer_cache(BridgeFrame& f, const AnswerStages& stages, const Axi4Channels& axi,
                          const rtl::Stream& response) {
  rtl::Module& m = f.m;
  const auto& [read, ack, turn_ack, error] = stages;
  m.section("Loads and writes are answered in turn.");
  const Expr reads = m.let("answers_read", read.full & ~(turn_ack & ack.full), "a load is answered");
  const Expr place = m.let("answer_place", mux(reads, read.place, ack.place), "entry of the answer");
  const Expr some = read.full | ack.full;
  m.assign(response.valid, some);
  m.assign(response["data"], read.data);
  const Expr answered = m.let("answered", some & response.ready, "the answer leaves");
  const Expr r_ready = m.let("read_free", ~read.full | (reads & response.ready), "an R can be taken"),
             b_ready = m.let("ack_free", ~ack.full | (~reads & response.ready), "a B can be taken");
  m.assign(axi.r.ready, r_ready);
  m.assign(axi.b.ready, b_ready);
  const Expr r_taken = m.let("r_taken", axi.r.valid & r_ready, "an R is taken"),
             b_taken = m.let("b_taken", axi.b.valid & b_ready, "a B is taken");
  m.clocked("An answer that waits stays in front; behind one that leaves it is the other's turn.",
            [&] { m.when(some, [&] { m.set(stages.turn_ack, ~(reads ^ response.ready)); }); });
  m.clocked("The acknowledgement stage.", [&] {
    m.when(b_taken, [&] { m.set(stages.ack.place, axi.b.id); });
    m.when(b_ready, [&] { m.set(stages.ack.full, axi.b.valid); });
  });
  return {place, answered, r_taken, b_taken, r_ready};
}

BridgeRequest bridge_request(BridgeFrame& f, const rtl::Stream& request,
                             const std::optional<GatherProgress>& gather) {
  rtl::Module& m = f.m;
  m.section("The kind of the request.");
  const Expr kind = request["kind"], address = request["address"], mask = request["mask"];
  const Expr device = m.let("device", is_kind(m, kind, RequestKind::non_l1), "non-L1");
  const Expr device_writes = device & rtl::any(request["byte_enable"]);
  const Expr writes =
      m.let("writes", is_kind(m, kind, RequestKind::store) | device_writes, "the request writes");
  const int offset = f.p.address_bits - f.line_bits;
  const Expr line = m.let("own_line", address.slice(f.p.address_bits - 1, offset), "line of the request");
  m.unused("unused_offset", address.slice(offset - 1, 0), "a mask says which bytes");
  const std::optional<Expr> read_id = axi4_read_id(m, f.p, line);
  const Axi4Block block = axi4_block(m, f.p, mask);
  if (!gather) return {device, writes, line, read_id, block, {}};
  const Expr scattered = m.let("scattered", device & ~writes & block.holes.value(),
                               "a load of devices that leaves chunks out: read chunk by chunk");
  const Expr left = m.let("left", mask & ~gather->chunks, "chunks of the request that have not come");
  const Expr chunk = m.let("next_chunk", left & (~left + lit(f.chunks, 1)), "the lowest of them, one-hot");
  const Expr last = m.let("last_chunk", ~rtl::any(left & ~chunk), "the chunk is the only one left");
  return {device, writes, line, read_id, block, Scatter{scattered, chunk, last}};
}

Expr order_requests(BridgeFrame& f, const rtl::Stream& request, const rtl::Stream& response,
                    const BridgeRequest& kind, const SpareEntry& spare, const BridgeAnswer& answer) {
  rtl::Module& m = f.m;
  m.section("Requests on their way.");
  const Expr held = m.wire("held", 1, "something on its way must come first");
  m.instance(axi4_table(f.p), "on_their_way",
             {{"line", kind.line},
              {"writes", kind.writes},
              {"alone", kind.scatter ? kind.scatter->is : lit(1, 0)},
              {"id", request["id"]},
              {"mask", request["mask"] & replicate(f.chunks, ~kind.writes)},
              {"taken", spare.taken},
              {"held", held},
              {"spare_valid", spare.valid},
              {"spare", spare.number},
              {"answer_place", answer.place},
              {"answered", answer.answered},
              {"answer_id", response["id"]},
              {"answer_mask", response["mask"]}},
             "Reads wait for writes of their line, writes for everything of their line.");
  return m.let("goes", request.valid & spare.valid & ~held, "the request may go");
}

namespace {

// The byte address of a chunk of the line.
Expr address_of(BridgeFrame& f, const Expr& line, const std::optional<Expr>& chunk) {
  const Expr low = lit(log2_of(f.p.chunk_bytes), 0);
  return chunk ? cat({line, *chunk, low}) : cat({line, low});
}

// What AW and AR have in common.
void constants(BridgeFrame& f, const Axi4Channels::Address& channel, const Expr& device) {
  rtl::Module& m = f.m;
  m.assign(channel.burst, m.constant("BURST_INCR", 2, 1, "addresses of a burst's beats grow"));
  m.assign(channel.cache, mux(device, lit(4, 0), lit(4, 3)));
  m.assign(channel.prot, lit(3, 0));
}

// The number of the one bit that is set.
Expr chunk_number(const Expr& one_hot) {
  std::vector<Expr> bits;
  for (int j = log2_of(one_hot.width()); j-- > 0;) {
    std::vector<Expr> with;
    for (int c = one_hot.width(); c-- > 0;)
      if (c >> j & 1) with.push_back(one_hot.bit(c));
    bits.push_back(with.size() == 1 ? with[0] : rtl::any(cat(with)));
  }
  return cat(bits);
}

}  // namespace

Expr send_writes(BridgeFrame& f, const rtl::Stream& request, const BridgeRequest& kind,
                 const FrontProgress& front, const Expr& goes, const Axi4Channels& axi) {
  rtl::Module& m = f.m;
  const auto& [aw_done, w_done, w_second] = front.write;
  const Axi4Block& block = kind.block;
  m.section("Writes: address and data go independently.");
  const Expr aw = m.let("aw_valid", goes & kind.writes & ~aw_done, "the address is to be sent"),
             w = m.let("w_valid", goes & kind.writes & ~w_done, "data is to be sent");
  const Expr last = w_second ? m.let("w_last", *w_second | ~block.two.value(), "the last beat") : lit(1, 1);
  m.assign(axi.aw.id, front.spare.number);
  m.assign(axi.aw.addr, address_of(f, kind.line, block.offset));
  m.assign(axi.aw.len, block.two ? cat({lit(7, 0), *block.two}) : lit(8, 0));
  m.assign(axi.aw.size, block.size);
  constants(f, axi.aw, kind.device);
  m.assign(axi.aw.valid, aw);
  m.assign(axi.w.valid, w);
  m.assign(axi.w.last, last);
  std::optional<Expr> upper;
  if (w_second)
    upper = m.let("upper", mux(*block.two, *w_second, block.offset->bit(block.offset->width() - 1)),
                  "the beat is the upper half of the line");
  const auto beat = [&](const Expr& whole) {
    const int width = whole.width() / 2;
    return upper ? mux(*upper, whole.slice(2 * width - 1, width), whole.slice(width - 1, 0)) : whole;
  };
  m.assign(axi.w.data, beat(request["data"]));
  m.assign(axi.w.strb, beat(request["byte_enable"]));
  const Expr aw_taken = m.let("aw_sent", aw_done | axi.aw.ready, "the address is sent");
  const Expr w_taken =
      m.let("w_sent", w_done | (w_second ? axi.w.ready & last : axi.w.ready), "the data is sent");
  const Expr taken =
      m.let("write_taken", goes & kind.writes & aw_taken & w_taken, "address and data are taken");
  const WriteProgress& done = front.write;
  m.clocked("The parts of a write that have been sent.", [&] {
    m.when(taken, [&] {
       m.set(done.aw_done, lit(1, 0));
       m.set(done.w_done, lit(1, 0));
       if (done.w_second) m.set(*done.w_second, lit(1, 0));
     }).otherwise([&] {
      m.when(aw & axi.aw.ready, [&] { m.set(done.aw_done, lit(1, 1)); });
      m.when(w & axi.w.ready, [&] {
        m.set(done.w_done, last);
        if (done.w_second) m.set(*done.w_second, lit(1, 1));
      });
    });
  });
  return taken;
}

ReadsSent send_reads(BridgeFrame& f, const BridgeRequest& kind, const FrontProgress& front, const Expr& goes,
                     const Expr& r_taken, const Expr& write_taken, const Axi4Channels& axi) {
  rtl::Module& m = f.m;
  const Axi4Block& block = kind.block;
  const auto& scatter = kind.scatter;
  const auto& gather = front.gather;
  m.section("Reads.");
  const Expr asks = goes & ~kind.writes;
  const Expr ar = m.let("ar_valid", gather ? asks & ~gather->waits : asks, "a read is to be sent");
  const Expr whole = scatter ? ar & ~scatter->is : ar;
  const Expr taken = m.let("read_taken", whole & axi.ar.ready, "a load's only read is sent");
  std::optional<Expr> offset = block.offset;
  Expr size = block.size;
  if (scatter) {
    offset = mux(scatter->is, chunk_number(scatter->chunk), offset.value());
    size = mux(scatter->is, lit(3, static_cast<std::uint64_t>(log2_of(f.p.chunk_bytes))), size);
  }
  m.assign(axi.ar.id, kind.read_id ? rtl::zext(*kind.read_id, f.place_bits) : lit(f.place_bits, 0));
  m.assign(axi.ar.addr, address_of(f, kind.line, offset));
  m.assign(axi.ar.len, block.two ? cat({lit(7, 0), *block.two & ~scatter.value().is}) : lit(8, 0));
  m.assign(axi.ar.size, size);
  constants(f, axi.ar, kind.device);
  m.assign(axi.ar.valid, ar);
  if (!scatter) {
    m.assign(front.spare.taken, write_taken | taken);
    return {taken, {}};
  }
  const Expr gathers = m.let("gathers", gather->waits & r_taken, "a chunk of a scattered load comes"),
             all = m.let("gathered_all", gathers & scatter->last, "the last chunk of the line");
  m.assign(front.spare.taken, write_taken | taken | all);
  m.clocked("A scattered load.", [&] {
    m.when(ar & scatter->is & axi.ar.ready, [&] { m.set(gather->waits, lit(1, 1)); });
    m.when(gathers, [&] {
      m.set(gather->waits, lit(1, 0));
      m.set(gather->chunks, mux(scatter->last, lit(f.chunks, 0), gather->chunks | scatter->chunk));
    });
  });
  return {taken, all};
}

}  // namespace hw

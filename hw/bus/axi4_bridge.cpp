#include "hw/bus/axi4_bridge.h"

#include <fmt/format.h>

#include "hw/bus/axi4_bridge_parts.h"
#include "hw/bus/axi4_check.h"
#include "hw/bus/axi4_ranges.h"
#include "hw/bus/axi4_read_order.h"
#include "hw/bus/axi4_read_order_params.h"
#include "hw/check/first_error.h"
#include "hw/geometry_ranges.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/fifo.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

struct BridgeStreams {
  rtl::Stream request, response;
};

BridgeStreams bridge_streams(BridgeFrame& f) {
  const rtl::Stream request =
      rtl::input_stream(f.m, "memory_request",
                        {{"id", f.p.id_bits, "unique among requests without an answer"},
                         {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                         {"address", f.p.address_bits, "byte address; offset bits are ignored"},
                         {"mask", f.chunks, "chunks of the line"},
                         {"byte_enable", f.p.line_bytes, "bytes to write"},
                         {"data", 8 * f.p.line_bytes, "the line, to write"}},
                        "a request of the cache");
  const rtl::Stream response =
      rtl::output_stream(f.m, "memory_response",
                         {{"id", f.p.id_bits, "id of the request"},
                          {"mask", f.chunks, "chunks that are answered; 0 for a write"},
                          {"data", 8 * f.p.line_bytes, "the line, as read"}},
                         "the answer to a request");
  return {request, response};
}

// Reads of one ID come back in order. Returns the entry of the oldest.
Expr oldest_of_id(BridgeFrame& f, const Expr& read_id, const SpareEntry& spare, const ReadsSent& sent,
                  const Expr& came, const Axi4Channels::ReadData& r) {
  rtl::Module& m = f.m;
  if (!f.p.check.ports) m.unused("unused_rlast", r.last, "each read has one beat");
  const int bits = axi_read_id_bits(f.p);
  const Expr oldest = m.wire("oldest_read", f.place_bits, "entry of the oldest read of the ID that comes");
  m.instance(axi4_read_order(f.p), "order",
             {{"sent", sent.taken},
              {"sent_id", read_id},
              {"sent_place", spare.number},
              {"came", came},
              {"came_id", r.id.slice(bits - 1, 0)},
              {"came_place", oldest}},
             "The entries of reads, in the order in which the reads of each ID were sent.");
  if (bits < f.place_bits && !f.p.check.ports)
    m.unused("unused_rid", r.id.slice(f.place_bits - 1, bits), "0, as in what was sent");
  return oldest;
}

// Reads with one ID for all come back in order.
Expr oldest_read(BridgeFrame& f, const SpareEntry& spare, const ReadsSent& sent, const Expr& r_taken,
                 const Axi4Channels::ReadData& r) {
  rtl::Module& m = f.m;
  if (!f.p.check.ports) m.unused("unused_rid", r.id, "all reads have the same");
  const Expr oldest = m.wire("oldest_read", f.place_bits, "entry of the oldest read on its way"),
             not_full = m.wire("order_not_full", 1, "never full: as many entries as requests"),
             any = m.wire("order_any", 1, "a read is on its way");
  m.instance(fifo(f.p.requests, f.place_bits), "order",
             {{"in_valid", sent.taken},
              {"in_ready", not_full},
              {"in_data", spare.number},
              {"out_valid", any},
              {"out_ready", r_taken & r.last},  // empty while a scattered load gathers
              {"out_data", oldest}},
             "The entries of reads, in the order in which they were sent.");
  m.unused("unused_order", cat({not_full, any}), "never full, and no R without a read");
  return oldest;
}

// The line that is read, from the beats or chunks that come.
void keep_data(BridgeFrame& f, const ReadStage& read, const BridgeRequest& kind, const FrontProgress& front,
               const Expr& r_taken, const Expr& data) {
  rtl::Module& m = f.m;
  if (!kind.scatter) {
    m.clocked("The line.", [&] { m.when(r_taken, [&] { m.set(read.data, data); }); });
    return;
  }
  const int chunks = f.chunks, bits = 8 * f.p.chunk_bytes;
  Expr beat = data, fresh = lit(chunks, 0);
  if (read.second) {
    beat = m.let("arriving", cat({beat, beat}), "the beat in both halves");
    fresh = cat({lit(chunks / 2, 0), replicate(chunks / 2, *read.second)});
  }
  const Expr kept =
      m.let("kept", mux(front.gather.value().waits, ~kind.scatter->chunk, fresh), "chunks that came before");
  m.clocked("The line, chunk by chunk.", [&] {
    m.when(r_taken, [&] {
      m.loop("chunk", chunks, [&](const Expr& c) {
        m.when(~kept.at(c), [&] { m.set(read.data.part(c, bits), beat.part(c, bits)); });
      });
    });
  });
}

// Answers of the memory enter their stages. Returns the entry of the R that comes.
Expr arrivals(BridgeFrame& f, const BridgeRequest& kind, const FrontProgress& front,
              const AnswerStages& stages, const BridgeAnswer& answer, const ReadsSent& sent,
              const Axi4Channels& axi) {
  rtl::Module& m = f.m;
  const ReadStage& read = stages.read;
  const auto& gather = front.gather;
  const Expr& r_taken = answer.r_taken;
  m.section("Answers of the memory.");
  const Expr of_line = gather ? r_taken & ~gather->waits : r_taken;
  Expr place = f.two_beats ? oldest_read(f, front.spare, sent, r_taken, axi.r)
                           : oldest_of_id(f, kind.read_id.value(), front.spare, sent, of_line, axi.r);
  if (gather) place = mux(gather->waits, front.spare.number, place);
  const Expr whole = read.second ? r_taken & axi.r.last : r_taken;
  const Expr done = gather ? mux(gather->waits, sent.gathered.value(), whole) : whole;
  m.clocked("The read stage.", [&] {
    m.when(r_taken, [&] { m.set(read.place, place); });
    m.when(answer.read_free, [&] { m.set(read.full, done); });
    if (read.second) m.when(of_line, [&] { m.set(*read.second, ~axi.r.last); });
  });
  keep_data(f, read, kind, front, r_taken, axi.r.data);
  return place;
}

void report_errors(BridgeFrame& f, const AnswerStages& stages, const BridgeAnswer& answer,
                   const rtl::Stream& request, const Expr& taken, const Axi4Channels& axi) {
  rtl::Module& m = f.m;
  m.clocked("Errors.", [&] {
    const Expr atomic = taken & is_kind(m, request["kind"], RequestKind::atomic);
    m.set(stages.error, (answer.r_taken & axi.r.resp.bit(1)) | (answer.b_taken & axi.b.resp.bit(1)) | atomic);
  });
  m.unused("unused_resp", cat({axi.r.resp.bit(0), axi.b.resp.bit(0)}), "bit 1 reports an error");
  m.assign(axi.error, stages.error);
}

void add_checks(BridgeFrame& f, const BridgeRequest& kind, const SpareEntry& spare,
                const BridgeAnswer& answer, const Expr& write_taken, const Expr& r_place,
                const Axi4Channels& axi) {
  rtl::Module& m = f.m;
  m.section("Checks that each answer belongs to a request.");
  const Expr code = m.wire("protocol_code", protocol_code_bits, "rule that was broken first; 0 for none");
  rtl::Pins pins{{"write_sent", write_taken},
                 {"read_sent", axi.ar.valid & axi.ar.ready},
                 {"sent_place", spare.number},
                 {"b", answer.b_taken},
                 {"r", answer.r_taken},
                 {"code", code},
                 {"bid", axi.b.id},
                 {"rid", axi.r.id},
                 {"rlast", axi.r.last}};
  pins.emplace_back(kind.read_id ? "read_id" : "read_two", kind.read_id ? *kind.read_id : axi.ar.len.bit(0));
  if (f.p.check.timeout) pins.emplace_back("r_place", r_place);
  m.instance(axi4_check(f.p, m.name() + "_check"), "answers", pins, "Responses against requests.");
  add_protocol_ports(m, code);
}

}  // namespace

void check(const Axi4BridgeParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the chunk of the reference cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("is more than a line of {} bytes", p.line_bytes), "use smaller chunks or longer lines");
  require_in(Axi4Ranges::id_bits, "axi4.id_bits", p.id_bits, "use as many as the cache's memory side has");
  require_in(Axi4Ranges::requests, "axi4.requests", p.requests, "use 16, or more for a distant memory");
  check(p.check);
}

rtl::Module axi4_bridge(const Axi4BridgeParams& p, const std::string& name) {
  check(p);
  BridgeFrame f(
      p, rtl::Module(name, fmt::format("Bridge from the memory side of a cache with lines of {} bytes to "
                                       "AXI4, {} requests on their way, those of one line in order.",
                                       p.line_bytes, p.requests)));
  const auto [request, response] = bridge_streams(f);
  const Axi4Channels axi = axi4_channels(f.m, p);
  const FrontProgress front = front_progress(f);
  const AnswerStages stages = answer_stages(f);
  const BridgeAnswer answer = answer_cache(f, stages, axi, response);
  const BridgeRequest kind = bridge_request(f, request, front.gather);
  const Expr goes = order_requests(f, request, response, kind, front.spare, answer);
  const Expr write_taken = send_writes(f, request, kind, front, goes, axi);
  const ReadsSent sent = send_reads(f, kind, front, goes, answer.r_taken, write_taken, axi);
  f.m.assign(request.ready, front.spare.taken);
  const Expr r_place = arrivals(f, kind, front, stages, answer, sent, axi);
  report_errors(f, stages, answer, request, front.spare.taken, axi);
  if (p.check.ports) add_checks(f, kind, front.spare, answer, write_taken, r_place, axi);
  return f.m;
}

}  // namespace hw

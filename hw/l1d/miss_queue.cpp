#include "hw/l1d/miss_queue.h"

#include <fmt/format.h>

#include "hw/ecc/protected_rows.h"
#include "hw/l1d/l1d.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/stream.h"
#include "hw/tags/tag_kinds.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

bool payload_goes_ahead(const L1dParams& p) {
  return p.store_policy == StorePolicyKind::evict && !protects_mshr(p.ecc) && !p.snoops;
}

int request_row_bits(const L1dParams& p) {
  return p.pc_bits + 2 + memory_id_bits(p) + p.address_bits - bits_to_number(p.line_bytes) +
         chunks_of_line(p);
}
int payload_row_bits(const L1dParams& p) { return 9 * p.line_bytes; }
int queue_rows(const L1dParams& p) { return std::max(2, p.miss_queue); }
// A row for each request in the queue, and in the stages before it.
int payload_rows(const L1dParams& p) {
  if (!payload_goes_ahead(p)) return queue_rows(p);
  return p.miss_queue + p.index.latency + tag_organisation(p.tags).compares_first + 1;
}

namespace {

// A row number that steps through the rows of a RAM.
struct Pointer {
  Pointer(rtl::Module& module, int of_rows, const std::string& name, const std::string& doc,
          const std::string& last_row = "LAST_ROW")
      : m(module), rows(of_rows), q(m.reg(name, bits_to_number(rows), 0, doc)), last(last_row) {}
  Expr next() const {
    const int bits = q.width();
    const Expr after = q + lit(bits, 1);
    if (rows == 1 << bits) return after;
    return mux(q == m.constant(last, bits, static_cast<std::uint64_t>(rows - 1)), lit(bits, 0), after);
  }
  rtl::Module& m;
  int rows;
  Expr q;
  std::string last;
};

// Where payloads go ahead of their requests: a ring of rows that only requests step through that are no
// loads.
struct PayloadRing {
  PayloadRing(rtl::Module& m, const L1dParams& p)
      : enters(m.input("payload_enters", 1,
                       "the write data of an arriving request enters, ahead of the request")),
        byte_enable(m.input("payload_byte_enable", p.line_bytes, "bytes that it writes")),
        data(m.input("payload_data", 8 * p.line_bytes, "values of the bytes to write")) {}
  void pointers(rtl::Module& m, int rows) {
    const std::string last = "LAST_PAYLOAD";
    write.emplace(m, rows, "payload_write_row_q", "row of the next payload to enter", last);
    read.emplace(m, rows, "payload_read_row_q", "row of the first request's payload, or else of the next one",
                 last);
  }

  Expr enters, byte_enable, data;
  std::optional<Pointer> write, read;
};

// Outputs about the rows of the first request.
RowErrors row_events(rtl::Module& m, const L1dParams& p) {
  RowErrors events;
  if (!protects_mshr(p.ecc)) return events;
  events.wrong =
      m.output("request_wrong", 1, "what is stored of the first request cannot be corrected: it stays");
  if (p.ecc.mshr == Protection::secded)
    events.corrected =
        m.output("request_corrected", 1, "a wrong bit of it was corrected; in its first cycle");
  return events;
}

}  // namespace

rtl::Module miss_queue(const L1dParams& p, const std::string& name) {
  const int id_bits = memory_id_bits(p), offset = bits_to_number(p.line_bytes), chunks = chunks_of_line(p);
  const int block_bits = p.address_bits - offset, bytes = p.line_bytes;
  const int count_bits = rtl::clog2(static_cast<std::uint64_t>(p.miss_queue) + 1);
  rtl::Module m(name, fmt::format("Queue of {} request{} to memory; loads use no row of the payload RAM "
                                  "(baseline of the TSC, ACI and Decoupled-L1D papers).",
                                  p.miss_queue, p.miss_queue == 1 ? "" : "s"));
  const Expr push = m.input("push", 1, "a request enters; there is a free slot");
  const Expr push_kind = m.input("push_kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1");
  const Expr push_id = m.input("push_id", id_bits, "id of the request at the memory");
  const Expr push_block = m.input("push_block_address", block_bits, "line of the request");
  const Expr push_mask = m.input("push_mask", chunks, "chunks of the request");
  std::optional<WriteData> pushed;
  if (!payload_goes_ahead(p))
    pushed = {.byte_enable = m.input("push_byte_enable", bytes, "bytes that it writes, of all but loads"),
              .data = m.input("push_data", 8 * bytes, "values of the bytes to write")};
  const Expr queue_not_full =
      m.output("queue_not_full", 1, "fewer requests are in the queue than it can hold");
  Expr push_pc;
  if (p.pc_bits) push_pc = m.input("push_pc", p.pc_bits, "number of the instruction that asks");
  std::optional<PayloadRing> ring;
  if (payload_goes_ahead(p)) ring.emplace(m, p);
  std::vector<rtl::Field> fields{{"id", id_bits, "id of the answer"},
                                 {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                 {"address", p.address_bits, "byte address of the line"},
                                 {"mask", chunks, "chunks"},
                                 {"byte_enable", bytes, "bytes to write"},
                                 {"data", 8 * bytes, "values of the bytes to write"}};
  if (p.pc_bits) fields.push_back({"pc", p.pc_bits, "number of the instruction that asked"});
  const auto out = rtl::output_stream(m, "memory_request", fields, "a request to memory");
  const Protection protection = p.ecc.mshr;
  const RowErrors events = row_events(m, p);

  const Pointer write(m, queue_rows(p), "write_row_q", "row of the next request to enter");
  const Pointer read(m, queue_rows(p), "read_row_q", "row of the next request to read");
  if (ring) ring->pointers(m, payload_rows(p));
  const Expr count_q = m.reg("count_q", count_bits, 0, "requests in the queue, the one read included");
  const Expr valid_q = m.reg("valid_q", 1, 0, "the row read last is on memory_request");
  m.assign(queue_not_full,
           count_q != m.constant("QUEUE_ENTRIES", count_bits, static_cast<std::uint64_t>(p.miss_queue)));
  m.assign(out.valid, valid_q & ~events.wrong);
  const Expr pop = m.let("pop", valid_q & out.ready & ~events.wrong, "the first request leaves");
  const Expr waiting = m.let("waiting", count_q != rtl::zext(valid_q, count_bits), "a request is unread");
  const Expr read_now =
      m.let("read_now", waiting & (~valid_q | (out.ready & ~events.wrong)), "the next one is read");

  m.section("Rows.");
  const Expr request = m.wire("request", request_row_bits(p),
                              p.pc_bits ? "instruction, kind, id, line and mask of the row read last"
                                        : "kind, id, line and mask of the row read last");
  std::optional<Expr> push_writes;
  if (pushed) push_writes = m.let("push_writes", rtl::any(push_kind), "the request that enters may write");
  const RowRead request_row = row_read(m, protection, request, "request_row");
  protected_ram(m, protection, "requests",
                p.pc_bits ? "Instruction, kind, id, line and mask." : "Kind, id, line and mask.",
                queue_rows(p), request_row,
                {.read = read_now,
                 .read_row = read.q,
                 .write = push,
                 .write_row = write.q,
                 .write_data = join_known({push_pc, push_kind, push_id, push_block, push_mask})});
  const Expr payload = m.wire("payload", payload_row_bits(p), "byte enables and data of the first request");
  const RowRead payload_row = row_read(m, protection, payload, "payload_row");
  const auto payload_ram = [&](const Expr& read_row, const Expr& enters, const Expr& row, const Expr& word) {
    protected_ram(
        m, protection, "payloads", "Byte enables and data.", payload_rows(p), payload_row,
        {.read = read_now, .read_row = read_row, .write = enters, .write_row = row, .write_data = word});
  };
  if (pushed) payload_ram(read.q, push & *push_writes, write.q, cat({pushed->byte_enable, pushed->data}));
  const int low = chunks + block_bits;
  const Expr kind = m.let("kind", request.slice(low + id_bits + 1, low + id_bits), "of the row read last");
  const Expr writes = m.let("writes", rtl::any(kind), "the first request is no load");
  // The first request, if there is one, leaves as the next one is read.
  if (ring)
    payload_ram(mux(valid_q & writes, ring->read->next(), ring->read->q), ring->enters, ring->write->q,
                cat({ring->byte_enable, ring->data}));
  m.assign(out["kind"], kind);
  if (p.pc_bits) m.assign(out["pc"], request.slice(request.width() - 1, low + id_bits + 2));
  m.assign(out["id"], request.slice(low + id_bits - 1, low));
  m.assign(out["address"], cat({request.slice(low - 1, chunks), lit(offset, 0)}));
  m.assign(out["mask"], request.slice(chunks - 1, 0));
  m.assign(out["byte_enable"], payload.slice(9 * bytes - 1, 8 * bytes) & replicate(bytes, writes));
  m.assign(out["data"], payload.slice(8 * bytes - 1, 0));

  m.clocked("Rows in use.", [&] {
    m.when(push, [&] { m.set(write.q, write.next()); });
    m.when(read_now, [&] { m.set(read.q, read.next()); });
    m.when(push & ~pop, [&] { m.set(count_q, count_q + lit(count_bits, 1)); });
    m.when(pop & ~push, [&] { m.set(count_q, count_q - lit(count_bits, 1)); });
    m.when(read_now | pop, [&] { m.set(valid_q, read_now); });
    if (!ring) return;
    m.when(ring->enters, [&] { m.set(ring->write->q, ring->write->next()); });
    m.when(pop & writes, [&] { m.set(ring->read->q, ring->read->next()); });
  });
  if (protection == Protection::none) return m;
  m.section("Errors of the first request.");
  const auto of_both = [&](const rtl::Condition& of_request, const rtl::Condition& of_payload) {
    return of_request.when() | (writes & of_payload.when());
  };
  m.assign(events.wrong.when(), valid_q & of_both(request_row.wrong, payload_row.wrong));
  if (!events.corrected.can_be()) return m;
  const Expr fresh_q = m.reg("fresh_q", 1, 0, "this is the first cycle of it on memory_request");
  m.clocked("The first cycle of a request.", [&] { m.set(fresh_q, read_now); });
  m.assign(events.corrected.when(),
           valid_q & fresh_q & ~events.wrong & of_both(request_row.corrected, payload_row.corrected));
  return m;
}

}  // namespace hw

#include "hw/bus/axi4_table.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

namespace {

// The lowest entry that is neither in use nor spare becomes the next spare one.
void add_spare(rtl::Module& m, const Expr& in_use, const Expr& taken, const Expr& spare,
               const Expr& spare_valid) {
  const int n = in_use.width(), bits = spare.width();
  m.section("The next spare entry.");
  const Expr free = m.wire("free", n, "entries that may be the next spare one");
  m.comb("Neither in use nor spare now.", [&] {
    m.set(free, ~in_use);
    m.when(spare_valid, [&] { m.set(free.at(spare), lit(1, 0)); });
  });
  const Expr found = m.wire("found", 1, "there is one");
  const Expr lowest = m.wire("lowest", bits, "the lowest of them");
  m.comb("The lowest.", [&] {
    m.set(found, lit(1, 0));
    m.set(lowest, lit(bits, 0));
    m.loop("next", n, [&](const Expr& i) {
      m.set(lowest, lowest | (i.slice(bits - 1, 0) & replicate(bits, free.at(i) & ~found)));
      m.set(found, found | free.at(i));
    });
  });
  m.clocked("A new one when it is taken, or when there was none.", [&] {
    m.when(taken | ~spare_valid, [&] {
      m.set(spare, lowest);
      m.set(spare_valid, found);
    });
  });
}

}  // namespace

rtl::Module axi4_table(const Axi4BridgeParams& p) {
  const int n = p.requests, place_bits = axi_id_bits(p), chunks = chunks_of_line(p);
  const int line_bits = p.address_bits - rtl::clog2(static_cast<std::uint64_t>(p.line_bytes));
  rtl::Module m(fmt::format("axi4_table_l{}_i{}_c{}_r{}", line_bits, p.id_bits, chunks, n),
                fmt::format("Up to {} requests on their way, and which request must wait for them.", n));
  const auto line = m.input("line", line_bits, "of the request in front: its line");
  const auto writes = m.input("writes", 1, "the request writes");
  const auto alone = m.input("alone", 1, "the request waits for all others");
  const auto id = m.input("id", p.id_bits, "id of the request");
  const auto mask = m.input("mask", chunks, "the mask of its answer");
  const auto taken = m.input("taken", 1, "the request is taken at this edge");
  const auto held = m.output("held", 1, "something on its way must come first");
  const auto spare_valid = m.output("spare_valid", 1, "there is an entry for the request");
  const auto spare = m.output("spare", place_bits, "the entry that the request takes");
  const auto answer_place = m.input("answer_place", place_bits, "entry of the answer in front");
  const auto answered = m.input("answered", 1, "the answered request leaves at this edge");
  const auto answer_id = m.output("answer_id", p.id_bits, "id of the answered request");
  const auto answer_mask = m.output("answer_mask", chunks, "mask of the answered request");

  const auto in_use = m.reg("in_use_q", n, 0, "entries with a request without an answer");
  const auto write_q = m.data_reg("write_q", n, "requests that write");
  const auto line_q = m.data_reg("line_q", n * line_bits, "line of each request");
  const auto id_q = m.data_reg("id_q", n * p.id_bits, "id of each request");
  const auto mask_q = m.data_reg("mask_q", n * chunks, "the mask of its answer");
  const auto spare_q = m.reg("spare_q", place_bits, 0, "the entry of the next request");
  const auto spare_valid_q = m.reg("spare_valid_q", 1, 1, "there is one");

  m.assign(spare, spare_q);
  m.assign(spare_valid, spare_valid_q);
  m.assign(answer_id, id_q.part(answer_place, p.id_bits));
  m.assign(answer_mask, mask_q.part(answer_place, chunks));
  m.comb("Reads wait for writes of their line, writes for everything of their line.", [&] {
    m.set(held, alone & rtl::any(in_use));
    m.loop("place", n, [&](const Expr& i) {
      m.set(held, held | (in_use.at(i) & (writes | write_q.at(i)) & (line_q.part(i, line_bits) == line)));
    });
  });
  m.clocked("A request takes the spare entry; an answer that leaves frees its own.", [&] {
    m.when(answered, [&] { m.set(in_use.at(answer_place), lit(1, 0)); });
    m.when(taken, [&] { m.set(in_use.at(spare_q), lit(1, 1)); });
  });
  m.clocked("The kept fields of a request.", [&] {
    m.when(taken, [&] {
      m.loop("row", n, [&](const Expr& i) {
        m.when(spare_q == i.slice(place_bits - 1, 0), [&] {
          m.set(write_q.at(i), writes);
          m.set(line_q.part(i, line_bits), line);
          m.set(id_q.part(i, p.id_bits), id);
          m.set(mask_q.part(i, chunks), mask);
        });
      });
    });
  });
  add_spare(m, in_use, taken, spare_q, spare_valid_q);
  return m;
}

}  // namespace hw

#include "hw/bus/axi4_read_order.h"

#include <fmt/format.h>
#include <optional>

#include "hw/bus/axi4_read_order_params.h"

namespace hw {

using rtl::Expr, rtl::lit;

std::optional<Expr> axi4_read_id(rtl::Module& m, const Axi4BridgeParams& p, const Expr& line) {
  const int bits = axi_read_id_bits(p);
  if (bits == 0) return {};
  Expr id = line.slice(bits - 1, 0);
  for (int digit = 1; digit < axi_read_id_digits; ++digit)
    id = id ^ line.slice((digit + 1) * bits - 1, digit * bits);
  return m.let("read_id", id, "ID of all reads of the line");
}

rtl::Module axi4_read_order(const Axi4BridgeParams& p) {
  const int ids = axi_read_ids(p), id_bits = axi_read_id_bits(p), place_bits = axi_id_bits(p);
  rtl::Module m(fmt::format("axi4_read_order_i{}_r{}", ids, p.requests),
                fmt::format("The entries of up to {} reads on their way, a queue for each of {} IDs.",
                            p.requests, ids));
  const Expr sent = m.input("sent", 1, "a read is sent at this edge");
  const Expr sent_id = m.input("sent_id", id_bits, "ID of the read that leaves");
  const Expr sent_place = m.input("sent_place", place_bits, "entry of the read that leaves");
  const Expr came = m.input("came", 1, "a read comes back at this edge");
  const Expr came_id = m.input("came_id", id_bits, "ID of the read that comes back");
  const Expr came_place = m.output("came_place", place_bits, "entry of that read: the oldest of the ID");

  const Expr some = m.reg("some_q", ids, 0, "IDs with a read on its way");
  const Expr oldest = m.data_reg("oldest_q", ids * place_bits, "entry of the oldest read of each ID");
  const Expr latest = m.data_reg("latest_q", ids * place_bits, "entry of the latest read of each ID");
  const Expr next = m.data_reg("next_q", p.requests * place_bits, "the entry behind each in its queue");

  const Expr front = m.let("front", oldest.part(came_id, place_bits), "the oldest of the ID that comes back");
  const Expr behind = m.let("behind", next.part(front, place_bits), "the entry behind it");
  m.assign(came_place, front);
  const Expr last =
      m.let("last", front == latest.part(came_id, place_bits), "no other read of the ID is on its way");
  m.clocked("IDs with a read in flight.", [&] {
    m.when(came & last, [&] { m.set(some.at(came_id), lit(1, 0)); });
    m.when(sent, [&] { m.set(some.at(sent_id), lit(1, 1)); });
  });
  // The send of a read is known late in a cycle. Where no queue looks, its entry may be written before it.
  m.clocked("The fronts: of an empty queue the entry of the next read.", [&] {
    m.when(came, [&] { m.set(oldest.part(came_id, place_bits), rtl::mux(last, sent_place, behind)); });
    m.when(~some.at(sent_id), [&] { m.set(oldest.part(sent_id, place_bits), sent_place); });
  });
  m.clocked("Behind the end of a queue: the entry of the next read.", [&] {
    m.when(some.at(sent_id),
           [&] { m.set(next.part(latest.part(sent_id, place_bits), place_bits), sent_place); });
  });
  m.clocked("The ends.", [&] { m.when(sent, [&] { m.set(latest.part(sent_id, place_bits), sent_place); }); });
  return m;
}

}  // namespace hw

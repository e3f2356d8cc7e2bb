#include "hw/bus/axi4_burst.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::ones, rtl::replicate;

constexpr int page_bits = 12;  // no burst leaves its 4 KiB

// Address bits that change from beat to beat: those of the block in a WRAP, of the page in an INCR.
Expr changing_bits(rtl::Module& m, const Expr& size, const Expr& length, const Expr& type, int largest) {
  const Expr block = m.wire("block_bits", page_bits, "address bits within the block of a WRAP");
  m.comb("As many bits as beat and number of beats have.", [&] {
    std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
    for (int s = 0; s <= largest; ++s)
      cases.emplace_back(static_cast<std::uint64_t>(s), [&, s] {
        std::vector<Expr> parts{lit(page_bits - 4 - s, 0), length.slice(3, 0)};
        if (s > 0) parts.push_back(ones(s));
        m.set(block, cat(parts));
      });
    m.set(block, lit(page_bits, 0));
    m.pick(size, cases, [] {});
  });
  const Expr wraps =
      m.let("wraps", type == m.constant("BURST_WRAP", 2, 2), "a burst that returns to the begin of a block");
  const Expr fixed = m.let("fixed", type == m.constant("BURST_FIXED", 2, 0), "all beats have one address");
  return mux(wraps, block, replicate(page_bits, ~fixed));
}

}  // namespace

rtl::Module axi4_burst(int address_bits, int id_bits, int data_bytes) {
  rtl::Module m(fmt::format("axi4_burst_a{}_i{}_d{}", address_bits, id_bits, data_bytes),
                fmt::format("The beats of a burst on a bus of {} bytes, one after the other.", data_bytes));
  const int largest = bits_to_number(data_bytes);
  const Expr valid = m.input("valid", 1, "a burst");
  const Expr ready = m.output("ready", 1, "taken at this edge if valid");
  const Expr id = m.input("id", id_bits, "ID of the burst");
  const Expr address = m.input("address", address_bits, "byte address of the first beat");
  const Expr length = m.input("length", 8, "beats - 1");
  const Expr size = m.input("size", 3, "log2 of the bytes of a beat");
  const Expr type = m.input("kind", 2, "0 FIXED, 1 INCR, 2 WRAP");
  const Expr cacheable = m.input("cacheable", 1, "a cache may hold its bytes");
  const Expr advance = m.input("advance", 1, "the beat leaves; only while there is one");
  const Expr busy = m.output("busy", 1, "there is a beat");
  const Expr refused = m.output("refused", 1, "the burst is none of this bus");
  const Expr last = m.output("last", 1, "the last beat of the burst");
  const Expr beat_id = m.output("beat_id", id_bits, "ID of the burst");
  const Expr beat_address = m.output("beat_address", address_bits, "byte address of the beat");
  const Expr beat_below = m.output("beat_below", largest, "address bits within a beat");
  const Expr beat_cacheable = m.output("beat_cacheable", 1, "a cache may hold its bytes");

  m.section("A burst that arrives.");
  const Expr bits = m.let("arriving_bits", changing_bits(m, size, length, type, largest),
                          "address bits that change from beat to beat");
  std::vector<Expr> below;
  for (int b = largest; b-- > 0;) below.push_back(lit(3, static_cast<std::uint64_t>(b)) < size);
  const Expr powers = m.let("a_power_of_two",
                            ~rtl::any(length.slice(7, 4)) & length.bit(0) & (length.bit(1) | ~length.bit(2)) &
                                (length.bit(2) | ~length.bit(3)),
                            "2, 4, 8 or 16 beats");
  Expr wrong = rtl::all(type) | ((type == m.constant("BURST_WRAP", 2, 2)) & ~powers);
  if (largest < 7) wrong = wrong | (lit(3, static_cast<std::uint64_t>(largest)) < size);
  const Expr wrong_named = m.let("arriving_refused", wrong, "no burst of this bus");

  m.section("The burst whose beats are shown.");
  const Expr busy_q = m.reg("busy_q", 1, 0, "there is a beat");
  const Expr left = m.data_reg("left_q", 8, "beats behind this one");
  const Expr address_q = m.data_reg("address_q", address_bits, "byte address of the beat");
  const Expr bits_q = m.data_reg("bits_q", page_bits, "address bits that change from beat to beat");
  const Expr below_q = m.data_reg("below_q", largest, "address bits within a beat");
  const Expr id_q = m.data_reg("id_q", id_bits, "ID of the burst");
  const Expr cacheable_q = m.data_reg("cacheable_q", 1, "a cache may hold its bytes");
  const Expr refused_q = m.data_reg("refused_q", 1, "no burst of this bus");
  m.assign(last, ~rtl::any(left));
  m.assign(ready, ~busy_q | (advance & last));
  const Expr enters = m.let("enters", valid & ready, "a burst is taken");
  const Expr page = address_q.slice(page_bits - 1, 0);
  const Expr after = m.let("after", (page | rtl::zext(below_q, page_bits)) + lit(page_bits, 1),
                           "the end of the beat, in its page");
  m.clocked("A burst enters when the last beat leaves, or later.", [&] {
    m.when(enters, [&] { m.set(busy_q, lit(1, 1)); }).otherwise([&] {
      m.when(advance & last, [&] { m.set(busy_q, lit(1, 0)); });
    });
  });
  m.clocked("The first beat, and the beat after each.", [&] {
    m.when(enters, [&] {
       m.set(left, length);
       m.set(address_q, address);
       m.set(bits_q, bits);
       m.set(below_q, cat(below));
       m.set(id_q, id);
       m.set(cacheable_q, cacheable);
       m.set(refused_q, wrong_named);
     }).otherwise([&] {
      m.when(advance, [&] {
        m.set(left, left - lit(8, 1));
        m.set(page, (page & ~bits_q) | (after & bits_q));
      });
    });
  });
  m.assign(busy, busy_q);
  m.assign(refused, refused_q);
  m.assign(beat_id, id_q);
  m.assign(beat_address, address_q);
  m.assign(beat_below, below_q);
  m.assign(beat_cacheable, cacheable_q);
  return m;
}

}  // namespace hw

#include "hw/tags/split_data.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/split_slots.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// One-hot, since a multiplexer by number takes half as many gates again.
rtl::Module chunk_of_slots(int slots, int width, const std::string& name) {
  rtl::Module m(name, fmt::format("A chunk from one of {} slots.", slots));
  const Expr at = m.input("at", slots, "the slot, one-hot");
  const Expr rows = m.input("rows", slots * width, "the row of each slot");
  const Expr data = m.output("data", width, "the chunk");
  m.comb("The row of the slot.", [&] {
    m.set(data, rtl::lit(width, 0));
    m.loop("s", slots, [&](const Expr& s) {
      m.set(data, data | (rows.part(s, width) & rtl::replicate(width, at.at(s))));
    });
  });
  return m;
}

}  // namespace

rtl::Module split_data(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), slots = slots_of(p), chunks = chunks_of_line(p);
  const int width = 8 * p.chunk_bytes;
  rtl::Module m(name,
                fmt::format("Data of {} sets of {} slots of {} bytes, a bank a slot, any chunk of a line "
                            "in any of them (TSC paper, section 3).",
                            p.sets, slots, p.chunk_bytes));
  const Expr fill_set = m.input("fill_set", set_bits, "set of a fill");
  const Expr fill_slots = m.input("fill_slots", slots, "slots that it writes");
  const Expr fill_at = m.input("fill_at", chunks * slots, "which chunk goes where, one-hot a chunk");
  const Expr fill_data = m.input("fill_data", 8 * p.line_bytes, "the line");
  const Expr read = m.input("read", 1, "chunks of a line are read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_slots = m.input("read_slots", slots, "slots that are read");
  const Expr read_at = m.input("read_at", chunks * slots, "where each chunk lies, one-hot a chunk");
  const Expr read_data = m.output("read_data", 8 * p.line_bytes, "the chunks of the line read last");

  m.section("From chunks to slots.");
  std::vector<Expr> of_chunk, chunk_data;
  for (int c = 0; c < chunks; ++c) {
    of_chunk.push_back(m.let(fmt::format("fill_at{}", c), slots_of_chunk(fill_at, c, slots),
                             fmt::format("slot of chunk {}", c)));
    chunk_data.push_back(fill_data.slice((c + 1) * width - 1, c * width));
  }
  const Expr written = m.wire("written", slots * width, "what each slot would be given");
  m.comb("Each slot takes its chunk.", [&] {
    m.loop("s", slots, [&](const Expr& s) {
      Expr sum;
      for (int c = 0; c < chunks; ++c) {
        const Expr mine = chunk_data[c] & rtl::replicate(width, of_chunk[c].at(s));
        sum = sum.known() ? sum | mine : mine;
      }
      m.set(written.part(s, width), sum);
    });
  });

  m.section("Banks.");
  const Expr rows = m.wire("rows", slots * width, "the row of each slot read last");
  const Expr used = m.let("used", fill_slots | (read_slots & rtl::replicate(slots, read)),
                          "banks that are written or read");
  const rtl::Module ram = sram_1rw(p.sets, width);
  for (int s = 0; s < slots; ++s)
    m.instance(ram, fmt::format("bank{}", s),
               {{"access", used.bit(s)},
                {"write", fill_slots.bit(s)},
                {"row", mux(fill_slots.bit(s), fill_set, read_set)},
                {"write_data", written.slice((s + 1) * width - 1, s * width)},
                {"read_data", rows.slice((s + 1) * width - 1, s * width)}},
               fmt::format("Slot {}.", s));

  m.section("From slots to chunks.");
  const Expr shown =
      m.data_reg("shown_q", chunks * slots, "slot of each chunk of the line read last, one-hot");
  m.clocked("The slots that are read.", [&] { m.when(read, [&] { m.set(shown, read_at); }); });
  const rtl::Module one = chunk_of_slots(slots, width, name + "_chunk");
  m.repeat("chunk", chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(one, "selected",
               {{"at", shown.part(c, slots)}, {"rows", rows}, {"data", read_data.part(c, width)}},
               "The chunk, from the slot that has it.");
  });
  return m;
}

}  // namespace hw

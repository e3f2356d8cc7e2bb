#include "hw/tags/way_data.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// The banks of one chunk position, a way each.
rtl::Module column(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), way_bits = bits_to_number(p.ways), width = 8 * p.chunk_bytes;
  rtl::Module m(name, fmt::format("One chunk of every line: a bank of {} bytes a row for each of {} way{}.",
                                  p.chunk_bytes, p.ways, p.ways == 1 ? "" : "s"));
  const Expr fill = m.input("fill", 1, "the chunk of a line is written");
  const Expr fill_set = m.input("fill_set", set_bits, "set of the line that is written");
  const Expr fill_way = m.input("fill_way", p.ways, "way of the line that is written, one-hot");
  const Expr fill_data = m.input("fill_data", width, "new value of the chunk");
  const Expr read = m.input("read", 1, "the chunk of a line is read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_way = m.input("read_way", p.ways, "way of the line that is read, one-hot");
  Expr shown;
  if (way_bits) shown = m.input("shown_way", way_bits, "way of the line read last");
  const Expr read_data = m.output("read_data", width, "the chunk of the line read last");
  const rtl::Module ram = sram_1rw(p.sets, width);
  const Expr writes = m.let("writes", fill_way & rtl::replicate(p.ways, fill), "banks that are written");
  const Expr used =
      m.let("used", writes | (read_way & rtl::replicate(p.ways, read)), "banks that are written or read");
  std::vector<Expr> data;
  for (int w = 0; w < p.ways; ++w) {
    data.push_back(m.wire(fmt::format("data{}", w), width, fmt::format("chunk of way {} read last", w)));
    m.instance(ram, fmt::format("bank{}", w),
               {{"access", used.bit(w)},
                {"write", writes.bit(w)},
                {"row", mux(writes.bit(w), fill_set, read_set)},
                {"write_data", fill_data},
                {"read_data", data[w]}},
               fmt::format("Chunks of way {}.", w));
  }
  if (!way_bits) {
    m.assign(read_data, data[0]);
    return m;
  }
  m.comb("The chunk of the way that was read.", [&] {
    std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
    for (int w = 0; w + 1 < p.ways; ++w) cases.emplace_back(w, [&, w] { m.set(read_data, data[w]); });
    m.set(read_data, data.back());
    m.pick(shown, cases, [&] { m.set(read_data, data.back()); });
  });
  return m;
}

}  // namespace

rtl::Module way_data(const TagParams& p, const std::string& name) {
  const int set_bits = bits_to_number(p.sets), way_bits = bits_to_number(p.ways);
  const int chunks = chunks_of_line(p), width = 8 * p.chunk_bytes;
  rtl::Module m(
      name,
      fmt::format("Data of {} sets of {} way{}, in {} chunk{} of {} bytes, a bank per way and "
                  "chunk (baseline of the TSC, ACI and Decoupled-L1D papers).",
                  p.sets, p.ways, p.ways == 1 ? "" : "s", chunks, chunks == 1 ? "" : "s", p.chunk_bytes));
  const Expr fill = m.input("fill", 1, "chunks of a line are written");
  const Expr fill_set = m.input("fill_set", set_bits, "set of the line that is written");
  const Expr fill_way = m.input("fill_way", p.ways, "way of the line that is written, one-hot");
  const Expr fill_mask = m.input("fill_mask", chunks, "which chunks");
  const Expr fill_data = m.input("fill_data", 8 * p.line_bytes, "the line");
  const Expr read = m.input("read", 1, "chunks of a line are read");
  const Expr read_set = m.input("read_set", set_bits, "set of the line that is read");
  const Expr read_way = m.input("read_way", p.ways, "way of the line that is read, one-hot");
  Expr shows;
  const Expr read_mask = m.input("read_mask", chunks, "which chunks");
  if (way_bits) shows = m.input("shows", 1, "what is read, if anything, is shown from the next cycle on");
  const Expr read_data = m.output("read_data", 8 * p.line_bytes, "the chunks of the line read last");
  const Expr fills = m.let("fills", fill_mask & rtl::replicate(chunks, fill), "columns that are written");
  const Expr reads = m.let("reads", read_mask & rtl::replicate(chunks, read), "columns that are read");
  Expr shown;
  if (way_bits) {
    shown = m.data_reg("shown_way_q", way_bits, "way of the line read last");
    m.clocked("The way that is read.", [&] { m.when(shows, [&] { m.set(shown, number_of(read_way)); }); });
  }
  m.repeat("column", chunks, "The chunks of a line.", [&](const Expr& c) {
    std::vector<std::pair<std::string, Expr>> pins{
        {"fill", fills.at(c)},  {"fill_set", fill_set},
        {"fill_way", fill_way}, {"fill_data", fill_data.part(c, width)},
        {"read", reads.at(c)},  {"read_set", read_set},
        {"read_way", read_way}};
    if (way_bits) pins.emplace_back("shown_way", shown);
    pins.emplace_back("read_data", read_data.part(c, width));
    m.instance(column(p, name + "_column"), "banks", pins, "A bank for each way.");
  });
  return m;
}

}  // namespace hw

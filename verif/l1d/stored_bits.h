// Injected faults in the stored addresses of an L1 data cache: one bit that one comparator ignores, or that
// one row stores as 0.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/l1d/close_lines.h"
#include "hw/l1d/l1d_params.h"
#include "verif/mutate/mutation_run.h"

namespace verif {

inline rtl::Expr bit_of(int width, unsigned bit) { return rtl::lit(width, std::uint64_t{1} << bit); }

// Of an equality, or of an exclusive or whose bits are all 1 where both sides are equal.
inline rtl::Expr ignoring(const rtl::Expr& sound, unsigned bit) {
  if (sound.width() > 1) return sound | bit_of(sound.width(), bit);
  const rtl::Expr &a = sound.node().args[0], &b = sound.node().args[1], one = bit_of(a.width(), bit);
  return (a | one) == (b | one);
}
inline Change ignores(unsigned bit) {
  return [=](const rtl::Expr& sound, const Nets&) { return ignoring(sound, bit); };
}
// Of an equality with part number `part` of a vector, in a loop over all.
inline Change ignores_in(unsigned part, unsigned bit) {
  return [=](const rtl::Expr& sound, const Nets&) {
    const rtl::Expr& number = sound.node().args[0].node().args[1];
    return rtl::mux(number == rtl::lit(32, part), ignoring(sound, bit), sound);
  };
}
// In round number `part` of a generate loop.
inline Change in_round(unsigned part, const Change& change) {
  return [=](const rtl::Expr& sound, const Nets& net) {
    const rtl::Expr round(std::make_shared<const rtl::Node>(
        rtl::Node{.kind = rtl::Node::Kind::loop, .width = 32, .text = "gi", .scope = sound.node().scope}));
    return rtl::mux(round == rtl::lit(32, part), change(sound, net), sound);
  };
}
inline Change loses(unsigned bit) {
  return [=](const rtl::Expr& sound, const Nets&) { return sound & ~bit_of(sound.width(), bit); };
}
inline Change loses_in(const std::string& row_net, unsigned row, unsigned bit) {
  return [=](const rtl::Expr& sound, const Nets& net) {
    return rtl::mux(net(row_net) == rtl::lit(net(row_net).width(), row), sound & ~bit_of(sound.width(), bit),
                    sound);
  };
}

inline std::vector<Fault> split_tag_faults(const hw::L1dParams& p) {
  std::vector<Fault> faults;
  const auto low = static_cast<unsigned>(p.split.private_tag_bits);
  const unsigned bits = CloseLines(p.index).tag_bits();
  for (unsigned b = low; b < bits; ++b) {
    for (int g = 0; g < p.split.groups; ++g)
      faults.push_back({fmt::format("shared tag {}, bit {}, ignored", g, b), "_tags", "shared_equal",
                        fmt::format("stored_shared[gi * {0} +: {0}] == shared_tag", bits - low),
                        in_round(static_cast<unsigned>(g), ignores(b - low))});
    faults.push_back(
        {fmt::format("last tag, bit {}, ignored", b), "_tags", "last_shared_equal", "", ignores(b - low)});
  }
  for (unsigned b = 0; b < low; ++b) {
    for (int s = 0; s < hw::slots_of(p); ++s)
      faults.push_back({fmt::format("private tag {}, bit {}, ignored", s, b), "_tags", "private_equal",
                        fmt::format("stored_private[gi * {0} +: {0}] == private_tag", low),
                        in_round(static_cast<unsigned>(s), ignores(b))});
    faults.push_back(
        {fmt::format("last tag, bit {}, ignored", b), "_tags", "last_private_equal", "", ignores(b)});
  }
  return faults;
}

// Each bit of each comparator of tags.
inline std::vector<Fault> tag_faults(const hw::L1dParams& p) {
  if (p.tags == hw::TagKind::split) return split_tag_faults(p);
  const int tags = p.tags == hw::TagKind::reuse_filter ? p.reuse.ways
                   : p.tags == hw::TagKind::decoupled  ? p.ways * p.decoupled.tags_per_way
                                                       : p.ways;
  std::vector<Fault> faults;
  for (unsigned b = 0; b < CloseLines(p.index).tag_bits(); ++b) {
    for (int t = 0; t < tags; ++t)
      faults.push_back(
          {fmt::format("tag {}, bit {}, ignored", t, b), "_tags", "tag_equal",
           fmt::format("stored_tags[gi * {0} +: {0}] ^ unlike_q", CloseLines(p.index).tag_bits()),
           in_round(static_cast<unsigned>(t), ignores(b))});
    faults.push_back(
        {fmt::format("tag just written, bit {}, ignored", b), "_tags", "bypass_equal_q", "", ignores(b)});
  }
  return faults;
}

// Each bit of the comparators of one MSHR entry.
inline std::vector<Fault> entry_faults(const hw::L1dParams& p, unsigned entry) {
  const CloseLines lines(p.index);
  const auto part = [](const char* net, unsigned bits, const char* with) {
    return fmt::format("{}[e * {} +: {}] == {}", net, bits, bits, with);
  };
  std::vector<Fault> faults;
  const unsigned tag_bits = lines.tag_bits(), set_bits = lines.bits() - tag_bits;
  for (unsigned b = 0; b < tag_bits; ++b)
    faults.push_back({fmt::format("tag of entry {}, bit {}, ignored", entry, b), "_mshr_lookup", "coming",
                      part("tag_q", tag_bits, "enter_tag"), ignores_in(entry, b)});
  for (unsigned b = 0; b < set_bits; ++b)
    faults.push_back({fmt::format("set of entry {}, bit {}, ignored", entry, b), "_mshr_lookup", "coming",
                      part("set_q", set_bits, "enter_set"), ignores_in(entry, b)});
  return faults;
}

// Each bit of the addresses in the rows of the miss queue, below which it holds the mask of chunks.
inline std::vector<Fault> row_faults(const hw::L1dParams& p) {
  const CloseLines lines(p.index);
  std::vector<Fault> faults;
  for (int row = 0; row < p.miss_queue; ++row)
    for (int b = 0; b < lines.index().block_bits(); ++b)
      faults.push_back({fmt::format("row {} of the miss queue, address bit {}, lost", row, b), "_miss_queue",
                        "requests.write_data", "",
                        loses_in("write_row_q", static_cast<unsigned>(row),
                                 static_cast<unsigned>(b + hw::chunks_of_line(p)))});
  return faults;
}

// Each bit of the tags in the RAMs of the ways, and of the tags and sets in MSHR entries.
inline std::vector<Fault> stored_faults(const hw::L1dParams& p) {
  const CloseLines lines(p.index);
  std::vector<Fault> faults;
  for (unsigned b = 0; b < lines.tag_bits(); ++b) {
    for (int w = 0; w < p.ways; ++w)
      faults.push_back({fmt::format("tag of way {}, bit {}, lost", w, b), "_tags", "way_row.write_data", "",
                        in_round(static_cast<unsigned>(w), loses(b))});
    faults.push_back(
        {fmt::format("tags of entries, bit {}, lost", b), "_mshr_lookup", "tag_q", "", loses(b)});
  }
  for (unsigned b = 0; b < lines.bits() - lines.tag_bits(); ++b)
    faults.push_back(
        {fmt::format("sets of entries, bit {}, lost", b), "_mshr_lookup", "set_q", "", loses(b)});
  return faults;
}

// Every so many of them.
inline std::vector<Fault> one_of(std::size_t so_many, const std::vector<Fault>& faults) {
  std::vector<Fault> some;
  for (std::size_t i = so_many / 2; i < faults.size(); i += so_many) some.push_back(faults[i]);
  return some;
}

}  // namespace verif

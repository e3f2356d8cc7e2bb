// The set-index units, and the index of a cache (ACI thesis, section 3.2).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "gen/area/references.h"
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/index/index_ranges.h"
#include "hw/index/index_unit.h"
#include "hw/index/polynomials.h"
#include "hw/l1d/l1d_params.h"
#include "hw/require.h"

namespace gen {
namespace {

Unit elaborated(const hw::IndexParams& p, const std::string& top) {
  const hw::IndexUnit unit = hw::index_unit(p, top);
  const hw::IndexFacts& f = unit.facts;
  nlohmann::ordered_json facts{{"tag", f.tag_reason}};
  if (f.prime) {
    facts["prime"] = f.prime;
    facts["unused_sets"] = f.unused_sets;
    facts["fragmentation_percent"] = 100.0 * f.unused_sets / p.sets;
  } else {
    facts["xor2_count"] = f.xor_count;
    facts["xor2_count_unfactored"] = f.unfactored_xor_count;
    facts["xor2_depth"] = f.xor_depth;
    for (const auto& taps : f.taps)
      facts["index_bits"].push_back(fmt::format("A{}", fmt::join(taps, " ^ A")));
  }
  return {.top = unit.module, .latency = p.latency, .tag_bits = f.tag_bits, .facts = facts};
}

CosimMain cosim(const hw::IndexParams& p) {
  return {.header = "units/index_cosim.h",
          .params_type = "IndexParams",
          .params = cpp_params("IndexParams", p),
          .report = "verif::IndexCosim<Vdut, params>(o, add_probes).run()"};
}

std::vector<PlainForm> plain_forms(const hw::IndexParams& p, const std::string& top, std::uint32_t order) {
  const hw::IndexFacts facts = hw::index_unit(p, top).facts;
  const bool modulo = facts.prime != 0;
  const ReferenceShape shape{.name = top + (modulo ? "_modulo" : "_unfactored"),
                             .block_address_bits = hw::block_address_bits(p),
                             .index_bits = hw::index_bits(p),
                             .tag_bits = facts.tag_bits,
                             .latency = p.latency};
  std::vector<std::uint64_t> rows;
  for (const auto& taps : facts.taps) {
    rows.push_back(0);
    for (const int tap : taps) rows.back() |= std::uint64_t{1} << (tap - hw::offset_bits(p));
  }
  const std::string text = modulo ? modulo_reference(shape, static_cast<std::uint32_t>(facts.prime), order)
                                  : unfactored_reference(shape, rows, order);
  return {{modulo ? fmt::format("block address % {}", facts.prime) : "unfactored XOR",
           PlainVerilog{shape.name, text, p.latency > 0}}};
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::IndexParams>(
      elaborated, cosim, "is an index unit: recorded cache traffic needs a cache; use --trace or --random",
      plain_forms);
  return table;
}

using hw::IndexKind;
using hw::IndexParams;

int log2_of(int power) { return std::bit_width(static_cast<unsigned>(power)) - 1; }

// The index parameters of a configuration, wherever its struct keeps them.
const IndexParams& index_of(const IndexParams& p) { return p; }
IndexParams& index_of(IndexParams& p) { return p; }
const IndexParams& index_of(const hw::L1dParams& p) { return p.index; }
IndexParams& index_of(hw::L1dParams& p) { return p.index; }

template <class Owner>
struct Table {
  std::vector<Key> keys = {};

  template <class Member>
  void add(KeyInfo info, Member member) {
    keys.push_back(field<Owner>(
        std::move(info), [member](auto& p) -> auto& { return index_of(p).*member; }));
  }
};

template <class Owner>
void add_kind(Table<Owner>& table) {
  table.add(
      {.key = "index.kind",
       .type = KeyType::choice,
       .choices = {"cvi", "bxi", "rxi", "lin", "pli", "pri", "adi"},
       .meaning =
           "Function from the block address to the set: conventional, bitwise XOR, reverse-engineered XOR, "
           "any linear one, polynomial modulus, prime modulo, or adaptive, which needs a cache around it.",
       .source = "ACI thesis, sections 3.2 and 3.3",
       .suffix = ""},
      &IndexParams::kind);
}

template <class Owner>
void add_details(Table<Owner>& table) {
  table.add(
      {.key = "index.poly",
       .type = KeyType::integer,
       .range = hw::IndexRanges::poly,
       .zero = "the smallest irreducible polynomial of degree S",
       .depends = true,
       .meaning = "P(x) of degree S as a number, top term included; bit i is the coefficient of x^i, 0x25 is "
                  "x^5 + x^2 + 1.",
       .source = "ACI thesis, section 3.2.3",
       .suffix = "p",
       .only_with = {"index.kind", {"pli"}}},
      &IndexParams::poly);
  table.add({.key = "index.allow_reducible",
             .type = KeyType::boolean,
             .meaning = "Accept a P(x) that has factors, which spreads fewer strides.",
             .source = "ACI thesis, section 3.2.3",
             .only_with = {"index.kind", {"pli"}}},
            &IndexParams::allow_reducible);
  table.keys.push_back(masks<Owner>(
      {.key = "index.taps",
       .type = KeyType::bit_lists,
       .range = hw::IndexRanges::tap,
       .max_lists = hw::max_index_bits,
       .unit = "bit numbers of the byte address",
       .meaning = "Per index bit, bit 0 first, the block-address bits that are XORed, numbered as in "
                  "the byte address (B to N-1); a bit named twice cancels; [] stands for the XOR "
                  "fold, in which index bit i takes every block-address bit k with k mod S = i.",
       .source = "the general form of ACI thesis, sections 3.2.1 to 3.2.3",
       .suffix = "t",
       .only_with = {"index.kind", {"lin"}}},
      [](auto& p) -> auto& { return index_of(p).taps; }));
  table.add({.key = "index.latency",
             .type = KeyType::integer,
             .range = hw::IndexRanges::latency,
             .unit = "clock cycles",
             .meaning = "Pipeline stages between the block address and the set.",
             .source = "ACI thesis, section 3.4.4",
             .suffix = "l"},
            &IndexParams::latency);
}

std::vector<Key> make_keys() {
  Table<IndexParams> table;
  table.add(address_bits_key(), &IndexParams::address_bits);
  table.add(line_bytes_key(), &IndexParams::line_bytes);
  add_kind(table);
  table.add(sets_key(hw::IndexRanges::sets), &IndexParams::sets);
  add_details(table);
  return std::move(table.keys);
}

void fold_taps(hw::IndexParams& params) {
  const int index_bits = log2_of(params.sets);
  const int low = log2_of(params.line_bytes);
  params.taps = {};
  for (int bit = low; bit < params.address_bits; ++bit)
    params.taps[static_cast<std::size_t>((bit - low) % index_bits)] |= std::uint64_t{1} << bit;
}

}  // namespace

std::vector<Key> index_keys_of_l1d() {
  Table<hw::L1dParams> table;
  add_kind(table);
  add_details(table);
  return std::move(table.keys);
}

void settle_index(IndexParams& p) {
  const bool no_taps = p.taps == IndexParams{}.taps;
  if (p.kind == IndexKind::lin && no_taps) fold_taps(p);
  if (p.kind == IndexKind::pli && p.poly == 0 && p.sets > 1)
    p.poly = hw::smallest_irreducible(log2_of(p.sets));
}

namespace {

// The address bit nearest to `bit` that makes a legal matrix instead of it; any where none does.
std::string nearest_tap(BitLists lists, int list, int bit, IndexParams p) {
  const int low = log2_of(p.line_bytes), high = p.address_bits - 1;
  auto& taps = lists.at(static_cast<std::size_t>(list));
  int& tap = *std::ranges::find(taps, bit);
  const int step = bit < low ? 1 : -1;
  for (tap = step > 0 ? low : high; tap >= low && tap <= high; tap += step) {
    p.taps = {};
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const int b : lists[i]) p.taps[i] ^= std::uint64_t{1} << b;
    try {
      hw::check(p);
      return fmt::format("the nearest is {}", tap);
    } catch (const hw::ParamError&) {
    }
  }
  return "use one of these";
}

}  // namespace

void check_given_taps(const Values& given, const IndexParams& p) {
  const auto taps = given.find("index.taps");
  if (p.kind != IndexKind::lin || taps == given.end()) return;
  const auto& lists = std::get<BitLists>(taps->second);
  if (lists.empty()) return;
  const int index_bits = log2_of(p.sets);
  const int count = static_cast<int>(lists.size());
  hw::require(count == index_bits, "index.taps", fmt::format("{} list{}", count, count == 1 ? "" : "s"),
              "must have one list of address bits per index bit",
              fmt::format("index.sets = {} has {} index bits", p.sets, index_bits));
  const int low = log2_of(p.line_bytes), high = p.address_bits - 1;
  for (int i = 0; i < count; ++i) {
    std::uint64_t mask = 0;
    for (int j = 0; const int bit : lists.at(i)) {
      const std::string place = fmt::format("index.taps[{}][{}]", i, j++);
      if (bit < low || bit > high)
        hw::require(false, place, bit, fmt::format("must be a block-address bit, from {} to {}", low, high),
                    nearest_tap(lists, i, bit, p));
      mask ^= std::uint64_t{1} << bit;
    }
    hw::require(mask != 0, fmt::format("index.taps[{}]", i), nlohmann::json(lists.at(i)).dump(),
                "must leave a tap, or the index bit is constant", "a bit named twice cancels");
  }
}

namespace {

const Family& family() {
  static const Family family{
      .name = "set-index unit",
      .doc = "maps a block address to a set number and the tag to store",
      .defaults = IndexParams{},
      .unit = kind,
      .keys = make_keys(),
      .settle = [](Params& p) { settle_index(p.get<IndexParams>()); },
      .check_given = [](const Values& given,
                        const Params& p) { check_given_taps(given, p.get<IndexParams>()); }};
  return family;
}

}  // namespace

std::vector<Preset> index_unit() {
  return {{.place = 120,
           .name = "index_cvi",
           .family = &family(),
           .doc = "conventional: the low bits of the block address",
           .source = "ACI thesis, section 3.2",
           .overrides = {{"index.kind", std::string("cvi")}}},
          {.place = 130,
           .name = "index_bxi",
           .family = &family(),
           .doc = "bitwise XOR: the low S block-address bits with the next S",
           .source = "ACI thesis, section 3.2.1",
           .overrides = {{"index.kind", std::string("bxi")}}},
          {.place = 140,
           .name = "index_rxi",
           .family = &family(),
           .doc = "reverse-engineered bitwise XOR of the NVIDIA GTX 470, 32 sets of 128-byte lines",
           .source = "ACI thesis, section 3.2.2",
           .overrides = {{"index.kind", std::string("rxi")}}},
          {.place = 150,
           .name = "index_lin",
           .family = &family(),
           .doc = "any XOR matrix, one list of address bits per index bit (default: the XOR fold)",
           .source = "the general form of ACI thesis, sections 3.2.1 to 3.2.3",
           .overrides = {{"index.kind", std::string("lin")}}},
          {.place = 160,
           .name = "index_pli",
           .family = &family(),
           .doc = "polynomial modulus: the remainder of the block address by P(x) over GF(2)",
           .source = "ACI thesis, section 3.2.3",
           .overrides = {{"index.kind", std::string("pli")}}},
          {.place = 170,
           .name = "index_pri",
           .family = &family(),
           .doc = "prime modulo: the remainder by the largest prime not above the number of sets",
           .source = "ACI thesis, section 3.2.4",
           .overrides = {{"index.kind", std::string("pri")}}}};
}

}  // namespace gen

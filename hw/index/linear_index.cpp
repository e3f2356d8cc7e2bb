#include "hw/index/linear_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include <algorithm>
#include <bit>
#include <set>

#include "hw/index/xor_network.h"
#include "hw/prim/pipeline.h"

namespace hw {
namespace {

std::vector<int> address_bits(std::uint64_t taps, int offset) {
  std::vector<int> bits;
  for (int k = 0; k < 64; ++k)
    if (taps >> k & 1) bits.push_back(k + offset);
  return bits;
}

class LinearIndexBuilder {
 public:
  LinearIndexBuilder(const IndexParams& p, rtl::Module& m, const XorNetwork& net)
      : offset_(offset_bits(p)),
        m_(m),
        net_(net),
        pipeline_(m, p.latency),
        made_(net.terms.size()),
        names_(net.terms.size()) {}

  void run(const IndexParams& p, const rtl::Expr& address, const rtl::Expr& set_index, const rtl::Expr& tag) {
    address_ = address;
    bool titled = false;
    for (std::size_t t = 0; t < net_.terms.size(); ++t) {
      const XorTerm& term = net_.terms[t];
      if (term.left < 0 || !wants_name(t)) continue;
      if (!std::exchange(titled, true))
        m_.section("Sums of address bits that several index bits share, or that a register holds.");
      made_[t] = m_.let(name(t), sum(t), fmt::format("in index bit {}", fmt::join(users(t), ", ")));
    }
    m_.section("Set index: depth is in two-input XOR gates.");
    std::vector<rtl::Expr> bits;
    for (std::size_t i = 0; i < net_.outputs.size(); ++i) {
      const int o = net_.outputs[i];
      const auto taps = address_bits(net_.terms[o].taps, offset_);
      const std::string bit = fmt::format("index_{}", i);
      const rtl::Expr last = value(o, pipeline_.stages());
      bits.insert(bits.begin(),
                  m_.let(bit, last,
                         fmt::format("A{}; {} tap{}, depth {}", fmt::join(taps, "^A"), taps.size(),
                                     taps.size() == 1 ? "" : "s", net_.terms[o].level)));
    }
    m_.assign(set_index, rtl::cat(bits));
    m_.section("Tag");
    const int low = index_bits(p);
    const rtl::Expr high = address.slice(address.width() - 1, low);
    m_.assign(tag, pipeline_.carry(high, "tag", 0, pipeline_.stages(), "tag"));
    pipeline_.finish();
  }

 private:
  int stage(std::size_t t) const { return pipeline_.stage_of(net_.terms[t].level, net_.depth()); }

  // The index bits that a term is a part of.
  std::vector<int> users(std::size_t t) const {
    std::vector<bool> reached(net_.terms.size());
    reached[t] = true;
    for (std::size_t u = t + 1; u < net_.terms.size(); ++u)
      reached[u] = net_.terms[u].left >= 0 && (reached[net_.terms[u].left] || reached[net_.terms[u].right]);
    std::vector<int> bits;
    for (std::size_t i = 0; i < net_.outputs.size(); ++i)
      if (reached[net_.outputs[i]]) bits.push_back(static_cast<int>(i));
    return bits;
  }

  // A term has a name of its own when it is shared, or when a register separates it from its user.
  bool wants_name(std::size_t t) const {
    if (net_.terms[t].uses > 1) return true;
    for (std::size_t u = t + 1; u < net_.terms.size(); ++u)
      if (net_.terms[u].left == static_cast<int>(t) || net_.terms[u].right == static_cast<int>(t))
        return stage(u) != stage(t);
    return stage(t) != pipeline_.stages();  // it is an output
  }

  // Its address bits up to six of them, else the first, the last and how many; a letter distinguishes equals.
  const std::string& name(std::size_t t) {
    if (!names_[t].empty()) return names_[t];
    const auto taps = address_bits(net_.terms[t].taps, offset_);
    const std::string stem =
        taps.size() == 1   ? fmt::format("a{}", taps[0])
        : taps.size() <= 6 ? fmt::format("xor_a{}", fmt::join(taps, "_a"))
                           : fmt::format("xor_a{}_to_a{}_{}taps", taps.front(), taps.back(), taps.size());
    std::string unique = stem;
    for (int k = 2; !used_.insert(unique).second; ++k) unique = fmt::format("{}_no{}", stem, k);
    return names_[t] = unique;
  }

  rtl::Expr sum(std::size_t t) {
    const XorTerm& term = net_.terms[t];
    return value(term.left, stage(t)) ^ value(term.right, stage(t));
  }

  // Term t as stage `at` sees it.
  rtl::Expr value(std::size_t t, int at) {
    const XorTerm& term = net_.terms[t];
    const rtl::Expr here = term.left < 0 ? address_.bit(std::countr_zero(term.taps))
                           : made_[t]    ? *made_[t]
                                         : sum(t);
    if (at == stage(t)) return here;
    return pipeline_.carry(here, name(t), stage(t), at, term.left < 0 ? "address bit" : "sum");
  }

  int offset_;
  rtl::Module& m_;
  const XorNetwork& net_;
  Pipeline pipeline_;
  rtl::Expr address_;
  std::vector<std::optional<rtl::Expr>> made_;
  std::vector<std::string> names_;
  std::set<std::string> used_;
};

}  // namespace

IndexUnit linear_index(const IndexParams& p, const LinearIndex& map, const std::string& name) {
  const int width = block_address_bits(p), low = offset_bits(p);
  rtl::Module m(
      name, fmt::format("{} ({}). {} sets of {}-byte lines.", map.formula, map.source, p.sets, p.line_bytes),
      map.loc);
  const auto address =
      m.input("block_address", width, fmt::format("A[{}:{}] of the byte address", p.address_bits - 1, low));
  const auto set_index = m.output("set_index", index_bits(p), "set that may hold the block");
  const auto tag = m.output("tag", width - index_bits(p),
                            fmt::format("A[{}:{}]", p.address_bits - 1, low + index_bits(p)));

  const XorNetwork net = factor(map.rows);
  LinearIndexBuilder(p, m, net).run(p, address, set_index, tag);

  std::uint64_t read = 0;
  for (const auto row : map.rows) read |= row;
  std::vector<rtl::Expr> ignored;
  for (int k = index_bits(p) - 1; k >= 0; --k)
    if (!(read >> k & 1)) ignored.push_back(address.bit(k));
  if (!ignored.empty()) m.unused("unused_address_bits", rtl::cat(ignored), "taps of no index bit");

  IndexFacts facts;
  facts.tag_bits = width - index_bits(p);
  facts.tag_reason =
      "the low index bits of the block address follow from the set index and the bits above them";
  facts.xor_count = net.gates();
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    facts.taps.push_back(address_bits(map.rows[i], low));
    facts.unfactored_xor_count += static_cast<int>(facts.taps.back().size()) - 1;
    facts.xor_depth.push_back(net.terms[net.outputs[i]].level);
  }
  return {m, facts};
}

}  // namespace hw

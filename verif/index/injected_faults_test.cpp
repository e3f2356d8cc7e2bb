// The lock step can fail: copies of each unit with one thing broken, every one of which must be found.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "gen/cosim/bundle.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/index/index_unit.h"
#include "verif/mutate/injected_faults.h"

namespace {

using hw::IndexKind, hw::IndexParams;
using rtl::Expr;
using verif::Nets;

std::string text_of(const IndexParams& p, const std::string& name) {
  return gen::verilog(hw::index_unit(p, name).module);
}

IndexParams with_fold(IndexParams p) {
  for (int k = 7; k < 32; ++k) p.taps[(k - 7) % 5] |= std::uint64_t{1} << k;
  return p;
}

class Faults {
 public:
  void add(const IndexParams& expected, const std::string& what,
           const std::function<std::string(const std::string& name)>& text) {
    const std::string name = fmt::format("{}_{}", what, units_.size());
    units_.push_back({name, expected, text(name)});
  }
  void inject(const IndexParams& p, const std::string& what, const std::string& net, const std::string& term,
              const verif::Change& becomes) {
    const verif::Fault fault{what, "", net, term, becomes};
    add(p, what, [&](const std::string& name) {
      return verif::texts_of(hw::index_unit(p, name).module, &fault).at(name);
    });
  }
  void build_as(const IndexParams& expected, const IndexParams& built, const std::string& what) {
    add(expected, what, [&](const std::string& name) { return text_of(built, name); });
  }
  const std::vector<gen::BundleUnit>& units() const { return units_; }

 private:
  std::vector<gen::BundleUnit> units_;
};

Faults inject() {
  Faults f;
  const IndexParams cvi{.kind = IndexKind::cvi}, bxi{.kind = IndexKind::bxi}, rxi{.kind = IndexKind::rxi},
      lin = with_fold({.kind = IndexKind::lin}), pli{.kind = IndexKind::pli}, pri{.kind = IndexKind::pri};
  const auto tap = [](int bit) {
    return [bit](const Expr&, const Nets& net) { return net("block_address").bit(bit); };
  };
  const auto first_alone = [](const Expr& sum, const Nets&) { return sum.node().args[0]; };
  const auto or_of_both = [](const Expr& sum, const Nets&) {
    return sum.node().args[0] | sum.node().args[1];
  };
  f.inject(cvi, "cvi_other_bit", "index_0", "block_address[0]", tap(5));
  f.inject(bxi, "bxi_tap_removed", "index_0", "", first_alone);
  f.inject(rxi, "rxi_other_tap", "index_4", "block_address[12]", tap(11));
  f.inject(lin, "lin_tap_removed", "index_0", "", first_alone);
  f.inject(pli, "pli_tap_removed", "index_0", "", first_alone);
  f.inject(pli, "pli_or_for_xor", "index_0", "", or_of_both);
  f.inject(pri, "pri_or_for_xor", "sum_1", "", or_of_both);
  f.inject(pri, "pri_or_for_and", "majority_1", "digit_0 & digit_1", or_of_both);
  f.build_as(pli, {.kind = IndexKind::pli, .poly = 0x3d}, "pli_other_polynomial");
  for (IndexParams p : {cvi, bxi, rxi, lin, pli, pri}) {
    const std::string kind =
        std::vector<std::string>{"cvi", "bxi", "rxi", "lin", "pli", "pri"}[static_cast<std::size_t>(p.kind)];
    IndexParams late = p;
    p.latency = 1;
    late.latency = 2;
    f.build_as(p, late, kind + "_stage_too_many");
    f.build_as(late, p, kind + "_stage_too_few");
    f.inject(p, kind + "_tag_bit_lost", "tag_s1_q", "", verif::inverted());
  }
  return f;
}

}  // namespace

TEST(InjectedFaults, EveryBrokenUnitIsFound) {
  std::vector<gen::BundleUnit> units = inject().units();
  // A sound unit among them must not be accused.
  units.push_back({"sound", {.kind = IndexKind::pli}, text_of({.kind = IndexKind::pli}, "sound")});

  const gen::TempDir work("faults");
  gen::write_file_atomically(
      work / "options.json",
      nlohmann::json{
          {"top", "faults"}, {"random_cycles", 20'000}, {"report", (work / "report.json").string()}}
          .dump());
  gen::ProgramSource source = gen::index_bundle("faults", units, 64);
  source.lint = false;  // a fault may leave a bit unread
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  EXPECT_EQ(done.status, 1) << done.output;
  std::set<std::string> found, injected;
  const auto report = nlohmann::json::parse(gen::read_file(work / "report.json"));
  for (const auto& m : report["mismatches"]) {
    const std::string port = m["port"];
    found.insert(port.substr(0, port.find('.')));
  }
  for (const auto& u : units)
    if (u.name != "sound") injected.insert(u.name);
  EXPECT_EQ(found, injected);
  fmt::print("{} faults injected, {} found\n", injected.size(), found.size());
}

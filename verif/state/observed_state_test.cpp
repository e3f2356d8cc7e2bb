// The state that units show and models publish: the same names, and no lock step without one of them. And
// a difference behind a name is found in any bit.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>

#include "cosim/harness/state_compare.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/noc/vc_crossbar.h"
#include "verif/l1d/golden_environment.h"
#include "verif/rtl/thrown.h"
#include "verif/state/shown_state.h"

namespace {

using gen::ShownValue, golden::StateList, testing::HasSubstr, verif::ShownState, verif::StateCompare;

struct Cache {
  std::string name, preset;
  std::vector<std::string> settings = {};
};

// Every tag store, replacement policy and index that has state of its own, with events.
const std::vector<Cache> caches{
    {"lru", "l1d"},
    {"nru", "l1d", {"tags.replacement=nru"}},
    {"random", "l1d", {"tags.replacement=random"}},
    {"srrip", "l1d", {"tags.replacement=srrip"}},
    {"one_way", "l1d", {"geometry.ways=1", "mshr.entries=1", "mshr.merges=1"}},
    {"sectored", "l1d_sectored"},
    {"prime", "l1d", {"index.kind=pri"}},
    {"split", "l1d_tsc"},
    {"split_group", "l1d_tsc", {"tags.split.victim=group", "tags.split.private_tag_bits=0"}},
    {"split_dueling", "l1d_tsc_plus"},
    {"decoupled", "l1d_dsc"},
    {"decoupled_alone", "l1d_dsc", {"tags.decoupled.tags_per_way=1", "geometry.ways=1"}},
    {"adaptive", "l1d_adi", {"adaptive.period=64", "adaptive.idle=16"}},
    {"reuse_filter", "l1d_reuse_filter"}};

struct Both {
  explicit Both(const Cache& cache) {
    std::vector<std::string> settings = cache.settings;
    settings.push_back("counters.enable=true");
    const gen::Config config = gen::load_config(cache.preset, settings);
    params = config.params.get<hw::L1dParams>();
    shown = gen::shown_state(gen::elaborate(config).top);
  }
  hw::L1dParams params;
  std::vector<ShownValue> shown;
};

std::string refusal(const std::vector<ShownValue>& shown, const StateList& published) {
  const ShownState state(shown);
  return verif::thrown([&] { StateCompare(state.seen, published); });
}

// A change of one declaration, or its loss, refuses the run and names it.
void expect_each_counts(const std::vector<ShownValue>& shown, const StateList& published) {
  ASSERT_EQ(refusal(shown, published), "nothing thrown");
  for (std::size_t n = 0; n < shown.size(); ++n) {
    const std::string& name = shown[n].name;
    auto without = shown;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(
        refusal(without, published),
        fmt::format("the state cannot be compared: the model publishes '{}', which the Verilog does not "
                    "show",
                    name));
    auto renamed = shown;
    renamed[n].name += "_of_old";
    EXPECT_THAT(
        refusal(renamed, published),
        HasSubstr(fmt::format("the Verilog shows '{}_of_old', which the model does not publish", name)));
    auto wider = shown;
    ++wider[n].width;
    EXPECT_THAT(refusal(wider, published), HasSubstr(fmt::format("'{}' is ", name)));
    auto parted = shown;
    parted[n].parts.push_back({"half", 1});
    EXPECT_THAT(refusal(parted, published), HasSubstr(fmt::format("'{}' is ", name)));
    auto twice = shown;
    twice.push_back(shown[n]);
    EXPECT_THAT(refusal(twice, published),
                HasSubstr(fmt::format("the Verilog shows '{}' more than once", name)));
  }
}

// The names that a published list lacks when one is taken out of it.
StateList without(const StateList& list, const std::string& name) {
  StateList rest;
  for (const golden::StateRows& rows : list.all_rows())
    rest.rows(rows.index.name, rows.index.count, rows.touched, rows.counts);
  for (const golden::StateValue& v : list.values())
    if (v.name != name) rest.add(v);
  return rest;
}

class OfCache : public testing::TestWithParam<Cache> {};

}  // namespace

TEST_P(OfCache, EachNameCounts) {
  const Both both(GetParam());
  const auto model = golden::CycleL1d::make(both.params);
  StateList published;
  model->publish(published);
  expect_each_counts(both.shown, published);
  for (const golden::StateValue& v : published.values())
    EXPECT_EQ(refusal(both.shown, without(published, v.name)),
              fmt::format("the state cannot be compared: the Verilog shows '{}', which the model does not "
                          "publish",
                          v.name));
  fmt::print("{} names\n", both.shown.size());
}

// Beside a user's Verilog, which has the ports.
TEST_P(OfCache, PortsAlone) {
  const Both both(GetParam());
  const auto model = golden::CycleL1d::make(both.params);
  StateList published;
  model->publish(published);
  auto ports = both.shown;
  std::erase_if(ports, [](const ShownValue& v) { return !v.is_port; });
  const bool updates = both.params.store_policy == hw::StorePolicyKind::update;  // else none is counted
  EXPECT_EQ(ports.size(), golden::counter_names.size() - (updates ? 0 : 1));
  ShownState state(ports);
  state.seen.ports_alone();
  EXPECT_EQ(verif::thrown([&] { StateCompare(state.seen, published); }), "nothing thrown");
}

// The model's own values in the place of the Verilog's, each bit that counts changed once.
TEST_P(OfCache, EachBitIsCompared) {
  const Both both(GetParam());
  verif::GoldenEnvironment run(both.params, 1, {});
  StateList published;
  run.cache.publish(published);
  ShownState state(both.shown);
  StateCompare compare(state.seen, published);
  std::map<std::string, int> found;
  for (int cycle = 0; cycle < 4000; ++cycle) {
    run.run(1);
    compare.choose_rows();
    state.copy(published);
    ASSERT_TRUE(compare.same()) << compare.found().port;
    for (std::size_t n = 0; n < both.shown.size(); ++n) {
      const auto& seen = state.seen.values()[n];
      // Some values count in few cycles, as the sums of a search in its last one.
      if (cycle % 100 && found[seen.name] > 0) continue;
      unsigned bits = static_cast<unsigned>(seen.width);
      for (std::size_t i = both.shown[n].look ? 1 : 0; i < seen.indices.size(); ++i)
        bits *= seen.indices[i].count;
      for (unsigned b = 0; b < bits; ++b) {
        state.flip(n, b);
        if (!compare.same()) {
          ++found[seen.name];
          EXPECT_THAT(compare.found().port, testing::StartsWith(seen.name));
          EXPECT_NE(compare.found().dut, compare.found().golden);
          if (both.shown[n].look) {
            EXPECT_THAT(compare.found().port, testing::EndsWith(fmt::format(" in set {}", state.row())));
          }
        }
        state.flip(n, b);
      }
    }
  }
  for (const ShownValue& v : both.shown) EXPECT_GT(found[v.name], 0) << v.name;
}

INSTANTIATE_TEST_SUITE_P(All, OfCache, testing::ValuesIn(caches),
                         [](const auto& info) { return info.param.name; });

template <hw::CrossbarParams P>
void expect_each_counts_of() {
  gen::Config config = gen::load_config("vc_crossbar");
  config.params = P;
  const golden::VcCrossbar<P, int> model;
  StateList published;
  model.publish(published);
  expect_each_counts(gen::shown_state(gen::elaborate(config).top), published);
}

TEST(OfCrossbar, EachNameCounts) {
  expect_each_counts_of<hw::CrossbarParams{}>();
  expect_each_counts_of<hw::CrossbarParams{.inputs = 1, .outputs = 1, .vcs = 1, .vc_depth = 1}>();
  expect_each_counts_of<hw::CrossbarParams{.inputs = 17, .outputs = 2, .vcs = 3}>();
}

// Which part of which row: as a person reads it.
TEST(StateCompare, NamesThePartAndTheRow) {
  StateList published;
  published.rows("set", 4, [] { return std::optional<unsigned>(2); });
  published.value("tags.tag", 5, {"set", {{"way", 2}}}, [](unsigned set, unsigned w) { return 8 * set + w; });
  const std::vector<ShownValue> shown{{"tags.tag", 5, rtl::Index{"set", 4}, {{"way", 2}}}};
  ShownState state(shown);
  StateCompare compare(state.seen, published);
  state.copy(published);
  EXPECT_TRUE(compare.same());
  state.flip(0, 5 + 3);
  EXPECT_FALSE(compare.same());
  EXPECT_EQ(compare.found().port, "tags.tag of way 1 in set 2");
  EXPECT_EQ(compare.found().dut, 25u);
  EXPECT_EQ(compare.found().golden, 17u);
}

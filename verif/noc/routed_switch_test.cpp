// Golden switch whose packets find their outputs by their destinations, and the registers of links behind it;
// in Verilog it is a part of routers and butterflies, which run in lock step with theirs.
#include "golden/noc/routed_switch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using Switch = golden::RoutedSwitch<3, 2, 2, 32, int>;
using Flits = std::array<std::optional<Switch::Flit>, 3>;

}  // namespace

// Two cycles through a crossbar, as the contract of virtual channels says.
TEST(RoutedSwitch, PacketsKeepChannelAndDestination) {
  Switch routed;
  const Switch::Flit flit{.vc = 1, .head = true, .tail = true, .destination = 7, .payload = 42};
  const auto modulo = [](int destination) { return destination % 3; };
  routed.edge({std::nullopt, std::nullopt, flit}, {}, modulo);
  EXPECT_EQ(routed.outputs().out, Flits{}) << "it is in its queue";
  routed.edge({}, {}, modulo);
  EXPECT_EQ(routed.outputs().out, (Flits{std::nullopt, flit, std::nullopt}));
  EXPECT_EQ(routed.outputs().credit[2], 1);
}

TEST(RoutedSwitch, StateIsCalledAfterTheSwitch) {
  const Switch routed;
  golden::StateList list;
  routed.publish(list, "switch1_0.");
  ASSERT_FALSE(list.values().empty());
  EXPECT_TRUE(std::ranges::all_of(list.values(), [](const golden::StateValue& value) {
    return value.name.starts_with("switch1_0.crossbar.");
  }));
}

TEST(LinkStages, KeepAWordForEachRegister) {
  golden::LinkStages<int, 2> two;
  golden::LinkStages<int, 0> none;
  two.edge(1), none.edge(1);
  two.edge(2), none.edge(2);
  EXPECT_EQ(two.far(3), 1);
  EXPECT_EQ(none.far(3), 3);
}

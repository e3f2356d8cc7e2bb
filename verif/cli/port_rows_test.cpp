// Tables of ports, in one row where they differ in a number alone.
#include "gen/datasheet/port_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>

#include "gen/config/catalogue.h"
#include "gen/unit/unit.h"

namespace {

using gen::Port, gen::PortRow;
using Ports = std::vector<Port>;

std::vector<std::string> texts(const Ports& ports) {
  std::vector<std::string> out;
  for (const PortRow& row : gen::port_rows(ports))
    out.push_back(fmt::format("{} x{} {} {}: {}", row.port.name, row.count, row.port.direction,
                              row.port.width, row.port.doc));
  return out;
}

TEST(PortRows, NumberedPortsStandInOneRow) {
  EXPECT_THAT(
      texts({{"clk", "input", 1, "clock"},
             {"core0_valid", "input", 1, "core 0: a request"},
             {"core0_ready", "output", 1, "core 0: it is taken"},
             {"core1_valid", "input", 1, "core 1: a request"},
             {"core1_ready", "output", 1, "core 1: it is taken"},
             {"in0", "input", 2, "0 load, 1 store"},
             {"in1", "input", 2, "0 load, 1 store"}}),
      testing::ElementsAre("clk x1 input 1: clock", "core[0..1]_valid x2 input 1: core 0 to 1: a request",
                           "core[0..1]_ready x2 output 1: core 0 to 1: it is taken",
                           "in[0..1] x2 input 2: 0 load, 1 store"));
}

TEST(PortRows, WhatDiffersInMoreStandsApart) {
  EXPECT_THAT(texts({{"a0", "input", 1, "first"}, {"a1", "input", 1, "second"}}), testing::SizeIs(2));
  EXPECT_THAT(texts({{"a0", "input", 1, "bit"}, {"a1", "input", 2, "bit"}}), testing::SizeIs(2));
  EXPECT_THAT(texts({{"a0", "input", 1, "bit"}, {"a1", "output", 1, "bit"}}), testing::SizeIs(2));
  EXPECT_THAT(texts({{"a0", "input", 1, "bit"}, {"a2", "input", 1, "bit"}}), testing::SizeIs(2));
  EXPECT_THAT(texts({{"a0_of_0", "input", 1, "of 0"}, {"a1_of_1", "input", 1, "of 1"}}), testing::SizeIs(2));
}

TEST(PortRows, NoPortOfAPresetIsLost) {
  for (const std::string& preset : gen::preset_names()) {
    const Ports ports = gen::ports_of(gen::elaborate(gen::load_config(preset)).top);
    const auto rows = gen::port_rows(ports);
    const auto add = [](int sum, const PortRow& row) { return sum + row.count; };
    EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), 0, add), static_cast<int>(ports.size())) << preset;
    EXPECT_LE(rows.size(), 90u) << preset;
  }
}

}  // namespace

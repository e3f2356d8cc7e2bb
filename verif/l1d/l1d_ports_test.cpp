// The ports of caches against the tables of streams and controls, and what golden knows of them.
#include <gmock/gmock.h>

#include <set>

#include "gen/config/config.h"
#include "gen/ports.h"
#include "golden/l1d/l1d_ports.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/l1d_ports.h"
#include "hw/l1d/probe_params.h"
#include "hw/rtl/error.h"
#include "hw/rtl/module_data.h"

namespace {

using testing::ElementsAre, testing::UnorderedElementsAreArray;

std::vector<gen::Port> ports(const hw::L1dParams& p) { return gen::ports_of(hw::l1d(p, "cache").module); }

const gen::Port* port(const std::vector<gen::Port>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &gen::Port::name);
  return found == all.end() ? nullptr : &*found;
}

hw::L1dParams cache(const std::string& preset, const std::vector<std::string>& settings = {}) {
  return gen::load_config(preset, settings).get<hw::L1dParams>();
}

hw::L1dParams small_chunks() {
  return cache("l1d", {"geometry.address_bits=40", "geometry.line_bytes=64", "geometry.chunk_bytes=16",
                       "core.id_bits=5"});
}

TEST(CachePorts, StreamsAreThoseOfTheTable) {
  for (const hw::L1dParams& p : {hw::L1dParams{}, small_chunks()}) {
    const auto all = ports(p);
    for (const hw::StreamRow& stream : hw::cache_streams) {
      const std::string name(stream.name);
      ASSERT_TRUE(port(all, name + "_valid") && port(all, name + "_ready"));
      EXPECT_EQ(port(all, name + "_valid")->direction, stream.enters ? "input" : "output");
      EXPECT_EQ(port(all, name + "_ready")->direction, stream.enters ? "output" : "input");
      const auto shape =
          hw::message_shape(p, stream, stream.memory_side ? hw::memory_id_bits(p) : p.core_id_bits);
      for (const hw::StreamField& f : stream.fields) {
        const gen::Port* const made = port(all, name + "_" + std::string(f.name));
        ASSERT_EQ(made != nullptr, f.width(shape) > 0) << name << " " << f.name;
        if (!made) continue;
        EXPECT_EQ(made->width, f.width(shape));
        EXPECT_EQ(made->doc, hw::doc_of(f, shape));
        EXPECT_EQ(made->direction, stream.enters ? "input" : "output");
      }
    }
  }
}

TEST(CachePorts, GoldenKnowsThemAll) {
  std::set<std::string> golden;
  const auto add = [&](const auto&... port) { (golden.emplace(port.name), ...); };
  const auto made = [](const hw::L1dParams& p) {
    std::set<std::string> names;
    for (const gen::Port& port : ports(p))
      if (!port.is_clock) names.insert(port.name);
    return names;
  };
  std::apply(add, golden::l1d_inputs);
  std::apply(add, golden::l1d_outputs<golden::L1dOut>);
  EXPECT_THAT(golden, UnorderedElementsAreArray(made({})));
  std::apply(add, golden::l1d_probe_outputs<golden::L1dOut>);
  EXPECT_THAT(golden, UnorderedElementsAreArray(made({.probe_ports = true})));
}

TEST(CachePorts, SnoopsAskForSearchesAndInstructionsAreCarried) {
  const auto plain = ports(cache("l1d"));
  std::vector<std::string> added;
  for (const gen::Port& p : ports(cache("l1d", {"core.peeks=true", "core.pc_bits=16"})))
    if (const gen::Port* const same = port(plain, p.name); !same || same->width != p.width)
      added.push_back(p.name + ":" + std::to_string(p.width));
  EXPECT_THAT(added, testing::UnorderedElementsAre("core_request_kind:3", "core_request_pc:16",
                                                   "memory_request_pc:16", "searching:32"));
}

// The ports that BUCL's bypass adds, with an update unit of its own and with inputs to follow.
TEST(CachePorts, BypassesAskForDegreesAndMore) {
  const auto added = [](const std::vector<std::string>& settings) {
    const auto plain = ports(cache("l1d"));
    std::vector<std::string> names;
    for (const gen::Port& p : ports(cache("l1d_bucl", settings)))
      if (!port(plain, p.name)) names.push_back(p.name + ":" + std::to_string(p.width));
    return names;
  };
  EXPECT_THAT(added({"bypass.bucl.sub_partitions=2"}),
              ElementsAre("core_request_degree:6", "core_request_first:1", "kernel_start:1", "occupancy0:4",
                          "occupancy1:4"));
  EXPECT_THAT(added({"bypass.bucl.sub_partitions=1", "bypass.bucl.update=profile", "bypass.bucl.sms=2"}),
              ElementsAre("core_request_degree:6", "core_request_first:1", "kernel_start:1", "occupancy0:4",
                          "issued0:7", "issued1:7"));
  EXPECT_THAT(added({"bypass.bucl.follow=true", "bypass.bucl.highest=40"}),
              ElementsAre("core_request_degree:6", "core_request_first:1", "tucd:6", "hit_rate_low:1",
                          "buffer_free:12"));
}

TEST(CachePorts, ProbesAreThoseOfTheTable) {
  for (hw::L1dParams p : {hw::L1dParams{}, small_chunks()}) {
    p.probe_ports = true;
    const auto all = ports(p);
    for (const hw::ProbePort& probe : hw::probe_ports) {
      const gen::Port* const made = port(all, probe.name);
      ASSERT_NE(made, nullptr) << probe.name;
      EXPECT_EQ(made->direction, "output");
      EXPECT_EQ(made->width, probe.width(p)) << probe.name;
    }
  }
}

std::vector<std::string> names(const std::vector<rtl::Field>& fields) {
  std::vector<std::string> all;
  for (const rtl::Field& f : fields) all.push_back(f.name + ":" + std::to_string(f.width));
  return all;
}

TEST(CachePorts, FieldsThatNobodyReadsAreNotThere) {
  const hw::MessageShape plain{.line_bytes = 32};
  EXPECT_THAT(names(hw::fields_of(hw::core_request_fields, plain)),
              ElementsAre("id:8", "kind:2", "address:32", "mask:1", "byte_enable:32", "data:256"));
  hw::MessageShape asked = plain;
  asked.kinds = 6;
  asked.sideband = {5, 30, 6, 1};
  asked.homes = true;
  EXPECT_THAT(names(hw::fields_of(hw::core_request_fields, asked)),
              ElementsAre("id:8", "kind:3", "address:32", "mask:1", "byte_enable:32", "data:256", "warp:5",
                          "pc:30", "degree:6", "first:1", "foreign:1"));
  EXPECT_THAT(names(hw::fields_of(hw::memory_request_fields, asked)),
              ElementsAre("id:8", "kind:3", "address:32", "mask:1", "byte_enable:32", "data:256", "pc:30"));
  EXPECT_EQ(hw::fields_of(hw::core_request_fields, plain)[1].doc, "0 load, 1 store, 2 atomic, 3 non-L1");
  EXPECT_EQ(hw::fields_of(hw::core_request_fields, asked)[1].doc,
            "0 load, 1 store, 2 atomic, 3 non-L1, 4 drop, 5 snoop");
  asked.drops = false;
  EXPECT_EQ(hw::fields_of(hw::core_request_fields, asked)[1].doc,
            "0 load, 1 store, 2 atomic, 3 non-L1, 5 snoop");
}

TEST(CachePorts, ControlsAreThereWhereTheyAreRead) {
  std::set<std::pair<std::string, hw::ControlRole>> seen;
  const std::vector<hw::L1dParams> all{cache("l1d"),
                                       cache("l1d_tsc"),
                                       cache("l1d_tsc_plus"),
                                       cache("l1d_tsc_plus", {"mode.follow=true"}),
                                       cache("l1d_reuse_filter"),
                                       cache("l1d_reuse_filter", {"tags.reuse_filter.follow=true"}),
                                       cache("l1d_bucl"),
                                       cache("l1d_bucl", {"bypass.bucl.follow=true"})};
  for (const hw::L1dParams& p : all) {
    const auto made = ports(p);
    for (const hw::Control c : hw::all_controls) {
      const gen::Port* const there = port(made, c.name());
      const bool is_port = c.role(p) == hw::ControlRole::input || c.role(p) == hw::ControlRole::output;
      ASSERT_EQ(there != nullptr, is_port) << c.name();
      seen.emplace(c.name(), c.role(p));
      if (!there) continue;
      EXPECT_EQ(there->direction, c.role(p) == hw::ControlRole::input ? "input" : "output");
      EXPECT_EQ(there->width, c.width(p));
    }
    EXPECT_EQ(hw::is_steered(p), p.mode.follow || p.reuse.follow || p.bypass.follow);
  }
  using enum hw::ControlRole;
  EXPECT_THAT(seen, testing::IsSupersetOf({std::pair<std::string, hw::ControlRole>{"mode_coarse", input},
                                           {"mode_coarse", output},
                                           {"filter_enable", input},
                                           {"tucd", input},
                                           {"tucd", inner},
                                           {"buffer_free", input}}));
}

TEST(CachePorts, ControlsAreOneValue) {
  golden::Controls a, b;
  a["mode_coarse"] = 1;
  EXPECT_EQ(a["mode_coarse"], 1u);
  EXPECT_EQ(a["filter_enable"], 0u);
  EXPECT_NE(a, b);
  static_assert(hw::is_control("filter_enable") && !hw::is_control("filter"));
}

TEST(ModuleStreams, AreKnownToParents) {
  const rtl::Module cache = hw::l1d({}, "cache").module;
  EXPECT_EQ(names(rtl::stream_of(cache, "core_response").fields)[0], "id:8");
  std::vector<std::string> others;
  for (const rtl::Signal& s : rtl::other_ports(cache)) others.push_back(s.name);
  EXPECT_THAT(others, ElementsAre("flush_valid", "flush_ready"));
  try {
    rtl::stream_of(cache, "request");
    FAIL() << "found a stream that is not there";
  } catch (const rtl::ElabError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("[name] module 'cache': has no stream 'request'"));
  }
}

}  // namespace

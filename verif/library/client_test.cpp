// The C interface against the model behind it, output by output and cycle by cycle; what it refuses; threads.
#include <gmock/gmock.h>

#include <cstring>
#include <thread>

#include "gen/config/config.h"
#include "golden/l1d/cycle_l1d.h"
#include "verif/library/client_cache.h"
#include "verif/parameters/golden_parameters.h"

namespace {

using golden::RequestKind;
using testing::HasSubstr;
using verif::ClientCache, verif::Draw;

struct Case {
  std::string unit;
  std::vector<std::string> settings = {};
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.unit; }

// Every preset that is a cache, so small that lines compete, and what none of them has.
std::vector<Case> cases() {
  const std::string small = "geometry.capacity_bytes=4096", one_way = "geometry.ways=1";
  std::vector<Case> all = {
      {"l1d", {small, "core.drops=true", "core.peeks=true", "core.request_slice=true"}},
      {"l1d", {small, "tags.store_on_pending=merge", "core.warp_bits=2"}},
      {"l1d_bucl", {small, one_way, "bypass.bucl.follow=true"}},
      {"l1d_reuse_filter", {small, "tags.reuse_filter.follow=true"}},
      {"l1d_sectored", {small, "core.pc_bits=8", "index.latency=2", "geometry.line_bytes=64"}}};
  for (const gen::Preset& preset : gen::presets()) {
    if (preset.family->name != "L1 data cache") continue;
    all.push_back({preset.name, {small}});
    if (preset.name == "l1d_bucl") all.back().settings.push_back(one_way);  // its index is of 32 sets
  }
  return all;
}

// Random inputs of a core and of a memory that owes responses, the same for both sides.
class Stimulus {
 public:
  Stimulus(const hw::L1dParams& p, std::uint64_t seed) : p_(p), draw_(seed) {}

  void draw(const l1forge_shape& shape) {
    in = {};
    in.reset = draw_.below(900) == 0;
    in.core_request_valid = draw_.percent(70);
    do {
      in.core_request_kind = static_cast<std::uint8_t>(draw_.percent(70) ? 0 : draw_.below(shape.kinds));
    } while (in.core_request_kind == L1FORGE_INVALIDATE && !p_.drops);
    in.core_request_degree = static_cast<std::uint8_t>(draw_.below(64));
    in.core_request_not_first = draw_.percent(50);
    in.core_request_mask = verif::random_mask(p_, draw_);
    in.core_request_id = draw_.bits() & low(shape.core_id_bits);
    in.core_request_pc = static_cast<std::uint32_t>(draw_.bits() & low(static_cast<unsigned>(p_.pc_bits)));
    in.core_request_warp = static_cast<std::uint32_t>(draw_.bits() & low(shape.warp_bits));
    in.core_request_address = verif::random_address(p_, draw_);
    in.core_response_ready = draw_.percent(80);
    in.memory_request_ready = draw_.percent(80);
    in.flush_valid = draw_.percent(2);
    for (auto& word : enable) word = draw_.bits();
    for (auto& word : data) word = draw_.bits();
    for (auto& word : fill) word = draw_.bits();
    in.core_request_byte_enable = reinterpret_cast<const std::uint8_t*>(enable.data());
    in.core_request_data = reinterpret_cast<const std::uint8_t*>(data.data());
    in.memory_response_data = reinterpret_cast<const std::uint8_t*>(fill.data());
    if (owed_.empty() || draw_.percent(40)) return;
    chosen_ = draw_.below(owed_.size());
    in.memory_response_valid = 1;
    in.memory_response_id = owed_[chosen_].id;
    in.memory_response_mask = owed_[chosen_].mask;
  }
  void edge(const l1forge_outputs& out) {
    if (in.reset) return owed_.clear();
    if (in.memory_response_valid && out.memory_response_ready)
      owed_.erase(owed_.begin() + static_cast<std::ptrdiff_t>(chosen_));
    if (!out.memory_request_valid || !in.memory_request_ready) return;
    const bool enables = out.memory_request_byte_enable && any_of_line(out.memory_request_byte_enable);
    const bool writes =
        out.memory_request_kind == L1FORGE_STORE || (out.memory_request_kind == L1FORGE_NON_L1 && enables);
    owed_.push_back({out.memory_request_id, writes ? 0 : out.memory_request_mask});
  }
  // What the model is driven with.
  golden::L1dIn model() const {
    golden::L1dIn m = reported;
    m.rst = in.reset;
    m.core_request_valid = in.core_request_valid;
    m.core_request_id = in.core_request_id;
    m.core_request_kind = static_cast<RequestKind>(in.core_request_kind);
    m.core_request_address = in.core_request_address;
    m.core_request_mask = in.core_request_mask;
    m.core_request_byte_enable = &enable;
    m.core_request_data = &data;
    m.core_request_sideband = {.pc = in.core_request_pc,
                               .warp = static_cast<std::uint16_t>(in.core_request_warp),
                               .degree = std::max<std::uint8_t>(in.core_request_degree, 1),
                               .first = !in.core_request_not_first};
    m.core_response_ready = in.core_response_ready;
    m.memory_request_ready = in.memory_request_ready;
    m.memory_response_valid = in.memory_response_valid;
    m.memory_response_id = in.memory_response_id;
    m.memory_response_mask = in.memory_response_mask;
    m.memory_response_data = &fill;
    m.flush_valid = in.flush_valid;
    return m;
  }
  // Inputs of monitors and controls, through the interface and for the model.
  void notify(ClientCache& cache) {
    const auto kernel = static_cast<std::uint16_t>(draw_.below(50) == 0);
    const auto total = static_cast<std::uint16_t>(draw_.between(1, p_.limit.warps));
    const auto lanes = static_cast<std::uint8_t>(draw_.below(33)),
               used = static_cast<std::uint8_t>(draw_.below(8));
    const auto low = draw_.below(2);
    cache.drive("kernel_start", reported.monitor_inputs["kernel_start"] = kernel);
    cache.drive("total", reported.monitor_inputs["total"] = total);
    cache.drive("issued", reported.monitor_inputs["issued"] = lanes);
    cache.drive("occupancy1", reported.monitor_inputs.from("occupancy0")[1] = used);
    cache.drive("issued0", reported.monitor_inputs.from("issued0")[0] = lanes);
    cache.drive("hit_rate_low", reported.controls["hit_rate_low"] = low);
    cache.drive("tucd", reported.controls["tucd"] = draw_.below(8));
    cache.drive("filter_enable", reported.controls["filter_enable"] = low);
    cache.drive("searching", reported.controls["searching"] = draw_.percent(90) ? 0 : draw_.below(4));
  }

  l1forge_inputs in{};
  golden::L1dIn reported;
  golden::ByteMask enable{};
  golden::LineData data{}, fill{};

 private:
  struct Owed {
    std::uint64_t id;
    std::uint32_t mask;
  };
  static std::uint64_t low(unsigned bits) { return bits ? ~std::uint64_t{0} >> (64 - bits) : 0; }
  bool any_of_line(const std::uint8_t* enables) const {
    return std::any_of(enables, enables + p_.line_bytes / 8, [](std::uint8_t byte) { return byte != 0; });
  }

  const hw::L1dParams p_;
  Draw draw_;
  std::vector<Owed> owed_;
  std::size_t chosen_ = 0;
};

// As much of both as counts.
void expect_equal(const l1forge_outputs& got, const golden::L1dOut& want, int line_bytes) {
  EXPECT_EQ(got.core_request_ready, want.core_request_ready);
  EXPECT_EQ(got.memory_response_ready, want.memory_response_ready);
  EXPECT_EQ(got.flush_ready, want.flush_ready);
  ASSERT_EQ(got.core_response_valid, want.core_response_valid);
  ASSERT_EQ(got.memory_request_valid, want.memory_request_valid);
  const auto line = static_cast<std::size_t>(line_bytes);
  if (want.core_response_valid) {
    EXPECT_EQ(got.core_response_id, want.core_response_id);
    EXPECT_EQ(got.core_response_mask, want.core_response_mask);
    EXPECT_EQ(std::memcmp(got.core_response_data, want.core_response_data, line), 0);
  }
  if (!want.memory_request_valid) return;
  EXPECT_EQ(got.memory_request_id, want.memory_request_id);
  EXPECT_EQ(got.memory_request_kind, static_cast<unsigned>(want.memory_request_kind));
  EXPECT_EQ(got.memory_request_address, want.memory_request_address);
  EXPECT_EQ(got.memory_request_mask, want.memory_request_mask);
  EXPECT_EQ(got.memory_request_pc, want.memory_request_pc);
  ASSERT_EQ(got.memory_request_data == nullptr, want.memory_request_data == nullptr);
  if (!want.memory_request_data) return;
  EXPECT_EQ(std::memcmp(got.memory_request_data, want.memory_request_data, line), 0);
  EXPECT_EQ(std::memcmp(got.memory_request_byte_enable, want.memory_request_byte_enable, line / 8), 0);
}

class ClientInterface : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Caches, ClientInterface, testing::ValuesIn(cases()), [](const auto& info) {
  return info.param.unit + (info.index < 5 ? "_changed" + std::to_string(info.index) : "");
});

TEST_P(ClientInterface, ShowsWhatTheModelShows) {
  const std::vector<std::string>& settings = GetParam().settings;
  const gen::Config config = gen::load_config(GetParam().unit, settings);
  const auto& p = config.get<hw::L1dParams>();
  const auto model = golden::CycleL1d::make(p);
  ClientCache cache(GetParam().unit, settings, L1FORGE_WITH_DATA);
  Stimulus stimulus(p, 7);
  std::uint64_t id = 0, looked_up = 0;
  for (int cycle = 0; cycle < 3000 && !HasFailure(); ++cycle) {
    SCOPED_TRACE(cycle);
    stimulus.draw(cache.shape());
    stimulus.notify(cache);
    const golden::L1dIn in = stimulus.model();
    const golden::L1dOut want = model->outputs(in);
    expect_equal(cache.outputs(stimulus.in), want, p.line_bytes);
    for (const hw::Control control : hw::all_controls)
      if (control.role(p) == hw::ControlRole::output) {
        EXPECT_EQ(cache.read(std::string(control.name())), want.decisions[control]) << control.name();
      }
    model->edge(in);
    stimulus.edge(cache.outputs(stimulus.in));
    cache.edge();
    const auto& probe = model->last_probe();
    const l1forge_lookup lookup = cache.lookup();
    EXPECT_EQ(lookup.outcome != L1FORGE_NOTHING, probe.occupied);
    EXPECT_EQ(lookup.outcome > 0 && lookup.outcome < 16, probe.occupied && probe.fired);
    EXPECT_EQ(lookup.kind, static_cast<unsigned>(probe.occupied ? probe.kind : RequestKind::load));
    if (const golden::ProbeEvent* event = model->last_event()) {
      EXPECT_EQ(lookup.id, event->id);
      ++looked_up;
    }
    id |= lookup.id;
    EXPECT_EQ(cache.idle(), model->idle());
  }
  EXPECT_GT(looked_up, 100u);
  EXPECT_NE(id, 0u);
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(cache.figure(std::string(name)), model->counters().*counter) << name;
}

// Two threads, an object each, against the same calls one after the other.
TEST(ClientThreads, OwnObjectsDoNotMeet) {
  const auto run = [](const std::string& unit) {
    ClientCache cache(unit);
    const gen::Config config = gen::load_config(unit);
    Stimulus stimulus(config.get<hw::L1dParams>(), 11);
    for (int cycle = 0; cycle < 5000; ++cycle) {
      stimulus.draw(cache.shape());
      stimulus.edge(cache.outputs(stimulus.in));
      cache.edge();
      if (cycle % 1000 != 0) continue;
      l1forge_cache* none = nullptr;
      EXPECT_EQ(l1forge_cache_create(unit.c_str(), nullptr, 1, 0, &none), L1FORGE_BAD_ARGUMENT);
    }
    std::vector<std::uint64_t> figures;
    for (std::size_t f = 0; f < l1forge_figure_count(); ++f)
      figures.push_back(cache.figure(l1forge_figure_name(f)));
    return figures;
  };
  const auto alone = run("l1d_tsc"), other_alone = run("l1d_bucl");
  std::vector<std::uint64_t> both, other;
  std::thread first([&] { both = run("l1d_tsc"); }), second([&] { other = run("l1d_bucl"); });
  first.join();
  second.join();
  EXPECT_EQ(both, alone);
  EXPECT_EQ(other, other_alone);
}

TEST(ClientThreads, MessagesAreEachThreadsOwn) {
  verif::refusal_of("nothing");
  const std::string here = l1forge_message();
  EXPECT_THAT(here, HasSubstr("nothing"));
  std::thread([] { EXPECT_STREQ(l1forge_message(), ""); }).join();
  EXPECT_EQ(here, l1forge_message());
}

}  // namespace

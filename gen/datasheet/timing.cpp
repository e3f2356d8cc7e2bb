#include "gen/datasheet/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gen/ports.h"
#include "hw/l1d/l1d_params.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most_cycles = 20;  // of a diagram, so that values fit on a telephone
constexpr std::size_t most_lanes = 26;
constexpr int widest_lane = 64;

// The streams and other ports of a unit, as its waveform has them.
class PortView {
 public:
  PortView(const Unit& unit, const PortWave& wave) : unit_(unit), wave_(wave) {
    for (const Port& port : ports_of(unit.top)) {
      if (port.is_clock || port.is_reset) always_.push_back(port.name);
      if (port.is_reset) resets_.push_back(port.name);
    }
  }

  bool has(const std::string& stream) const { return wave_.has(stream + "_valid"); }
  bool valid(const std::string& stream, std::int64_t cycle) const {
    return wave_.high(stream + "_valid", cycle);
  }
  bool transfers(const std::string& stream, std::int64_t cycle) const {
    return valid(stream, cycle) && wave_.high(stream + "_ready", cycle);
  }
  bool waits(const std::string& stream, std::int64_t cycle) const {
    return valid(stream, cycle) && !wave_.high(stream + "_ready", cycle);
  }
  PortWave::Value field(const std::string& stream, const char* field, std::int64_t cycle) const {
    return wave_.at(stream + "_" + field, cycle);
  }
  bool in_reset(std::int64_t cycle) const {
    return std::ranges::any_of(resets_, [&](const std::string& reset) { return wave_.high(reset, cycle); });
  }
  std::int64_t cycles() const { return wave_.cycles(); }

  // Clocks, resets, and the ports of these streams that a diagram can show.
  std::vector<std::string> ports(const std::vector<std::string>& streams) const {
    std::vector<std::string> names = always_;
    for (const std::string& stream : streams)
      for (const Port& port : ports_of(unit_.top))
        if (port.name.starts_with(stream + "_") && wave_.has(port.name)) names.push_back(port.name);
    return names;
  }

 private:
  const Unit& unit_;
  const PortWave& wave_;
  std::vector<std::string> always_, resets_;
};

// Cycles of a run, from `first` up to `last`.
struct Window {
  std::int64_t first = 0, last = 0;
};

// Of all windows the one with the least of something.
class LeastWindow {
 public:
  void offer(const Window& window, std::int64_t cost) {
    if (best_ && cost >= cost_) return;
    best_ = window;
    cost_ = cost;
  }
  const std::optional<Window>& best() const { return best_; }

 private:
  std::optional<Window> best_;
  std::int64_t cost_ = 0;
};

// Cycles in reset, and those at these streams that have nothing to do with what a diagram is about.
std::int64_t noise(const PortView& view, const std::vector<std::string>& streams, const Window& window) {
  constexpr std::int64_t reset = 100;
  std::int64_t found = 0;
  for (std::int64_t cycle = window.first; cycle <= window.last; ++cycle)
    found += reset * view.in_reset(cycle);
  for (const std::string& stream : streams)
    for (std::int64_t cycle = window.first; cycle <= window.last; ++cycle) found += view.valid(stream, cycle);
  return found;
}

constexpr std::uint64_t load_kind = 0;

bool is_load(const PortView& view, const char* stream, std::int64_t cycle) {
  return view.transfers(stream, cycle) && view.field(stream, "kind", cycle) == load_kind;
}

// The cycle in which the answer to the request of `asked` is first there. Ids of pending requests differ.
std::optional<std::int64_t> answered(const PortView& view, std::int64_t asked) {
  const auto id = view.field("core_request", "id", asked);
  for (std::int64_t cycle = asked + 1; cycle < std::min(asked + most_cycles, view.cycles()); ++cycle)
    if (view.valid("core_response", cycle) && view.field("core_response", "id", cycle) == id) return cycle;
  return std::nullopt;
}

// No miss is answered as soon as a hit.
std::optional<Window> hit(const PortView& view, int latency) {
  LeastWindow least;
  for (std::int64_t cycle = 1; cycle + latency + 2 < view.cycles(); ++cycle) {
    if (!is_load(view, "core_request", cycle) || answered(view, cycle) != cycle + latency) continue;
    const Window window{cycle - 1, cycle + latency + 2};
    least.offer(
        window,
        noise(view, {"core_request", "core_response", "memory_request", "memory_response", "flush"}, window));
  }
  return least.best();
}

// A load whose line is requested from memory between its acceptance and its answer.
std::optional<Window> miss(const PortView& view, std::uint64_t line_bytes) {
  LeastWindow least;
  for (std::int64_t cycle = 1; cycle + 2 < view.cycles(); ++cycle) {
    if (!is_load(view, "core_request", cycle)) continue;
    const auto end = answered(view, cycle);
    if (!end || *end + 2 >= view.cycles() || *end - cycle + 3 > most_cycles) continue;
    const auto address = view.field("core_request", "address", cycle);
    if (!address) continue;
    std::optional<std::uint64_t> fetch;
    bool filled = false;
    for (std::int64_t at = cycle; at < *end; ++at) {
      if (is_load(view, "memory_request", at) &&
          view.field("memory_request", "address", at) == *address / line_bytes * line_bytes)
        fetch = view.field("memory_request", "id", at);
      filled |=
          fetch && view.transfers("memory_response", at) && view.field("memory_response", "id", at) == fetch;
    }
    if (!filled) continue;
    const Window window{cycle - 1, *end + 1};
    least.offer(
        window,
        window.last - window.first +
            noise(view, {"core_request", "core_response", "memory_request", "memory_response", "flush"},
                  window));
  }
  return least.best();
}

// The longest wait on a stream that is over within a diagram.
std::optional<Window> wait(const PortView& view, const std::string& stream) {
  LeastWindow least;
  for (std::int64_t cycle = 1; cycle < view.cycles(); ++cycle) {
    if (!view.waits(stream, cycle) || view.waits(stream, cycle - 1)) continue;
    std::int64_t end = cycle;
    while (end < view.cycles() && view.waits(stream, end)) ++end;
    if (end + 1 < view.cycles() && end - cycle + 3 <= most_cycles)
      least.offer({cycle - 1, end + 1}, cycle - end + noise(view, {}, {cycle - 1, end + 1}));
  }
  return least.best();
}

// The cycles in which the most ports change.
Window busiest(const PortView& view, const PortWave& wave, const std::vector<std::string>& ports) {
  constexpr std::int64_t length = 16;
  const std::int64_t end = std::max<std::int64_t>(1, wave.cycles() - length + 1);
  LeastWindow least;
  for (std::int64_t first = 0; first < end; ++first) {
    std::int64_t changes = -noise(view, {}, {first, std::min(first + length, wave.cycles()) - 1});
    for (const std::string& port : ports)
      for (std::int64_t cycle = first + 1; cycle < std::min(first + length, wave.cycles()); ++cycle)
        changes += wave.at(port, cycle) != wave.at(port, cycle - 1);
    least.offer({first, std::min(first + length, wave.cycles()) - 1}, -changes);
  }
  return *least.best();
}

// All ports that a diagram can show; of too many the streams that transfer the most.
std::vector<std::string> shown_ports(const Unit& unit, const PortWave& wave, const PortView& view) {
  std::vector<std::string> names = view.ports({});
  for (const Port& port : ports_of(unit.top))
    if (!port.is_clock && !port.is_reset && wave.has(port.name)) names.push_back(port.name);
  if (names.size() <= most_lanes) return names;
  std::vector<std::pair<std::int64_t, std::string>> streams;
  for (const rtl::StreamPorts& stream : unit.top.data().streams) {
    std::int64_t transfers = 0;
    for (std::int64_t cycle = 0; cycle < view.cycles(); ++cycle)
      transfers += view.transfers(stream.name, cycle);
    streams.emplace_back(-transfers, stream.name);
  }
  std::ranges::stable_sort(streams, {}, &std::pair<std::int64_t, std::string>::first);
  std::vector<std::string> chosen;
  for (const auto& [transfers, stream] : streams) {
    chosen.push_back(stream);
    if (view.ports(chosen).size() > most_lanes) chosen.pop_back();
  }
  if (!chosen.empty()) return view.ports(chosen);
  names.resize(most_lanes);
  return names;
}

std::string digits(const PortWave::Value& value) { return value ? fmt::format("{:x}", *value) : "x"; }

}  // namespace

Json wave_json(const std::string& title, const Unit& unit, const PortWave& wave,
               const std::vector<std::string>& ports, std::int64_t first, std::int64_t cycles) {
  std::vector<Port> all = ports_of(unit.top);
  const auto clocks = std::ranges::count_if(all, &Port::is_clock);
  Json signals = Json::array();
  for (const std::string& name : ports) {
    const auto port = std::ranges::find(all, name, &Port::name);
    // Beside a clock of twice its frequency the slower one is a level of each cycle.
    if (port->is_clock && (clocks == 1 || name != "clk")) {
      signals.push_back(
          {{"name", name}, {"wave", "p" + std::string(static_cast<std::size_t>(cycles - 1), '.')}});
      continue;
    }
    std::string line;
    Json data = Json::array();
    for (std::int64_t cycle = first; cycle < first + cycles; ++cycle) {
      const PortWave::Value value = wave.at(name, cycle);
      if (cycle > first && value == wave.at(name, cycle - 1)) {
        line += '.';
      } else if (!value) {
        line += 'x';
      } else if (port->width == 1) {
        line += *value ? '1' : '0';
      } else {
        line += '=';
        data.push_back(digits(value));
      }
    }
    Json signal{{"name", port->width == 1 ? name : fmt::format("{}[{}:0]", name, port->width - 1)},
                {"wave", line}};
    if (!data.empty()) signal["data"] = data;
    signals.push_back(signal);
  }
  return {{"signal", signals}, {"head", {{"text", title}, {"tick", first}}}};
}

std::vector<Json> timing_diagrams(const Config& config, const Unit& unit, const PortWave& wave) {
  const PortView view(unit, wave);
  std::vector<Json> diagrams;
  const auto add = [&](const std::string& title, const std::optional<Window>& window,
                       const std::vector<std::string>& ports) {
    if (!window) return;
    diagrams.push_back(wave_json(title, unit, wave, ports, window->first, window->last - window->first + 1));
  };
  if (const auto* cache = config.params.find<hw::L1dParams>()) {
    add("A load that hits", hit(view, unit.latency), view.ports({"core_request", "core_response"}));
    add("A load that misses", miss(view, static_cast<std::uint64_t>(cache->line_bytes)),
        view.ports({"core_request", "core_response", "memory_request", "memory_response"}));
    add("A request that waits", wait(view, "core_request"),
        view.ports({"core_request", "core_response", "flush"}));
  }
  if (diagrams.empty()) {
    const std::vector<std::string> ports = shown_ports(unit, wave, view);
    add("The busiest cycles", busiest(view, wave, ports), ports);
  }
  return diagrams;
}

}  // namespace gen

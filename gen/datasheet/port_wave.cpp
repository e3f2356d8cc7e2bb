#include "gen/datasheet/port_wave.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "gen/cosim/vcd_reader.h"
#include "gen/process.h"

namespace gen {
namespace {

constexpr int widest = 64;  // bits of a value that is kept

PortWave::Value vcd_value(std::string_view bits) {
  if (bits.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(bits.data(), bits.data() + bits.size(), number, 2);
  return number;
}

}  // namespace

class PortWave::Filler final : public VcdListener {
 public:
  explicit Filler(PortWave& wave) : wave_(wave) {}

  void port(std::string_view code, std::string_view name, int width) override {
    if (width <= widest) of_code_[code] = &wave_.ports_[std::string(name)];
  }
  // What has stood until this time holds in the cycles that have begun since the time before.
  void time(std::uint64_t time) override {
    if (!std::exchange(begun_, true)) return;
    wave_.cycles_ = static_cast<std::int64_t>((time + vcd_units_of_cycle - 1) / vcd_units_of_cycle);
    for (const auto& [code, values] : of_code_)
      values->resize(static_cast<std::size_t>(wave_.cycles_), now_[code]);
  }
  void value(std::string_view code, std::string_view bits) override {
    if (of_code_.contains(code)) now_[code] = vcd_value(bits);
  }

  bool shows_ports() const { return !of_code_.empty() && begun_; }

 private:
  PortWave& wave_;
  std::unordered_map<std::string_view, std::vector<Value>*> of_code_;
  std::unordered_map<std::string_view, Value> now_;
  bool begun_ = false;
};

PortWave::PortWave(std::string_view vcd) {
  Filler filler(*this);
  read_vcd(vcd, filler);
  if (!filler.shows_ports()) throw ToolError("the waveform of the co-simulation shows no port");
  // Behind the end of a window nothing is known.
  const auto is_unknown = [&](const auto& port) { return !port.second.back(); };
  for (; cycles_ > 0 && std::ranges::all_of(ports_, is_unknown); --cycles_)
    for (auto& [name, values] : ports_) values.pop_back();
}

PortWave::Value PortWave::at(const std::string& port, std::int64_t cycle) const {
  const auto found = ports_.find(port);
  if (found == ports_.end() || cycle < 0 || cycle >= cycles_) return std::nullopt;
  return found->second[static_cast<std::size_t>(cycle)];
}

}  // namespace gen

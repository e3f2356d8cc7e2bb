#include "gen/energy/port_changes.h"

#include <unordered_map>

#include "gen/cosim/vcd_reader.h"
#include "gen/process.h"

namespace gen {
namespace {

class Collector final : public VcdListener {
 public:
  void port(std::string_view code, std::string_view name, int) override {
    of_code_[code] = static_cast<int>(changes.ports.size());
    changes.ports.emplace_back(name);
  }
  void time(std::uint64_t time) override {
    now_ = time;
    changes.cycles = static_cast<std::int64_t>((time + vcd_units_of_cycle - 1) / vcd_units_of_cycle);
  }
  void value(std::string_view code, std::string_view bits) override {
    const auto found = of_code_.find(code);
    // The clock falls in the middle of a cycle; ports change at its begin.
    if (found == of_code_.end() || now_ % vcd_units_of_cycle != 0) return;
    changes.changes.push_back(
        {static_cast<std::int64_t>(now_ / vcd_units_of_cycle), found->second, std::string(bits)});
  }

  PortChanges changes;

 private:
  std::unordered_map<std::string_view, int> of_code_;
  std::uint64_t now_ = 0;
};

}  // namespace

PortChanges port_changes(std::string_view vcd) {
  Collector collector;
  read_vcd(vcd, collector);
  if (collector.changes.ports.empty()) throw ToolError("the waveform of the co-simulation shows no port");
  // Behind the end of a window every port is unknown, for longer than a cycle.
  PortChanges changes = std::move(collector.changes);
  for (const PortChange& change : changes.changes)
    if (change.bits.starts_with('x')) {
      changes.cycles = change.cycle;
      break;
    }
  std::erase_if(changes.changes, [&](const PortChange& change) { return change.cycle >= changes.cycles; });
  return changes;
}

}  // namespace gen

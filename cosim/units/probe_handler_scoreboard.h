// The duties of a probe handler, by its ports alone: each probe leaves once, to the next core of the list or
// answered with its line, unless it is reported lost.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "golden/remote/probe_handler.h"

namespace verif {

class ProbeHandlerScoreboard {
 public:
  using Probe = golden::Probe;

  void reset() { here_.clear(); }
  bool empty() const { return here_.empty(); }

  void came(const Probe& probe) { here_.emplace(probe.group, probe); }
  // What is wrong with a probe or a line that leaves; each leaves but once.
  std::string leaves(const Probe& probe, int destination) {
    const auto found = here_.find(probe.group);
    if (found == here_.end()) return "a probe that is not here";
    const Probe was = found->second;
    here_.erase(found);
    if (probe.leader != was.leader || probe.line != was.line) return "another probe";
    if (probe.pointer != was.pointer + 1) return "a probe that is not one place further";
    for (std::size_t k = 0; k < was.targets.size(); ++k) {
      const bool struck =
          !was.leader && probe.targets[k] == golden::no_core && static_cast<int>(k) == was.pointer;
      if (probe.targets[k] != was.targets[k] && !struck) return "another list";
    }
    if (destination == was.targets[static_cast<std::size_t>(was.pointer)]) return "a probe that stays";
    return "";
  }
  std::string answers(std::uint64_t group, std::uint64_t data) {
    const auto found = here_.find(group);
    if (found == here_.end()) return "a line for no probe";
    if (!found->second.leader) return "a line for a scout";
    here_.erase(found);
    return data == group ? "" : "another probe's line";
  }
  void lost(const Probe& probe) { here_.erase(probe.group); }

 private:
  std::map<std::uint64_t, Probe> here_;  // by their groups, of which no two are alike
};

}  // namespace verif

// How fast systems run: cycles of SMs a second of processor time, with a plain L1 data cache in each.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gen {

// Names a system that is measured, or is one of those measured when nothing is named.
bool is_system(const std::string& name);
std::vector<std::string> benched_systems();

// A row of a report. Prints it, too, behind its table's head, unless `shown` is false.
class SystemBench {
 public:
  explicit SystemBench(bool shown) : shown_(shown) {}
  nlohmann::ordered_json row(const std::string& system);

 private:
  bool shown_, begun_ = false;
};

}  // namespace gen

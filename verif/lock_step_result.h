// What a lock step ended with.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace verif {

struct LockStep {
  int status = -1;          // 0: no difference; 1: one was found; else it did not run
  std::string output = {};  // of a program that was run
  nlohmann::json report = {};
};

}  // namespace verif

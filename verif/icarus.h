// Runs a short bench written in Verilog around elaborated modules, by Icarus: directed tests of the generated
// text, with another simulator than the lock step's.
#pragma once
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/rtl/module.h"

namespace verif {

// What module `bench` of the text displays until it calls $finish, around modules by name.
inline std::string simulated(const std::map<std::string, std::string>& modules, const std::string& bench) {
  const gen::TempDir work("icarus");
  std::vector<std::string> compile{"iverilog", "-g2005", "-o", (work / "bench.vvp").string(), "-s", "bench"};
  const auto add = [&](const std::string& name, const std::string& text) {
    gen::write_file_atomically(work / (name + ".v"), text);
    compile.push_back((work / (name + ".v")).string());
  };
  for (const auto& [name, text] : modules) add(name, text);
  add("bench", bench);
  const gen::Finished compiled = gen::run({.argv = compile});
  EXPECT_TRUE(compiled.ok()) << compiled.output;
  const gen::Finished ran = gen::run({.argv = {"vvp", "-n", (work / "bench.vvp").string()}});
  EXPECT_TRUE(ran.ok()) << ran.output;
  return ran.output;
}

inline std::string simulated(const rtl::Module& top, const std::string& bench) {
  std::map<std::string, std::string> modules;
  for (const rtl::Module& module : rtl::modules_of(top)) modules[module.name()] = gen::verilog(module);
  return simulated(modules, bench);
}

}  // namespace verif

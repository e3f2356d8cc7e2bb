// Mutants drawn from elaborated modules: one small change each, with the net, the change in words and the
// line of hw/ that made the expression.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gen/verify/injector.h"

namespace gen {

struct Mutant {
  std::string module, net;
  std::string change;  // "'a & b' becomes 'a | b'"
  std::string file;    // from hw/ on
  int line = 0;
  Fault fault = {};
};

// The modules that can have mutants: RAM wrappers have none, since a macro takes the place of their bodies.
std::vector<std::string> mutable_modules(const rtl::Module& top);

// At most `count` mutants, evenly over the modules and over the kinds of changes in each; of these modules
// alone, if any is named. The same seed draws the same ones, and of a module also among others.
std::vector<Mutant> draw_mutants(const rtl::Module& top, std::size_t count, std::uint64_t seed,
                                 const std::vector<std::string>& modules = {});

}  // namespace gen

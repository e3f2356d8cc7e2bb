// Entry points of libFuzzer: one program for all targets, chosen by the environment variable FUZZ_TARGET.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "verif/fuzz/targets.h"

namespace {
const verif::FuzzTarget* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* given = std::getenv("FUZZ_TARGET");
  const std::string name = given ? given : "";
  for (const verif::FuzzTarget& target : verif::fuzz_targets())
    if (target.name == name) chosen = &target;
  if (chosen) return 0;
  std::fprintf(stderr, "FUZZ_TARGET=%s is no target\n", name.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}

// A cache's cycle model as the adapter to GPGPU-Sim drives it: a call of the C interface that fails ends the
// program with the interface's message. C++11, like the simulator.
#pragma once
#include <string>

#include "l1forge/client.h"

namespace l1forge_sim {

class Model {
 public:
  // Of a preset, a TOML file or a manifest; settings are "key=value key=value".
  Model(const std::string& unit, const std::string& settings);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  l1forge_inputs in;  // of this cycle

  const l1forge_shape& shape() const { return shape_; }
  // Of this cycle, given `in`.
  const l1forge_outputs& outputs();
  // The clock edge with `in`, which is all 0 then. Returns what became of the tag lookup.
  l1forge_lookup edge();

  // Numbers of inputs and outputs that only some caches have; -1 where this one has none of the name.
  int32_t input(const std::string& name) const { return l1forge_cache_input(cache_, name.c_str()); }
  int32_t output(const std::string& name) const { return l1forge_cache_output(cache_, name.c_str()); }
  // Drives an input, with the largest value that it may have at most.
  void drive(int32_t input, uint64_t value);
  uint64_t read(int32_t output) const;
  uint64_t figure(const char* name) const;
  // " name=value" of every figure that is not 0.
  std::string figures() const;

 private:
  l1forge_cache* cache_;
  l1forge_shape shape_;
  l1forge_outputs out_;
};

// Ends the program: a message for the user, status 2.
[[noreturn]] void stop(const std::string& message);

}  // namespace l1forge_sim

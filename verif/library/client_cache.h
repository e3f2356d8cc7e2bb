// A cache behind the C interface for tests: it ends with the object, and a call that fails is a failed test.
#pragma once
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "clients/l1forge/client.h"

namespace verif {

class ClientCache {
 public:
  explicit ClientCache(const std::string& unit, const std::vector<std::string>& settings = {},
                       unsigned options = 0) {
    std::vector<const char*> texts;
    for (const std::string& setting : settings) texts.push_back(setting.c_str());
    const l1forge_status status =
        l1forge_cache_create(unit.c_str(), texts.data(), texts.size(), options, &cache_);
    if (status != L1FORGE_OK) throw std::runtime_error(l1forge_message());
  }
  ~ClientCache() { l1forge_cache_destroy(cache_); }
  ClientCache(const ClientCache&) = delete;
  ClientCache& operator=(const ClientCache&) = delete;

  l1forge_cache* get() const { return cache_; }
  l1forge_shape shape() const { return asked<l1forge_shape>(l1forge_cache_shape); }
  l1forge_lookup lookup() const { return asked<l1forge_lookup>(l1forge_cache_lookup); }
  l1forge_rates rates() const { return asked<l1forge_rates>(l1forge_cache_rates); }
  bool idle() const { return l1forge_cache_idle(cache_); }

  l1forge_outputs outputs(const l1forge_inputs& inputs) {
    l1forge_outputs outputs{};
    EXPECT_EQ(l1forge_cache_outputs(cache_, &inputs, &outputs), L1FORGE_OK) << l1forge_message();
    return outputs;
  }
  void edge() { EXPECT_EQ(l1forge_cache_edge(cache_), L1FORGE_OK) << l1forge_message(); }
  // Nothing where the cache has no such input.
  void drive(const std::string& name, std::uint64_t value) {
    const std::int32_t input = l1forge_cache_input(cache_, name.c_str());
    if (input < 0) return;
    EXPECT_EQ(l1forge_cache_drive(cache_, input, value), L1FORGE_OK) << l1forge_message();
  }
  std::uint64_t read(const std::string& name) const {
    std::uint64_t value = 0;
    EXPECT_EQ(l1forge_cache_read(cache_, l1forge_cache_output(cache_, name.c_str()), &value), L1FORGE_OK)
        << l1forge_message();
    return value;
  }
  std::uint64_t figure(const std::string& name) const {
    std::uint64_t value = 0;
    EXPECT_EQ(l1forge_cache_figure(cache_, l1forge_figure(name.c_str()), &value), L1FORGE_OK)
        << name << ": " << l1forge_message();
    return value;
  }

 private:
  template <class Value>
  Value asked(l1forge_status (*call)(const l1forge_cache*, Value*)) const {
    Value value{};
    EXPECT_EQ(call(cache_, &value), L1FORGE_OK) << l1forge_message();
    return value;
  }

  l1forge_cache* cache_ = nullptr;
};

// What l1forge_create says of a configuration that it refuses.
inline std::string refusal_of(const std::string& unit, const std::vector<std::string>& settings = {}) {
  std::vector<const char*> texts;
  for (const std::string& setting : settings) texts.push_back(setting.c_str());
  l1forge_cache* cache = nullptr;
  EXPECT_EQ(l1forge_cache_create(unit.c_str(), texts.data(), texts.size(), 0, &cache),
            L1FORGE_BAD_CONFIGURATION);
  EXPECT_EQ(cache, nullptr);
  return l1forge_message();
}

}  // namespace verif

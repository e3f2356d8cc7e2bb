// What an adapter lives among: a core that asks on all ports, a cache that answers in any order and asks
// memory while it has something to answer, and a memory that answers loads and fences in any order.
#pragma once
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "golden/bus/vortex_adapter.h"

namespace verif {

struct VortexAdapterInputs {
  bool rst = false;
  golden::VortexAdapter::In in = {};
};

class VortexAdapterStimulus {
 public:
  using Message = golden::Message;
  using Unit = golden::VortexAdapter;

  explicit VortexAdapterStimulus(const hw::VortexAdapterParams& p) : p_(p) {}

  VortexAdapterInputs draw(std::mt19937_64& draw);
  // The result of the cycle.
  void edge(const VortexAdapterInputs& inputs, const Unit::Out& out);

 private:
  void plan();
  golden::BusRequest request();
  void cache_answers();
  void cache_asks();
  void memory_answers();
  void came(const Unit::In& in, const Unit::Out& out);
  golden::LineData data();
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }
  // One of them, which is no longer among them.
  template <class T>
  T drawn(std::vector<T>& from) {
    const auto at = from.begin() + static_cast<std::ptrdiff_t>(below(from.size()));
    const T one = *at;
    from.erase(at);
    return one;
  }

  hw::VortexAdapterParams p_;
  std::mt19937_64 draw_;
  int left_ = 0;
  std::array<std::optional<golden::BusRequest>, 4> offered_;  // by port
  std::vector<Message> at_cache_;                             // what it has not answered
  std::optional<Message> core_response_, memory_request_;     // shown until taken
  std::set<std::uint64_t> memory_ids_;                        // that the cache has given
  std::vector<golden::BusRequest> at_memory_;
  std::optional<golden::BusAnswer> memory_bus_response_;
  // Rates in 256ths.
  unsigned requests_ = 128, stores_ = 64, fences_ = 2, taken_ = 128, cache_takes_ = 128, cache_answers_ = 128,
           cache_asks_ = 128, memory_takes_ = 128, memory_answers_ = 128, cache_observes_ = 128,
           flushes_ = 64;
};

}  // namespace verif

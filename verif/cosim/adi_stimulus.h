// Loads for adaptive-indexing monitors: random ones in scenes that lead to each decision, or those of traces.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "golden/gpu/flat_trace.h"
#include "verif/cosim/options.h"

namespace verif {

// Block addresses of the loads of traces. Warps take turns, an access each, inside a window of the file's
// order, as they would on a core.
class TraceLoads {
 public:
  // `window` in accesses; 1 keeps the file's order.
  TraceLoads(std::vector<std::string> files, int line_bytes, std::uint64_t block_mask, std::size_t window);
  bool next(std::uint64_t& block_address);

 private:
  bool refill();
  bool next_load(golden::Record& record);

  golden::FlatTrace records_;
  int line_bytes_, offset_bits_;
  std::uint64_t mask_;
  std::size_t window_;
  std::deque<std::uint64_t> blocks_;
};

// Inputs of one cycle. In a trace the harness says which loads miss.
struct AdiInputs {
  bool rst = false, probe_valid = false, probe_miss = false, flush_ready = false;
  std::uint64_t block_address = 0;
};

class AdiStimulus {
 public:
  AdiStimulus(const CosimOptions& options, int address_bits, int line_bytes, int period, int idle);

  // False at the end. `sel` are the address bits in use, which scenes aim at.
  bool next(AdiInputs& in, std::span<const int> sel);

  bool is_trace() const { return trace_ != nullptr; }
  std::int64_t total() const { return total_; }  // cycles, 0 when a trace decides
  std::string words() const;

 private:
  enum class Scene {
    uniform,
    few_bits,
    stride,
    constant_bit,
    equal_bits,
    index_bits_alone,
    few_sources,
    still
  };
  void open_scene(std::span<const int> sel);
  std::uint64_t scene_block();
  bool chance(unsigned sixteenths) { return draw_() % 16 < sixteenths; }
  std::uint64_t any_bit() { return std::uint64_t{1} << draw_() % block_bits_; }

  const CosimOptions options_;
  int offset_, block_bits_, period_, idle_;
  std::unique_ptr<TraceLoads> trace_;
  std::int64_t total_ = 0, done_ = 0, scene_left_ = 0;
  std::mt19937_64 draw_;
  Scene scene_ = Scene::uniform;
  std::uint64_t base_ = 0, moving_ = 0, stride_ = 1, at_ = 0;
  std::vector<std::uint64_t> sources_;  // few_sources: bits that are equal
  std::uint64_t from_ = 0, to_ = 0;     // equal_bits: bit `to` copies bit `from`
  bool inverted_ = false;
  unsigned valid_rate_ = 16, miss_rate_ = 8, ready_rate_ = 16;  // in sixteenths
};

}  // namespace verif

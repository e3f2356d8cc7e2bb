// A load-store unit with the adapter to GPGPU-Sim behind it, and a memory: they call the cache as the
// simulator does, in each cycle answers, fill, cycle and accesses. No type of the simulator is seen here.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace verif {

// One instruction of one of 24 warps, which two schedulers share: an access a line, with the sectors that it
// wants.
struct StandInInstruction {
  struct Line {
    std::uint64_t address;
    unsigned sectors;
  };
  enum class Kind { load, store, atomic };

  Kind kind = Kind::load;
  unsigned warp = 0;
  std::vector<Line> lines;
};

struct StandInOptions {
  bool by_sector = true;      // an access is a sector, and not a line
  bool idle_between = false;  // the next instruction waits until the cache has nothing to do
  unsigned latency_queue = 4;
  unsigned memory_latency = 40, jitter = 0;  // of jitter, less at random: answers overtake each other
  bool memory_splits = true;                 // a whole line comes back sector by sector
  unsigned full_percent = 0;                 // of the cycles in which the network takes nothing
  std::string record = "";                   // the file, as in L1FORGE_RECORD
  unsigned buffered = 0;                     // entries in the buffer of each sub-partition
};

class StandIn {
 public:
  // A cache of L1Forge by preset and settings, as in L1FORGE_CACHE and L1FORGE_SETTINGS.
  StandIn(const std::string& cache, const std::string& settings, const StandInOptions& options);
  ~StandIn();

  // Ends a recording.
  void close();
  // Runs until everything is answered, then some idle cycles, in which the cache is invalidated each time.
  // Returns what was wrong: an access answered twice or never, a fetch that is lost. "" if nothing.
  std::string run(const std::vector<StandInInstruction>& instructions);

  std::uint64_t cycles() const;
  std::uint64_t accesses() const;                        // of the simulator, sectors or lines
  std::uint64_t refused() const;                         // RESERVATION_FAIL from access()
  std::map<std::string, std::uint64_t> figures() const;  // printed by the cache, but for zeros
  // Warps that may issue while all have instructions left: the least, and the most.
  std::pair<unsigned, unsigned> warps_that_may_issue() const;
  unsigned limit_after_start() const;  // warps, once the last run has started; its kernel has 24
  // Of the simulator's statistics: HIT, HIT_RESERVED, MISS, RESERVATION_FAIL, SECTOR_MISS.
  std::vector<std::uint64_t> results() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace verif

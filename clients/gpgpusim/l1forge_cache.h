// The L1 data cache of an SM of GPGPU-Sim whose inside is a cycle model of L1Forge. docs/clients/accel-sim.md
// has the order of calls in a cycle: answers, fill, cycle, accesses.
#pragma once
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "gpu-cache.h"
#include "gpu-sim.h"
#include "l1forge_hooks.h"
#include "l1forge_model.h"
#include "l1forge_monitors.h"
#include "l1forge_recorder.h"
#include "mem_fetch.h"
#include "shader.h"

namespace l1forge_sim {

constexpr uint64_t line_bytes = 128, sector_bytes = 32;
constexpr unsigned all_sectors = 15;

class Cache : public l1_cache {
 public:
  // The arguments of l1_cache, whose number differs between versions of the simulator; the third is the SM.
  template <class... Arguments>
  explicit Cache(Arguments&&... arguments) : l1_cache(std::forward<Arguments>(arguments)...) {
    start(std::get<2>(std::forward_as_tuple(arguments...)));
  }
  ~Cache() override;

  // A load, a store or an atomic is accepted or fails in its cycle. No HIT: next_access() returns loads.
  enum cache_request_status access(new_addr_type address, mem_fetch* fetch, unsigned time,
                                   std::list<cache_event>& events) override;
  bool access_ready() const override;
  mem_fetch* next_access() override;
  void fill(mem_fetch* fetch, unsigned time) override;
  bool waiting_for_fill(mem_fetch* fetch) override { return asked_.count(fetch) != 0; }
  bool fill_port_free() const override { return responses_.size() < most_responses; }
  bool data_port_free() const override { return true; }
  void cycle() override;
  void flush() override { invalidate(); }
  void invalidate() override;
  void print(FILE* file, unsigned& accesses, unsigned& misses) const override;
  void display_state(FILE* file) const override;
  void close_recording() const {
    if (recorder_) recorder_->close();
  }

  // A load enters the load-store unit: so many lines are its requests.
  void load_issued(const warp_inst_t& load);
  // Accesses that the last next_access() returned beside its own: sectors of one request.
  unsigned others_returned() const { return others_returned_; }

 private:
  static constexpr size_t most_responses = 2;  // of memory, beside the acknowledgements of stores

  // A request on its way, by its id at the core's port: one fetch, or the sectors of a line that an
  // instruction asks for in one cycle.
  struct Flight {
    std::vector<mem_fetch*> fetches;
    uint64_t line;
    unsigned uid, kind, mask, accesses, sent;
    mem_access_type type;
    unsigned long long stream;
  };
  struct Load {
    unsigned uid, degree;
    bool begun;
  };
  // Of memory: a request of the model, whole or sector by sector.
  struct Asked {
    uint64_t id;
    unsigned missing;  // sectors
    bool own;          // the adapter's fetch, and not the core's
  };
  struct Open {
    unsigned mask, missing;
  };
  struct Response {
    uint64_t id;
    unsigned mask;
  };

  void start(int sm);
  unsigned long long now() const { return m_gpu->gpu_sim_cycle + m_gpu->gpu_tot_sim_cycle; }
  void begin();
  void end();
  void record(const l1forge_outputs& out);
  void count(const l1forge_lookup& lookup);
  bool join(const mem_fetch* fetch, unsigned kind, uint64_t line, unsigned mask) const;
  void offer(mem_fetch* fetch, unsigned kind, uint64_t line, unsigned mask);
  void send(const l1forge_outputs& out);
  bool send_store(const l1forge_outputs& out);
  bool send_atomic(const l1forge_outputs& out);
  bool send_load(const l1forge_outputs& out);
  const Flight& asker(uint64_t line) const;
  Flight& flight_of(uint64_t memory_id) { return flights_[memory_id & (flights_.size() - 1)]; }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Monitors> monitors_;
  std::unique_ptr<Recorder> recorder_;  // null: this SM is not recorded
  bool started_, cycled_;               // cycle() was called in this cycle
  bool flush_, used_;                   // a flush waits; something was accepted since the last one
  unsigned long long at_, refused_;
  unsigned others_returned_;
  std::vector<Flight> flights_;
  std::deque<unsigned> free_ids_;
  std::deque<Load> loads_;  // the last ones
  unsigned sent_sectors_;   // of the load on the memory bus
  std::map<mem_fetch*, Asked> asked_;
  std::map<uint64_t, Open> open_;  // loads at memory, by the model's id
  std::deque<Response> responses_;
};

// In the place of `new l1_cache(...)`.
template <class... Arguments>
l1_cache* new_l1d(Arguments&&... arguments) {
  if (!enabled()) return new l1_cache(std::forward<Arguments>(arguments)...);
  return new Cache(std::forward<Arguments>(arguments)...);
}

// Null where it is one of the simulator's own.
inline Cache* cache_of(l1_cache* cache) { return enabled() ? dynamic_cast<Cache*>(cache) : nullptr; }

inline void load_issued(l1_cache* cache, const warp_inst_t& load) {
  if (Cache* const own = cache_of(cache)) own->load_issued(load);
}

// Behind next_access(): the other sectors of the request are written back with the first one.
template <class Pending>
void sectors_returned(l1_cache* cache, const warp_inst_t& load, Pending& pending_writes) {
  const Cache* const own = cache_of(cache);
  if (!own) return;
  const unsigned others = own->others_returned();
  for (unsigned r = 0; r < MAX_OUTPUT_VALUES; ++r)
    if (load.out[r] > 0) pending_writes[load.warp_id()][load.out[r]] -= others;
}

}  // namespace l1forge_sim

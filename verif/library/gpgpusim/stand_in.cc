#include "verif/library/gpgpusim/stand_in.h"

#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <sstream>

#include "clients/gpgpusim/l1forge_cache.h"

long mem_fetch::alive = 0;

namespace verif {
namespace {

class Allocator : public mem_fetch_allocator {
 public:
  mem_fetch* alloc(new_addr_type address, mem_access_type type, const active_mask_t&,
                   const mem_access_byte_mask_t&, const mem_access_sector_mask_t& sectors, unsigned size,
                   bool, unsigned long long, unsigned, unsigned, unsigned, mem_fetch* original
#ifdef STREAMS
                   ,
                   unsigned long long stream
#endif
  ) const override {
    const unsigned mask = static_cast<unsigned>(sectors.to_ulong());
    mem_fetch* const fetch = new mem_fetch(mem_access_t(address, mask), warp_inst_t(), size, original);
    right = right && type == fetch->get_access_type();
#ifdef STREAMS
    right = right && stream == fetch->get_streamID();
#endif
    return fetch;
  }
  mutable bool right = true;  // type and stream are those of the loads
};

// Network and memory: a fetch comes back once, or in parts that point to it.
class Memory : public mem_fetch_interface {
 public:
  Memory(const StandInOptions& options, gpgpu_sim& gpu) : options_(options), gpu_(gpu) {}

  bool full(unsigned, bool) const override { return full_; }
  void push(mem_fetch* fetch) override {
    if (full_) wrong = "a fetch was pushed into a full network";
    const unsigned size = fetch->get_data_size();
    if (!fetch->get_is_write() && !fetch->isatomic() &&
        ((size != 32 && size != 128) || 32 * fetch->get_access_sector_mask().count() != size))
      wrong = "a load that the L2 refuses";
    if (!fetch->get_is_write() && size == 128 && options_.memory_splits)
      for (unsigned s = 0; s < 4; ++s)
        come(new mem_fetch(mem_access_t(fetch->get_addr() + 32 * s, 1u << s), warp_inst_t(), 32, fetch));
    else
      come(fetch);
  }
  void tick() { full_ = draw_() % 100 < options_.full_percent; }
  // What has come in this cycle, one; null if nothing.
  mem_fetch* answer() {
    const auto first = coming_.begin();
    if (first == coming_.end() || first->first > gpu_.gpu_sim_cycle) return nullptr;
    mem_fetch* const fetch = first->second;
    coming_.erase(first);
    return fetch;
  }
  bool empty() const { return coming_.empty(); }

  std::string wrong;

 private:
  void come(mem_fetch* fetch) {
    const unsigned less = options_.jitter ? draw_() % options_.jitter : 0;
    coming_.emplace(gpu_.gpu_sim_cycle + options_.memory_latency - less, fetch);
  }

  const StandInOptions options_;
  gpgpu_sim& gpu_;
  std::mt19937 draw_{5};
  bool full_ = false;
  std::multimap<unsigned long long, mem_fetch*> coming_;
};

constexpr unsigned warps = 24, schedulers = 2;

// As much of the simulator's shd_warp_t as a limit needs.
struct Warp {
  unsigned number, left;  // instructions
  bool done_exit() const { return left == 0; }
  bool waiting() const { return false; }
  unsigned get_dynamic_warp_id() const { return number; }
};

}  // namespace

struct StandIn::State {
  State(const std::string& cache, const std::string& settings, const StandInOptions& o)
      : options(o), memory(o, gpu), queue(banks, std::deque<mem_fetch*>(o.latency_queue, nullptr)) {
    setenv("L1FORGE_CACHE", cache.c_str(), 1);
    setenv("L1FORGE_SETTINGS", settings.c_str(), 1);
    setenv("L1FORGE_RECORD", o.record.c_str(), 1);
    l1d.reset(l1forge_sim::new_l1d("L1D_000", config, 0, 0, &memory, &allocator, IN_L1D_MISS_QUEUE, &gpu));
  }

  void fail(const std::string& what) {
    if (wrong.empty()) wrong = what + " in cycle " + std::to_string(gpu.gpu_sim_cycle);
  }

  void start(const std::vector<StandInInstruction>& instructions);
  bool may_issue(Warp& w);
  bool issue_one();
  void issue(const StandInInstruction& from);
  void write_back();
  void take_answer();
  void access_banks();
  void dispatch();
  bool busy() const;
  void cycle();

  static constexpr unsigned banks = 4;
  const StandInOptions options;
  gpgpu_sim gpu;
  cache_config config;
  Allocator allocator;
  Memory memory;
  std::unique_ptr<l1_cache> l1d;
  std::deque<mem_fetch*> arrived;  // the unit's response FIFO
  std::vector<std::deque<mem_fetch*>> queue;
  warp_inst_t dispatching;
  std::map<unsigned, std::map<unsigned, unsigned>> pending_writes;  // by warp and register: accesses of loads
  std::map<unsigned, unsigned> registers;                           // of a warp, the next one
  std::vector<StandInInstruction> to_issue;                         // in order, but for warps that may not
  std::vector<Warp> warp;
  std::vector<Warp*> of_core, of_scheduler[schedulers];
  unsigned limit_after_start = 0, kernel = 0, least_warps = warps, most_warps = 0;
  std::uint64_t stores_open = 0, accesses = 0, refused = 0;
  unsigned uid = 0;
  std::string wrong;
};

void StandIn::State::start(const std::vector<StandInInstruction>& instructions) {
  to_issue = instructions;
  warp.clear();
  of_core.clear();
  for (unsigned n = 0; n < warps; ++n) warp.push_back({n, 0});
  for (const StandInInstruction& inst : instructions) ++warp[inst.warp].left;
  for (auto& list : of_scheduler) list.clear();
  for (Warp& w : warp) {
    of_core.push_back(&w);
    of_scheduler[w.number % schedulers].push_back(&w);
  }
  l1forge_sim::cta_enters(0, ++kernel, warps / 3, 3 * 32 - 1, 32, schedulers);
  l1forge_sim::cta_enters(0, kernel, 1, 1, 32, 1);  // another CTA of it is no start
}

bool StandIn::State::may_issue(Warp& w) {
  return l1forge_sim::may_issue(0, &w, of_scheduler[w.number % schedulers], of_core);
}

bool StandIn::State::issue_one() {
  unsigned may = 0, left = 0;
  for (Warp& w : warp) {
    left += w.left != 0;
    may += w.left && may_issue(w);
  }
  most_warps = std::max(most_warps, may);
  if (left == warps) least_warps = std::min(least_warps, may);
  for (auto inst = to_issue.begin(); inst != to_issue.end(); ++inst) {
    Warp& w = warp[inst->warp];
    if (!may_issue(w)) continue;
    issue(*inst);
    l1forge_sim::warp_issued(0, 32, gpu.gpu_sim_cycle);
    --w.left;
    to_issue.erase(inst);
    return true;
  }
  return false;
}

void StandIn::State::issue(const StandInInstruction& from) {
  warp_inst_t inst;
  inst.uid = ++uid;
  inst.warp = from.warp;
  inst.store = from.kind == StandInInstruction::Kind::store;
  inst.atomic = from.kind == StandInInstruction::Kind::atomic;
  for (const auto& line : from.lines) {
    if (!options.by_sector || inst.atomic) inst.accesses.emplace_front(line.address & ~127ull, line.sectors);
    for (unsigned s = 0; s < 4 && options.by_sector && !inst.atomic; ++s)
      if (line.sectors >> s & 1) inst.accesses.emplace_front((line.address & ~127ull) + 32 * s, 1u << s);
  }
  if (!inst.store) {
    inst.out[0] = ++registers[inst.warp];
    pending_writes[inst.warp][inst.out[0]] += static_cast<unsigned>(inst.accesses.size());
    l1forge_sim::load_issued(l1d.get(), inst);
  }
  accesses += inst.accesses.size();
  dispatching = inst;
}

void StandIn::State::write_back() {
  if (!l1d->access_ready()) return;
  mem_fetch* const fetch = l1d->next_access();
  const warp_inst_t inst = fetch->get_inst();
  l1forge_sim::sectors_returned(l1d.get(), inst, pending_writes);
  delete fetch;
  unsigned& left = pending_writes[inst.warp][inst.out[0]];
  if (left == 0 || left > 128) return fail("an access that is answered twice");
  --left;
}

void StandIn::State::take_answer() {
  while (mem_fetch* const came = memory.answer()) arrived.push_back(came);
  if (arrived.empty()) return;
  mem_fetch* const fetch = arrived.front();
  if (fetch->get_is_write()) {
    arrived.pop_front();
    if (stores_open-- == 0) fail("a store that is answered twice");
    delete fetch;
  } else if (l1d->fill_port_free()) {
    arrived.pop_front();
    l1d->fill(fetch, static_cast<unsigned>(gpu.gpu_sim_cycle));
  }
}

void StandIn::State::access_banks() {
  for (auto& bank : queue) {
    if (mem_fetch* const fetch = bank.front()) {
      std::list<cache_event> events;
      const bool store = fetch->get_is_write();
      const auto status =
          l1d->access(fetch->get_addr(), fetch, static_cast<unsigned>(gpu.gpu_sim_cycle), events);
      if (status == RESERVATION_FAIL)
        ++refused;
      else if (status == MISS)
        bank.front() = nullptr;
      else
        fail("an access that is neither accepted nor refused");
      if (status == MISS && events.size() != (store ? 2 : 0)) fail("a store that is not sent on");
    }
    for (size_t stage = 0; stage + 1 < bank.size(); ++stage)
      if (!bank[stage]) std::swap(bank[stage], bank[stage + 1]);
  }
}

// A fetch takes a copy of the instruction with what is left of its accesses.
void StandIn::State::dispatch() {
  for (unsigned n = 0; n < banks && !dispatching.accesses.empty(); ++n) {
    const mem_access_t access = dispatching.accesses.back();
    auto& bank = queue[access.get_addr() / 32 % banks];
    if (bank.back()) return;
    const unsigned size = 32 * static_cast<unsigned>(access.get_sector_mask().count());
    bank.back() = new mem_fetch(access, dispatching, size);
    stores_open += dispatching.store;
    dispatching.accesses.pop_back();
  }
}

bool StandIn::State::busy() const {
  if (!dispatching.accesses.empty() || stores_open || mem_fetch::alive) return true;
  for (const auto& warp : pending_writes)
    for (const auto& of_register : warp.second)
      if (of_register.second) return true;
  return false;
}

void StandIn::State::cycle() {
  memory.tick();
  for (unsigned p = 0; p < 12; ++p) l1forge_sim::buffer_holds(p, options.buffered);
  write_back();
  take_answer();
  l1d->cycle();
  access_banks();
  dispatch();
  ++gpu.gpu_sim_cycle;
}

StandIn::StandIn(const std::string& cache, const std::string& settings, const StandInOptions& options)
    : state_(new State(cache, settings, options)) {}
StandIn::~StandIn() {}

void StandIn::close() { l1forge_sim::cache_of(state_->l1d.get())->close_recording(); }

std::string StandIn::run(const std::vector<StandInInstruction>& instructions) {
  State& s = *state_;
  constexpr unsigned longest_wait = 20000, drain = 20;
  s.start(instructions);
  bool first = true;
  unsigned waited = 0, idle = 0, cycles = 0;
  while (idle < drain && s.wrong.empty()) {
    const bool waits =
        s.options.idle_between ? s.busy() || idle < drain / 2 : !s.dispatching.accesses.empty();
    if (!s.to_issue.empty() && (first || !waits)) {
      if (!s.issue_one() && !s.busy()) s.fail("no warp may issue");
      first = false;
      waited = idle = 0;
    }
    s.cycle();
    if (++cycles == 4) s.limit_after_start = l1forge_sim::core(0).limit;
    if (++waited > longest_wait) s.fail("something is never answered");
    idle = s.busy() ? 0 : idle + 1;
    if (s.to_issue.empty() && idle) s.l1d->invalidate();
  }
  if (s.wrong.empty() && !s.memory.wrong.empty()) s.fail(s.memory.wrong);
  if (s.wrong.empty() && !s.allocator.right) s.fail("a load of memory of another type or stream");
  if (s.wrong.empty() && mem_fetch::alive) s.fail("a fetch that is lost");
  return s.wrong;
}

std::uint64_t StandIn::cycles() const { return state_->gpu.gpu_sim_cycle; }
std::uint64_t StandIn::accesses() const { return state_->accesses; }
std::uint64_t StandIn::refused() const { return state_->refused; }

std::map<std::string, std::uint64_t> StandIn::figures() const {
  char* text = nullptr;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  unsigned accesses = 0, misses = 0;
  state_->l1d->print(file, accesses, misses);
  fclose(file);
  std::istringstream words(text);
  free(text);
  std::map<std::string, std::uint64_t> figures = {{"printed_accesses", accesses}, {"printed_misses", misses}};
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals != std::string::npos) figures[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
  }
  return figures;
}

std::pair<unsigned, unsigned> StandIn::warps_that_may_issue() const {
  return {state_->least_warps, state_->most_warps};
}

unsigned StandIn::limit_after_start() const { return state_->limit_after_start; }

std::vector<std::uint64_t> StandIn::results() const {
  const auto& results = state_->l1d->get_stats().results;
  return {std::begin(results), std::end(results)};
}

}  // namespace verif

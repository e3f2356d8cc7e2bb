#include "l1forge_cache.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "l1forge_versions.h"

namespace l1forge_sim {
namespace {

constexpr size_t most_flights = 1024;  // requests of an SM in the cache
constexpr size_t remembered_loads = 64;

std::string environment(const char* name) {
  const char* const value = getenv(name);
  return value ? value : "";
}

// What a lookup is for the simulator's own statistics; RESERVATION_FAIL for all that stays.
cache_request_status status_of(uint32_t outcome) {
  switch (outcome) {
    case L1FORGE_HIT:
      return HIT;
    case L1FORGE_HIT_PENDING:
      return HIT_RESERVED;
    case L1FORGE_PARTIAL_MISS:
      return SECTOR_MISS;
    case L1FORGE_MISS:
    case L1FORGE_BYPASS:
    case L1FORGE_STORED:
    case L1FORGE_ATOMIC_SENT:
      return MISS;
    default:
      return RESERVATION_FAIL;
  }
}

cache_reservation_fail_reason reason_of(uint32_t outcome) {
  switch (outcome) {
    case L1FORGE_FAIL_LINE:
      return LINE_ALLOC_FAIL;
    case L1FORGE_FAIL_MSHR:
      return MSHR_ENRTY_FAIL;
    case L1FORGE_FAIL_MERGE:
      return MSHR_MERGE_ENRTY_FAIL;
    default:
      return MISS_QUEUE_FULL;
  }
}

// The caches whose simulator ends the program without a last word.
std::vector<const Cache*>& alive() {
  static std::vector<const Cache*>& caches = *new std::vector<const Cache*>;
  return caches;
}
void report() {
  unsigned accesses = 0, misses = 0;
  for (const Cache* cache : alive()) {
    cache->print(stdout, accesses, misses);
    cache->close_recording();
  }
}

}  // namespace

void Cache::start(int sm) {
  started_ = cycled_ = flush_ = used_ = false;
  at_ = refused_ = 0;
  others_returned_ = sent_sectors_ = 0;
  // Addresses of the simulator have more bits than the presets. Later settings win.
  model_.reset(
      new Model(environment("L1FORGE_CACHE"), "geometry.address_bits=48 " + environment("L1FORGE_SETTINGS")));
  static const int reported = atexit(report);  // behind the library: it is still there then
  static_cast<void>(reported);
  const l1forge_shape& shape = model_->shape();
  if (shape.line_bytes != line_bytes || shape.chunk_bytes != sector_bytes)
    stop(
        "the simulator has lines of 128 bytes in sectors of 32; set geometry.line_bytes=128 and "
        "geometry.chunk_bytes=32");
  const std::string recording = environment("L1FORGE_RECORD"), recorded = environment("L1FORGE_RECORD_SM");
  if (!recording.empty() && std::to_string(sm) == (recorded.empty() ? "0" : recorded))
    recorder_.reset(new Recorder(recording));
  monitors_.reset(new Monitors(*model_, static_cast<unsigned>(sm)));
  flights_.resize(std::min(size_t(1) << std::min(shape.core_id_bits, 31u), most_flights));
  for (size_t id = 0; id < flights_.size(); ++id) free_ids_.push_back(static_cast<unsigned>(id));
  alive().push_back(this);
}

Cache::~Cache() { alive().erase(std::remove(alive().begin(), alive().end(), this), alive().end()); }

void Cache::load_issued(const warp_inst_t& load) {
  std::set<uint64_t> lines;
  warp_inst_t rest = load;
  for (; !rest.accessq_empty(); rest.accessq_pop_back())
    lines.insert(rest.accessq_back().get_addr() / line_bytes);
  const Load entered = {load.get_uid(), static_cast<unsigned>(lines.size()), false};
  loads_.push_front(entered);
  if (loads_.size() > remembered_loads) loads_.pop_back();
}

// The first call in a cycle is behind the clock edge of the cycle before. A core that sleeps does not call:
// the clock of its cache stands.
void Cache::begin() {
  if (started_ && now() == at_) return;
  if (started_) end();
  started_ = true;
  at_ = now();
  cycled_ = false;
  monitors_->limit();
  model_->in.flush_valid = flush_;
  const l1forge_outputs& out = model_->outputs();
  // Stores are acknowledged to the core by memory itself.
  if (out.core_response_valid && flights_[out.core_response_id].kind == L1FORGE_STORE)
    model_->in.core_response_ready = 1;
}

void Cache::end() {
  monitors_->drive(at_);
  const l1forge_outputs out = model_->outputs();
  if (model_->in.core_request_valid && !out.core_request_ready)
    stop("the simulator has changed the order of its calls: an accepted request is not ready any more");
  if (recorder_) record(out);
  if (out.core_response_valid && model_->in.core_response_ready)
    free_ids_.push_back(static_cast<unsigned>(out.core_response_id));
  if (model_->in.flush_valid && out.flush_ready) flush_ = false;
  count(model_->edge());
}

void Cache::record(const l1forge_outputs& out) {
  const l1forge_inputs& in = model_->in;
  if (in.core_request_valid) {
    const Flight& flight = flights_[in.core_request_id];
    if (flight.kind == L1FORGE_ATOMIC) stop("L1FORGE_RECORD: recorded traffic has no atomics");
    Bytes enabled;
    for (const mem_fetch* fetch : flight.fetches) enabled |= fetch->get_access_byte_mask();
    if (flight.kind == L1FORGE_STORE)
      recorder_->store(at_, in.core_request_id, in.core_request_address, flight.mask, enabled);
    else
      recorder_->load(at_, in.core_request_id, in.core_request_address, flight.mask);
  }
  if (out.core_response_valid && in.core_response_ready) recorder_->response(at_, out.core_response_id);
  if (in.flush_valid && out.flush_ready) recorder_->fence(at_);
}

// Each access of the simulator counts, as there, also where one request serves several.
void Cache::count(const l1forge_lookup& lookup) {
  if (lookup.outcome == L1FORGE_NOTHING) return;
  const cache_request_status status = status_of(lookup.outcome);
  const Flight& flight = flights_[lookup.id];
  if (status == RESERVATION_FAIL) {
    if (lookup.outcome > L1FORGE_FAIL_QUEUE) return;  // a stall
    count_fail(m_stats, flight.type, reason_of(lookup.outcome), flight.stream, 0);
  }
  const unsigned accesses = status == RESERVATION_FAIL ? 1 : flight.accesses;
  for (unsigned n = 0; n < accesses; ++n) count_result(m_stats, flight.type, status, flight.stream, 0);
}

// Sectors of a line that an instruction asks for in one cycle, in several banks, are one request.
bool Cache::join(const mem_fetch* fetch, unsigned kind, uint64_t line, unsigned mask) const {
  if (!model_->in.core_request_valid || kind == L1FORGE_ATOMIC) return false;
  const Flight& offered = flights_[model_->in.core_request_id];
  return offered.kind == kind && offered.uid == const_cast<mem_fetch*>(fetch)->get_inst().get_uid() &&
         model_->in.core_request_address == line && (model_->in.core_request_mask & mask) == 0;
}

void Cache::offer(mem_fetch* fetch, unsigned kind, uint64_t line, unsigned mask) {
  l1forge_inputs& in = model_->in;
  in.core_request_valid = 1;
  in.core_request_kind = static_cast<uint8_t>(kind);
  in.core_request_id = free_ids_.front();
  in.core_request_address = line;
  in.core_request_mask = mask;
  const unsigned warp_bits = model_->shape().warp_bits;
  if (warp_bits) in.core_request_warp = fetch->get_wid() & ((1u << warp_bits) - 1);
  if (kind != L1FORGE_LOAD) return;
  const unsigned uid = fetch->get_inst().get_uid();
  for (const Load& load : loads_)
    if (load.uid == uid) {
      in.core_request_degree = static_cast<uint8_t>(std::min(load.degree, 63u));
      in.core_request_not_first = load.begun;
    }
}

enum cache_request_status Cache::access(new_addr_type address, mem_fetch* fetch, unsigned time,
                                        std::list<cache_event>& events) {
  begin();
  const unsigned kind = fetch->isatomic()       ? L1FORGE_ATOMIC
                        : fetch->get_is_write() ? L1FORGE_STORE
                                                : L1FORGE_LOAD;
  const uint64_t line = address & ~(line_bytes - 1);
  const unsigned asked = static_cast<unsigned>(fetch->get_access_sector_mask().to_ulong());
  const unsigned mask = asked ? asked : all_sectors;
  if (join(fetch, kind, line, mask)) {
    model_->in.core_request_mask |= mask;
    Flight& flight = flights_[model_->in.core_request_id];
    flight.fetches.push_back(fetch);
    flight.mask |= mask;
    ++flight.accesses;
  } else {
    const bool one_before = model_->in.core_request_valid;
    if (!one_before && !free_ids_.empty()) offer(fetch, kind, line, mask);
    if (one_before || free_ids_.empty() || !model_->outputs().core_request_ready) {
      if (!one_before) model_->in.core_request_valid = 0;
      ++refused_;
      return RESERVATION_FAIL;
    }
    const unsigned uid = fetch->get_inst().get_uid();
    const Flight flight = {
        {fetch}, line, uid, kind, mask, 1, 0, fetch->get_access_type(), stream_of(fetch, 0)};
    flights_[free_ids_.front()] = flight;
    free_ids_.pop_front();
    for (Load& load : loads_) load.begun |= load.uid == uid;
    used_ = true;
  }
  fetch->set_status(m_miss_queue_status, time);
  if (kind == L1FORGE_STORE) {  // sent on, whatever the policies of the simulator's own cache are
    events.push_back(cache_event(WRITE_REQUEST_SENT));
    events.push_back(cache_event(WRITE_ALLOCATE_SENT));
  }
  return MISS;
}

bool Cache::access_ready() const {
  Cache* const self = const_cast<Cache*>(this);
  self->begin();
  return self->model_->outputs().core_response_valid && !model_->in.core_response_ready;
}

mem_fetch* Cache::next_access() {
  begin();
  Flight& flight = flights_[model_->outputs().core_response_id];
  model_->in.core_response_ready = 1;
  mem_fetch* const first = flight.fetches.front();
  for (size_t n = 1; n < flight.fetches.size(); ++n) delete flight.fetches[n];
  others_returned_ = static_cast<unsigned>(flight.fetches.size()) - 1;
  flight.fetches.clear();
  return first;
}

// The simulator invalidates in every idle cycle: only the first one after a request reaches the model, from
// the core's next cycle on, and nothing is accepted until it has ended.
void Cache::invalidate() {
  flush_ |= used_;
  used_ = false;
}

void Cache::print(FILE* file, unsigned& accesses, unsigned& misses) const {
  const uint64_t all = model_->figure("accesses"),
                 missed = model_->figure("misses") + model_->figure("partial_misses");
  fprintf(file, "Cache %s (L1Forge):%s refused=%llu\n", m_name.c_str(), model_->figures().c_str(), refused_);
  accesses += static_cast<unsigned>(all);
  misses += static_cast<unsigned>(missed);
}

void Cache::display_state(FILE* file) const { fprintf(file, "Cache %s (L1Forge)\n", m_name.c_str()); }

}  // namespace l1forge_sim

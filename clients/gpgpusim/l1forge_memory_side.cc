// The side of the cache that asks memory: requests become fetches of the simulator, and fetches responses.
#include "l1forge_cache.h"
#include "l1forge_versions.h"

namespace l1forge_sim {

void Cache::fill(mem_fetch* fetch, unsigned) {
  begin();
  mem_fetch* const whole = asked_.count(fetch) ? fetch : fetch->get_original_mf();
  const std::map<mem_fetch*, Asked>::iterator asked = asked_.find(whole);
  if (asked == asked_.end()) stop("memory answers what the cache did not ask for");
  Asked& of = asked->second;
  Open& open = open_[of.id];
  const unsigned came =
      whole == fetch ? of.missing : static_cast<unsigned>(fetch->get_access_sector_mask().to_ulong());
  of.missing &= ~came;
  open.missing &= ~came;
  if (whole != fetch) delete fetch;
  if (!of.missing) {
    const uint64_t id = of.id;
    if (of.own) delete whole;
    asked_.erase(asked);
    if (open.missing) return;
    const Response response = {id, open.mask};
    responses_.push_back(response);
    open_.erase(id);
  }
}

// Once in a core cycle, however many cycles the load-store unit has in one: what was accepted stays accepted.
void Cache::cycle() {
  begin();
  if (cycled_) return;
  cycled_ = true;
  if (!responses_.empty()) {
    l1forge_inputs& in = model_->in;
    in.memory_response_valid = 1;
    in.memory_response_id = responses_.front().id;
    in.memory_response_mask = responses_.front().mask;
    if (model_->outputs().memory_response_ready)
      responses_.pop_front();
    else
      in.memory_response_valid = 0;
  }
  const l1forge_outputs out = model_->outputs();
  if (out.memory_request_valid) send(out);
  m_stats.sample_cache_port_utility(false, false);
}

void Cache::send(const l1forge_outputs& out) {
  const bool sent = out.memory_request_kind == L1FORGE_STORE    ? send_store(out)
                    : out.memory_request_kind == L1FORGE_ATOMIC ? send_atomic(out)
                                                                : send_load(out);
  model_->in.memory_request_ready = sent;
}

// The core's own fetches, one a cycle.
bool Cache::send_store(const l1forge_outputs& out) {
  Flight& flight = flight_of(out.memory_request_id);
  mem_fetch* const fetch = flight.fetches[flight.sent];
  if (m_memport->full(fetch->size(), true)) return false;
  m_memport->push(fetch);
  if (++flight.sent < flight.fetches.size()) return false;
  flight.fetches.clear();  // their answers go to the core
  const Response response = {out.memory_request_id, 0};
  responses_.push_back(response);
  return true;
}

bool Cache::send_atomic(const l1forge_outputs& out) {
  mem_fetch* const fetch = flight_of(out.memory_request_id).fetches.front();
  if (m_memport->full(fetch->size(), false)) return false;
  const Asked asked = {out.memory_request_id, out.memory_request_mask, false};
  const Open open = {asked.missing, asked.missing};
  asked_[fetch] = asked;
  open_[asked.id] = open;
  m_memport->push(fetch);
  return true;
}

// A load of the line, which may have its answer already where a cache fetches more than it was asked for. The
// simulator sends the answer by the type of the access, global or local.
const Cache::Flight& Cache::asker(uint64_t line) const {
  for (const Flight& flight : flights_)
    if (flight.kind == L1FORGE_LOAD && flight.line == line && flight.uid) return flight;
  static const Flight none = {{}, 0, 0, 0, 0, 0, 0, GLOBAL_ACC_R, 0};
  return none;
}

// A whole line at once, else sector by sector, one a cycle: what every L2 of the simulator takes.
bool Cache::send_load(const l1forge_outputs& out) {
  const unsigned mask = out.memory_request_mask, rest = mask & ~sent_sectors_;
  const unsigned part = mask == all_sectors ? mask : rest & ~(rest - 1);
  mem_access_byte_mask_t bytes;
  unsigned size = 0, lowest = 0;
  for (unsigned sector = 4; sector-- > 0;)
    if (part >> sector & 1) {
      size += sector_bytes;
      lowest = sector;
      for (unsigned b = 0; b < sector_bytes; ++b) bytes.set(sector_bytes * sector + b);
    }
  if (m_memport->full(size + READ_PACKET_SIZE, false)) return false;
  const Flight& load = asker(out.memory_request_address);
  mem_fetch* const fetch =
      new_load(m_memfetch_creator, load.type, out.memory_request_address + sector_bytes * lowest, bytes,
               mem_access_sector_mask_t(part), size, now(), load.stream, 0);
  if (!sent_sectors_) {
    const Open open = {mask, mask};
    open_[out.memory_request_id] = open;
  }
  const Asked asked = {out.memory_request_id, part, true};
  asked_[fetch] = asked;
  m_memport->push(fetch);
  sent_sectors_ |= part;
  if (sent_sectors_ != mask) return false;
  sent_sectors_ = 0;
  return true;
}

}  // namespace l1forge_sim

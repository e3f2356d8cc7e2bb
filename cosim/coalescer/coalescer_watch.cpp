#include "cosim/coalescer/coalescer_watch.h"

#include <bit>
#include <set>

namespace verif {

using golden::RequestKind;

void CoalescerWatch::taken(const golden::LaneInstruction& i) {
  const bool store = i.kind == RequestKind::store, atomic = i.kind == RequestKind::atomic;
  kinds_.set(static_cast<std::size_t>(i.kind));
  (store ? store_sizes_ : load_sizes_).set(static_cast<std::size_t>(i.size));
  const auto groups = golden::groups_of(p_, i);
  seen_["an atomic of two lanes of one line"] +=
      atomic && groups.size() > 1 && groups[0].line == groups[1].line;
  if (atomic) return;
  degrees_.set(groups.size());
  std::set<std::uint64_t> bytes, chunks;
  bool shared = false;
  for (int lane = 0; lane < p_.lanes; ++lane) {
    if (!i.active(lane)) continue;
    chunks.insert(i.place(lane) / static_cast<unsigned>(p_.chunk_bytes));
    shared |= !bytes.insert(i.place(lane)).second;
  }
  seen_["all lanes in one chunk"] += chunks.size() == 1 && std::popcount(i.mask) == p_.lanes;
  seen_["two lanes load one byte"] += shared && !store;
  seen_["two lanes store one byte"] += shared && store;
  for (const golden::LaneGroup& g : groups) {
    const int low = std::countr_zero(g.lanes), high = 63 - std::countl_zero(g.lanes);
    seen_["lanes of one line far apart"] += high - low >= p_.lanes / 2 && std::popcount(g.lanes) == 2;
  }
}

void CoalescerWatch::cycle(const Unit& unit, const CoalescerInputs& inputs, const Unit::Out& out) {
  const Unit::In& in = inputs.in;
  const bool traffic = unit.requests_in_flight() > 0 && unit.instructions_in_flight() > 0;
  seen_["reset under traffic"] += inputs.rst && traffic;
  if (inputs.rst) return;
  if (in.lane_request && out.lane_request_ready) taken(*in.lane_request);
  seen_["all instructions in flight"] +=
      unit.instructions_in_flight() == static_cast<std::size_t>(p_.instructions);
  seen_["all ids in flight"] += unit.requests_in_flight() == std::size_t{1} << p_.core_id_bits;
  seen_["a request waits for an id"] += unit.request_waits() && !unit.id_free();
  seen_["lane_request waits"] += in.lane_request && !out.lane_request_ready;
  seen_["lane_response waits"] += out.lane_response && !in.lane_response_ready;
  seen_["core_request waits"] += out.core_request && !in.core_request_ready;
  seen_["core_response waits"] += in.core_response && !out.core_response_ready;
}

Goals CoalescerWatch::goals(const CoalescerScoreboard::Orders& orders) {
  const auto all = [](int n) { return (std::uint64_t{1} << n) - 1; };
  const int sizes = std::bit_width(static_cast<unsigned>(p_.lane_bytes));
  seen_["every degree"] = degrees_.count() == static_cast<std::size_t>(p_.lanes);
  seen_["every size of a load"] = load_sizes_.to_ullong() == all(sizes);
  seen_["every size of a store"] = store_sizes_.to_ullong() == all(sizes);
  seen_["every kind"] = kinds_.all();
  seen_["answers of an instruction out of order"] = orders.out_of_order;
  seen_["answers of two instructions in turns"] = orders.interleaved;
  seen_["an answer before the last request"] = orders.early;
  return seen_;
}

}  // namespace verif

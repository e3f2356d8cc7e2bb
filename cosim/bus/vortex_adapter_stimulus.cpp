#include "cosim/bus/vortex_adapter_stimulus.h"

#include <array>
#include <bit>

namespace verif {

using golden::RequestKind;

namespace {

void enable(golden::ByteMask& mask, int byte) {
  mask[static_cast<std::size_t>(byte / 64)] |= std::uint64_t{1} << byte % 64;
}

}  // namespace

void VortexAdapterStimulus::plan() {
  static constexpr std::array<unsigned, 6> rates{8, 64, 128, 192, 240, 256};
  left_ = 60 + static_cast<int>(below(300));
  for (unsigned* rate : {&requests_, &taken_, &cache_takes_, &cache_answers_, &cache_asks_, &memory_takes_,
                         &memory_answers_, &cache_observes_, &flushes_})
    *rate = rates[below(rates.size())];
  stores_ = std::array{16u, 128u, 240u}[below(3)];
  fences_ = std::array{0u, 2u, 24u}[below(3)];
}

golden::LineData VortexAdapterStimulus::data() {
  golden::LineData line{};
  for (int w = 0; w < p_.line_bytes / 8; ++w) line[static_cast<std::size_t>(w)] = draw_();
  return line;
}

golden::BusRequest VortexAdapterStimulus::request() {
  const int word = hw::word_bytes(p_), bits = p_.address_bits - std::countr_zero(static_cast<unsigned>(word));
  golden::BusRequest r{.rw = often(stores_), .flush = often(fences_), .io = below(8) == 0};
  r.address = draw_() >> (64 - bits);
  r.tag = draw_() >> (64 - p_.tag_bits);
  // Few, many, all, or now and then none; often those of one end.
  const std::uint64_t kind = below(16);
  const int first = kind < 4 ? static_cast<int>(below(static_cast<unsigned>(word))) : 0;
  for (int b = first; b < word && kind != 15; ++b)
    if (kind < 8 || below(8) == 0) enable(r.byte_enable, b);
  r.data = data();
  return r;
}

// The last one not before memory has nothing more for the cache.
void VortexAdapterStimulus::cache_answers() {
  const bool last = at_cache_.size() == 1, quiet = !memory_request_ && memory_ids_.empty();
  if (core_response_ || at_cache_.empty() || (last && !quiet) || !often(cache_answers_)) return;
  const Message asked = drawn(at_cache_);
  core_response_ = Message{.id = asked.id, .mask = golden::writes(asked) ? 0 : asked.mask, .data = data()};
}

void VortexAdapterStimulus::cache_asks() {
  if (memory_request_ || at_cache_.empty() || !often(cache_asks_)) return;
  const std::uint64_t id = draw_() >> (64 - p_.memory_id_bits);
  if (memory_ids_.contains(id)) return;
  Message m{.id = id, .data = data()};
  const bool stores = often(stores_);
  m.kind = below(6) == 0 ? RequestKind::non_l1 : stores ? RequestKind::store : RequestKind::load;
  m.address = draw_() >> (64 - p_.address_bits) & ~std::uint64_t(p_.line_bytes - 1);
  const unsigned chunks = static_cast<unsigned>(hw::chunks_of_line(p_));
  m.mask = 1 + static_cast<unsigned>(below((1u << chunks) - 1));
  for (int b = 0; stores && b < p_.line_bytes; ++b)
    if (m.mask >> b / p_.chunk_bytes & 1 && below(4)) enable(m.byte_enable, b);
  memory_request_ = m;
}

void VortexAdapterStimulus::memory_answers() {
  if (memory_bus_response_ || at_memory_.empty() || !often(memory_answers_)) return;
  memory_bus_response_ = golden::BusAnswer{.tag = drawn(at_memory_).tag, .data = data()};
}

VortexAdapterInputs VortexAdapterStimulus::draw(std::mt19937_64& draw) {
  draw_.seed(draw());
  if (left_-- == 0) plan();
  VortexAdapterInputs drawn{.rst = below(20'000) == 0};
  Unit::In& in = drawn.in;
  for (std::size_t port = 0; port < static_cast<std::size_t>(p_.ports); ++port) {
    if (!offered_[port] && often(requests_)) offered_[port] = request();
    in.bus_response_ready[port] = often(taken_);
  }
  cache_answers();
  cache_asks();
  memory_answers();
  in.bus_request = offered_;
  in.core_response = core_response_;
  in.memory_request = memory_request_;
  in.memory_bus_response = memory_bus_response_;
  in.core_request_ready = often(cache_takes_);
  in.flush_ready = often(flushes_);
  in.memory_bus_request_ready = often(memory_takes_);
  in.memory_response_ready = often(cache_observes_);
  in.probe_valid = below(2) == 0;
  in.probe_miss = below(2) == 0;
  // As a cache shows them: a load or a store leaves, or a load fails for one cause.
  const std::uint64_t event = below(8), hit = below(2);
  in.events = {.loads = event < 2,
               .hits = event < 2 && hit,
               .stores = event == 2 || event == 3,
               .store_updates = (event == 2 || event == 3) && hit,
               .reservation_fail_mshr = event == 4,
               .reservation_fail_merge = event == 5};
  return drawn;
}

void VortexAdapterStimulus::edge(const VortexAdapterInputs& inputs, const Unit::Out& out) {
  if (!inputs.rst) return came(inputs.in, out);
  offered_ = {};
  at_cache_.clear(), memory_ids_.clear(), at_memory_.clear();
  core_response_.reset(), memory_request_.reset(), memory_bus_response_.reset();
}

void VortexAdapterStimulus::came(const Unit::In& in, const Unit::Out& out) {
  for (std::size_t port = 0; port < offered_.size(); ++port)
    if (in.bus_request[port] && out.bus_request_ready[port]) offered_[port].reset();
  if (out.core_request && in.core_request_ready) at_cache_.push_back(*out.core_request);
  if (in.core_response && out.core_response_ready) core_response_.reset();
  if (out.memory_response && in.memory_response_ready) memory_ids_.erase(out.memory_response->id);
  if (in.memory_request && out.memory_request_ready) {
    memory_ids_.insert(in.memory_request->id);
    memory_request_.reset();
  }
  if (in.memory_bus_response && out.memory_bus_response_ready) memory_bus_response_.reset();
  if (out.memory_bus_request && in.memory_bus_request_ready && !out.memory_bus_request->rw)
    at_memory_.push_back(*out.memory_bus_request);
}

}  // namespace verif

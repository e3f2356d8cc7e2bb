#include "cosim/banks/banked_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cosim/l1d/counters_report.h"
#include "golden/trace/open/open_trace.h"

namespace verif {
namespace {

using golden::RequestKind;

constexpr std::int64_t longest_wait = 1'000'000;  // cycles without an answer or a request taken

std::size_t place(int n) { return static_cast<std::size_t>(n); }

golden::GpuParams gpu_of_ports(const hw::BankedL1dParams& p, const std::string& scheduler) {
  return {.scheduler = golden::scheduler_named(scheduler),
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .address_bits = p.l1d.address_bits,
          .id_bits = p.l1d.core_id_bits,
          .ports = p.banks};
}

}  // namespace

BankedTrace::BankedTrace(const hw::BankedL1dParams& params, const std::string& trace,
                         const CosimOptions& options)
    : p_(params),
      source_(golden::open_trace(trace)),
      front_(*source_, gpu_of_ports(params, options.scheduler)),
      memory_({.line_bytes = params.l1d.line_bytes,
               .chunk_bytes = params.l1d.chunk_bytes,
               .latency = options.below.latency,
               .bank_bytes = options.below.bytes},
              golden::NextLevel::scrambled),
      requests_(place(params.banks)) {}

const std::optional<golden::Message>& BankedTrace::request(int port) {
  std::optional<Message>& request = requests_[place(port)];
  const golden::GpuRequest* const offer = front_.sm(0).offer(port);
  if (!offer)
    request.reset();
  else if (!request)
    write(request.emplace(), *offer);
  return request;
}

const golden::L1dIn& BankedTrace::memory() {
  memory_in_ = {};
  memory_.drive(memory_in_);
  if (memory_in_.memory_response_data) {
    fill_ = *memory_in_.memory_response_data;  // the memory may use the field again before the edge
    memory_in_.memory_response_data = &fill_;
  }
  return memory_in_;
}

void BankedTrace::edge(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out) {
  golden::Sm& sm = front_.sm(0);
  if (!in.rst) {
    for (int p = 0; p < p_.banks; ++p) {
      const Message* const m = in.request[place(p)];
      if (m && out.request_ready[place(p)]) {
        sm.accepted(static_cast<std::uint32_t>(m->id));
        if (flying_.size() <= m->id) flying_.resize(m->id + 1);
        flying_[m->id] = {m->kind, m->address, m->mask, p};
        if (golden::changes_memory(m->kind)) written_.insert(m->address);
        requests_[place(p)].reset();
        progress_ = cycles_;
      }
      if (const auto& response = out.response[place(p)]) answered(p, *response);
    }
    if (in.flush_valid && out.flush_ready) sm.flushed();
    if (cycles_ - progress_ > longest_wait && wrong_.empty()) wrong_ = "requests that are never answered";
    ++cycles_;
  }
  memory_in_.rst = in.rst;
  memory_.edge(memory_in_, out.memory);
  front_.tick();
}

// A trace says which chunks a request touches: stores write all of them, each with other bytes.
void BankedTrace::write(Message& m, const golden::GpuRequest& offer) {
  const golden::Request& r = offer.request;
  m = {.kind = r.kind,
       .id = offer.id,
       .address = r.address,
       .mask = r.mask,
       .sideband = hw::take_sideband(hw::sideband_bits(p_.l1d), r.sideband)};
  if (!golden::changes_memory(r.kind)) return;
  for (int byte = 0; byte < p_.l1d.line_bytes; ++byte)
    if (r.mask >> byte / p_.l1d.chunk_bytes & 1)
      m.byte_enable[place(byte / 64)] |= std::uint64_t{1} << byte % 64;
  ++stores_;
  for (int w = 0; w < p_.l1d.line_bytes / 8; ++w)
    m.data[place(w)] = stores_ * 0x9e3779b97f4a7c15 + static_cast<unsigned>(w);
}

void BankedTrace::answered(int port, const golden::BankedL1d::Response& response) {
  const auto said = [&](const std::string& what) {
    if (wrong_.empty()) wrong_ = fmt::format("port {}: {}, id {:#x}", port, what, response.id);
  };
  if (response.id >= flying_.size() || flying_[response.id].port != port)
    return said("an answer that nobody waits for");
  const Flying f = std::exchange(flying_[response.id], {});
  progress_ = cycles_;
  front_.sm(0).answered(static_cast<std::uint32_t>(response.id));
  const std::uint32_t mask = f.kind == RequestKind::store ? 0 : f.mask;
  if (response.mask != mask) return said("a mask");
  if (written_.contains(f.address)) return;
  for (unsigned w = 0; w < static_cast<unsigned>(p_.l1d.line_bytes) / 8; ++w)
    if (mask >> w * 8 / static_cast<unsigned>(p_.l1d.chunk_bytes) & 1 &&
        (*response.data)[w] != golden::NextLevel::scrambled(f.address / 8 + w))
      return said("data of a line that nobody has written");
}

TraceResult BankedTrace::result(const golden::L1dCounters& c) {
  const std::uint64_t missed = c.misses + c.partial_misses + c.bypasses;
  const nlohmann::ordered_json json{{"cycles", cycles_},
                                    {"instructions", front_.sm(0).instructions()},
                                    {"miss_rate", percent(missed, c.loads) / 100},
                                    {"counters", to_json(c)}};
  return {fmt::format("{} cycles to finish, {} memory instructions, {} loads, {:.1f} % miss", cycles_,
                      front_.sm(0).instructions(), c.loads, percent(missed, c.loads)),
          json.dump()};
}

}  // namespace verif

#include "golden/gpu/request_ports.h"

#include <algorithm>

namespace golden {

RequestPorts::RequestPorts(const Shape& shape)
    : places_(static_cast<std::size_t>(shape.places)),
      entries_(static_cast<std::size_t>(shape.entries)),
      ports_(static_cast<std::size_t>(shape.sms)),
      ends_(static_cast<std::size_t>(shape.ends)) {}

void RequestPorts::occupancy(std::span<std::uint8_t> counts, unsigned most) const {
  std::ranges::fill(counts, 0);
  for (const End& end : ends_)
    for (const MemoryRequest& request : end.buffer) {
      std::uint8_t& count = counts[(request.address >> 8) % counts.size()];
      if (count < most) ++count;
    }
}

bool RequestPorts::idle() const {
  return arriving_.empty() && std::ranges::all_of(ports_, [](const auto& port) { return port.empty(); }) &&
         std::ranges::all_of(ends_, [](const End& end) { return end.buffer.empty(); });
}

void RequestPorts::admit(int number) {
  End& end = ends_[index(number)];
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const std::size_t sm = (end.turn + i) % ports_.size();
    auto& port = ports_[sm];
    if (port.empty() || port.front().end != number) continue;
    end.buffer.push_back(port.front().request);
    port.front().end = taken_by_an_end;
    end.turn = (sm + 1) % ports_.size();
    return;
  }
}

void RequestPorts::tick() {
  for (std::size_t e = 0; e < ends_.size(); ++e)
    if (!ends_[e].full) admit(static_cast<int>(e));
  for (auto& port : ports_)
    if (!port.empty() && port.front().end == taken_by_an_end) port.pop_front();
  for (const Sent& sent : arriving_) ports_[index(sent.request.sm)].push_back(sent);
  arriving_.clear();
  for (End& end : ends_) end.full = end.buffer.size() == entries_;
}

}  // namespace golden

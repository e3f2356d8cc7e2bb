// Where the reads of each SM are below its L1. The oldest of them names the cause of an SM's wait.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace golden {

class Whereabouts {
 public:
  // In the order in which a packet passes them.
  enum class Place : std::uint8_t { request_network, l2_input, dram, l2_output, reply_network };

  explicit Whereabouts(int sms) : sms_(static_cast<std::size_t>(sms)) {}

  // A read leaves the L1, as that many packets in the network.
  void sent(int sm, std::uint64_t id, int packets = 1) {
    Sm& one = at(sm);
    if (one.reads.size() <= id) one.reads.resize(id + 1);
    Read& read = one.reads[id];
    read = {.serial = ++one.serial, .under_way = true};
    read.packets[0] = packets;
    one.order.push_back({id, one.serial});
  }
  // One of its packets goes on, as that many.
  void moved(int sm, std::uint64_t id, Place from, Place to, int packets = 1) {
    Read& read = at(sm).reads[id];
    --read.packets[static_cast<std::size_t>(from)];
    read.packets[static_cast<std::size_t>(to)] += packets;
  }
  void answered(int sm, std::uint64_t id) {
    Sm& one = at(sm);
    one.reads[id].under_way = false;
    while (!one.order.empty() && !one.is_under_way(one.order.front())) one.order.pop_front();
  }
  std::optional<std::uint64_t> oldest_id(int sm) const {
    const Sm& one = sms_[static_cast<std::size_t>(sm)];
    return one.order.empty() ? std::nullopt : std::optional(one.order.front().id);
  }
  // Of a read that is under way.
  Place place(int sm, std::uint64_t id) const {
    const auto& packets = sms_[static_cast<std::size_t>(sm)].reads[id].packets;
    return static_cast<Place>(std::ranges::find_if(packets, [](int n) { return n != 0; }) - packets.begin());
  }
  // Where that of the oldest read is that has the longest way to go; nothing when none is under way.
  std::optional<Place> oldest(int sm) const {
    const auto id = oldest_id(sm);
    return id ? std::optional(place(sm, *id)) : std::nullopt;
  }

 private:
  struct Read {
    std::uint64_t serial = 0;
    bool under_way = false;
    std::array<int, 5> packets{};  // by part of the system
  };
  struct Sent {
    std::uint64_t id, serial;
  };
  struct Sm {
    std::vector<Read> reads;  // by id
    std::deque<Sent> order;   // the oldest is under way
    std::uint64_t serial = 0;

    bool is_under_way(const Sent& sent) const {
      return reads[sent.id].under_way && reads[sent.id].serial == sent.serial;
    }
  };
  Sm& at(int sm) { return sms_[static_cast<std::size_t>(sm)]; }

  std::vector<Sm> sms_;
};

}  // namespace golden

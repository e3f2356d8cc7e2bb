// Requests without their answers before an AXI4 memory, and the bytes that each load must return: requests
// take effect in the order of their transfers.
#pragma once
#include <map>
#include <string>

#include "cosim/bus/axi4_side.h"
#include "cosim/bus/axi4_stimulus.h"

namespace verif {

template <int line_bytes, int chunk_bytes>
class Axi4OpenRequests {
 public:
  // `stream` brings the answers, each at most `longest` cycles after its request. With `shared`, another
  // master writes some lines; reads of them are compared among themselves alone.
  Axi4OpenRequests(std::string stream, std::int64_t longest, bool shared = false)
      : stream_(std::move(stream)), longest_(longest), shared_(shared) {}

  bool contains(std::uint64_t id) const { return open_.contains(id); }
  std::int64_t overtaken() const { return overtaken_; }  // requests that an answer to a later one overtook

  // The answer and the request that are transferred in this cycle, if any.
  std::optional<Difference> cycle(const Axi4Answer* answer, const Axi4Request* request) {
    ++now_;
    for (const auto& [id, r] : open_)
      if (now_ - r.since > longest_) return Difference{"id of a request without an answer", id, 0};
    if (answer)
      if (const auto d = answered(*answer)) return d;
    if (request) take(*request);
    return {};
  }

  // The load of this id may see stores behind it.
  void may_be_late(std::uint64_t id) {
    if (const auto found = open_.find(id); found != open_.end()) found->second.late = true;
  }

  // At a reset.
  void clear() {
    bytes_.clear();
    open_.clear();
    newest_.clear();
  }

 private:
  struct Open {
    std::uint32_t mask = 0;
    golden::LineData line{};  // as a load must find it
    std::uint64_t address = 0;
    bool shared = false;  // another master writes the line
    bool snoop = false;   // may find no line, or one before a store that it passes
    bool late = false;
    std::int64_t since = 0;
  };
  // The latest read of a word that was answered, by the time of its request.
  struct Newest {
    std::int64_t since = 0;
    std::uint64_t version = 0;
  };
  static constexpr std::uint64_t line_words = line_bytes / 8;

  void take(const Axi4Request& q) {
    if (q.kind == golden::RequestKind::drop) return;  // changes no data, and is not answered
    const std::uint64_t number = q.address / line_bytes, line = number * line_bytes;
    Open r{.mask = q.writes() ? 0 : q.mask,
           .address = line,
           .shared = shared_ && Axi4Memory::is_shared(number),
           .snoop = q.kind == golden::RequestKind::snoop,
           .since = now_};
    for (std::uint64_t w = 0; w < line_words; ++w) {
      if (q.writes())
        bytes_.write(line + 8 * w, q.data[w], static_cast<unsigned>(q.enable[w / 8] >> w % 8 * 8 & 0xff));
      r.line[w] = bytes_.word(line + 8 * w);
    }
    open_[q.id] = r;
  }

  std::optional<Difference> answered(const Axi4Answer& a) {
    const auto found = open_.find(a.id);
    if (found == open_.end()) return Difference{"id of an answer that nobody waits for", a.id, 0};
    const Open& r = found->second;
    if (a.mask != r.mask && !(r.snoop && a.mask == 0))
      return Difference{stream_ + "_mask, of the scoreboard", a.mask, r.mask};
    for (std::uint64_t w = 0; w < line_words; ++w) {
      if (!(a.mask >> w * 8 / chunk_bytes & 1) || r.snoop || r.late) continue;
      if (const auto d = r.shared ? no_older(w, a, r) : same(w, a, r)) return d;
    }
    for (const auto& [id, other] : open_) overtaken_ += other.since < r.since;
    open_.erase(found);
    return {};
  }

  std::optional<Difference> same(std::uint64_t w, const Axi4Answer& a, const Open& r) const {
    if (a.data[w] == r.line[w]) return {};
    return Difference{fmt::format("{}_data[{}:{}], of the scoreboard", stream_, 64 * w + 63, 64 * w),
                      a.data[w], r.line[w]};
  }

  // Of reads of a word, the later request returns what the other master has written later, if anything.
  std::optional<Difference> no_older(std::uint64_t w, const Axi4Answer& a, const Open& r) {
    const std::uint64_t version = Axi4Memory::version(a.data[w], r.address + 8 * w);
    Newest& newest = newest_[r.address + 8 * w];
    if (r.since > newest.since ? version < newest.version : version > newest.version)
      return Difference{fmt::format("version in {}_data[{}:{}] beside a read of the same word", stream_,
                                    64 * w + 63, 64 * w),
                        version, newest.version};
    if (r.since > newest.since) newest = {r.since, version};
    return {};
  }

  std::string stream_;
  std::int64_t longest_;
  bool shared_;
  ByteMemory bytes_;
  std::map<std::uint64_t, Open> open_;      // by id
  std::map<std::uint64_t, Newest> newest_;  // by the word's address
  std::int64_t now_ = 0, overtaken_ = 0;
};

}  // namespace verif

#include "cosim/l1d/l1d_scoreboard.h"

#include <bit>
#include <cstring>

#include "golden/l1d/memory_ids.h"

namespace verif {

using golden::L1dIn;
using golden::RequestKind;

namespace {

constexpr golden::ByteMask no_bytes{};

// The cache does, unless a policy sends the request on.
bool answers_itself(RequestKind kind) { return kind == RequestKind::load || kind == RequestKind::snoop; }

// A snoop in front of the cache is in front of the tag-lookup stage, and sel stalls no request.
bool snoops_wait_for_answers(const hw::L1dParams& p) {
  return p.snoops && p.index.latency == 0 && !p.request_slice && p.index.kind != hw::IndexKind::adi;
}

}  // namespace

L1dScoreboard::L1dScoreboard(const hw::L1dParams& p)
    : line_bytes_(p.line_bytes),
      chunk_bytes_(p.chunk_bytes),
      entry_bits_(golden::bits_for(p.mshr_entries)),
      line_mask_(~std::uint64_t{0} << std::countr_zero(static_cast<unsigned>(p.line_bytes))),
      bypasses_(hw::traits_of(p.tags).filters || p.bypass.kind != hw::BypassKind::none ||
                hw::protects_data(p.ecc)),
      loads_may_be_late_(hw::protects_data(p.ecc)),
      least_fetch_(p.tags == hw::TagKind::conventional ? ~0u >> (32 - hw::chunks_of_line(p)) : 0),
      longest_wait_(snoops_wait_for_answers(p) ? 2 * (p.mshr_entries + 4) : 0),
      slots_(1u << std::min(p.core_id_bits, most_id_bits)),
      lines_(p.line_bytes),
      requests_(slots_) {
  const int fetch_bits = golden::fetch_id_bits(p);
  id_bits_ = static_cast<unsigned>(golden::memory_id_bits(p) - 1);
  if (hw::warp_bits_of(p)) history_.emplace();
  fetching_.resize(std::size_t{1} << fetch_bits);
  fetches_of_.resize(std::size_t{1} << entry_bits_);
}

void L1dScoreboard::others_write(bool (*line)(std::uint64_t address), const std::uint64_t& version) {
  of_others_ = line;
  version_ = &version;
}

void L1dScoreboard::reset() {
  for (Request& r : requests_) r.open = false;
  sent_.clear();
  std::ranges::fill(fetching_, 0);
  std::ranges::fill(fetches_of_, 0);
  lines_.clear();
  outstanding_ = 0;
  if (version_) flushed_at_ = *version_;
  last_write_.any = false;
  if (history_) history_->clear();
  waited_ = 0;
  response_waits_ = request_waits_ = false;
}

bool L1dScoreboard::fail(const char* what, std::uint64_t got, std::uint64_t want) {
  found_.port = what;
  found_.dut = got;
  found_.golden = want;
  return false;
}

bool L1dScoreboard::same_bytes(const char* what, const std::uint8_t* got, const golden::LineData& want,
                               std::uint32_t mask) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(want.data());
  const auto size = static_cast<std::size_t>(chunk_bytes_);
  for (; mask; mask &= mask - 1) {
    const std::size_t at = static_cast<std::size_t>(std::countr_zero(mask)) * size;
    if (std::memcmp(got + at, bytes + at, size) == 0) continue;
    for (std::size_t b = at;; ++b)
      if (got[b] != bytes[b]) return fail(what, got[b], bytes[b]);
  }
  return true;
}

void L1dScoreboard::accept(const L1dIn& in) {
  if (in.core_request_kind == RequestKind::drop) {  // changes no data and is not answered
    last_write_.any = false;
    return;
  }
  Request& r = requests_[in.core_request_id & (slots_ - 1)];
  const std::uint64_t address = in.core_request_address & line_mask_;
  const golden::ByteMask& enables = in.core_request_byte_enable ? *in.core_request_byte_enable : no_bytes;
  const bool writes = enables != no_bytes;
  const RequestKind kind = in.core_request_kind;
  r.open = true;
  r.at_memory = r.acknowledged = r.lost = false;
  r.id = in.core_request_id;
  r.kind = kind;
  r.address = address;
  r.has_data = kind != RequestKind::store && !(kind == RequestKind::non_l1 && writes);
  r.mask = r.has_data ? in.core_request_mask : 0;
  r.of_others = of_others_ && of_others_(address);
  r.oldest = flushed_at_;
  ++outstanding_;
  if (r.has_data)
    std::memcpy(r.expected.data(), lines_.at(address).data(), static_cast<std::size_t>(line_bytes_));
  if (kind == RequestKind::snoop) return accept_snoop(r);
  last_write_.any = false;
  if (history_) {
    r.warp = in.core_request_sideband.warp;
    if (kind == RequestKind::load) r.older = history_->older(address, r.warp);
    r.number = history_->now(address);
  }
  if (answers_itself(kind)) return;
  if (writes || kind == RequestKind::atomic) last_write_ = {true, address, lines_.at(address)};
  const auto before = history_ ? lines_.at(address) : golden::LineData{};
  Sent& s = sent_.emplace_back();
  s.kind = kind;
  s.id = in.core_request_id;
  s.mask = in.core_request_mask;
  s.address = address;
  s.enables = enables;
  if (in.core_request_data)
    std::memcpy(s.data.data(), in.core_request_data->data(), static_cast<std::size_t>(line_bytes_));
  if (kind == RequestKind::atomic)
    lines_.add(address, s.data, s.mask, chunk_bytes_);
  else if (writes)
    lines_.write(address, s.data, enables);
  if (!history_ || !golden::changes_memory(kind)) return;
  history_->write(address, before, lines_.at(address));
  if (kind == RequestKind::store)
    history_->bind(address, r.warp);
  else
    history_->bind_all(address);
}

// A snoop passes the request before it, if that fails: it sees the line without what that writes. That one,
// the last request sent, has not left the cache when the snoop enters.
void L1dScoreboard::accept_snoop(Request& r) {
  const Write& w = last_write_;
  r.may_pass = w.any && w.address == r.address && !sent_.empty();
  if (r.may_pass) r.before = w.before;
}

// In front of the tag-lookup stage a snoop waits for the answer stage alone: for one request that has all
// else and for a snoop that passes one, each behind two grants to others, and each beside a fill of every
// entry.
bool L1dScoreboard::snoop_waits(const L1dIn& in, const L1dSeen& seen) {
  const bool waits = in.core_request_valid && in.core_request_kind == RequestKind::snoop && !in.flush_valid &&
                     !seen.core_request_ready;
  waited_ = waits ? waited_ + in.core_response_ready : 0;
  return !longest_wait_ || waited_ <= longest_wait_ ||
         fail("core_request_ready for a snoop, cycles in which answers were taken",
              static_cast<std::uint64_t>(waited_), static_cast<std::uint64_t>(longest_wait_));
}

bool L1dScoreboard::answer(const L1dSeen& seen) {
  Request& r = requests_[seen.core_response_id & (slots_ - 1)];
  if (!r.open || r.id != seen.core_response_id)
    return fail("core_response_id, an answer to no request", seen.core_response_id, r.id);
  const bool absent = r.kind == RequestKind::snoop && seen.core_response_mask == 0;
  if (seen.core_response_mask != r.mask && !absent)
    return fail("core_response_mask, of the request", seen.core_response_mask, r.mask);
  if ((!answers_itself(r.kind) || r.at_memory) && !r.acknowledged)
    return fail("core_response_id, before memory answered it", seen.core_response_id, 0);
  r.open = false;
  --outstanding_;
  if (r.of_others) return new_enough(seen, r);
  const auto same = [&](const golden::LineData& line) {
    return same_bytes("core_response_data, in the order of acceptance", seen.core_response_data, line,
                      r.mask);
  };
  if (history_ && r.kind == RequestKind::load) return saw_some_state(r, seen.core_response_data);
  if (absent || !r.has_data || r.lost || same(r.expected)) return true;
  if (counts_wrong_ && r.kind == RequestKind::load) {
    ++wrong_answers_;
    found_.port.clear();
    return true;
  }
  if (r.kind != RequestKind::snoop || !r.may_pass) return false;
  found_.port.clear();
  return same(r.before);
}

bool L1dScoreboard::new_enough(const L1dSeen& seen, const Request& r) {
  for (int w = 0; w < line_bytes_ / 8; ++w) {
    if (!(seen.core_response_mask >> (8 * w / chunk_bytes_) & 1)) continue;
    std::uint64_t word;
    std::memcpy(&word, seen.core_response_data + 8 * w, 8);
    if (word < r.oldest) return fail("core_response_data, of a line before the last flush", word, r.oldest);
    if (word > *version_) return fail("core_response_data, of a line as memory has it", word, *version_);
  }
  return true;
}

// What is equal counts as the oldest that it may be.
bool L1dScoreboard::saw_some_state(const Request& r, const std::uint8_t* data) {
  const char* const what = "core_response_data, since the last store of the load's warp";
  for (const LineHistory::State& state : r.older)
    if (history_->was_fetched(r.address, state.number) && same_bytes(what, data, state.bytes, r.mask)) {
      history_->seen(r.address, r.warp, state.number);
      ++older_answers_;
      found_.port.clear();
      return true;
    }
  found_.port.clear();
  history_->seen(r.address, r.warp, r.number);
  return same_bytes(what, data, r.expected, r.mask);
}

bool L1dScoreboard::fetch(const L1dSeen& seen) {
  const std::uint64_t id = seen.memory_request_id;
  if (id >= fetching_.size()) return fail("memory_request_id of a fetch", id, fetching_.size() - 1);
  if (fetching_[id]) return fail("memory_request_id, in flight already", id, 0);
  fetching_[id] = 1;
  if (history_) history_->fetched(id, seen.memory_request_address);
  second_fetches_ += fetches_of_[id & ((1u << entry_bits_) - 1)]++ > 0;
  const std::uint32_t mask = seen.memory_request_mask;
  return (mask != 0 && (mask & least_fetch_) == least_fetch_) ||
         fail("memory_request_mask of a fetch", mask, std::max(least_fetch_, 1u));
}

bool L1dScoreboard::is_wrong(const L1dSeen& shown) {
  const Request& r = requests_[shown.core_response_id & (slots_ - 1)];
  const bool wrong = r.open && !same_bytes("", shown.core_response_data, r.expected, r.mask);
  found_.port.clear();
  return wrong;
}

// A load that leaves no trace: requested under its own id.
bool L1dScoreboard::bypass(const L1dSeen& seen) {
  const std::uint64_t id = seen.memory_request_id & ~(std::uint64_t{1} << id_bits_);
  Request& r = requests_[id & (slots_ - 1)];
  if (!r.open || r.id != id || r.kind != RequestKind::load || r.at_memory)
    return fail("memory_request_id of a bypass, which nobody waits for", id, r.id);
  r.at_memory = true;
  if (seen.memory_request_address != r.address)
    return fail("memory_request_address of a bypass", seen.memory_request_address, r.address);
  return seen.memory_request_mask == r.mask ||
         fail("memory_request_mask of a bypass", seen.memory_request_mask, r.mask);
}

bool L1dScoreboard::send(const L1dSeen& seen) {
  if ((seen.memory_request_address & ~line_mask_) != 0)
    return fail("memory_request_address, offset bits", seen.memory_request_address, 0);
  const bool top = seen.memory_request_id >> id_bits_;
  if (top != (seen.memory_request_kind != RequestKind::load) && !(top && bypasses_))
    return fail("memory_request_id, top bit", seen.memory_request_id,
                seen.memory_request_kind != RequestKind::load);
  const auto enable_bytes = static_cast<std::size_t>(line_bytes_ / 8);
  if (seen.memory_request_kind == RequestKind::load)
    return std::memcmp(seen.memory_request_byte_enable, no_bytes.data(), enable_bytes) == 0
               ? top ? bypass(seen) : fetch(seen)
               : fail("memory_request_byte_enable of a load", 1, 0);
  if (sent_.empty()) return fail("memory_request, which nobody sent", seen.memory_request_id, 0);
  const Sent& s = sent_.front();
  const std::uint64_t id = seen.memory_request_id & ~(std::uint64_t{1} << id_bits_);
  if (seen.memory_request_kind != s.kind)
    return fail("memory_request_kind, in order", static_cast<unsigned>(seen.memory_request_kind),
                static_cast<unsigned>(s.kind));
  if (id != s.id) return fail("memory_request_id, in order", id, s.id);
  if (seen.memory_request_address != s.address)
    return fail("memory_request_address, in order", seen.memory_request_address, s.address);
  if (seen.memory_request_mask != s.mask)
    return fail("memory_request_mask, in order", seen.memory_request_mask, s.mask);
  if (std::memcmp(seen.memory_request_byte_enable, s.enables.data(), enable_bytes) != 0)
    return fail("memory_request_byte_enable, in order", seen.memory_request_byte_enable[0], s.enables[0]);
  Request& r = requests_[s.id & (slots_ - 1)];
  if (!r.open || r.at_memory) return fail("memory_request_id, sent twice", id, 0);
  r.at_memory = true;
  if (history_ && golden::changes_memory(s.kind)) history_->sent(s.address);
  const bool same = same_promised("memory_request_data, in order", seen, s.data, s.enables);
  sent_.pop_front();
  return same;
}

// The data of a request to memory: of an atomic all under its mask, else the bytes that are enabled.
bool L1dScoreboard::same_promised(const char* what, const L1dSeen& seen, const golden::LineData& want,
                                  const golden::ByteMask& enables) {
  if (seen.memory_request_kind == RequestKind::atomic)
    return same_bytes(what, seen.memory_request_data, want, seen.memory_request_mask);
  if (std::memcmp(seen.memory_request_data, want.data(), static_cast<std::size_t>(line_bytes_)) == 0)
    return true;
  for (int w = 0; w < line_bytes_ / 8; ++w) {
    std::uint64_t word;
    std::memcpy(&word, seen.memory_request_data + 8 * w, 8);
    const std::uint64_t expected = want[static_cast<std::size_t>(w)];
    if ((word ^ expected) & enabled_bits(enables, w)) return fail(what, word, expected);
  }
  return true;
}

void L1dScoreboard::memory_answer(const L1dIn& in) {
  const std::uint64_t id = in.memory_response_id;
  if (id >> id_bits_) {
    requests_[id & (slots_ - 1)].acknowledged = true;
  } else {
    fetching_[id] = 0;
    if (history_) history_->filled(id);
    --fetches_of_[id & ((1u << entry_bits_) - 1)];
  }
}

// What waited for a ready must not have changed.
bool L1dScoreboard::held_back(const L1dSeen& seen) {
  if (response_waits_) {
    if (!seen.core_response_valid) return fail("core_response_valid, fell before the transfer", 0, 1);
    if (seen.core_response_id != waiting_.core_response_id ||
        seen.core_response_mask != waiting_.core_response_mask)
      return fail("core_response_id or _mask, changed before the transfer", seen.core_response_id,
                  waiting_.core_response_id);
    if (!same_bytes("core_response_data, changed before the transfer", seen.core_response_data,
                    waiting_response_, seen.core_response_mask))
      return false;
  }
  if (request_waits_) {
    if (!seen.memory_request_valid) return fail("memory_request_valid, fell before the transfer", 0, 1);
    if (seen.memory_request_id != waiting_.memory_request_id ||
        seen.memory_request_mask != waiting_.memory_request_mask ||
        seen.memory_request_address != waiting_.memory_request_address ||
        seen.memory_request_kind != waiting_.memory_request_kind)
      return fail("memory_request, changed before the transfer", seen.memory_request_id,
                  waiting_.memory_request_id);
    if (std::memcmp(seen.memory_request_byte_enable, waiting_enables_.data(),
                    static_cast<std::size_t>(line_bytes_ / 8)) != 0)
      return fail("memory_request_byte_enable, changed before the transfer",
                  seen.memory_request_byte_enable[0], waiting_enables_[0]);
    if (seen.memory_request_kind != RequestKind::load &&
        !same_promised("memory_request_data, changed before the transfer", seen, waiting_request_,
                       waiting_enables_))
      return false;
  }
  return true;
}

void L1dScoreboard::keep(const L1dIn& in, const L1dSeen& seen) {
  const auto count = [&](std::size_t stream, bool valid, bool ready) {
    transfers_[stream] += valid && ready;
    stalls_[stream] += valid && !ready;
  };
  count(0, in.core_request_valid, seen.core_request_ready);
  count(1, seen.core_response_valid, in.core_response_ready);
  count(2, seen.memory_request_valid, in.memory_request_ready);
  count(3, in.memory_response_valid, seen.memory_response_ready);
  const bool response = seen.core_response_valid && !in.core_response_ready,
             request = seen.memory_request_valid && !in.memory_request_ready;
  if (response && !response_waits_)
    std::memcpy(waiting_response_.data(), seen.core_response_data, static_cast<std::size_t>(line_bytes_));
  if (request && !request_waits_) {
    std::memcpy(waiting_request_.data(), seen.memory_request_data, static_cast<std::size_t>(line_bytes_));
    std::memcpy(waiting_enables_.data(), seen.memory_request_byte_enable,
                static_cast<std::size_t>(line_bytes_ / 8));
  }
  if (response || request) waiting_ = seen;
  response_waits_ = response;
  request_waits_ = request;
}

const L1dDifference& L1dScoreboard::cycle(const L1dIn& in, const L1dSeen& seen) {
  found_.port.clear();
  if (!held_back(seen) || !snoop_waits(in, seen)) return found_;
  keep(in, seen);
  if (in.memory_response_valid && !seen.memory_response_ready && !(in.memory_response_id >> id_bits_)) {
    fail("memory_response_ready of a fill", 0, 1);
    return found_;
  }
  if (seen.memory_response_ready && !in.memory_response_valid) {
    fail("memory_response_ready without a response", 1, 0);
    return found_;
  }
  if (seen.ecc_uncorrectable && loads_may_be_late_)
    requests_[seen.ecc_uncorrectable_id & (slots_ - 1)].lost = true;
  // An answer before the acceptance of this cycle: its id is not free in the same cycle.
  if (seen.core_response_valid && in.core_response_ready && !answer(seen)) return found_;
  if (seen.memory_request_valid && in.memory_request_ready && !send(seen)) return found_;
  if (in.memory_response_valid && seen.memory_response_ready) memory_answer(in);
  if (version_ && in.flush_valid && seen.flush_ready) flushed_at_ = *version_;
  if (in.core_request_valid && seen.core_request_ready) accept(in);
  return found_;
}

}  // namespace verif

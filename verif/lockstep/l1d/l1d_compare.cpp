#include "verif/lockstep/l1d/l1d_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "golden/l1d/l1d_ports.h"
#include "verif/lockstep/harness/port_field.h"
#include "verif/lockstep/l1d/l1d_lines.h"

namespace verif {
namespace {

constexpr std::array<std::string_view, 3> compared_in_part{"core_response_data", "memory_request_byte_enable",
                                                           "memory_request_data"};

int bits_for(int count) { return std::bit_width(static_cast<unsigned>(count - 1)); }

}  // namespace

L1dCompare::L1dCompare(const hw::L1dParams& p, int tag_bits)
    : params_(p),
      tag_bits_(tag_bits),
      validity_bits_(by_chunks(p) ? hw::chunks_of_line(p) : 1),
      age_bits_(bits_for(p.ways)),
      count_bits_(bits_for(p.mshr_merges + 1)),
      set_bits_(bits_for(hw::sets_of(p))),
      way_bits_(bits_for(p.ways)),
      sel_bits_(bits_for(p.address_bits)),
      position_bits_(bits_for(hw::chunks_of_line(p))),
      slot_bits_(bits_for(hw::slots_of(p))) {}

bool L1dCompare::differ(const std::string& what, std::uint64_t dut, std::uint64_t golden) {
  found_.port = what;
  found_.dut = dut;
  found_.golden = golden;
  return false;
}

bool L1dCompare::chunks(const char* what, const std::uint8_t* dut, const golden::LineData& golden,
                        std::uint32_t mask) {
  const auto* want = reinterpret_cast<const std::uint8_t*>(golden.data());
  const auto size = static_cast<std::size_t>(params_.chunk_bytes);
  for (; mask; mask &= mask - 1) {
    const std::size_t at = static_cast<std::size_t>(std::countr_zero(mask)) * size;
    if (std::memcmp(dut + at, want + at, size) == 0) continue;
    std::size_t b = at;
    while (dut[b] == want[b]) ++b;
    return differ(fmt::format("{}[{}:{}]", what, 8 * b + 7, 8 * b), dut[b], want[b]);
  }
  return true;
}

bool L1dCompare::bytes(const char* what, const std::uint8_t* dut, const golden::LineData& golden,
                       const golden::ByteMask& enables) {
  for (int w = 0; w < params_.line_bytes / 8; ++w) {
    std::uint64_t word;
    std::memcpy(&word, dut + 8 * w, 8);
    const std::uint64_t mask = enabled_bits(enables, w), want = golden[static_cast<std::size_t>(w)];
    if ((word ^ want) & mask)
      return differ(fmt::format("{}[{}:{}]", what, 64 * w + 63, 64 * w), word & mask, want & mask);
  }
  return true;
}

bool L1dCompare::core_response_data(const L1dSeen& s, const golden::L1dOut& g) {
  return !g.core_response_valid || !g.core_response_mask ||
         chunks("core_response_data", s.core_response_data, *g.core_response_data, g.core_response_mask);
}

bool L1dCompare::memory_request_data(const L1dSeen& s, const golden::L1dOut& g) {
  static constexpr golden::ByteMask none{};
  if (!g.memory_request_valid) return true;
  const golden::ByteMask& enables = g.memory_request_byte_enable ? *g.memory_request_byte_enable : none;
  for (int w = 0; w < (params_.line_bytes + 63) / 64; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, s.memory_request_byte_enable + 8 * w,
                static_cast<std::size_t>(std::min(8, params_.line_bytes / 8)));
    if (word != enables[static_cast<std::size_t>(w)])
      return differ("memory_request_byte_enable", word, enables[static_cast<std::size_t>(w)]);
  }
  if (g.memory_request_kind == golden::RequestKind::load) return true;
  if (g.memory_request_kind == golden::RequestKind::atomic)
    return chunks("memory_request_data", s.memory_request_data, *g.memory_request_data,
                  g.memory_request_mask);
  return enables == none ||
         bytes("memory_request_data", s.memory_request_data, *g.memory_request_data, enables);
}

bool L1dCompare::same_decisions(const golden::Controls& dut, const golden::Controls& golden) {
  for (const hw::Control c : hw::all_controls)
    if (dut[c] != golden[c]) return differ(std::string(c.name()), dut[c], golden[c]);
  return true;
}

// Numbers by their names, valid or not as the table says; what is compared in part has a rule of its own.
template <std::size_t place>
bool L1dCompare::port(const L1dSeen& s, const golden::L1dOut& g) {
  constexpr auto& seen = std::get<place>(golden::all_l1d_outputs<L1dSeen>);
  constexpr auto& want = std::get<place>(golden::all_l1d_outputs<golden::L1dOut>);
  if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(s.*seen.member)>>) {
    static_assert(std::ranges::count(compared_in_part, want.name) == 1);
    return true;
  } else {
    if constexpr (std::is_member_pointer_v<decltype(want.valid)>)
      if (!(g.*want.valid)) return true;
    const auto dut = static_cast<std::uint64_t>(s.*seen.member);
    const auto golden = static_cast<std::uint64_t>(g.*want.member);
    return dut == golden || differ(std::string(want.name), dut, golden);
  }
}

bool L1dCompare::ports(const L1dSeen& s, const golden::L1dOut& g) {
  constexpr std::size_t count =
      std::tuple_size_v<std::remove_cvref_t<decltype(golden::all_l1d_outputs<L1dSeen>)>>;
  const auto numbers = [&]<std::size_t... place>(std::index_sequence<place...>) {
    return (port<place>(s, g) && ...);
  };
  return numbers(std::make_index_sequence<count>()) && same_decisions(s.decisions, g.decisions) &&
         core_response_data(s, g) && memory_request_data(s, g);
}

bool L1dCompare::events(const L1dEvents& seen, const golden::L1dCounters& want) {
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& [name, counter] = golden::counter_names[i];
    if (seen[i] != want.*counter) return differ(fmt::format("event_{}", name), seen[i], want.*counter);
  }
  return true;
}

bool L1dCompare::in_set(const char* what, unsigned set, unsigned way, std::uint64_t dut,
                        std::uint64_t golden) {
  return dut == golden || differ(fmt::format("{} of way {} in set {}", what, way, set), dut, golden);
}

bool L1dCompare::of_entry(const char* what, unsigned e, std::uint64_t dut, std::uint64_t golden) {
  return dut == golden || differ(fmt::format("{} of MSHR entry {}", what, e), dut, golden);
}

bool L1dCompare::ways(const L1dStateView& view, const golden::CycleL1d& golden, unsigned set) {
  const bool nru = params_.replacement == hw::Replacement::nru;
  const int age = nru ? 1 : age_bits_;
  for (unsigned w = 0; w < static_cast<unsigned>(params_.ways); ++w) {
    const auto want = golden.way(set, w);
    const std::uint64_t valid = part(view.valid, w, validity_bits_);
    const std::uint64_t busy = part(view.busy, w, 1);
    if (!in_set("valid", set, w, valid, want.valid) || !in_set("busy", set, w, busy, want.busy)) return false;
    const bool own_tag = params_.tags != hw::TagKind::reuse_filter && (want.valid || want.busy);
    if (own_tag && !in_set("tag", set, w, field(view.tags, 64 * w, tag_bits_), want.tag)) return false;
    if (view.replacement && age > 0 &&
        !in_set(nru ? "nru" : "age", set, w, part(view.replacement, w, age), want.age_or_nru))
      return false;
  }
  return true;
}

bool L1dCompare::probed_set(const L1dStateView& view, const golden::CycleL1d& golden, unsigned set) {
  const bool split = params_.tags == hw::TagKind::split;
  if (split ? !slots(view, static_cast<const golden::SplitTags&>(golden.tags()), set)
            : !ways(view, golden, set))
    return false;
  if (view.reuse && !tag_entries(view, dynamic_cast<const golden::ReuseTags&>(golden.tags()), set))
    return false;
  if (view.lfsr && !same("lfsr", field(view.lfsr, 0, 16), golden.tags().lfsr())) return false;
  const auto &in_use = golden.mshrs().in_use().words(), &wake = golden.mshrs().wake().words();
  for (unsigned at = 0; at < static_cast<unsigned>(params_.mshr_entries); at += 64) {
    const int width = std::min(64, params_.mshr_entries - static_cast<int>(at));
    if (!same("in_use of the MSHRs", field(view.in_use, at, width), in_use[at / 64])) return false;
    const std::uint64_t alive = field(view.wake, at, width) & in_use[at / 64];
    if (!same("wake of the MSHRs", alive, wake[at / 64] & in_use[at / 64])) return false;
  }
  return true;
}

// Counts and links mean nothing in an entry that is not valid, and a link to a free data way is none.
bool L1dCompare::tag_entries(const L1dStateView& view, const golden::ReuseTags& golden, unsigned set) {
  const auto entries = static_cast<unsigned>(params_.reuse.ways), links = entries * params_.reuse.rc_bits;
  const auto of_tag = [&](const char* what, unsigned t, std::uint64_t dut, std::uint64_t want) {
    return dut == want || differ(fmt::format("{} of tag entry {} in set {}", what, t, set), dut, want);
  };
  for (unsigned t = 0; t < entries; ++t) {
    const auto want = golden.tag_entry(set, t);
    if (!of_tag("valid", t, part(view.tag_valid, t, 1), want.valid)) return false;
    if (!want.valid) continue;
    const unsigned position =
        way_bits_ ? static_cast<unsigned>(field(view.reuse, links + entries + t * way_bits_, way_bits_)) : 0;
    const bool has_line =
        field(view.reuse, links + t, 1) && (part(view.valid, position, 1) || part(view.busy, position, 1));
    if (!of_tag("tag", t, field(view.tags, 64 * t, tag_bits_), want.tag) ||
        !of_tag("reuse count", t, part(view.reuse, t, params_.reuse.rc_bits), want.rc) ||
        !of_tag("a line", t, has_line, want.has_line) ||
        (has_line && !of_tag("position", t, position, want.position)))
      return false;
  }
  return true;
}

bool L1dCompare::entry(const L1dStateView& view, const golden::CycleL1d::EntryState& want, unsigned e) {
  if (!of_entry("in_use", e, part(view.in_use, e, 1), want.in_use)) return false;
  if (!want.in_use) return true;
  return of_entry("set", e, part(view.entry_set, e, set_bits_), want.set) &&
         of_entry("tag", e, part(view.entry_tag, e, tag_bits_), want.tag) &&
         (!view.entry_way || of_entry("way", e, part(view.entry_way, e, way_bits_), want.way)) &&
         of_entry("pending", e, part(view.pending, e, validity_bits_), want.pending) &&
         of_entry("doomed", e, part(view.doomed, e, 1), want.doomed) &&
         of_entry("flushed", e, part(view.flushed, e, 1), want.flushed) &&
         of_entry("wake", e, part(view.wake, e, 1), want.wake) &&
         of_entry("count", e, part(view.count, e, count_bits_), want.count);
}

bool L1dCompare::adaptive(const L1dStateView& view, const golden::AdaptiveIndex& want) {
  const auto sel = want.sel();
  for (unsigned i = 0; i < sel.size(); ++i)
    if (const std::uint64_t bit = part(view.sel, i, sel_bits_); bit != static_cast<unsigned>(sel[i]))
      return differ(fmt::format("sel of index bit {}", i), bit, static_cast<unsigned>(sel[i]));
  return same("phase of the monitor", field(view.phase, 0, 3), static_cast<unsigned>(want.step()));
}

}  // namespace verif

// What an L1 data cache stores, counted as the papers count it and beside it, and public caches beside it.
#include "gen/units/l1d/l1d_unit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "gen/units/keys/mechanisms.h"
#include "hw/ecc/protected_rows.h"
#include "hw/l1d/adi_in_cache.h"
#include "hw/l1d/l1d.h"
#include "hw/monitors/mode_selector.h"
#include "hw/tags/split_entries.h"
#include "hw/tags/split_slots.h"
#include "hw/tags/tag_kinds.h"

namespace gen {
namespace {

int clog2(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

// Fields of no bits are left out.
StorageAccount account(std::string name, std::int64_t entries,
                       std::vector<std::pair<std::string, int>> fields, bool published = false) {
  std::erase_if(fields, [](const auto& field) { return field.second == 0; });
  return {std::move(name), entries, std::move(fields), published};
}

StorageAccount waiting_loads(const hw::L1dParams& p) {
  const int bits = p.core_id_bits + hw::chunks_of_line(p);
  return account("waiting loads", std::int64_t{p.mshr_entries} * p.mshr_merges,
                 {{"id", p.core_id_bits},
                  {"mask", hw::chunks_of_line(p)},
                  {"check", hw::stored_row_bits(p.ecc.mshr, bits) - bits}});
}

const char* const left_out = "bits that a static index leaves out";

// Bits of a tag that only an index which may change needs.
int wider_tag_bits(const hw::L1dParams& p) {
  return p.index.kind == hw::IndexKind::adi ? clog2(hw::sets_of(p)) : 0;
}

// Of a way.
int replacement_bits(const hw::L1dParams& p) {
  if (p.ways == 1 || p.replacement == hw::Replacement::random) return 0;
  if (p.replacement == hw::Replacement::lru) return clog2(p.ways);
  return p.replacement == hw::Replacement::srrip ? 2 : 1;
}

StorageAccount tag_array(const hw::L1dParams& p, int tag_bits) {
  return account("tag array", p.capacity_bytes / p.line_bytes,
                 {{"tag", tag_bits - wider_tag_bits(p)}, {"valid", 1}, {"replacement", replacement_bits(p)}},
                 true);
}

// Of a cache whose lines lie in ways, with these accounts of its so many tags.
std::vector<StorageAccount> way_accounts(const hw::L1dParams& p, int tag_bits, std::int64_t tags,
                                         std::vector<StorageAccount> accounts) {
  const int lines = p.capacity_bytes / p.line_bytes, wider = wider_tag_bits(p);
  const hw::EntryWaits waits =
      hw::entry_waits(hw::mshr_params(p), hw::comes_in_parts(hw::tag_params(p)), hw::chunks_of_line(p));
  if (p.replacement == hw::Replacement::random)
    accounts.push_back(account("random replacement", 1, {{"lfsr", 16}}));
  accounts.push_back(account("lines that wait for data", lines, {{"busy", 1}}));
  accounts.push_back(account("MSHRs", p.mshr_entries,
                             {{"in_use", 1},
                              {"set", clog2(hw::sets_of(p))},
                              {"tag", tag_bits},
                              {"way", p.ways > 1 ? p.ways : 0},
                              {"pending", waits.pending},
                              {"poisoned", 1},
                              {"stored", hw::warps_distinguished(p)},
                              {"flushed", 1},
                              {"wake", 1},
                              {"head", waits.head},
                              {"count", waits.count}}));
  accounts.push_back(waiting_loads(p));
  accounts.push_back(account("data", lines, {{"line", 8 * p.line_bytes}}));
  if (!wider) return accounts;
  accounts.push_back(account("wider tags", tags, {{left_out, wider}}));
  std::ranges::move(storage_accounts(hw::monitor_params(p)), std::back_inserter(accounts));
  return accounts;
}

std::vector<StorageAccount> conventional_accounts(const hw::L1dParams& p, int tag_bits) {
  return way_accounts(p, tag_bits, p.capacity_bytes / p.line_bytes, {tag_array(p, tag_bits)});
}

std::vector<StorageAccount> sectored_accounts(const hw::L1dParams& p, int tag_bits) {
  const int lines = p.capacity_bytes / p.line_bytes;
  return way_accounts(
      p, tag_bits, lines,
      {tag_array(p, tag_bits), account("sectors", lines, {{"sector", hw::chunks_of_line(p)}}, true)});
}

// What a private tag and a shared tag are for stands in the TSC paper, section 3, which counts the first two.
// The adaptive index stores as many bits more as the set has: the shared tag has them, as far as it goes.
std::vector<StorageAccount> split_accounts(const hw::L1dParams& p, int tag_bits) {
  const int chunks = hw::chunks_of_line(p), sets = hw::sets_of(p), slots = hw::slots_of(p);
  const std::int64_t all = std::int64_t{sets} * slots, groups = std::int64_t{sets} * p.split.groups;
  const int wider = wider_tag_bits(p);
  const int shared = tag_bits - p.split.private_tag_bits, more_shared = std::min(wider, shared);
  const int more_private = wider - more_shared;
  std::vector<StorageAccount> accounts = {
      account("chunk tags", all,
              {{"private", p.split.private_tag_bits - more_private},
               {"position", clog2(chunks)},
               {"valid", 1},
               {"nru", 1}},
              true),
      account("group tags", groups, {{"shared", shared - more_shared}}, true)};
  if (p.split.victim == hw::SplitVictim::chunk)
    accounts.push_back(account("start of the search", 1, {{"lfsr", 16}}));
  accounts.push_back(account("chunks on their way or waited for", all, {{"busy", 1}}));
  accounts.push_back(account("issued masks", p.mshr_entries, {{"pending", chunks}}));
  accounts.push_back(account("MSHRs", p.mshr_entries,
                             {{"in_use", 1},
                              {"set", clog2(sets)},
                              {"tag", tag_bits},
                              {"poisoned", 1},
                              {"flushed", 1},
                              {"wake", 1},
                              {"head", clog2(p.mshr_merges)},
                              {"count", clog2(p.mshr_merges + 1)}}));
  std::vector<std::pair<std::string, int>> place{{"slot", clog2(slots)}};
  if (hw::keeps_last_loads(hw::mshr_params(p)))
    place.insert(place.end(), {{"last", clog2(p.mshr_merges)}, {"wanted", hw::widens(hw::tag_params(p))}});
  else
    place.emplace_back("waits", clog2(p.mshr_merges + 1));
  accounts.push_back(account("places of chunks", std::int64_t{p.mshr_entries} * chunks, std::move(place)));
  accounts.push_back(waiting_loads(p));
  if (p.mode.kind == hw::ModeKind::dueling && !p.mode.follow) accounts.push_back(selector_account());
  accounts.push_back(account("data", all, {{"chunk", 8 * p.chunk_bytes}}));
  if (!wider) return accounts;
  accounts.push_back(account("wider group tags", groups, {{left_out, more_shared}}));
  if (more_private) accounts.push_back(account("wider chunk tags", all, {{left_out, more_private}}));
  std::ranges::move(storage_accounts(hw::monitor_params(p)), std::back_inserter(accounts));
  return accounts;
}

// Counted as the paper counts: the free lines of a set, too, which here follow from its data ways' states.
std::vector<StorageAccount> reuse_accounts(const hw::L1dParams& p, int tag_bits) {
  const int sets = hw::sets_of(p), lines = sets * p.ways, way_bits = clog2(p.ways);
  const std::int64_t tags = std::int64_t{sets} * p.reuse.ways;
  return way_accounts(
      p, tag_bits, tags,
      {account("tag store", tags,
               {{"tag", tag_bits - wider_tag_bits(p)},
                {"valid", 1},
                {"reuse_count", p.reuse.rc_bits},
                {"position_valid", 1},
                {"position", way_bits}},
               true),
       account("data store's lines", lines, {{"valid", 1}, {"replacement", way_bits}}, true),
       account("free-line count, derived here", sets, {{"free_lines", clog2(p.ways + 1)}}, true)});
}

// A tag is valid while it stands for a line, which follows here from the selectors of the positions in use.
std::vector<StorageAccount> decoupled_accounts(const hw::L1dParams& p, int tag_bits) {
  const int chunks = hw::chunks_of_line(p), sets = hw::sets_of(p), tags = p.decoupled.tags_per_way;
  const std::int64_t entries = std::int64_t{sets} * p.ways * tags,
                     places = std::int64_t{sets} * p.ways * chunks;
  const int wider = wider_tag_bits(p);
  std::vector<StorageAccount> accounts = {
      account("tags, their validity derived here", entries,
              {{"tag", tag_bits - wider}, {"valid", 1}, {"replacement", clog2(p.ways * tags)}}, true),
      account("places of chunks", places, {{"valid", 1}, {"selector", clog2(tags)}}, true),
      account("positions on their way or waited for", places, {{"busy", 1}}),
      account("issued masks", p.mshr_entries, {{"pending", chunks}}),
      account("MSHRs", p.mshr_entries,
              {{"in_use", 1},
               {"set", clog2(sets)},
               {"tag", tag_bits},
               {"way", p.ways > 1 ? p.ways : 0},
               {"tag_there", tags > 1 ? tags : 0},
               {"poisoned", 1},
               {"flushed", 1},
               {"wake", 1},
               {"head", clog2(p.mshr_merges)},
               {"count", clog2(p.mshr_merges + 1)}}),
      account("chunks waited for", std::int64_t{p.mshr_entries} * chunks,
              {{"waits", clog2(p.mshr_merges + 1)}}),
      waiting_loads(p),
      account("data", places, {{"chunk", 8 * p.chunk_bytes}})};
  if (!wider) return accounts;
  accounts.push_back(account("wider tags", entries, {{left_out, wider}}));
  std::ranges::move(storage_accounts(hw::monitor_params(p)), std::back_inserter(accounts));
  return accounts;
}

struct TagAccounts {
  hw::TagKind kind;
  std::vector<StorageAccount> (*all)(const hw::L1dParams&, int tag_bits);
};

constexpr std::array tag_accounts{TagAccounts{hw::TagKind::conventional, conventional_accounts},
                                  TagAccounts{hw::TagKind::sectored, sectored_accounts},
                                  TagAccounts{hw::TagKind::split, split_accounts},
                                  TagAccounts{hw::TagKind::reuse_filter, reuse_accounts},
                                  TagAccounts{hw::TagKind::decoupled, decoupled_accounts}};

}  // namespace

std::vector<StorageAccount> storage_accounts(const hw::L1dParams& p, int tag_bits) {
  return std::ranges::find(tag_accounts, p.tags, &TagAccounts::kind)->all(p, tag_bits);
}

std::vector<PublishedFigure> published_caches(const hw::L1dParams& p) {
  if (p.capacity_bytes != 16384 || p.ways != 4 || p.line_bytes != 128 || p.mshr_entries != 32 ||
      p.protocol != hw::MemoryProtocol::native)
    return {};
  return {{"Vortex, 16 KiB, 4 ways, 32 MSHRs, without RAMs", 185'635, 2.8},
          {"HPDcache, the same", 189'914, 9.0}};
}

}  // namespace gen

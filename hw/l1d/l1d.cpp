#include "hw/l1d/l1d.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/check/first_error.h"
#include "hw/ecc/protected_rows.h"
#include "hw/index/index_unit.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/shell.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/sram.h"
#include "hw/tags/chunk_check.h"
#include "hw/tags/tag_kinds.h"

namespace hw {
namespace {

L1dFacts facts_of(const L1dParams& p, const L1dShell& shell) {
  const MshrParams mshr = mshr_params(p);
  const TagStorage tags = shell.tags().storage(mshr);
  L1dFacts f{
      .latency = p.hit_latency + tag_organisation(p.tags).compares_first + p.index.latency + p.request_slice,
      .tag_bits = shell.tag_bits(),
      .memory_id_bits = memory_id_bits(p)};
  const int sets = sets_of(p), chunks = chunks_of_line(p), chunk_bits = 8 * p.chunk_bytes;
  const auto two_ports = [&](const std::string& name, int rows, int bits, int count) {
    f.arrays.push_back({name, rows, bits, fmt::format("sram_1r1w_{}x{}_read_old", rows, bits), count});
  };
  for (const TagArray& a : tags.arrays) two_ports(a.name, sets, a.row_bits, a.count);
  const int data_bits = chunk_bits + check_bits_of_chunk(tag_params(p));
  const rtl::Module bank = stores_update(tag_params(p))
                               ? sram_1rw_bytes(sets, data_bits, data_bits / p.chunk_bytes)
                               : sram_1rw(sets, data_bits);
  f.arrays.push_back({"data", sets, data_bits, bank.name(), tags.data_banks});
  const auto exists_once = [&](const std::string& name, int rows, int bits) {
    two_ports(name, rows, stored_row_bits(p.ecc.mshr, bits), 1);
  };
  exists_once("targets", target_rows(mshr), p.core_id_bits + chunks);
  const int entry_rows = std::max(2, p.mshr_entries);
  for (const TagArray& a : tags.entry_arrays) two_ports(a.name, entry_rows, a.row_bits, a.count);
  if (mshr.line_bits) exists_once("waiting_lines", entry_rows, mshr.line_bits);
  exists_once("queued_requests", queue_rows(p), request_row_bits(p));
  exists_once("queued_payloads", payload_rows(p), payload_row_bits(p));
  const EntryWaits waits = entry_waits(mshr, comes_in_parts(tag_params(p)), chunks);
  const int entry_bits = 4 + waits.pending + bits_to_number(sets) + f.tag_bits + waits.head + waits.count +
                         mshr.warps + tags.mshr_entry_bits;
  f.flops = tags.flops;
  f.flops.emplace_back("mshr", p.mshr_entries * entry_bits);
  if (p.check.ports) {
    two_ports("response_masks", checked_ids(checked_requests(p)), chunks, 1);
    f.flops.emplace_back("requests_in_flight", checked_flops(checked_requests(p)));
  }
  f.flops.insert(f.flops.end(), tags.own_flops.begin(), tags.own_flops.end());
  return f;
}

}  // namespace

int memory_id_bits(const L1dParams& p) { return 1 + std::max(p.core_id_bits, fetch_id_bits(p)); }

int fetch_id_bits(const L1dParams& p) {
  const int chunk = valid_bits(tag_params(p)) > 1 ? bits_to_number(chunks_of_line(p)) : 0;
  return bits_to_number(p.mshr_entries) + chunk + way_id_bits(p);
}

// Searches of a node know entries alone.
int way_id_bits(const L1dParams& p) {
  if (!traits_of(p.tags).keeps_way || by_chunk(p.tags) || p.snoops) return 0;
  const int bits = bits_to_number(p.ways);
  return bits_to_number(p.mshr_entries) + bits <= p.core_id_bits ? bits : 0;
}

MshrParams mshr_params(const L1dParams& p) {
  return {.entries = p.mshr_entries,
          .merges = p.mshr_merges,
          .core_id_bits = p.core_id_bits,
          .line_bits = protects_data(p.ecc) ? p.address_bits - bits_to_number(p.line_bytes) : 0,
          .warps = warps_distinguished(p),
          .protection = p.ecc.mshr,
          .searches = p.snoops,
          .ways_named = way_id_bits(p) > 0};
}

int stored_tag_bits(const L1dParams& p) {
  if (p.index.kind == IndexKind::adi || sets_of(p) == 1) return p.address_bits - bits_to_number(p.line_bytes);
  return index_unit(p.index, "index").facts.tag_bits;
}

L1d l1d(const L1dParams& p, const std::string& top) {
  check(p);
  check_built(p);
  L1dShell shell(p, top);
  const rtl::Module module = shell.run();
  return {module, facts_of(p, shell)};
}

}  // namespace hw

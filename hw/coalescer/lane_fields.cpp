#include "hw/coalescer/lane_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/l1d/stream_params.h"

namespace hw {

CoalescerWidths::CoalescerWidths(const CoalescerParams& p)
    : lanes(p.lanes),
      bytes(p.lane_bytes),
      data(8 * p.lane_bytes * p.lanes),
      slot(bits_to_number(p.instructions)),
      lane(bits_to_number(p.lanes)),
      offset(bits_to_number(p.line_bytes)),
      line(p.address_bits - offset),
      word(bits_to_number(words_of_line(p))),
      low(bits_to_number(p.lane_bytes)),
      halvings(low),
      size(std::max(1, bits_to_number(halvings + 1))),
      count(bits_to_number(p.lanes + 1)),
      shape(p.lanes + halvings + p.lanes * offset) {}

std::vector<rtl::Field> lane_request_fields(const CoalescerParams& p) {
  const CoalescerWidths w(p);
  std::vector<rtl::Field> fields{
      {"id", w.slot, "number of the instruction, which its answer has"},
      {"kind", lane_kind_bits, "0 load, 1 store, 2 atomic, 3 non-L1 load"},
      {"mask", w.lanes, "active lanes"},
      {"address", w.lanes * p.address_bits, "byte address of each lane, lane 0 lowest"},
      {"size", w.size, "logarithm of the bytes of every lane"},
      {"data", w.data, "values of the lanes, to write"}};
  each_sideband_field(brought_sideband_bits(p), [&](const auto& field, int bits) {
    fields.push_back({std::string(field.name), bits, std::string(field.doc)});
  });
  return fields;
}

std::vector<rtl::Field> lane_response_fields(const CoalescerParams& p) {
  const CoalescerWidths w(p);
  return {{"id", w.slot, "number of the instruction"},
          {"mask", w.lanes, "active lanes"},
          {"data", w.data, "the value that each active lane reads, zero-extended"}};
}

namespace {

MessageShape shape_of(const CoalescerParams& p) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .id_bits = p.core_id_bits,
          .sideband = p.sideband};
}

std::vector<rtl::Field> fields_of(const CoalescerParams& p, std::span<const StreamField> rows) {
  const MessageShape shape = shape_of(p);
  std::vector<rtl::Field> fields;
  for (const StreamField& f : rows)
    if (f.width(shape)) fields.push_back({std::string(f.name), f.width(shape), doc_of(f, shape)});
  return fields;
}

}  // namespace

std::vector<rtl::Field> coalesced_request_fields(const CoalescerParams& p) {
  return fields_of(p, core_request_fields);
}

std::vector<rtl::Field> coalesced_response_fields(const CoalescerParams& p) {
  return fields_of(p, core_response_fields);
}

}  // namespace hw

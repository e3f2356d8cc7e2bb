#include "hw/coalescer/coalescer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "hw/coalescer/coalescer_parts.h"
#include "hw/coalescer/coalescer_ranges.h"
#include "hw/coalescer/id_queue.h"
#include "hw/coalescer/lane_fields.h"
#include "hw/geometry_ranges.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr;

void check(const CoalescerParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the chunk of the reference cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("cannot be larger than geometry.line_bytes = {}", p.line_bytes), "use 32");
  require_in(CoalescerRanges::lanes, "coalescer.lanes", p.lanes, "use 32, the lanes of a warp");
  require_in(CoalescerRanges::lane_bytes, "coalescer.lane_bytes", p.lane_bytes,
             "use 4, or 8 or 16 for wider accesses");
  require_in(CoalescerRanges::instructions, "coalescer.instructions", p.instructions, "use 8");
  require_in(CoalescerRanges::stages, "coalescer.stages", p.stages, "use 3");
  require_in(CoalescerRanges::answer_stages, "coalescer.answer_stages", p.answer_stages, "use 2");
  require_in(CoalescerRanges::core_id_bits, "core.id_bits", p.core_id_bits, "use 8, those of the cache");
  require(1 << p.core_id_bits >= p.instructions, "core.id_bits", p.core_id_bits,
          fmt::format("cannot number coalescer.instructions = {}", p.instructions),
          "use 8, those of the cache");
}

rtl::Module coalescer(const CoalescerParams& p, const std::string& name) {
  check(p);
  const CoalescerWidths w(p);
  rtl::Module m(name,
                fmt::format("Coalescer between {} lanes of a SIMT core and an L1 data cache with lines of "
                            "{} bytes: one request for all lanes of a line.",
                            p.lanes, p.line_bytes));
  const rtl::Module requests = coalescer_requests(p, name + "_requests");
  const rtl::Module answers = coalescer_answers(p, name + "_answers");
  rtl::Pins request_pins = rtl::pass_on(m, rtl::stream_of(requests, "lane_request"));
  rtl::Pins answer_pins = rtl::pass_on(m, rtl::stream_of(answers, "lane_response"));
  const auto pass = [&](rtl::Pins& pins, const rtl::Module& part, const char* stream) {
    const rtl::Pins passed = rtl::pass_on(m, rtl::stream_of(part, stream));
    pins.insert(pins.end(), passed.begin(), passed.end());
    return passed;
  };
  pass(request_pins, requests, "core_request");
  const rtl::Pins response = pass(answer_pins, answers, "core_response");
  const auto pin = [&](std::string_view port) {
    for (const auto& [name, value] : response)
      if (name == port) return value;
    throw std::logic_error(fmt::format("no pin {}", port));
  };
  const Expr id_free = m.wire("id_free", 1, "an id is free");
  const Expr id = m.wire("id", p.core_id_bits, "the id of the next request");
  const Expr sent = m.wire("sent", 1, "a request takes the id");
  const rtl::Pins between{
      {"sent", sent},
      {"sent_awaited", m.wire("sent_awaited", 1, "lanes wait for the request's answer")},
      {"sent_slot", m.wire("sent_slot", w.slot, "number of the request's instruction")},
      {"sent_lanes", m.wire("sent_lanes", w.lanes, "lanes of the request")},
      {"opened", m.wire("opened", 1, "an instruction begins")},
      {"opened_slot", m.wire("opened_slot", w.slot, "number of the instruction that begins")},
      {"opened_shape", m.wire("opened_shape", w.shape, "the instruction's mask, size and offsets")},
      {"counted", m.wire("counted", 1, "the requests of an instruction are counted")},
      {"counted_slot", m.wire("counted_slot", w.slot, "number of that instruction")},
      {"count", m.wire("count", w.count, "number of its requests")}};
  request_pins.insert(request_pins.end(), between.begin(), between.end());
  request_pins.insert(request_pins.end(), {{"id_free", id_free}, {"id", id}});
  answer_pins.insert(answer_pins.end(), between.begin(), between.end());
  answer_pins.emplace_back("sent_id", id);
  m.instance(requests, "request_side", request_pins, "From the lanes to the cache.");
  m.instance(id_queue(p.core_id_bits), "ids",
             {{"take", sent},
              {"free", id_free},
              {"id", id},
              {"freed", pin("core_response_valid") & pin("core_response_ready")},
              {"freed_id", pin("core_response_id")}},
             "Ids that no request in flight has.");
  m.instance(answers, "answer_side", answer_pins, "From the cache to the lanes.");
  return m;
}

}  // namespace hw

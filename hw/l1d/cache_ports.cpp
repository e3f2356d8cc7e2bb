#include "hw/l1d/cache_ports.h"

#include "hw/l1d/l1d.h"
#include "hw/l1d/l1d_ports.h"

namespace hw {

CachePorts::CachePorts(rtl::Module& m, const L1dParams& p) {
  const int line_bits = 8 * p.line_bytes, chunks = chunks_of_line(p), memory_id = memory_id_bits(p);
  core_request = rtl::input_stream(m, "core_request",
                                   {{"id", p.core_id_bits, "id of the answer"},
                                    {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                    {"address", p.address_bits, "byte address; the line counts"},
                                    {"mask", chunks, "chunks of the line"},
                                    {"byte_enable", p.line_bytes, "bytes to write"},
                                    {"data", line_bits, "their values"}},
                                   "a request from the core");
  core_response = rtl::output_stream(
      m, "core_response",
      {{"id", p.core_id_bits, "of the request"}, {"mask", chunks, "chunks"}, {"data", line_bits, "values"}},
      "an answer to the core");
  memory_request = rtl::output_stream(m, "memory_request",
                                      {{"id", memory_id, "id of the answer"},
                                       {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                       {"address", p.address_bits, "byte address of the line"},
                                       {"mask", chunks, "chunks"},
                                       {"byte_enable", p.line_bytes, "bytes to write"},
                                       {"data", line_bits, "their values"}},
                                      "a request to memory");
  memory_response = rtl::input_stream(
      m, "memory_response",
      {{"id", memory_id, "of the request"}, {"mask", chunks, "chunks"}, {"data", line_bits, "values"}},
      "an answer from memory");
  flush_valid = m.input("flush_valid", 1, "all lines are to become invalid");
  flush_ready = m.output("flush_ready", 1, "they do at this edge");
  const ControlPorts steered(m, p);
  for (const Control c : all_controls)
    if (steered[c].known()) controls.emplace(c.name(), steered[c]);
}

}  // namespace hw

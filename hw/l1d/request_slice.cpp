#include "hw/l1d/request_slice.h"

#include "hw/prim/fifo.h"

namespace hw {

using rtl::Expr;

RequestSlice request_slice(rtl::Module& m, const Request& from, const Expr& moves) {
  RequestSlice slice{.request = from, .ready = {}};
  Request& r = slice.request;
  std::vector<std::pair<std::string, Expr*>> fields{{"id", &r.id},
                                                    {"kind", &r.kind},
                                                    {"block_address", &r.block_address},
                                                    {"mask", &r.mask},
                                                    {"byte_enable", &r.written->byte_enable},
                                                    {"data", &r.written->data}};
  for (auto& [name, value] : r.beside) fields.emplace_back(name, &value);
  std::vector<Expr> parts;
  for (const auto& [name, value] : fields) parts.push_back(*value);
  const Expr word = rtl::cat(parts);

  m.section("The register slice: two requests.");
  slice.ready = m.wire("slice_ready", 1, "a request can enter the slice");
  r.valid = m.wire("sliced_valid", 1, "a request leaves the slice, if the cache takes it");
  const Expr front = m.wire("sliced", word.width(), "the request in front");
  m.instance(fifo(2, word.width()), "request_slice",
             {{"in_valid", from.valid},
              {"in_ready", slice.ready},
              {"in_data", word},
              {"out_valid", r.valid},
              {"out_ready", moves},
              {"out_data", front}},
             "Requests wait here, and not before the cache's ready.");
  int high = word.width();
  for (const auto& [name, value] : fields) {
    const int low = high - value->width();
    *value = m.let("sliced_" + name, front.slice(high - 1, low), "the request's " + name);
    high = low;
  }
  return slice;
}

}  // namespace hw

#include "hw/bus/bus_front.h"

#include <fmt/format.h>

#include "hw/bus/port_choice.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::Stream;

namespace {

struct Choice {
  Expr chosen, word;
};

// The ports' requests as words, and the one that is chosen among them.
Choice chosen_of(rtl::Module& m, const std::vector<Stream>& requests, const Expr& taken) {
  std::vector<Expr> valid, words;
  for (const Stream& s : requests) {
    valid.insert(valid.begin(), s.valid);
    words.insert(
        words.begin(),
        m.let(fmt::format("word{}", words.size()),
              cat({s["rw"], s["flush"], s["io"], s["tag"], s["address"], s["byte_enable"], s["data"]}),
              "the port's request as one word"));
  }
  const int ports = static_cast<int>(requests.size()), width = words[0].width();
  const Expr word = m.wire("front_word", width, "the request");
  const Expr chosen = m.wire("chosen", ports, "the port that it is from, one-hot");
  m.instance(
      port_choice(ports, width), "choice",
      {{"waiting", cat(valid)}, {"words", cat(words)}, {"chosen", chosen}, {"word", word}, {"taken", taken}},
      "Ports are served in turn.");
  for (int n = 0; n < ports; ++n)
    m.assign(requests[static_cast<std::size_t>(n)].ready, taken & chosen.bit(n));
  return {chosen, word};
}

}  // namespace

BusFront bus_front(rtl::Module& m, const std::vector<Stream>& requests, const Expr& taken) {
  const Stream& s = requests[0];
  if (requests.size() == 1) {
    m.assign(s.ready, taken);
    return {s.valid, s["rw"], s["flush"], s["io"], s["tag"], s["address"], s["byte_enable"], s["data"], {}};
  }
  const auto [chosen, word] = chosen_of(m, requests, taken);
  BusFront front;
  front.port = m.let("front_port", number_of(chosen), "number of that port");
  front.valid = m.let("front_valid", rtl::any(chosen), "there is one");
  int high = word.width();
  const auto next = [&, &word = word](const char* field, const char* doc) {
    const int bits = s[field].width();
    high -= bits;
    return m.let(fmt::format("front_{}", field), word.slice(high + bits - 1, high), doc);
  };
  front.rw = next("rw", "the next request is a store");
  front.flush = next("flush", "the next request is a fence");
  front.io = next("io", "the next request is of a device");
  front.tag = next("tag", "tag of its answer");
  front.address = next("address", "number of its word");
  front.byte_enable = next("byte_enable", "bytes of the word");
  front.data = next("data", "values of them");
  return front;
}

}  // namespace hw

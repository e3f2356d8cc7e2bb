#include "hw/coalescer/line_merge.h"

#include <fmt/format.h>

#include "hw/coalescer/lane_fields.h"
#include "hw/prim/table.h"

namespace hw {

using rtl::Expr, rtl::mux, rtl::replicate;

namespace {

rtl::Module later_word(int bytes) {
  rtl::Module m(fmt::format("later_word_b{}", bytes), "Of two words the higher one, where it has a byte.");
  const Expr both = m.input("bytes", 2 * bytes, "bytes that each word has");
  const Expr words = m.input("words", 16 * bytes, "the two words");
  const Expr any = m.output("any", bytes, "bytes that one of them has");
  const Expr word = m.output("word", 8 * bytes, "values of those bytes");
  const Expr higher = m.let("higher", both.slice(2 * bytes - 1, bytes), "bytes that the higher word has");
  m.assign(any, both.slice(bytes - 1, 0) | higher);
  const Expr high = m.let("high_word", words.slice(16 * bytes - 1, 8 * bytes), "the higher word");
  m.comb("A byte each.", [&] {
    m.loop("b", bytes, [&](const Expr& b) {
      m.set(word.part(b, 8), mux(higher.at(b), high.part(b, 8), words.part(b, 8)));
    });
  });
  return m;
}

// A tree of pairs of neighbours: the order of lanes is kept, and no lane is more than its levels away.
rtl::Module word_merge(const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, fmt::format("Merges the bytes of {} lanes for one word of a line.", w.lanes));
  const Expr number = m.input("number", w.word, "number of the word");
  const Expr lane_words = m.input("words", w.lanes * w.word, "number of each lane's word");
  const Expr lane_bytes = m.input("bytes", w.lanes * w.bytes, "bytes that each lane has of its word");
  const Expr lane_data = m.input("data", w.data, "each lane's word");
  const Expr touched = m.output("touched", w.bytes, "bytes that a lane has");
  const Expr value = m.output("word", 8 * w.bytes, "values of those bytes, each the highest lane's");
  Expr bytes = m.wire("bytes_here", w.lanes * w.bytes, "bytes that each lane has of this word");
  Expr data = lane_data;
  m.comb("Lanes of other words have none.", [&] {
    m.loop("l", w.lanes, [&](const Expr& l) {
      m.set(bytes.part(l, w.bytes),
            lane_bytes.part(l, w.bytes) & replicate(w.bytes, lane_words.part(l, w.word) == number));
    });
  });
  const rtl::Module pair = later_word(w.bytes);
  for (int n = w.lanes / 2; n >= 1; n /= 2) {
    const Expr any = n == 1 ? touched
                            : m.wire(fmt::format("bytes_of_{}", n), n * w.bytes,
                                     fmt::format("bytes that {} groups of lanes have", n));
    const Expr word =
        n == 1 ? value : m.wire(fmt::format("data_of_{}", n), 8 * n * w.bytes, "words of those groups");
    if (n == 1)
      m.instance(pair, "last_pair", {{"bytes", bytes}, {"words", data}, {"any", any}, {"word", word}},
                 "The two halves of the lanes.");
    else
      m.repeat(fmt::format("of_{}", n), n, fmt::format("{} pairs.", n), [&](const Expr& g) {
        m.instance(pair, fmt::format("pair_of_{}", n),
                   {{"bytes", bytes.part(g, 2 * w.bytes)},
                    {"words", data.part(g, 16 * w.bytes)},
                    {"any", any.part(g, w.bytes)},
                    {"word", word.part(g, 8 * w.bytes)}},
                   "Neighbours.");
      });
    bytes = any, data = word;
  }
  return m;
}

}  // namespace

rtl::Module line_merge(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  const int words = words_of_line(p);
  rtl::Module m(
      name, "The bytes of a request's lanes in their line. Of lanes that write one byte the highest wins.");
  const Expr lane_words = m.input("words", w.lanes * w.word, "number of each lane's word");
  const Expr lane_bytes = m.input("bytes", w.lanes * w.bytes, "bytes that each lane has of its word");
  const Expr lane_data = m.input("data", w.data, "each lane's word");
  const Expr touched = m.output("touched", p.line_bytes, "bytes that a lane has");
  const Expr line = m.output("line", 8 * p.line_bytes, "values of those bytes");
  const Expr numbers = table(
      m, "numbers", words, w.word, [](int row, int column) { return row >> column & 1; },
      "numbers of the words");
  const rtl::Module one = word_merge(w, name + "_word");
  m.repeat("word", words, "A word each.", [&](const Expr& n) {
    m.instance(one, "lanes_of_word",
               {{"number", numbers.part(n, w.word)},
                {"words", lane_words},
                {"bytes", lane_bytes},
                {"data", lane_data},
                {"touched", touched.part(n, w.bytes)},
                {"word", line.part(n, 8 * w.bytes)}},
               "The lanes of the word.");
  });
  return m;
}

}  // namespace hw

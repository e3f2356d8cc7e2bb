#include "hw/coalescer/line_merge.h"

#include <fmt/format.h>

#include "hw/coalescer/lane_fields.h"
#include "hw/prim/table.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

namespace {

rtl::Module word_merge(const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, fmt::format("Merges the bytes of {} lanes for one word of a line.", w.lanes));
  const Expr number = m.input("number", w.word, "number of the word");
  const Expr lane_words = m.input("words", w.lanes * w.word, "number of each lane's word");
  const Expr lane_bytes = m.input("bytes", w.lanes * w.bytes, "bytes that each lane writes in its word");
  const Expr lane_data = m.input("data", w.data, "each lane's word");
  const Expr touched = m.output("touched", w.bytes, "bytes that a lane writes");
  const Expr value = m.output("word", 8 * w.bytes, "values of those bytes");
  const Expr here = m.wire("bytes_here", w.lanes * w.bytes, "bytes that each lane writes in this word");
  m.comb("Lanes of other words write none.", [&] {
    m.loop("l", w.lanes, [&](const Expr& l) {
      m.set(here.part(l, w.bytes),
            lane_bytes.part(l, w.bytes) & replicate(w.bytes, lane_words.part(l, w.word) == number));
    });
  });
  const Expr written = m.wire("written", w.data, "values of those bytes, 0 for others");
  m.comb("A byte each.", [&] {
    m.loop("b", w.lanes * w.bytes, [&](const Expr& b) {
      m.set(written.part(b, 8), lane_data.part(b, 8) & replicate(8, here.at(b)));
    });
  });
  m.comb("No two lanes write one byte.", [&] {
    m.set(touched, lit(w.bytes, 0));
    m.set(value, lit(8 * w.bytes, 0));
    m.loop("n", w.lanes, [&](const Expr& n) {
      m.set(touched, touched | here.part(n, w.bytes));
      m.set(value, value | written.part(n, 8 * w.bytes));
    });
  });
  return m;
}

}  // namespace

rtl::Module line_merge(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  const int words = words_of_line(p);
  rtl::Module m(name, "The bytes of a request's lanes in their line. No two lanes write one byte.");
  const Expr lane_words = m.input("words", w.lanes * w.word, "number of each lane's word");
  const Expr lane_bytes = m.input("bytes", w.lanes * w.bytes, "bytes that each lane writes in its word");
  const Expr lane_data = m.input("data", w.data, "each lane's word");
  const Expr touched = m.output("touched", p.line_bytes, "bytes that a lane writes");
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

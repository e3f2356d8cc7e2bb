#include "hw/bus/tilelink_bursts.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module tilelink_beats(const TilelinkAdapterParams& p) {
  const int bits = bits_to_number(most_beats(p)), word = bits_to_number(p.data_bytes);
  rtl::Module m(
      fmt::format("tilelink_beats_d{}_b{}_z{}", p.data_bytes, p.burst_bytes, p.size_bits),
      fmt::format("Beats of messages of up to {} bytes on a bus of {}.", p.burst_bytes, p.data_bytes));
  const Expr size = m.input("size", p.size_bits, "logarithm of the message's bytes");
  const Expr data = m.input("data", 1, "the message carries data");
  const Expr taken = m.input("taken", 1, "a beat leaves the channel at this edge");
  const Expr beat = m.output("beat", bits, "number of the beat that is shown, from 0");
  const Expr behind = m.output("behind", bits, "words of the message behind its first one");
  const Expr last = m.output("last", 1, "the beat is the last of its message");

  std::vector<Expr> larger;
  for (int i = bits; i-- > 0;)
    larger.push_back(lit(p.size_bits, static_cast<std::uint64_t>(word + i)) < size);
  m.assign(behind, rtl::cat(larger));
  const Expr beats = m.reg("beats_q", bits, 0, "beats of the message that have left");
  m.assign(beat, beats);
  m.assign(last, ~data | (beats == behind));
  m.clocked("Beats of a message; the next one begins at 0.", [&] {
    m.when(taken, [&] { m.set(beats, rtl::mux(last, lit(bits, 0), beats + lit(bits, 1))); });
  });
  return m;
}

namespace {

// Sectors of a block of the largest message in which the words of a message lie, the bits of `behind` known.
Expr sectors_of_message(rtl::Module& m, const TilelinkAdapterParams& p, const Expr& first,
                        const Expr& behind) {
  const int bits = bits_to_number(most_beats(p)), sectors = p.burst_bytes / p.chunk_bytes;
  const Expr spans = m.wire("spans", sectors, "sectors in which the message has a word");
  const auto fill = [&](int doublings) {
    return [&, doublings] {
      const int bytes = p.data_bytes << doublings;
      if (bytes == p.burst_bytes)
        m.set(spans, rtl::ones(sectors));
      else if (bytes <= p.chunk_bytes)
        m.set(spans.at(first.slice(bits - 1, bits_to_number(p.chunk_bytes / p.data_bytes))), lit(1, 1));
      else
        m.set(spans.part(first.slice(bits - 1, doublings), bytes / p.chunk_bytes),
              rtl::ones(bytes / p.chunk_bytes));
    };
  };
  std::vector<std::pair<std::uint64_t, std::function<void()>>> cases;
  for (int doublings = 0; doublings < bits; ++doublings)
    cases.emplace_back((std::uint64_t{1} << doublings) - 1, fill(doublings));
  m.comb("Sectors of one word, of two, and so on.", [&] {
    m.set(spans, lit(sectors, 0));
    m.pick(behind, cases, fill(bits));
  });
  return spans;
}

}  // namespace

rtl::Module tilelink_gather(const TilelinkAdapterParams& p) {
  const int words = most_beats(p), bits = bits_to_number(words), w = p.data_bytes;
  const bool several_sectors = p.burst_bytes > p.chunk_bytes;
  rtl::Module m(
      fmt::format("tilelink_gather_d{}_b{}_c{}", w, p.burst_bytes, p.chunk_bytes),
      fmt::format("Words of a message in its block of {} bytes, on a bus of {}.", p.burst_bytes, w));
  const Expr keep = m.input("keep", 1, "a beat of a write that is not its last is taken");
  const Expr ends = m.input("ends", 1, "the last beat of a message is taken");
  const Expr first = m.input("first", bits, "position of the message's first word in the block");
  const Expr beat = m.input("beat", bits, "number of the beat that is shown");
  Expr behind, read;
  if (several_sectors) {
    behind = m.input("behind", bits, "words of the message behind its first one");
    read = m.input("read", 1, "the message reads");
  }
  const Expr mask = m.input("mask", w, "bytes of the beat that are meant");
  const Expr data = m.input("data", 8 * w, "values of the beat");
  const Expr corrupt = m.input("corrupt", 1, "they are not valid");
  const Expr all_mask = m.output("block_mask", p.burst_bytes, "bytes of the block that are meant");
  const Expr all_data = m.output("block_data", 8 * p.burst_bytes, "their values");
  const Expr some = m.output("some", 1, "any byte is meant");
  const Expr any_corrupt = m.output("any_corrupt", 1, "a beat up to this one is not valid");

  const Expr kept = m.reg("kept_q", words - 1, 0, "words that earlier beats have written");
  const Expr kept_corrupt = m.reg("corrupt_q", 1, 0, "one of these beats was not valid");
  const Expr masks = m.data_reg("masks_q", (words - 1) * w, "bytes that are meant in these words");
  const Expr values = m.data_reg("words_q", 8 * (words - 1) * w, "these words; the last one is never kept");
  const Expr here = one_hot_of(m, "here", first | beat, words, "position of the beat's word");
  const Expr early = m.let("early", here.slice(words - 2, 0), "of a word that may be kept");
  m.assign(any_corrupt, corrupt | kept_corrupt);
  m.clocked("Which words are kept.", [&] {
    m.when(keep, [&] {
      m.set(kept, kept | early);
      m.set(kept_corrupt, any_corrupt);
    });
    m.when(ends, [&] {
      m.set(kept, lit(words - 1, 0));
      m.set(kept_corrupt, lit(1, 0));
    });
  });
  m.clocked("The kept words.", [&] {
    m.loop("word", words - 1, [&](const Expr& k) {
      m.when(keep & early.at(k), [&] {
        m.set(masks.part(k, w), mask);
        m.set(values.part(k, 8 * w), data);
      });
    });
  });
  const Expr block = m.wire("block", p.burst_bytes, "bytes that are meant"),
             block_words = m.wire("block_words", 8 * p.burst_bytes, "values of each word");
  m.comb("The beat's word at its position, and the kept ones.", [&] {
    m.set(block, rtl::zext(masks, p.burst_bytes));
    m.set(block_words, rtl::cat({data, values}));
    m.loop("word", words - 1, [&](const Expr& k) {
      m.when(early.at(k), [&] {
         m.set(block.part(k, w), mask);
         m.set(block_words.part(k, 8 * w), data);
       }).otherwise([&] { m.when(~kept.at(k), [&] { m.set(block.part(k, w), lit(w, 0)); }); });
    });
    m.when(here.bit(words - 1), [&] { m.set(block.slice(p.burst_bytes - 1, p.burst_bytes - w), mask); });
  });
  m.assign(all_mask, block);
  m.assign(all_data, block_words);
  m.assign(some, rtl::any(block));
  if (!several_sectors) return m;
  const int sectors = p.burst_bytes / p.chunk_bytes;
  const Expr touched = m.output("sectors", sectors, "sectors of the block that the request is of");
  const Expr spans = sectors_of_message(m, p, first, behind);
  // A word within a sector has no sectors to choose from.
  const Expr reads_all = w <= p.chunk_bytes ? read : read & rtl::any(behind);
  const Expr whole = m.let("whole", ~some | reads_all, "the message means each of its sectors");
  const Expr met = m.wire("met", sectors, "sectors with bytes that are meant");
  m.comb("Sectors of the message.", [&] {
    m.loop("sector", sectors, [&](const Expr& c) {
      m.set(met.at(c), rtl::any(block.part(c, p.chunk_bytes)) | (whole & spans.at(c)));
    });
  });
  m.assign(touched, met);
  return m;
}

}  // namespace hw

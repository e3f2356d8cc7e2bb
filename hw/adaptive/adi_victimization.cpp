#include "hw/adaptive/adi_victimization.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// All counters as one vector whose parts an index can reach, ones above the last.
Expr readable(rtl::Module& m, const Expr& ones, const Expr& pairs, int count_bits, int reach) {
  const int pad = reach * count_bits - ones.width() - pairs.width();
  const std::string doc = "CE of each index bit, then CC of the pairs (0,1), (0,2) .. (1,2) ..";
  if (pad == 0) return m.let("counts", rtl::cat({pairs, ones}), doc);
  return m.let("counts", rtl::cat({lit(pad, 0), pairs, ones}), doc);
}

// One addition a counter and sample. Returns CE and CC.
std::pair<Expr, Expr> count_samples(rtl::Module& m, const AdiMonitorParams& p, const Expr& clear,
                                    const Expr& sample, const Expr& index) {
  const int s = index_bits(p), pairs = s * (s - 1) / 2, count = p.counter_bits;
  m.section("Counters: an entropy counter CE a bit, a correlation counter CC a pair of bits.");
  const auto ones_q = m.reg("ones_q", s * count, 0, "CE: samples in which the bit was 1");
  const auto equal_q = m.reg("equal_q", pairs * count, 0, "CC: samples in which the pair was equal");
  std::vector<Expr> equal;
  for (int i = s - 1; i >= 0; --i)
    for (int j = s - 1; j > i; --j) equal.push_back(~(index.bit(i) ^ index.bit(j)));
  const auto pair_equal = m.let("pair_equal", rtl::cat(equal), "pairs in the order (0,1), (0,2) .. (1,2) ..");
  m.clocked("Count a sample.", [&] {
    m.when(clear, [&] {
       m.set(ones_q, lit(s * count, 0));
       m.set(equal_q, lit(pairs * count, 0));
     }).otherwise([&] {
      m.when(sample, [&] {
        const Expr wide = lit(count - 1, 0);
        m.loop("i", s, [&](const Expr& i) {
          m.set(ones_q.part(i, count), ones_q.part(i, count) + rtl::cat({wide, index.at(i)}));
        });
        if (pairs == 1)
          m.set(equal_q, equal_q + rtl::cat({wide, pair_equal}));
        else
          m.loop("k", pairs, [&](const Expr& k) {
            m.set(equal_q.part(k, count), equal_q.part(k, count) + rtl::cat({wide, pair_equal.at(k)}));
          });
      });
    });
  });
  return {ones_q, equal_q};
}

}  // namespace

rtl::Module adi_victimization(const AdiMonitorParams& p, const std::string& name) {
  const int s = index_bits(p), all = counters(p), count = p.counter_bits;
  const int bit = rtl::clog2(static_cast<std::uint64_t>(s));
  const int step_bits = rtl::clog2(static_cast<std::uint64_t>(all) + 2);
  const int reach_bits = rtl::clog2(static_cast<std::uint64_t>(all));
  const std::uint64_t highest = (std::uint64_t{1} << count) - 1;

  rtl::Module m(name, fmt::format("Finds the index bit that tells sets apart the least, from {} misses "
                                  "(ACI thesis, section 3.3).",
                                  p.period));
  const auto clear = m.input("clear", 1, "zeroes the counters");
  const auto sample = m.input("sample", 1, "index_bits is that of a miss to count");
  const auto index = m.input("index_bits", s, "the index of a probe");
  const auto search = m.input("search", 1, "compares the counters, one a cycle; stays high until done");
  const auto done = m.output("done", 1, "last cycle of the search");
  const auto victim = m.output("victim", bit, "the index bit found, from the cycle after done");

  const auto [ones_q, equal_q] = count_samples(m, p, clear, sample, index);

  m.section(
      fmt::format("Search: steps 0 to {} compare the counters, {} and {} the two bits of the best pair.",
                  all - 1, all, all + 1));
  const auto step_q = m.reg("step_q", step_bits, 0, "counter that is looked at, then the two last steps");
  const bool one_pair = s == 2;
  const auto pair_reg = [&](const std::string& reg_name, std::uint64_t first, const std::string& doc) {
    return one_pair ? lit(bit, first) : m.reg(reg_name, bit, first, doc);
  };
  const auto i_q = pair_reg("i_q", 0, "lower bit of the pair that is looked at");
  const auto j_q = pair_reg("j_q", 1, "its upper bit");
  const auto lowest_entropy_q =
      m.reg("lowest_entropy_q", count, highest, "of the bits so far; later of the pair's bit");
  const auto lowest_pair_q =
      m.reg("lowest_pair_q", count, highest, "T - C, its correlation, of the pairs so far");
  const auto pair_i_q = pair_reg("pair_i_q", 0, "lower bit of the most correlated pair");
  const auto pair_j_q = pair_reg("pair_j_q", 1, "its upper bit");
  const auto victim_q = m.reg("victim_q", bit, 0, "lowest entropy so far; at the end the victim");
  const auto steps = lit(step_bits, static_cast<std::uint64_t>(all));
  const auto last =
      m.let("last", step_q == lit(step_bits, static_cast<std::uint64_t>(all) + 1), "second bit of the pair");
  const auto before_last = m.let("before_last", step_q == steps, "first bit of the pair");

  const auto wide_bit = [&](const Expr& b) { return rtl::zext(b, reach_bits); };
  const auto position = m.let(
      "position",
      mux(last, wide_bit(pair_j_q), mux(before_last, wide_bit(pair_i_q), rtl::trunc(step_q, reach_bits))),
      "counter that is read");
  const auto counts = readable(m, ones_q, equal_q, count, 1 << reach_bits);
  const auto reading = m.let("reading", counts.part(position, count), "modulo 2^M: T = 2^M reads as 0");
  const auto rest = m.let("rest", lit(count, static_cast<std::uint64_t>(p.period) & highest) - reading,
                          "T less it, modulo 2^M");
  const auto least = m.let("least", mux(reading < rest, reading, rest),
                           "min(count, T - count): the entropy of a bit, T - C of a pair");
  const auto by_entropy =
      m.let("by_entropy", lowest_entropy_q < lowest_pair_q, "no pair is as useless as a bit");

  m.assign(done, search & last);
  m.assign(victim, victim_q);
  m.clocked("Walk through the counters.", [&] {
    m.when(~search, [&] {
       m.set(step_q, lit(step_bits, 0));
       if (!one_pair) m.set(i_q, lit(bit, 0));
       if (!one_pair) m.set(j_q, lit(bit, 1));
       m.set(lowest_entropy_q, lit(count, highest));
       m.set(lowest_pair_q, lit(count, highest));
     }).otherwise([&] {
      m.set(step_q, step_q + lit(step_bits, 1));
      m.when(step_q < lit(step_bits, static_cast<std::uint64_t>(s)), [&] {
         m.when(least < lowest_entropy_q, [&] {
           m.set(lowest_entropy_q, least);
           m.set(victim_q, rtl::trunc(step_q, bit));
         });
       }).otherwise([&] {
        m.when(step_q < steps, [&] {
           m.when(least < lowest_pair_q, [&] {
             m.set(lowest_pair_q, least);
             if (one_pair) return;
             m.set(pair_i_q, i_q);
             m.set(pair_j_q, j_q);
           });
           if (one_pair) return;
           m.when(j_q == lit(bit, static_cast<std::uint64_t>(s) - 1), [&] {
              m.set(i_q, i_q + lit(bit, 1));
              m.set(j_q, i_q + lit(bit, 2));
            }).otherwise([&] { m.set(j_q, j_q + lit(bit, 1)); });
         }).otherwise([&] {
          // The pair's first bit has no lower entropy than the lowest, so by_entropy stays what it was.
          m.when(~by_entropy, [&] {
            m.when(before_last, [&] { m.set(lowest_entropy_q, least); }).otherwise([&] {
              m.set(victim_q, mux(least < lowest_entropy_q, pair_j_q, pair_i_q));
            });
          });
        });
      });
    });
  });
  return m;
}

}  // namespace hw

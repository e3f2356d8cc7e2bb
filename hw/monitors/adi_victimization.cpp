#include "hw/monitors/adi_victimization.h"

#include <fmt/format.h>

#include <array>

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// One addition a counter and sample. Returns CE and CC.
std::pair<Expr, Expr> count_samples(rtl::Module& m, const AdiMonitorParams& p, const Expr& clear,
                                    const Expr& sample, const Expr& index) {
  const int s = index_bits(p), pairs = s * (s - 1) / 2, count = p.counter_bits;
  m.section("Counters: an entropy counter CE a bit, a correlation counter CC a pair of bits.");
  const auto ones_q = m.reg("ones_q", s * count, 0, "CE: samples in which the bit was 1");
  const auto equal_q = m.reg("equal_q", pairs * count, 0, "CC: samples in which the pair was equal");
  m.observe("ones", ones_q, {{"index bit", s}});
  m.observe("equal", equal_q, {{"pair", pairs}});
  const auto one = m.let("one", index & rtl::replicate(s, sample), "bits that are 1 in a sample");
  const auto pair_equal = m.wire("pair_equal", pairs, "pairs in the order (0,1), (0,2) .. (1,2) ..");
  const auto same =
      m.let("same", pair_equal & rtl::replicate(pairs, sample), "pairs that are equal in a sample");
  for (int i = 0, at = 0; i < s - 1; at += s - 1 - i++)
    m.assign(s == 2 ? pair_equal : pair_equal.slice(at + s - 2 - i, at),
             ~(rtl::replicate(s - 1 - i, index.bit(i)) ^ index.slice(s - 1, i + 1)));
  m.clocked("Count a sample.", [&] {
    m.when(clear, [&] {
       m.set(ones_q, lit(s * count, 0));
       m.set(equal_q, lit(pairs * count, 0));
     }).otherwise([&] {
      const Expr wide = lit(count - 1, 0);
      m.loop("i", s, [&](const Expr& i) {
        m.set(ones_q.part(i, count), ones_q.part(i, count) + rtl::cat({wide, one.at(i)}));
      });
      if (pairs == 1)
        m.set(equal_q, equal_q + rtl::cat({wide, same}));
      else
        m.loop("k", pairs, [&](const Expr& k) {
          m.set(equal_q.part(k, count), equal_q.part(k, count) + rtl::cat({wide, same.at(k)}));
        });
    });
  });
  return {ones_q, equal_q};
}

// Steps behind the last counter, where a pair is the most useless: which of its bits goes.
enum Tail { no_tail, lower_bit, upper_bit, bit_choice };

// The walk through the counters while it is built: one is read in a cycle, and looked at in the next. Bits
// and counters are named one-hot, which reads a counter without decoding its number first.
struct Search {
  rtl::Module& m;
  const AdiMonitorParams& p;
  const int s = index_bits(p), all = counters(p), count = p.counter_bits;
  const bool one_pair = s == 2;
  const std::uint64_t highest = (std::uint64_t{1} << count) - 1;

  Expr place_q = {}, least_q = {}, looks_q = {}, tail_q = {}, pairs_q = {}, i_q = {}, j_q = {};
  Expr lowest_entropy_q = {}, lowest_pair_q = {}, pair_i_q = {}, pair_j_q = {}, victim_q = {};

  Expr bit(int number) const { return lit(s, std::uint64_t{1} << number); }
  Expr place_of(const Expr& bits) const { return rtl::cat({rtl::wide_lit(all - s, {0}), bits}); }
  Expr tail_step(Tail step) const {
    static constexpr std::array names{"TAIL_NONE", "TAIL_LOWER", "TAIL_UPPER", "TAIL_CHOICE"};
    static constexpr std::array docs{"", "the entropy of the pair's lower bit is read",
                                     "the entropy of the pair's upper bit is read", "the two are compared"};
    return m.constant(names[step], 2, step, docs[step]);
  }
  Expr in_tail(Tail step) const { return tail_q == tail_step(step); }
  static Expr up(const Expr& one_hot, int places = 1) {
    return rtl::cat({one_hot.slice(one_hot.width() - 1 - places, 0), lit(places, 0)});
  }

  void registers() {
    m.section("Search: the counters one by one, then the two bits of the best pair.");
    place_q = m.reg("place_q", all, 1, "counter that is read, one-hot");
    looks_q = m.reg("looks_q", 1, 0, "one was read in the cycle before, to be compared with the best so far");
    tail_q = m.reg("tail_q", tail_step(no_tail), "steps behind the last counter");
    pairs_q = m.reg("pairs_q", 1, 0, "the counter that was read is a pair's");
    const auto pair_reg = [&](const std::string& name, int first, const std::string& doc) {
      return one_pair ? bit(first) : m.reg(name, s, std::uint64_t{1} << first, doc);
    };
    i_q = pair_reg("i_q", 0, "the pair's lower bit, one-hot");
    j_q = m.reg("j_q", s, 1, "upper bit of the pair, or the bit");
    lowest_entropy_q =
        m.reg("lowest_entropy_q", count, highest, "of the bits so far; later of the pair's bit");
    lowest_pair_q = m.reg("lowest_pair_q", count, highest, "T - C, its correlation, of the pairs so far");
    pair_i_q = pair_reg("pair_i_q", 0, "lower bit of the most correlated pair");
    pair_j_q = pair_reg("pair_j_q", 1, "upper bit of the pair");
    victim_q = m.reg("victim_q", s, 1, "lowest entropy so far; at the end the victim");
  }

  // min(count, T - count) modulo 2^M, so that T = 2^M reads as 0.
  void read(const Expr& ones_q, const Expr& equal_q) {
    const auto period = static_cast<std::uint64_t>(p.period);
    const auto counts = m.let("counts", rtl::cat({equal_q, ones_q}),
                              "CE of each index bit, then CC of the pairs (0,1), (0,2) .. (1,2) ..");
    const auto reading = m.wire("reading", count, "modulo 2^M: T = 2^M reads as 0");
    m.comb("The counter that is read.", [&] {
      m.set(reading, lit(count, 0));
      m.loop("n", all, [&](const Expr& n) {
        m.set(reading, reading | (counts.part(n, count) & rtl::replicate(count, place_q.at(n))));
      });
    });
    const auto rest = m.let("rest", lit(count, period & highest) - reading, "T less it, modulo 2^M");
    const Expr half = m.constant("HALF_PERIOD", count, (period + 1) / 2);
    least_q = m.data_reg("least_q", count, "min(count, T - count): the entropy of a bit, T - C of a pair");
    m.clocked("Read a counter.", [&] { m.set(least_q, mux(reading >= half, rest, reading)); });
  }

  void walk(const Expr& search, const Expr& sample) {
    const auto less = m.let("less", least_q < mux(pairs_q, lowest_pair_q, lowest_entropy_q),
                            "the best so far; a tie goes to the earlier one");
    const auto by_entropy =
        m.let("by_entropy", lowest_entropy_q < lowest_pair_q, "no pair is as useless as a bit");
    const Expr last =
        m.let("last", one_pair ? looks_q & pairs_q : looks_q & pairs_q & i_q.bit(s - 2), "the last counter");
    m.clocked("Walk through the counters, once the last sample is counted.", [&] {
      m.when(~search | sample, [&] { start(); }).otherwise([&] {
        m.set(looks_q, in_tail(no_tail) & ~last);
        m.set(place_q, up(place_q));
        m.when(last, [&] {
          m.set(tail_q, tail_step(lower_bit));
          m.set(place_q, place_of(mux(less, i_q, pair_i_q)));
        });
        m.when(tail_q != tail_step(no_tail), [&] {
          m.set(tail_q, tail_q + lit(2, 1));
          m.set(place_q, place_of(pair_j_q));
        });
        m.when(looks_q, [&] {
          keep_the_lower(less);
          next_place(last);
        });
        // The pair's first bit has no lower entropy than the lowest, so by_entropy stays what it was.
        m.when(~by_entropy & in_tail(upper_bit), [&] { m.set(lowest_entropy_q, least_q); });
        m.when(~by_entropy & in_tail(bit_choice), [&] { m.set(victim_q, mux(less, pair_j_q, pair_i_q)); });
      });
    });
  }

  void start() {
    m.set(place_q, rtl::zext(lit(1, 1), all));
    m.set(looks_q, lit(1, 0));
    m.set(tail_q, tail_step(no_tail));
    m.set(pairs_q, lit(1, 0));
    if (!one_pair) m.set(i_q, bit(0));
    m.set(j_q, bit(0));
    m.set(lowest_entropy_q, lit(count, highest));
    m.set(lowest_pair_q, lit(count, highest));
  }

  void keep_the_lower(const Expr& less) {
    m.when(less & ~pairs_q, [&] {
      m.set(lowest_entropy_q, least_q);
      m.set(victim_q, j_q);
    });
    m.when(less & pairs_q, [&] {
      m.set(lowest_pair_q, least_q);
      if (one_pair) return;
      m.set(pair_i_q, i_q);
      m.set(pair_j_q, j_q);
    });
  }

  void next_place(const Expr& last) {
    m.when(j_q.bit(s - 1), [&] {
       m.set(pairs_q, ~last);
       m.set(j_q, one_pair ? bit(1) : mux(pairs_q, up(i_q, 2), bit(1)));
       if (!one_pair) m.when(pairs_q, [&] { m.set(i_q, up(i_q)); });
     }).otherwise([&] { m.set(j_q, up(j_q)); });
  }
};

}  // namespace

rtl::Module adi_victimization(const AdiMonitorParams& p, const std::string& name) {
  const int s = index_bits(p);
  rtl::Module m(name, fmt::format("Finds the index bit that distinguishes sets the least, from {} misses "
                                  "(ACI thesis, section 3.3).",
                                  p.period));
  const auto clear = m.input("clear", 1, "zeroes the counters");
  const auto sample = m.input("sample", 1, "index_bits is that of a miss to count");
  const auto index = m.input("index_bits", s, "the index of a probe");
  const auto search = m.input("search", 1, "compares the counters, one a cycle; stays high until done");
  const auto done = m.output("done", 1, "last cycle of the search");
  const auto victim = m.output("victim", s, "the index bit found, one-hot, from the cycle after done");

  const auto [ones_q, equal_q] = count_samples(m, p, clear, sample, index);
  Search walk{m, p};
  walk.registers();
  walk.read(ones_q, equal_q);
  m.assign(done, search & walk.in_tail(bit_choice));
  m.assign(victim, walk.victim_q);
  walk.walk(search, sample);
  return m;
}

}  // namespace hw

#include "hw/monitors/mode_selector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

SetList automatic(int sets, int offset) {
  SetList list{.count = 4};
  for (int q = 0; q < list.count; ++q)
    list.numbers[static_cast<std::size_t>(q)] = q * (sets / 4) + (sets < 32 ? 0 : q) + offset;
  return list;
}

// Counters of one mode.
struct Counters {
  Expr misses_q, traffic_q, seen_q;
  Expr misses, traffic, seen;  // with the load of this cycle
  Expr high;                   // its misses pass the threshold
};

class SelectorBuilder {
 public:
  SelectorBuilder(const ModeSelectorParams& p, const std::string& name, bool alone)
      : p_(p),
        set_bits_(bits_to_number(p.sets)),
        chunk_bits_(rtl::clog2(static_cast<std::uint64_t>(p.line_bytes / p.chunk_bytes) + 1)),
        m_(name,
           fmt::format("Chooses fine or coarse accesses by {} and {} sampler sets of {} (TSC paper, section "
                       "3, TSC+).",
                       samplers_of(p).fine.count, samplers_of(p).coarse.count, p.sets)) {
    valid_ = m_.input("probe_valid", 1, "a load was looked up");
    if (alone) {
      const Expr block =
          m_.input("probe_block_address", p.address_bits - bits_to_number(p.line_bytes), "line of the load");
      m_.unused("unused_block_address", block, "the set says all");
    }
    set_ = m_.input("probe_set", set_bits_, "set of the load");
    miss_ = m_.input("probe_miss", 1, "the load missed chunks");
    chunks_ = m_.input("probe_chunks", chunk_bits_, "how many");
    out_ = m_.output("mode_coarse", 1, "loads of the other sets look for whole lines");
  }

  rtl::Module run() {
    const Samplers samplers = samplers_of(p_);
    m_.section("Counters of the sampler sets.");
    fine_ = counters("fine", samplers.fine);
    coarse_ = counters("coarse", samplers.coarse);
    shift_ = m_.let("shift", fine_.high | coarse_.high, "all counters are halved, and compared");
    changes("Fine samplers.", fine_);
    changes("Coarse samplers.", coarse_);
    compare();
    return m_;
  }

 private:
  Counters counters(const std::string& mode, const SetList& sets) {
    const int bits = mode_counter_bits;
    const auto name = [&](const char* what) { return mode + "_" + what; };
    Counters c;
    c.misses_q = m_.reg(name("misses_q"), bits, 0, fmt::format("misses in the {} samplers", mode));
    c.traffic_q = m_.reg(name("traffic_q"), bits, 0, "requests and chunks that they fetched");
    c.seen_q = m_.reg(name("seen_q"), 1, 0, "the sets had a load since the counters were halved");
    rtl::Optional here;
    for (const int number : sets) {
      here |= set_ == lit(set_bits_, static_cast<std::uint64_t>(number));
    }
    const Expr sample = m_.let(name("sample"), valid_ & *here, "a load of such a set");
    c.seen = m_.let(name("seen"), c.seen_q | sample, "the value after this load");
    const Expr miss = m_.let(name("miss"), sample & miss_, "the load missed");
    c.misses =
        m_.let(name("misses"), mux(miss, c.misses_q + lit(bits, 1), c.misses_q), "the value after this load");
    const Expr before = rtl::zext(c.traffic_q, bits + 1);
    c.traffic =
        m_.let(name("traffic"), mux(miss, before + rtl::zext(chunks_, bits + 1) + lit(bits + 1, 1), before),
               "the value after this load; it needs the highest bit only where it is halved");
    const Expr threshold = m_.constant("THRESHOLD", bits, static_cast<std::uint64_t>(p_.threshold),
                                       "misses at which the counters are halved");
    c.high = m_.let(name("high"), miss & (c.misses_q == threshold), "misses of the sets pass the threshold");
    return c;
  }

  static Expr half(const Expr& value) {
    return rtl::zext(value.slice(value.width() - 1, 1), mode_counter_bits);
  }

  void changes(const std::string& doc, const Counters& c) {
    m_.clocked(doc, [&] {
      m_.when(valid_, [&] {
        m_.set(c.misses_q, mux(shift_, half(c.misses), c.misses));
        m_.set(c.traffic_q, mux(shift_, half(c.traffic), c.traffic.slice(mode_counter_bits - 1, 0)));
        m_.set(c.seen_q, c.seen & ~shift_);
      });
    });
  }

  // What one mode adds to the comparison: misses, traffic, and whether it may win.
  struct Factors {
    Expr misses, traffic, seen;
  };

  // The most that the halved counters hold: one mode's misses are threshold + 1 at a shift, and traffic is
  // below (misses + 1) (chunks + 1), which halving both keeps.
  int factor_bits() const { return bits_to_number((p_.threshold + 1) / 2 + 1); }
  int traffic_bits() const {
    const int most = (1 + p_.line_bytes / p_.chunk_bytes) * (p_.threshold + 2) - 1;
    return bits_to_number(most / 2 + 1);
  }

  Factors factors(const std::string& name, const std::string& mode, const std::string& when) {
    return {m_.data_reg(name + "_misses_q", factor_bits(),
                        fmt::format("misses of the {} samplers {}", mode, when)),
            m_.data_reg(name + "_traffic_q", traffic_bits(), "traffic of those samplers"),
            m_.data_reg(name + "_seen_q", 1, "the samplers of the mode had a load")};
  }

  void load(const Factors& to, const Factors& from) {
    m_.set(to.misses, from.misses);
    m_.set(to.traffic, from.traffic);
    m_.set(to.seen, from.seen);
  }

  Factors halved(const Counters& c) const {
    return {c.misses.slice(factor_bits(), 1), c.traffic.slice(traffic_bits(), 1), c.seen};
  }

  // A shift waits until no comparison runs; a later one replaces it.
  void compare() {
    m_.section("The shift that is compared next.");
    const Expr waiting = m_.reg("waiting_q", 1, 0, "a shift has not been compared");
    const Factors next_fine = factors("next_fine", "fine", "at that shift");
    const Factors next_coarse = factors("next_coarse", "coarse", "at that shift");
    m_.section("Comparison of misses times traffic, a bit a cycle.");
    const Expr step = m_.reg("step_q", 5, 0,
                             "cycles until the next comparison may begin, 0 if none runs; the mode changes "
                             "before the last cycle");
    const Expr busy = m_.let("busy", rtl::any(step), "a comparison runs");
    const Expr begins = m_.let("begins", waiting & ~busy, "one begins with the values that wait");
    m_.clocked("Whether a shift waits.", [&] {
      m_.when(shift_, [&] { m_.set(waiting, lit(1, 1)); }).otherwise([&] {
        m_.when(begins, [&] { m_.set(waiting, lit(1, 0)); });
      });
    });
    m_.clocked("The latest alone.", [&] {
      m_.when(shift_, [&] {
        load(next_fine, halved(fine_));
        load(next_coarse, halved(coarse_));
      });
    });
    m_.clocked("Steps of the comparison.", [&] {
      m_.when(begins, [&] { m_.set(step, m_.constant("STEP_FIRST", 5, mode_delay - 1)); }).otherwise([&] {
        m_.when(busy, [&] { m_.set(step, step - lit(5, 1)); });
      });
    });
    multiply(step, begins, next_fine, next_coarse);
  }

  // Each bit of the traffic, the lowest first, adds the misses; what lies below it is settled and only counts
  // when both products look equal above.
  void multiply(const Expr& step, const Expr& begins, const Factors& next_fine, const Factors& next_coarse) {
    const int bits = factor_bits();
    const Factors fine = factors("fine_factor", "fine", "that are compared");
    const Factors coarse = factors("coarse_factor", "coarse", "that are compared");
    const Expr difference =
        m_.data_reg("difference_q", bits + 1, "high bits of fine minus coarse product, two's complement");
    const Expr rest = m_.data_reg("rest_q", 1, "some bit below is set");
    const Expr mode = m_.reg("mode_coarse_q", 1, 0, "coarse accesses, fine after reset");
    m_.assign(out_, mode);
    const Expr addend =
        m_.data_reg("addend_q", bits + 1, "the addend of one bit of the traffic, two's complement");
    const Expr adds = m_.reg("adds_q", 1, 0, "addend_q is added in this cycle");
    const auto factor = [&](const Factors& f) {
      return rtl::zext(f.misses & replicate(bits, f.traffic.bit(0)), bits + 1);
    };
    const auto rest_of = [&](const Expr& traffic) {
      return rtl::cat({lit(1, 0), traffic.slice(traffic_bits() - 1, 1)});
    };
    const auto wider = [&](const Expr& signed_value) {
      return rtl::cat({signed_value.bit(bits), signed_value});
    };
    const Expr sum =
        m_.let("sum", wider(difference) + wider(addend), "the sum with one more bit of the traffic");
    const Expr last_bit =
        m_.constant("STEP_LAST_BIT", 5, static_cast<std::uint64_t>(mode_delay - traffic_bits()));
    const Expr takes = m_.let("takes_bits", step >= last_bit, "the multiplication still takes in bits");
    m_.clocked("Factors, and what they add.", [&] {
      m_.when(begins, [&] {
          load(fine, next_fine);
          load(coarse, next_coarse);
        }).otherwise([&] {
        m_.when(takes, [&] {
          m_.set(addend, factor(fine) - factor(coarse));
          m_.set(fine.traffic, rest_of(fine.traffic));
          m_.set(coarse.traffic, rest_of(coarse.traffic));
        });
      });
    });
    m_.clocked("The difference.", [&] {
      m_.set(adds, takes);
      m_.when(begins, [&] {
          m_.set(difference, lit(bits + 1, 0));
          m_.set(rest, lit(1, 0));
        }).otherwise([&] {
        m_.when(adds, [&] {
          m_.set(difference, sum.slice(bits + 1, 1));
          m_.set(rest, rest | sum.bit(0));
        });
      });
    });
    decide(mode, step, {difference.bit(bits), rest | rtl::any(difference)}, fine.seen, coarse.seen);
  }

  struct Sign {
    Expr negative, not_zero;
  };

  void decide(const Expr& mode, const Expr& step, const Sign& difference, const Expr& fine_seen,
              const Expr& coarse_seen) {
    const Expr fine_less = m_.let("fine_less", difference.negative, "the fine product is smaller");
    const Expr coarse_less =
        m_.let("coarse_less", ~fine_less & difference.not_zero, "the coarse product is smaller");
    m_.clocked("The mode stays on a tie, and if the winner was not seen.", [&] {
      m_.when(step == m_.constant("STEP_DECISION", 5, 2),
              [&] { m_.set(mode, (mode & ~(fine_less & fine_seen)) | (coarse_less & coarse_seen)); });
    });
  }

  const ModeSelectorParams& p_;
  const int set_bits_, chunk_bits_;
  rtl::Module m_;
  Expr valid_, set_, miss_, chunks_, out_, shift_;
  Counters fine_, coarse_;
};

void check_samplers(const std::string& key, const SetList& list, int sets) {
  for (const int number : list)
    require(number >= 0 && number < sets, key, number, fmt::format("is no set: they are 0 to {}", sets - 1),
            "name sets of the cache, or leave the list empty");
}

}  // namespace

Samplers samplers_of(const ModeSelectorParams& p) {
  return {.fine = p.fine_sets.count ? p.fine_sets : automatic(p.sets, 0),
          .coarse = p.coarse_sets.count ? p.coarse_sets : automatic(p.sets, p.sets / 8)};
}

void check(const ModeSelectorParams& p) {
  const int most = 65535, chunks = p.line_bytes / p.chunk_bytes;
  require(p.sets >= 8 && std::has_single_bit(static_cast<unsigned>(p.sets)), "mode.kind", "dueling",
          fmt::format("needs 8 sets or more, a power of two, and there are {}", p.sets),
          "use a larger cache, fewer slots a set, or mode.kind = \"fine\"");
  require(
      p.threshold >= 1 && (p.threshold + 1) * (1 + chunks) <= most, "mode.threshold", p.threshold,
      fmt::format("must be from 1 to {}, so that a traffic counter of 16 bits holds {} chunks and a request "
                  "for each miss",
                  most / (1 + chunks) - 1, chunks),
      "use 1024, the paper's");
  check_samplers("mode.fine_sets", p.fine_sets, p.sets);
  check_samplers("mode.coarse_sets", p.coarse_sets, p.sets);
  const Samplers samplers = samplers_of(p);
  for (const int number : samplers.fine)
    require(std::ranges::count(samplers.coarse, number) == 0, "mode.fine_sets", number,
            fmt::format("is a coarse sampler too; those are {}", fmt::join(samplers.coarse, ", ")),
            "give each mode sets of its own, or leave both lists empty");
}

rtl::Module mode_choice(const ModeSelectorParams& p, const std::string& name) {
  return SelectorBuilder(p, name, false).run();
}

rtl::Module mode_selector(const ModeSelectorParams& p, const std::string& name) {
  check(p);
  return SelectorBuilder(p, name, true).run();
}

}  // namespace hw

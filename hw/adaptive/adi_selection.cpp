#include "hw/adaptive/adi_selection.h"

#include <fmt/format.h>

#include "hw/prim/register_file.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// The candidates' values in ascending order: block-address bits without the marked ones, which are dropped
// one by one from the lowest. `marks` has `low` bits below the block address.
Expr candidate_bits(rtl::Module& m, Expr value, const Expr& marks, int low, int dropped) {
  Expr mark = marks;
  int mark_low = low;
  for (int k = 0; k < dropped; ++k) {
    const int width = value.width() - 1;
    const Expr marked = mark.slice(mark_low + width - 1, mark_low);
    const std::string n = std::to_string(k);
    const Expr above =
        m.let("above_" + n, marked | ~(marked - lit(width, 1)), "bits at and above the lowest marked one");
    if (k + 1 < dropped) {
      // The top bit needs no mark: with no other left, it is the one to drop.
      mark =
          m.let("marks_" + n, mark.slice(mark_low + width - 1, mark_low + 1) & rtl::trunc(above, width - 1),
                "marks left");
      mark_low = 0;
    }
    value =
        m.let(k + 1 < dropped ? "bits_" + n : "candidates",
              (value.slice(width - 1, 0) & ~above) | (value.slice(width, 1) & above),
              k + 1 < dropped ? "block-address bits left" : "candidates' values, lowest address bit first");
  }
  return value;
}

// The index bits that stay, closed up over the victim.
Expr kept_index(rtl::Module& m, const Expr& index, const Expr& victim) {
  std::vector<Expr> bits;
  for (int i = index.width() - 2; i >= 0; --i)
    bits.push_back(
        mux(lit(victim.width(), static_cast<std::uint64_t>(i)) < victim, index.bit(i), index.bit(i + 1)));
  return m.let("entry", rtl::cat(bits), "the other index bits, which number the tag cache's entries");
}

// `kept` marks the address bits that have no counter; nothing at one index bit.
void compare(rtl::Module& m, const AdiMonitorParams& p, const Expr& sample_q, const Expr& changes_q,
             const Expr& kept, const Expr& victim_sel, const Expr& search, const Expr& done,
             const Expr& winner) {
  const int n = p.address_bits, low = offset_bits(p), s = index_bits(p), width = sel_bits(p),
            count = p.counter_bits;
  const int all = candidates(p), slot_bits = rtl::clog2(static_cast<std::uint64_t>(all));
  m.section("Search: address bits in ascending order, the counters of those that are candidates.");
  const auto position_q =
      m.reg("position_q", width, static_cast<std::uint64_t>(low), "address bit that is looked at");
  const auto slot_q = m.reg("slot_q", slot_bits, 0, "its counter, if it is a candidate");
  const auto most_q = m.reg("most_q", count, 0, "most changes so far");
  const auto winner_q =
      m.reg("winner_q", width, static_cast<std::uint64_t>(low), "the address bit that has them");
  const int pad = (1 << slot_bits) - all;
  const auto counts = pad ? m.let("counts", rtl::cat({lit(pad * count, 0), changes_q}),
                                  "counters with their number rounded up")
                          : changes_q;
  const auto reading = m.let("reading", counts.part(slot_q, count), "the counter");
  const Expr better_count = (most_q < reading) | ((most_q == reading) & (position_q == victim_sel));
  const auto is_candidate =
      s > 1 ? m.let("is_candidate", ~kept.at(position_q), "the bit has a counter") : lit(1, 1);
  const auto better = m.let("better", s > 1 ? is_candidate & better_count : better_count,
                            "more changes; of equal ones the victim's, else the lowest");
  m.assign(done, search & (position_q == lit(width, static_cast<std::uint64_t>(n) - 1)));
  m.assign(winner, winner_q);
  m.clocked("Walk through the address bits, once the last sample is counted.", [&] {
    m.when(~search | sample_q, [&] {
       m.set(position_q, lit(width, static_cast<std::uint64_t>(low)));
       m.set(slot_q, lit(slot_bits, 0));
       m.set(most_q, lit(count, 0));
     }).otherwise([&] {
      m.set(position_q, position_q + lit(width, 1));
      if (s > 1)
        m.when(is_candidate, [&] { m.set(slot_q, slot_q + lit(slot_bits, 1)); });
      else
        m.set(slot_q, slot_q + lit(slot_bits, 1));
      m.when(better, [&] {
        m.set(most_q, reading);
        m.set(winner_q, position_q);
      });
    });
  });
}

}  // namespace

rtl::Module adi_selection(const AdiMonitorParams& p, const std::string& name) {
  const int n = p.address_bits, low = offset_bits(p), s = index_bits(p), width = sel_bits(p),
            count = p.counter_bits;
  const int all = candidates(p), rows = entries(p);
  const int bit = rtl::clog2(static_cast<std::uint64_t>(s));

  rtl::Module m(
      name,
      fmt::format("Finds the address bit that changes most within the sets of the kept index bits, from "
                  "{} loads (ACI thesis, section 3.3).",
                  p.period));
  const auto clear = m.input("clear", 1, "zeroes the counters and empties the tag cache");
  const auto sample = m.input("sample", 1, "a load to count");
  const auto block = m.input("block_address", block_address_bits(p), fmt::format("its A[{}:{}]", n - 1, low));
  Expr index, victim;
  if (s > 1) {
    index = m.input("index_bits", s, "its index");
    victim = m.input("victim", bit, "the index bit to replace");
  }
  const auto sels = s > 1 ? m.input("sels", s * width, "address bit of each index bit") : Expr();
  const auto victim_sel = m.input("victim_sel", width, "address bit of the victim");
  const auto search =
      m.input("search", 1, "compares the counters, one address bit a cycle; stays high until done");
  const auto done = m.output("done", 1, "last cycle of the search");
  const auto winner = m.output("winner", width, "the address bit found, from the cycle after done");

  Expr kept, candidate = block;
  if (s > 1) {
    m.section("Candidates: the block-address bits that are no index bits, the victim among them.");
    kept = m.wire("kept", 1 << width, "address bits that stay index bits");
    m.comb("Mark the index bits, less the victim.", [&] {
      m.set(kept, rtl::wide_lit(1 << width, {0}));
      m.loop("i", s, [&](const Expr& i) { m.set(kept.at(sels.part(i, width)), lit(1, 1)); });
      m.set(kept.at(victim_sel), lit(1, 0));
    });
    candidate = candidate_bits(m, block, kept, low, s - 1);
  }

  m.section("One cycle later: choosing the candidates takes as long as counting their changes.");
  const auto sample_q = m.reg("sample_q", 1, 0, "a sample is counted");
  const auto candidates_q = m.data_reg("candidates_q", all, "its candidates' values");
  Expr next_entry, entry;
  if (s > 1) {
    next_entry = kept_index(m, index, victim);
    entry = m.data_reg("entry_q", index.width() - 1, "its entry");
  }
  m.clocked("Take a sample.", [&] {
    m.set(sample_q, sample);
    m.set(candidates_q, candidate);
    if (s > 1) m.set(entry, next_entry);
  });

  m.section("Tag cache: the candidates' last values for each value of the index bits that stay.");
  const auto valid_q = m.reg("valid_q", rows, 0, "the entry holds a sample of this phase");
  Expr last_values, entry_valid;
  if (s > 1) {
    last_values = m.wire("last_values", all, "of this sample's entry");
    m.instance(register_file(rows, all), "tag_cache",
               {{"write", sample_q},
                {"write_row", entry},
                {"write_data", candidates_q},
                {"read_row", entry},
                {"read_data", last_values}},
               "Last values of the candidates, an entry for each value of the kept index bits.");
    entry_valid = valid_q.at(entry);
  } else {
    last_values = m.data_reg("last_values_q", all, "of the one entry");
    entry_valid = valid_q;
    m.clocked("Keep the sample.", [&] { m.when(sample_q, [&] { m.set(last_values, candidates_q); }); });
  }
  const auto changed = m.let("changed", (last_values ^ candidates_q) & rtl::replicate(all, entry_valid),
                             "candidates that differ from the entry; its first sample counts nothing");

  m.section("Change counters");
  const auto changes_q = m.reg("changes_q", all * count, 0, "changes of each candidate");
  m.clocked("Count a sample.", [&] {
    m.when(clear, [&] {
       m.set(changes_q, rtl::wide_lit(all * count, {0}));
       m.set(valid_q, rtl::wide_lit(rows, {0}));
     }).otherwise([&] {
      m.when(sample_q, [&] {
        m.set(s > 1 ? valid_q.at(entry) : valid_q, lit(1, 1));
        m.loop("k", all, [&](const Expr& k) {
          m.set(changes_q.part(k, count),
                changes_q.part(k, count) + rtl::cat({lit(count - 1, 0), changed.at(k)}));
        });
      });
    });
  });

  compare(m, p, sample_q, changes_q, kept, victim_sel, search, done, winner);
  return m;
}

}  // namespace hw

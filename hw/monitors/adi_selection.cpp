#include "hw/monitors/adi_selection.h"

#include <fmt/format.h>

#include "hw/prim/register_file.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

// The module while it is built; members in the order of the Verilog. `more` says that some index bits stay.
struct AdiSelectionBuilder {
  const AdiMonitorParams& p;
  rtl::Module m;
  const int n = p.address_bits, low = offset_bits(p), s = index_bits(p), width = sel_bits(p),
            count = p.counter_bits;
  const int all = candidates(p), rows = entries(p);
  const int slot_bits = rtl::clog2(static_cast<std::uint64_t>(all) + 1);
  const bool more = s > 1;

  Expr clear = {}, sample = {}, block = {}, index = {}, victim = {}, sels = {}, arrange = {}, search = {};
  Expr arranged = {}, done = {}, moves = {}, winner = {};
  std::vector<Expr> gaps = {};  // candidates below each index bit that stays
  Expr candidates_q = {}, sample_q = {}, counting_q = {}, changed_q = {}, changes_q = {};
  Expr position_q = {}, slot_q = {}, walking = {}, kept = {}, at_victim = {}, ends = {};

  void ports() {
    clear = m.input("clear", 1, "zeroes the counters and empties the tag cache");
    sample = m.input("sample", 1, "a load to count");
    block = m.input("block_address", block_address_bits(p), fmt::format("A[{}:{}] of the load", n - 1, low));
    if (more) {
      index = m.input("index_bits", s, "the index of the load before");
      victim = m.input("victim", s, "the index bit to replace, one-hot");
    }
    sels = m.input("sels", s * width, "address bit of each index bit");
    if (more) {
      arrange =
          m.input("arrange", 1, "finds the candidates' positions, one address bit a cycle, until arranged");
      arranged = m.output("arranged", 1, "last cycle of it");
    }
    search = m.input("search", 1, "compares the counters, one address bit a cycle; stays high until done");
    done = m.output("done", 1, "last cycle of the search");
    moves = m.output("moves", 1, "in this cycle: the winner is not the victim");
    winner = m.output("winner", width, "the address bit found, from the cycle after done");
  }

  // The candidates' values in ascending order: the block-address bits less the index bits that stay, which
  // are dropped one by one from the lowest, each where as many candidates are left below it as lie there.
  Expr candidate_bits() {
    if (!more) return block;
    m.section("Candidates: the block-address bits that are no index bits, the victim among them.");
    for (int k = 0; k < s - 1; ++k)
      gaps.push_back(
          m.data_reg(fmt::format("gap{}_q", k), slot_bits,
                     fmt::format("candidates below remaining index bit {}, in ascending order", k)));
    m.observe("gap", rtl::cat({gaps.rbegin(), gaps.rend()}), {{"kept index bit", s - 1}});
    Expr value = block;
    for (int k = 0; k < s - 1; ++k) {
      const int left = value.width() - 1;
      const Expr above = m.wire(fmt::format("above{}", k), left, "candidates at and above it");
      for (int j = 0; j < left; ++j)
        m.assign(above.bit(j),
                 j < all ? lit(slot_bits, static_cast<std::uint64_t>(j)) >= gaps[k] : lit(1, 1));
      const bool last = k + 2 == s;
      value = m.let(last ? "candidates" : fmt::format("bits{}", k),
                    (value.slice(left - 1, 0) & ~above) | (value.slice(left, 1) & above),
                    last ? "candidates' values, lowest address bit first" : "block-address bits left");
    }
    return value;
  }

  // The index bits that stay, closed up over the victim.
  Expr kept_index() {
    std::vector<Expr> bits;
    for (int i = s - 2; i >= 0; --i)
      bits.push_back(mux(rtl::any(victim.slice(i, 0)), index.bit(i + 1), index.bit(i)));
    return m.let("entry", rtl::cat(bits), "the other index bits, which number the tag cache's entries");
  }

  void tag_cache() {
    const Expr candidate = candidate_bits();
    m.section(
        "A cycle later, the tag cache: the candidates' last values for each value of the bits that stay.");
    sample_q = m.reg("sample_q", 1, 0, "there is a sample");
    candidates_q = m.data_reg("candidates_q", all, "values of the sample's candidates");
    m.clocked("Take a sample.", [&] {
      m.set(sample_q, sample);
      m.set(candidates_q, candidate);
    });
    const Expr valid_q = m.reg("valid_q", rows, 0, "the entry holds a sample of this phase");
    Expr last_values, valid = valid_q;
    if (more) {
      const Expr entry = kept_index();
      valid = valid_q.at(entry);
      last_values = m.wire("last_values", all, "of this sample's entry");
      m.instance(register_file(rows, all), "tag_cache",
                 {{"write", sample_q},
                  {"write_row", entry},
                  {"write_data", candidates_q},
                  {"read_row", entry},
                  {"read_data", last_values}},
                 "Last values of the candidates, an entry for each value of the kept index bits.");
    } else {
      last_values = m.data_reg("last_values_q", all, "of the one entry");
      m.clocked("Keep the sample.", [&] { m.when(sample_q, [&] { m.set(last_values, candidates_q); }); });
    }
    m.clocked("Entries in use.", [&] {
      m.when(clear, [&] { m.set(valid_q, rtl::wide_lit(rows, {0})); }).otherwise([&] {
        m.when(sample_q, [&] { m.set(valid, lit(1, 1)); });
      });
    });
    changed(last_values, valid);
  }

  void changed(const Expr& last_values, const Expr& valid) {
    const Expr counts = m.let("counts_changes", sample_q & valid, "an entry's first sample counts nothing");
    counting_q = m.reg("counting_q", 1, 0, "the sample's changes are counted");
    changed_q = m.data_reg("changed_q", all, "candidates that differ from the entry");
    m.clocked("Compare with the entry.", [&] {
      m.set(counting_q, sample_q);
      m.set(changed_q, (last_values ^ candidates_q) & rtl::replicate(all, counts));
    });
  }

  void count_changes() {
    m.section("A cycle later, the change counters.");
    changes_q = m.reg("changes_q", all * count, 0, "changes of each candidate");
    m.observe("changes", changes_q, {{"candidate", all}});
    m.clocked("Count a sample.", [&] {
      m.when(clear, [&] { m.set(changes_q, rtl::wide_lit(all * count, {0})); }).otherwise([&] {
        m.loop("k", all, [&](const Expr& k) {
          m.set(changes_q.part(k, count),
                changes_q.part(k, count) + rtl::cat({lit(count - 1, 0), changed_q.at(k)}));
        });
      });
    });
  }

  void walk() {
    m.section("Walk through the address bits, once to find the candidates' positions, once to compare them.");
    const Expr first = m.constant("FIRST_BIT", width, static_cast<std::uint64_t>(low), "above the offset");
    const Expr last = m.constant("LAST_BIT", width, static_cast<std::uint64_t>(n) - 1, "of the address");
    position_q = m.reg("position_q", first, "address bit that is looked at");
    slot_q = m.reg("slot_q", slot_bits, 0, "candidates below it");
    Expr goes = search & ~(sample_q | counting_q);
    if (more) goes = goes | arrange;
    walking = m.let("walking", goes, "the walk goes on; the search once the last sample is counted");
    ends = m.let("ends", position_q == last, "the walk is at the last address bit");
    kept = lit(1, 0);
    if (more) {
      const Expr is_sel = m.wire("is_sel", s, "index bits that are this address bit");
      m.comb("Compare with sel.", [&] {
        m.loop("i", s, [&](const Expr& i) { m.set(is_sel.at(i), sels.part(i, width) == position_q); });
      });
      at_victim = m.let("at_victim", rtl::any(is_sel & victim), "the counter is the victim's");
      kept = m.let("kept", rtl::any(is_sel) & ~at_victim, "the bit stays an index bit and has no counter");
      m.assign(arranged, arrange & ends);
    } else {
      at_victim = m.let("at_victim", sels == position_q, "the counter is the victim's");
    }
    m.clocked("Walk.", [&] {
      m.when(~walking | ends, [&] {
         m.set(position_q, first);
         m.set(slot_q, lit(slot_bits, 0));
       }).otherwise([&] {
        m.set(position_q, position_q + lit(width, 1));
        m.set(slot_q, slot_q + (more ? rtl::zext(~kept, slot_bits) : lit(slot_bits, 1)));
      });
    });
    if (!more) return;
    m.clocked("Candidates' positions.", [&] {
      m.when(arrange & kept, [&] {
        for (int k = 0; k < s - 1; ++k) m.set(gaps[k], k + 2 < s ? gaps[k + 1] : slot_q);
      });
    });
  }

  void compare() {
    const int reach = rtl::clog2(static_cast<std::uint64_t>(all)), pad = (1 << reach) - all;
    m.section("A counter is compared in the cycle after it is read.");
    const Expr counts = pad ? m.let("counts", rtl::cat({lit(pad * count, 0), changes_q}),
                                    "counters with their number rounded up")
                            : changes_q;
    const Expr reading_q = m.data_reg("reading_q", count, "the counter");
    const Expr is_candidate_q = m.reg("is_candidate_q", 1, 0, "there is one");
    const Expr is_victim_q = m.data_reg("is_victim_q", 1, "the counter is the victim's");
    const Expr is_last_q = m.reg("is_last_q", 1, 0, "the counter is the last");
    const Expr compared_q = m.data_reg("compared_q", width, "address bit of the counter");
    m.clocked("Read a counter.", [&] {
      m.set(reading_q, counts.part(rtl::trunc(slot_q, reach), count));
      m.set(is_candidate_q, search & walking & ~kept);
      m.set(is_victim_q, at_victim);
      m.set(is_last_q, search & walking & ends);
      m.set(compared_q, position_q);
    });
    const Expr most_q = m.reg("most_q", count, 0, "most changes so far");
    const Expr moves_q = m.reg("moves_q", 1, 0, "another bit than the victim has them");
    const Expr winner_q =
        m.reg("winner_q", width, static_cast<std::uint64_t>(low), "the address bit that has them");
    const Expr better =
        m.let("better", is_candidate_q & ((most_q < reading_q) | ((most_q == reading_q) & is_victim_q)),
              "more changes; of equal ones the victim's, else the lowest");
    m.assign(done, is_last_q);
    m.assign(moves, mux(better, ~is_victim_q, moves_q));
    m.assign(winner, winner_q);
    m.clocked("Keep the better one.", [&] {
      m.when(~walking, [&] {
         m.set(most_q, lit(count, 0));
         m.set(moves_q, lit(1, 0));
       }).otherwise([&] {
        m.when(better, [&] {
          m.set(most_q, reading_q);
          m.set(moves_q, moves);
          m.set(winner_q, compared_q);
        });
      });
    });
  }
};

}  // namespace

rtl::Module adi_selection(const AdiMonitorParams& p, const std::string& name) {
  AdiSelectionBuilder b{
      p, rtl::Module(name, fmt::format("Finds the address bit that changes most within the sets of the kept "
                                       "index bits, from {} loads (ACI thesis, section 3.3).",
                                       p.period))};
  b.ports();
  b.tag_cache();
  b.count_changes();
  b.walk();
  b.compare();
  return b.m;
}

}  // namespace hw

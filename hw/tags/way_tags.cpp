#include "hw/tags/way_tags.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/replacement.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/valid_state.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

class Builder {
 public:
  Builder(const TagParams& p, int tag_bits, const std::string& name)
      : p_(p),
        ways_(p.ways),
        v_(valid_bits(p)),
        set_bits_(bits_to_number(p.sets)),
        tag_bits_(tag_bits),
        sectored_(v_ > 1),
        m_(name, fmt::format(
                     "Tags of {} sets of {} way{}, {}: the way of a line, and the choice of a way for a new "
                     "line (baseline of the TSC, ACI and Decoupled-L1D papers).",
                     p.sets, ways_, ways_ == 1 ? "" : "s",
                     sectored_ ? fmt::format("{} sectors a line", v_) : "conventional")) {}

  rtl::Module run() {
    ports();
    state();
    lookup();
    choice();
    changes();
    shown();
    return m_;
  }

 private:
  void ports() {
    moves_ = m_.input("moves", 1, "the tag-lookup stage is free or becomes free");
    comes_ = m_.input("comes", 1, "then a request enters it");
    if (p_.moving_sets)
      rehashed_ = m_.input("rehashed", 1, "the request is the probe's own once more, in another set");
    enter_set_ = m_.input("enter_set", set_bits_, "set of the request that enters");
    enter_tag_ = m_.input("enter_tag", tag_bits_, "tag of the request that enters");
    set_ = m_.input("probe_set", set_bits_, "set of the request in the tag-lookup stage");
    tag_ = m_.input("probe_tag", tag_bits_, "tag of the request");
    if (sectored_) mask_ = m_.input("probe_mask", v_, "chunks that the request asks for");
    entry_match_ = m_.input("entry_match", 1, "an MSHR entry has its line");
    entry_way_ = m_.input("entry_way", ways_, "the way of that entry, one-hot, or 0");
    allocate_ = m_.input("allocate", 1, "the request takes a way for a new line");
    if (sectored_)
      reserve_ = m_.input("reserve", 1, "the request takes an MSHR entry for the way that it matched");
    if (needs_touch(p_)) load_ = m_.input("load", 1, "the request is a load");
    invalidate_ = m_.input("invalidate", 1, "a store or an atomic leaves");
    fill_ = m_.input("fill", 1, "chunks arrive and may be found");
    fill_set_ = m_.input("fill_set", set_bits_, "set of the chunks that arrive");
    fill_way_ = m_.input("fill_way", ways_, "way of the chunks that arrive, one-hot");
    if (sectored_) fill_mask_ = m_.input("fill_mask", v_, "chunks of the fill");
    dealloc_ = m_.input("dealloc", 1, "an MSHR entry is freed");
    dealloc_set_ = m_.input("dealloc_set", set_bits_, "set of the entry that is freed");
    dealloc_way_ = m_.input("dealloc_way", ways_, "way of the entry that is freed, one-hot");
    flush_ = m_.input("flush", 1, "nothing stays valid");
    if (protects_tags(p_.ecc)) present_ = m_.input("present", 1, "a request is in the tag-lookup stage");
    if (protects_data(p_.ecc)) {
      drop_ = m_.input("drop", 1, "a line goes in which data was wrong");
      drop_set_ = m_.input("drop_set", set_bits_, "set of that line");
      drop_way_ = m_.input("drop_way", ways_, "way of that line, one-hot");
    }
    if (p_.stale_lines) {
      comes_foreign_ = m_.input("foreign", 1, "the home of the request's line is another cache");
      shared_sets_ = m_.input("shared_sets", 2, "of even sets, and of odd ones, such lines are left over");
    }

    match_out_ = m_.output("match", ways_, "the way that holds the line, one-hot, or 0");
    if (sectored_) {
      hit_out_ = m_.output("hit", ways_, "the way that matches, if it holds all of the chunks");
      match_valid_out_ = m_.output("match_valid", v_, "valid chunks of the way that matches");
    }
    if (p_.closed_ways) {
      open_ = m_.input("open_ways", ways_, "ways that may take a line, the invalid among them");
      reserved_out_ = m_.output("reserved_ways", ways_, "ways of the set that MSHR entries own");
    }
    can_allocate_out_ = m_.output("can_allocate", 1, "some way may take a new line");
    if (protects_tags(p_.ecc)) wrong_out_ = m_.output("tags_wrong", 1, "a line goes whose tag is wrong");
    way_out_ = m_.output("way", ways_, "the way that matched, or that of the entry, or for the new line");
    if (p_.counters) evicted_out_ = m_.output("evicted", v_, "valid bits that a new line evicts");
  }

  void state() {
    m_.section("State; that of the probe's set is kept beside the rest, so that it is there early.");
    const int sets = p_.sets;
    valid_.array = m_.reg("valid_q", sets * ways_ * v_, 0, "lines that may be found, by set, way and sector");
    busy_.array = m_.reg("busy_q", sets * ways_, 0, "ways owned by an MSHR entry, by set and way");
    valid_.row = m_.reg("row_valid_q", ways_ * v_, 0, "lines that may be found in the probe's set");
    busy_.row = m_.reg("row_busy_q", ways_, 0, "busy ways of the probe's set");
    valid_.late = m_.data_reg("late_valid_q", ways_ * v_, "the probe's set after its change");
    busy_.late = m_.data_reg("late_busy_q", ways_, "busy ways that it left there");
    if (p_.stale_lines) {
      foreign_.array = m_.reg("foreign_q", sets * ways_, 0, "lines of other homes, by set and way");
      foreign_.row = m_.reg("row_foreign_q", ways_, 0, "lines of other homes in the probe's set");
      foreign_.late = m_.data_reg("late_foreign_q", ways_, "foreign lines that the probe left there");
    }
    late_ = late_row(m_, "late", set_, enter_set_);
    valid_.filled = m_.reg("fill_q", 1, 0, "chunks arrived in the cycle before");
    valid_.filled_set = m_.data_reg("fill_set_q", set_bits_, "set of the chunks that arrived");
    valid_.filled_bits = m_.data_reg("fill_bits_q", ways_ * v_, "valid bits of the chunks that arrived");
    if (protects_data(p_.ecc)) {
      valid_.dropped = m_.reg("drop_q", 1, 0, "a line with wrong data went in the cycle before");
      valid_.dropped_set = m_.data_reg("drop_set_q", set_bits_, "set of that line");
      valid_.dropped_bits = m_.data_reg("drop_bits_q", ways_ * v_, "valid bits of that line");
    }
    deallocated_ = m_.reg("dealloc_q", 1, 0, "an MSHR entry was freed in the cycle before");
    deallocated_here_ =
        m_.reg("dealloc_here_q", 1, 0, "the freed entry was of the set that is now the probe's");
    deallocated_set_ = m_.data_reg("dealloc_set_q", set_bits_, "set of the entry that was freed");
    deallocated_way_ =
        m_.data_reg("dealloc_way_q", ways_, "way of the entry that was freed, busy until now, one-hot");
    same_ = m_.let("same_set", enter_set_ == set_, "the next request asks for the probe's set");
    enter_ = m_.let("enter", moves_ & comes_, "the next request enters");
    turnover_ = {moves_, m_.let("other_set", comes_ & ~same_, "the next request asks for another set")};
    busy_now_ = m_.let("busy_now", busy_.row & ~(deallocated_way_ & replicate(ways_, deallocated_here_)),
                       "busy ways, less the one that was released");
    new_way_ = m_.wire("new_way", ways_, "the way for a new line, one-hot");
    written_ = m_.let("tag_written", new_way_ & replicate(ways_, allocate_), "the way whose tag is written");

    const ComparedTags tags =
        tag_rams(m_, "way", sets, {set_, tag_, enter_, enter_set_, enter_tag_, same_, rehashed_}, written_,
                 tag_code(p_.ecc.tags, tag_bits_));
    equal_ = tags.equal;
    if (tags.wrong) check_tags(*tags.wrong);
  }

  // The line of an MSHR entry is found by the entry and not by its tag, and stays until the entry is freed.
  void check_tags(const Expr& wrong) {
    equal_ = m_.let("way_equal", equal_ | entry_way_, "ways with the probe's line, if they are valid");
    const Expr here = v_ > 1 ? m_.wire("some_valid", ways_, "ways with a valid sector") : valid_.row;
    if (v_ > 1)
      m_.comb("Some sector of each way.", [&] {
        m_.loop("sector_of", ways_,
                [&](const Expr& w) { m_.set(here.at(w), rtl::any(valid_.row.part(w, v_))); });
      });
    wrong_ = m_.let("emptied_ways", wrong & here & ~busy_now_ & replicate(ways_, present_),
                    "ways whose line goes, since its tag is wrong");
    m_.assign(wrong_out_, rtl::any(wrong_));
  }

  void lookup() {
    m_.section("Lookup.");
    if (!sectored_) {
      invalid_ = m_.let("invalid", ~(valid_.row | busy_now_), "ways that hold nothing and wait for nothing");
      m_.assign(match_out_, equal_ & valid_.row);
      return;
    }
    const Expr filled = m_.wire("filled", ways_, "ways with a valid sector");
    const Expr covers = m_.wire("covers", ways_, "ways where all chunks of the probe are valid");
    m_.comb("Sectors of each way.", [&] {
      m_.loop("sectors_of", ways_, [&](const Expr& w) {
        m_.set(filled.at(w), rtl::any(valid_.row.part(w, v_)));
        m_.set(covers.at(w), ~rtl::any(mask_ & ~valid_.row.part(w, v_)));
      });
    });
    invalid_ = m_.let("invalid", ~(filled | busy_now_), "ways that hold nothing and wait for nothing");
    m_.assign(match_out_, equal_ & filled);
    m_.assign(hit_out_, equal_ & covers);
    m_.comb("Valid sectors of the way that matched.", [&] {
      m_.set(match_valid_out_, lit(v_, 0));
      m_.loop("way_at", ways_, [&](const Expr& w) {
        m_.set(match_valid_out_, match_valid_out_ | (valid_.row.part(w, v_) & replicate(v_, equal_.at(w))));
      });
    });
  }

  void choice() {
    m_.section("The way for a new line: the lowest invalid one, else a victim.");
    candidates_ = m_.let("candidates", p_.closed_ways ? ~busy_now_ & open_ : ~busy_now_, "ways that may go");
    replacement_ = replacement(m_, p_, {set_, enter_set_, turnover_, late_}, candidates_);
    const Expr empty =
        p_.closed_ways ? m_.let("open_invalid", invalid_ & open_, "ways that are open") : invalid_;
    const Expr none_invalid = m_.let("none_invalid", ~rtl::any(empty), "a victim is needed");
    const Expr lowest = lowest_of(m_, "lowest_invalid", empty, "the way for a new line, if there is one");
    if (p_.closed_ways) m_.assign(reserved_out_, busy_now_);
    m_.assign(can_allocate_out_, rtl::any(candidates_));
    m_.assign(new_way_, mux(none_invalid, victim(), lowest));
    known_ = m_.let("known", entry_way_ | match_out_, "the way of the line; both name the same one");
    const Expr none = m_.let("none_known", ~(entry_match_ | rtl::any(match_out_)), "no way has it");
    m_.assign(way_out_, known_ | (new_way_ & replicate(ways_, none)));
    replaced_ = allocate_ & none_invalid;
    if (p_.counters) evicted();
  }

  Expr victim() {
    if (!p_.stale_lines) return replacement_.victim;
    const Expr shared = mux(set_.bit(0), shared_sets_.bit(1), shared_sets_.bit(0));
    const Expr left = m_.let("left_over", candidates_ & foreign_.row & replicate(ways_, shared),
                             "ways with a stale-home line");
    const Expr first = lowest_of(m_, "first_left_over", left, "goes before the oldest");
    return mux(rtl::any(left), first, replacement_.victim);
  }

  void evicted() {
    if (!sectored_) return m_.assign(evicted_out_, replaced_);
    m_.comb("Sectors of the victim.", [&] {
      m_.set(evicted_out_, lit(v_, 0));
      m_.loop("victim_at", ways_, [&](const Expr& w) {
        m_.set(evicted_out_,
               evicted_out_ | (valid_.row.part(w, v_) & replicate(v_, new_way_.at(w) & replaced_)));
      });
    });
  }

  // What the cycle before changed is on its way into the arrays.
  void shown() {
    const Expr set = m_.looked_at("set", set_bits_);
    m_.observe("valid", valid_.now(late_, set, valid_.stored(set)), {{"way", ways_}});
    m_.observe("busy", busy_.now(late_, set, busy_.of(set)) & ~deallocated_in(set), {{"way", ways_}});
  }

  // Each way's bit of a vector `ways`, beside each of its sectors' bits.
  Expr spread(const std::string& name, const Expr& ways, const Expr& sectors, const std::string& doc) {
    if (!sectored_) return ways;
    const Expr bits = m_.wire(name, ways_ * v_, doc);
    m_.comb("A sector has the bit of its way.", [&] {
      m_.loop(name + "_way", ways_,
              [&](const Expr& w) { m_.set(bits.part(w, v_), replicate(v_, ways.at(w)) & sectors); });
    });
    return bits;
  }

  void changes() {
    m_.section("Changes.");
    Expr changes = allocate_ | invalidate_;
    if (sectored_) changes = changes | reserve_;
    if (needs_touch(p_)) changes = changes | (load_ & moves_);
    if (protects_tags(p_.ecc)) changes = changes | wrong_out_;
    remember(m_, late_, set_, changes);
    const bool stays_too = needs_touch(p_) && protects_tags(p_.ecc);  // the row may change before it leaves
    replacement_.update(stays_too ? m_.let("touches", load_ & moves_, "a load leaves") : load_, way_out_,
                        replaced_);
    valid_changes();
    busy_changes();
    if (p_.stale_lines) foreign_changes();
  }

  void valid_changes() {
    const Expr filled = spread("fill_bits", fill_way_, fill_mask_, "valid bits that a fill sets");
    const Expr cleared = cleared_bits();
    const Expr dropped = drop_.can_be() ? spread("drop_bits", drop_way_, rtl::ones(v_),
                                                 "valid bits of a line in which data was wrong")
                                        : Expr{};
    const Expr clears = m_.let("clears", allocate_ | invalidate_, "the probe clears valid bits");
    const Expr of_probe = cleared & replicate(ways_ * v_, clears);
    const Expr wrong = protects_tags(p_.ecc) ? spread("emptied_bits", wrong_, rtl::ones(v_),
                                                      "valid bits of lines whose tag is wrong")
                                             : Expr{};
    valid_.change(m_, late_, turnover_,
                  {.what = "bits",
                   .fill = fill_,
                   .fill_set = fill_set_,
                   .fill_bits = filled,
                   .set = set_,
                   .enter_set = enter_set_,
                   .cleared = protects_tags(p_.ecc) ? of_probe | wrong : of_probe,
                   .flush = flush_,
                   .drop = drop_,
                   .drop_set = drop_set_,
                   .drop_bits = dropped});
  }

  // The way of a freed entry stays in the registers for a cycle more, and is taken out wherever it is read.
  Expr deallocated_in(const Expr& set) const {
    return deallocated_way_ & replicate(ways_, deallocated_ & (deallocated_set_ == set));
  }

  void busy_changes() {
    const Expr takes =
        sectored_ ? m_.let("takes", allocate_ | reserve_, "an MSHR entry takes a way") : allocate_;
    const Expr after = m_.let("row_busy", busy_now_ | (way_out_ & replicate(ways_, takes)),
                              "the probe's set after this cycle");
    const Expr late =
        m_.let("late_busy", busy_.late & ~deallocated_in(late_.set), "the row that the array takes over");
    m_.clocked("Busy ways.", [&] {
      m_.when(deallocated_, [&] {
        set_row(m_, "deallocated_set", busy_.array, deallocated_set_, ways_,
                [&](const Expr& now) { return now & ~deallocated_way_; });
      });
      busy_.take_over(m_, late_, "taken_set", late);
    });
    m_.clocked("Whether a way is released.", [&] {
      m_.set(deallocated_, dealloc_);
      const Expr here = dealloc_set_ == set_;
      m_.set(deallocated_here_, dealloc_ & next_row(turnover_, dealloc_set_ == enter_set_, here, here));
    });
    m_.clocked("Busy ways that the array takes over.", [&] { m_.set(busy_.late, after); });
    m_.clocked("The way that is released, and the set.", [&] {
      m_.set(deallocated_set_, dealloc_set_);
      m_.set(deallocated_way_, dealloc_way_);
    });
    const Expr coming =
        m_.let("coming_busy", busy_.coming(late_, busy_.of(enter_set_)) & ~deallocated_in(enter_set_),
               "the next request's set");
    busy_.turn(m_, "Busy ways of the probe's set.", turnover_, coming, after, after);
  }

  void foreign_changes() {
    const Expr after =
        m_.let("row_foreign", (foreign_.row & ~written_) | (written_ & replicate(ways_, comes_foreign_)),
               "the probe's set after this cycle");
    m_.clocked("Lines of other homes.", [&] { foreign_.take_over(m_, late_, "sorted_set"); });
    m_.clocked("Foreign lines that the array takes over.", [&] { m_.set(foreign_.late, after); });
    const Expr coming =
        m_.let("coming_foreign", foreign_.coming(late_, foreign_.of(enter_set_)), "the next request's set");
    foreign_.turn(m_, "Lines of other homes in the probe's set.", turnover_, coming, after, after);
  }

  // A new line clears its way; a store clears its line, or the chunks of its mask if no entry has the line.
  Expr cleared_bits() {
    const Expr way = m_.let("emptied", mux(allocate_, new_way_, known_), "ways whose valid bits go");
    if (!sectored_) return way;
    Expr sectors = rtl::ones(v_);
    if (p_.store_scope == StoreScope::mask)
      sectors = m_.let("cleared_sectors", mask_ | replicate(v_, allocate_ | entry_match_),
                       "sectors whose valid bits go");
    return spread("cleared", way, sectors, "valid bits that the probe clears");
  }

  const TagParams p_;
  const int ways_, v_, set_bits_, tag_bits_;
  const bool sectored_;
  rtl::Module m_;
  rtl::Condition rehashed_;
  Expr moves_, comes_, enter_set_, enter_tag_, set_, tag_, mask_, entry_match_, entry_way_;
  Expr allocate_, reserve_, load_, invalidate_, fill_, fill_set_, fill_way_, fill_mask_;
  Expr dealloc_, dealloc_set_, dealloc_way_, flush_, present_, open_, drop_set_, drop_way_;
  rtl::Condition drop_;
  Expr match_out_, hit_out_, match_valid_out_, can_allocate_out_, way_out_, evicted_out_, reserved_out_,
      wrong_out_;
  Expr deallocated_, deallocated_here_, deallocated_set_, deallocated_way_;
  LateRow late_;
  ValidState valid_;
  SetState busy_, foreign_;
  Expr comes_foreign_, shared_sets_;
  Expr busy_now_, new_way_, written_, equal_, wrong_, invalid_, candidates_, known_, replaced_, same_, enter_;
  Turnover turnover_;
  ReplacementLogic replacement_;
};

}  // namespace

bool needs_touch(const TagParams& p) { return p.ways > 1 && p.replacement != Replacement::random; }

int replacement_bits(const TagParams& p) {
  if (p.replacement == Replacement::random) {
    int bits = 16;
    for (int n = 2; n <= p.ways; ++n) bits += bits_to_number(n);
    return bits;
  }
  return p.sets * (p.ways == 1                         ? 0
                   : p.replacement == Replacement::lru ? p.ways * bits_to_number(p.ways)
                                                       : p.ways);
}

rtl::Module way_tags(const TagParams& p, int tag_bits, const std::string& name) {
  return Builder(p, tag_bits, name).run();
}

}  // namespace hw

#include "hw/mshr/next_entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

class NextEntryBuilder {
 public:
  NextEntryBuilder(const std::string& name, int entries, const std::vector<EntryField>& fields)
      : entries_(entries),
        group_(search_group(entries)),
        groups_((entries + group_ - 1) / group_),
        fields_(fields),
        m_(name,
           fmt::format(
               "The next of {} entr{} to which a fill came, at or after a pointer, for the replay stage of "
               "an MSHR file.",
               entries, entries == 1 ? "y" : "ies")) {}

  rtl::Module run() {
    ports();
    pointer();
    first_of_groups();
    served_group();
    records();
    entry();
    if (group_ > 1)
      move_pointer();
    else
      m_.unused("unused_after", after_first_, "there is one entry");
    return m_;
  }

 private:
  void ports() {
    awake_in_ = m_.input("awake", entries_, "entries to look at");
    takes_ = m_.input("takes", 1, "the stage looks for an entry");
    for (const EntryField& field : fields_)
      of_entries_.push_back(
          m_.input("entry_" + field.name, field.of_entries.width(), field.doc + ", of each"));
    some_out_ = m_.output("some", 1, "there is an entry to look at");
    found_out_ = m_.output("found", 1, "the stage takes it");
    bits_out_ = m_.output("next_bits", entries_, "the next entry, one-hot");
    if (entries_ > 1) number_out_ = m_.output("next_entry", bits_to_number(entries_), "number of the entry");
    for (const EntryField& field : fields_)
      next_out_.push_back(m_.output("next_" + field.name, field.next.width(), field.doc));
  }

  // The mask of the groups behind that of the entry taken last, and the mask of the entries behind that entry
  // in its group. This group is served first, if such an entry asks, and else last.
  void pointer() {
    m_.section("The pointer.");
    groups_behind_ = pointer_group_ = entries_behind_ = lit(1, 0);
    if (groups_ > 1) {
      groups_behind_q_ =
          m_.reg("groups_behind_q", groups_ - 1, 0, "groups behind the pointer's, from group 1 on");
      groups_behind_ = cat({groups_behind_q_, lit(1, 0)});
      pointer_group_q_ = m_.reg("pointer_group_q", groups_, std::uint64_t{1} << (groups_ - 1),
                                "group of the pointer, one-hot");
      pointer_group_ = pointer_group_q_;
    } else {
      pointer_group_ = m_.let("pointer_group", lit(1, 1), "the one group");
    }
    if (group_ > 1) {
      entries_behind_q_ = m_.reg("entries_behind_q", group_ - 1, 0,
                                 "entries behind the pointer in its group, from the second on");
      entries_behind_ = cat({entries_behind_q_, lit(1, 0)});
    }
  }

  void first_of_groups() {
    m_.section("The first entry of each group.");
    const int wide = groups_ * group_;
    const Expr awake = wide == entries_
                           ? awake_in_
                           : m_.let("awake_groups", rtl::zext(awake_in_, wide), "entries in full groups");
    asking_ = m_.wire("asking", groups_, "groups with an entry to look at");
    const Expr ahead = m_.wire("ahead", wide, "entries behind the pointer in its group");
    stays_ = m_.wire("stays", groups_, "the pointer's group, if there are some");
    m_.comb("Look into each group.", [&] {
      m_.loop("member", groups_, [&](const Expr& g) {
        m_.set(asking_.at(g), rtl::any(awake.part(g, group_)));
        m_.set(ahead.part(g, group_),
               awake.part(g, group_) & entries_behind_ & replicate(group_, pointer_group_.at(g)));
        m_.set(stays_.at(g), rtl::any(ahead.part(g, group_)));
      });
    });
    const Expr below_any =
        below_in_groups(m_, "below_awake", awake, group_, "an entry to look at stands below in its group");
    const Expr below_ahead =
        below_in_groups(m_, "below_ahead", ahead, group_, "an entry behind the pointer stands below");
    first_ = m_.wire("first", wide, "the entry of each group that is asked");
    after_first_ = m_.wire("after_first", wide, "entries behind it");
    m_.comb("The first of each group.", [&] {
      m_.loop("first_of", groups_, [&](const Expr& g) {
        m_.set(first_.part(g, group_), mux(stays_.at(g), ahead.part(g, group_) & ~below_ahead.part(g, group_),
                                           awake.part(g, group_) & ~below_any.part(g, group_)));
        m_.set(after_first_.part(g, group_),
               mux(stays_.at(g), below_ahead.part(g, group_), below_any.part(g, group_)));
      });
    });
  }

  void served_group() {
    m_.section("The group that is served.");
    served_ = asking_;
    if (groups_ == 1) return;
    const Expr later =
        m_.let("later", asking_ & groups_behind_, "groups behind the pointer's with an entry to look at");
    const Expr next_group = lowest_of(m_, "next_group", later, "the first of them");
    const Expr wrapped = lowest_of(m_, "wrapped_group", asking_, "the first of all");
    const Expr other = m_.let("other_group", mux(rtl::any(later), next_group, wrapped),
                              "the group that is served if the pointer stays in none");
    served_ = m_.let("served", mux(rtl::any(stays_), stays_, other), "the group that is served, one-hot");
  }

  // What goes with the entry, as one record, and its position in the group.
  void records() {
    m_.section("The record of the entry.");
    const int low = bits_to_number(group_);
    int width = low;
    for (const EntryField& field : fields_) width += field.next.width();
    const Expr record = of_served("next_record", first_records(width, low), "fields of the entry");
    for (const Expr& next : next_out_) {
      m_.assign(next, record.slice(width - 1, width - next.width()));
      width -= next.width();
    }
    if (low) within_ = m_.let("next_within", record.slice(low - 1, 0), "position of the entry in its group");
  }

  Expr first_records(int width, int low) {
    const Expr out = m_.wire("first_records", groups_ * width, "records of the first entries of the groups");
    m_.comb("Records of the first entries.", [&] {
      m_.set(out, lit(groups_ * width, 0));
      m_.when(rtl::any(asking_), [&] {
        m_.loop("asked", entries_, [&](const Expr& e) {
          const Expr of_group =
              groups_ > 1 ? out.part_below(e.slice(bits_to_number(entries_) - 1, low), width) : out;
          std::vector<Expr> parts;
          for (std::size_t k = 0; k < of_entries_.size(); ++k)
            parts.push_back(of_entries_[k].part(e, next_out_[k].width()));
          if (low) parts.push_back(e.slice(low - 1, 0));
          m_.set(of_group, of_group | (cat(parts) & replicate(width, first_.at(e))));
        });
      });
    });
    return out;
  }

  Expr of_served(const std::string& name, const Expr& of_groups, const std::string& doc) {
    const int width = of_groups.width() / groups_;
    const Expr out = m_.wire(name, width, doc);
    m_.comb("Select by the group that is served.", [&] {
      m_.set(out, lit(width, 0));
      m_.loop(name + "_in", groups_, [&](const Expr& g) {
        m_.set(out, out | (of_groups.part(g, width) & replicate(width, served_.at(g))));
      });
    });
    return out;
  }

  void entry() {
    m_.assign(some_out_, rtl::any(asking_));
    m_.assign(found_out_, takes_ & rtl::any(asking_));
    if (entries_ == 1) return m_.assign(bits_out_, awake_in_);
    m_.assign(number_out_, join_known({number_of(served_), within_}));
    const bool full = groups_ * group_ == entries_;
    const Expr bits =
        full ? bits_out_ : m_.wire("next_in_groups", groups_ * group_, "the entry in full groups");
    m_.comb("The next entry.", [&] {
      m_.loop("next", groups_, [&](const Expr& g) {
        m_.set(bits.part(g, group_), first_.part(g, group_) & replicate(group_, served_.at(g)));
      });
    });
    if (full) return;
    m_.unused("unused_next", bits.slice(groups_ * group_ - 1, entries_), "there are no such entries");
    m_.assign(bits_out_, bits.slice(entries_ - 1, 0));
  }

  void move_pointer() {
    const Expr behind = of_served("next_behind", after_first_, "entries behind it in its group");
    m_.unused("unused_behind", behind.bit(0), "the pointer moves behind the entry");
    m_.clocked("The pointer moves behind the entry taken.", [&] {
      m_.when(found_out_, [&] {
        m_.set(entries_behind_q_, behind.slice(group_ - 1, 1));
        if (groups_ == 1) return;
        Expr reach = served_.bit(0);
        for (int g = 1; g + 1 < groups_; ++g) reach = cat({rtl::any(served_.slice(g, 0)), reach});
        m_.set(groups_behind_q_, reach);
        m_.set(pointer_group_q_, served_);
      });
    });
  }

  const int entries_, group_, groups_;
  const std::vector<EntryField>& fields_;
  rtl::Module m_;
  Expr awake_in_, takes_, some_out_, found_out_, bits_out_, number_out_;
  std::vector<Expr> of_entries_, next_out_;  // by field
  Expr groups_behind_q_, pointer_group_q_, entries_behind_q_, groups_behind_, pointer_group_, entries_behind_;
  Expr asking_, stays_, first_, after_first_, served_, within_;
};

}  // namespace

int search_group(int entries) { return std::min(8, 1 << bits_to_number(entries)); }

NextEntry next_entry(rtl::Module& m, const std::string& name, const Expr& awake, const Expr& takes,
                     const std::vector<EntryField>& fields, const NextEntryNets& nets) {
  const int entries = awake.width();
  const NextEntry next{
      .some = m.wire("some_awake", 1, "a fill came to an entry"),
      .bits = nets.bits ? *nets.bits : m.wire("next_bits", entries, "the next entry, one-hot")};
  std::vector<std::pair<std::string, Expr>> pins{{"awake", awake},
                                                 {"takes", takes},
                                                 {"some", next.some},
                                                 {"found", nets.found},
                                                 {"next_bits", next.bits}};
  if (nets.number) pins.emplace_back("next_entry", *nets.number);
  for (const EntryField& field : fields) {
    pins.emplace_back("entry_" + field.name, field.of_entries);
    pins.emplace_back("next_" + field.name, field.next);
  }
  m.instance(NextEntryBuilder(name, entries, fields).run(), "search", pins,
             "The first entry at or after a pointer to which a fill came.");
  return next;
}

}  // namespace hw

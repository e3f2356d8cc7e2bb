// Which entry the replay stage of the MSHR file looks at next: the first at or after a pointer to which a
// fill came. Entries stand in groups: the first of each group is found, and what is known of it gathered,
// beside the choice of the group.
#include <fmt/format.h>

#include "hw/mshr/mshr_file.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// The lowest of `bits`, one-hot; `firsts` are the lowest of each group.
Expr MshrFile::lowest_in_groups(const std::string& name, const Expr& firsts, const Expr& bits,
                                const std::string& doc) {
  const Expr some = m.wire(name + "_groups", groups, "groups with a bit that is set");
  m.comb("Groups in which a bit is set.", [&] {
    m.loop(name + "_group", groups, [&](const Expr& g) { m.set(some.at(g), rtl::any(bits.part(g, group))); });
  });
  const Expr first = lowest_of(m, name + "_group_bits", some, "the lowest of them");
  two_free = m.let("two_free", crowded | rtl::any(some & ~first), "two entries are free");
  const Expr out = m.wire(name, groups * group, doc);
  m.comb("The lowest bit of the lowest group.", [&] {
    m.loop(name + "_of", groups, [&](const Expr& g) {
      m.set(out.part(g, group), firsts.part(g, group) & replicate(group, first.at(g)));
    });
  });
  return out;
}

// The records of the entries that are first in each group.
Expr MshrFile::first_records(int width) {
  const Expr out = m.wire("first_records", groups * width, "records of the first entries of the groups");
  m.comb("Records of the first entries.", [&] {
    m.set(out, lit(groups * width, 0));
    m.when(rtl::any(asking), [&] {
      m.loop("asked", entries_n, [&](const Expr& e) {
        const int group_bits = bits_to_number(group);
        const Expr place = groups > 1 ? out.part_below(e.slice(entry_width - 1, group_bits), width) : out;
        std::vector<Expr> parts;
        for (const NextField& field : next_fields) parts.push_back(field.value(e));
        m.set(place, place | (cat(parts) & replicate(width, first.at(e))));
      });
    });
  });
  return out;
}

// The value of the group that is served.
Expr MshrFile::of_served(const std::string& name, const Expr& of_groups, const std::string& doc) {
  const int width = of_groups.width() / groups;
  const Expr out = m.wire(name, width, doc);
  m.comb("Select by the group that is served.", [&] {
    m.set(out, lit(width, 0));
    m.loop(name + "_in", groups, [&](const Expr& g) {
      m.set(out, out | (of_groups.part(g, width) & replicate(width, served.at(g))));
    });
  });
  return out;
}

// The pointer is the mask of the groups behind that of the entry taken last, and the mask of the places
// behind that entry in its group. This group is served first, if such a place asks, and else last.
void MshrFile::next_waiter() {
  m.section("The next one: the first entry at or after a pointer to which a fill came.");
  const int wide = groups * group;
  const Expr awake =
      wide == entries_n ? awake_q : m.let("awake", rtl::zext(awake_q, wide), "awake_q in full groups");
  asking = m.wire("asking", groups, "groups with such an entry");
  Expr behind, pointer_group;
  if (groups > 1) {
    groups_behind_q = m.reg("groups_behind_q", groups - 1, 0, "groups behind the pointer's, from group 1 on");
    behind = cat({groups_behind_q, lit(1, 0)});
    pointer_group =
        m.reg("pointer_group_q", groups, std::uint64_t{1} << (groups - 1), "group of the pointer, one-hot");
    pointer_group_q = pointer_group;
  } else {
    pointer_group = m.let("pointer_group", lit(1, 1), "the one group");
  }
  Expr mask = lit(1, 0);
  if (group > 1) {
    places_behind_q = m.reg("places_behind_q", group - 1, 0, "places behind the pointer, from place 1 on");
    mask = cat({places_behind_q, lit(1, 0)});
  }
  const Expr ahead = m.wire("ahead", wide, "those behind the pointer in its group");
  const Expr stays = m.wire("stays", groups, "the pointer's group, if there are some");
  m.comb("Look into each group.", [&] {
    m.loop("member", groups, [&](const Expr& g) {
      m.set(asking.at(g), rtl::any(awake.part(g, group)));
      m.set(ahead.part(g, group), awake.part(g, group) & mask & replicate(group, pointer_group.at(g)));
      m.set(stays.at(g), rtl::any(ahead.part(g, group)));
    });
  });
  const Expr below_any =
      below_in_groups(m, "below_awake", awake, group, "one of them stands below in its group");
  const Expr below_ahead =
      below_in_groups(m, "below_ahead", ahead, group, "one behind the pointer stands below");
  first = m.wire("first", wide, "the entry of each group that is asked");
  const Expr after_first = m.wire("after_first", wide, "places behind it");
  m.comb("The first of each group.", [&] {
    m.loop("first_of", groups, [&](const Expr& g) {
      m.set(first.part(g, group), mux(stays.at(g), ahead.part(g, group) & ~below_ahead.part(g, group),
                                      awake.part(g, group) & ~below_any.part(g, group)));
      m.set(after_first.part(g, group),
            mux(stays.at(g), below_ahead.part(g, group), below_any.part(g, group)));
    });
  });
  served = asking;
  if (groups > 1) {
    const Expr later =
        m.let("later", asking & behind, "groups behind the pointer's with an entry to look at");
    const Expr next_group = lowest_of(m, "next_group", later, "the first of them");
    const Expr wrapped = lowest_of(m, "wrapped_group", asking, "the first of all");
    const Expr other = m.let("other_group", mux(rtl::any(later), next_group, wrapped),
                             "the group that is served if the pointer stays in none");
    served = m.let("served", mux(rtl::any(stays), stays, other), "the group that is served, one-hot");
    Expr reach = served.bit(0);
    for (int g = 1; g + 1 < groups; ++g) reach = cat({rtl::any(served.slice(g, 0)), reach});
    groups_after = reach;
  }
  next_values(after_first);
}

void MshrFile::next_one_hot() {
  next_bits = m.wire("next_bits", groups * group, "the entry, one-hot");
  m.comb("The next entry.", [&] {
    m.loop("next", groups, [&](const Expr& g) {
      m.set(next_bits.part(g, group), first.part(g, group) & replicate(group, served.at(g)));
    });
  });
  if (entries_n < groups * group) {
    m.unused("unused_next", next_bits.slice(groups * group - 1, entries_n), "there are no such entries");
    next_bits = m.let("next_entry_bits", next_bits.slice(entries_n - 1, 0), "the entry, one-hot");
  }
}

// Declares the value; it comes with the record of all of them.
Expr MshrFile::of_next(const std::string& stem, int width, const std::string& doc,
                       const std::function<Expr(const Expr&)>& value) {
  const Expr out = m.wire("next_" + stem, width, doc);
  next_fields.push_back({out, value});
  return out;
}

// What the replay stage takes over of the next entry, as one record.
void MshrFile::next_record() {
  int width = 0;
  for (const NextField& field : next_fields) width += field.out.width();
  const Expr record = of_served("next_record", first_records(width), "what is taken over of the next entry");
  for (const NextField& field : next_fields) {
    m.assign(field.out, record.slice(width - 1, width - field.out.width()));
    width -= field.out.width();
  }
}

void MshrFile::next_values(const Expr& after_first) {
  next_set = of_next("set", set_bits, "set of the first entry",
                     [&](const Expr& e) { return set_q.part(e, set_bits); });
  next_place();
  if (place_width)
    next_head = of_next("head", place_width, "place of its oldest waiter",
                        [&](const Expr& e) { return head.part(e, place_width); });
  next_chunks();
  const int low = bits_to_number(group);
  const Expr within = low ? of_next("place", low, "place of the first entry in the group",
                                    [&](const Expr& e) { return e.slice(low - 1, 0); })
                          : Expr{};
  next_record();
  if (entries_n > 1)
    next_entry = m.let("next_entry", join_known({number_of(served), within}), "number of the next entry");
  next_bits = awake_q;
  if (entries_n > 1) next_one_hot();
  const Expr some = m.let("some_awake", rtl::any(asking), "there is one");
  next_found = m.let("next_found", takes & some, "the stage takes it");
  if (group == 1) return m.unused("unused_places", after_first, "there is one entry");
  const Expr places = of_served("next_places", after_first, "places behind it in its group");
  m.unused("unused_places", places.bit(0), "the pointer moves behind the entry");
  m.clocked("The pointer moves behind the entry taken.", [&] {
    m.when(next_found, [&] {
      m.set(places_behind_q, places.slice(group - 1, 1));
      if (groups > 1) m.set(groups_behind_q, groups_after);
      if (groups > 1) m.set(pointer_group_q, served);
    });
  });
}

}  // namespace hw

// Which entry the replay stage of the MSHR file looks at next: the first at or after a pointer to which a
// fill came, and what is known of it. Entries stand in groups: the first of each group is found, and its
// record gathered, beside the choice of the group.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// Entries of a group of the search: eight, or all where there are fewer.
int search_group(int entries);

// A value of each entry that goes with the choice: ports `entry_<name>` in and `next_<name>` out.
struct EntryField {
  std::string name;
  rtl::Expr of_entries;  // of each entry, entry 0 lowest
  rtl::Expr next;        // of the entry that is chosen: a wire, which the search drives
  std::string doc;
};

// What the search says in the same cycle, to nets that exist.
struct NextEntryNets {
  rtl::Expr found;                  // there is one, and the stage takes it: the pointer moves behind it
  std::optional<rtl::Expr> number;  // of several
  std::optional<rtl::Expr> bits;    // the entry, one-hot; a wire is added where it is missing
};

struct NextEntry {
  rtl::Expr some;  // a fill came to an entry
  rtl::Expr bits;  // the entry, one-hot
};

// Adds the search to `m` as an instance of module `name`. `awake`: entries to which a fill came; `takes`: the
// stage looks for an entry.
NextEntry next_entry(rtl::Module& m, const std::string& name, const rtl::Expr& awake, const rtl::Expr& takes,
                     const std::vector<EntryField>& fields, const NextEntryNets& nets);

}  // namespace hw

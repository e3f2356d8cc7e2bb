// The parts of the lookup in decoupled sectored tags: lines of a way, their order, and the way's offer to a
// new line (Seznec, ISCA 1994; the DSC of the TSC paper).
#pragma once
#include <string>

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_params.h"

namespace hw {

constexpr int decoupled_entries(const TagParams& p) { return p.ways * p.decoupled.tags_per_way; }
constexpr int selector_bits(const TagParams& p) { return bits_to_number(p.decoupled.tags_per_way); }

// Module of an `age` and n `ages` in, and out which of them are `older`.
rtl::Module age_order(int n, int bits, const std::string& name);

// Adds wire `name` to `m`: part i says which of the n entries, with ages of so many bits, are older than
// entry i. `order` is the module of the comparison.
rtl::Expr older_than_each(rtl::Module& m, const std::string& name, const rtl::Module& order,
                          const rtl::Expr& ages, int n, const std::string& doc);

// Adds wire `name` to `m`: the oldest of `bits`, one-hot, or 0.
rtl::Expr oldest_of(rtl::Module& m, const std::string& name, const rtl::Expr& bits, const rtl::Expr& older,
                    const std::string& doc);

// Module of the lines of a way: the positions of each line, and their meaning for a request.
rtl::Module decoupled_way(const TagParams& p, const std::string& name);

// Module of the positions of some lines of a way.
rtl::Module decoupled_places(const TagParams& p, const std::string& name);

// Module of the lines of a way that keep none of their positions.
rtl::Module decoupled_losers(const TagParams& p, const std::string& name);

// Module of a way's offer: the entry that a new line would take there, and the loser used last.
rtl::Module decoupled_offer(const TagParams& p, const std::string& name);

}  // namespace hw

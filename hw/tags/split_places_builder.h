// The choice of slots for missed chunks under construction.
//
// Few slots are ever taken, one for each chunk of a line at most, so their numbers are unary.
#pragma once
#include <vector>

#include "hw/prim/one_hot.h"
#include "hw/prim/table.h"
#include "hw/prim/unary.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The sum of the terms, in `bits` bits, as named values of `m`.
rtl::Expr sum_of(rtl::Module& m, const std::string& name, std::vector<rtl::Expr> terms, int bits);

// The order of victims by chunk: six classes of slots are taken one after the other.
inline constexpr int place_classes = 6;

// One group of a set with victims by chunk: the class of each slot, the slots up to each class, and for each
// slot the slots before it in the group.
struct PlaceGroup {
  PlaceGroup(const std::string& name, int per_group, int own_count, int tally_count);
  rtl::Module run();

 private:
  void ports();
  void parts_of_search();
  void with_line_tag();
  void with_other_tag();
  void classes();
  void before_each();

  const int k, own_count, tally_count;
  rtl::Module m;
  rtl::Expr valid, busy, used, kept, behind, same_tag, classes_out, within_out, tally_out;
  rtl::Expr free, home, empty, foreign, opens;
  std::vector<rtl::Expr> parts, own, reach;  // own slots of each class, and up to each, with the line's tag
  std::vector<rtl::Expr> first, met;         // with another tag: parts with its first victim, and up to each
};

struct SplitPlaces {
  SplitPlaces(const TagParams& p, const std::string& name);
  rtl::Module run(SplitVictim victim);

 private:
  void ports(SplitVictim victim);
  void groups_of_set();
  void enough_places();
  void choose();
  rtl::Module pick_module() const;

  // By chunk.
  void rank_by_chunk();
  void places_of_others(const rtl::Expr& tallies, const rtl::Expr& before);
  rtl::Module others_module() const;
  rtl::Module class_module() const;
  rtl::Module ranks_module() const;
  // By group.
  void order_by_group();
  void offers();
  void whole_groups();
  void last_group();
  void order_of_chosen();
  void rank_by_group();
  rtl::Module counter_module(int n, const std::string& stem, int number_bits) const;
  rtl::Module before_module(int key_bits, const std::string& stem) const;
  rtl::Module weight_module() const;
  rtl::Expr groups_before(const rtl::Expr& keys, const std::string& stem);

  rtl::Expr in_groups(const std::string& name, const rtl::Expr& slot_set, const std::string& doc);
  rtl::Expr spread(const std::string& name, const rtl::Expr& group_set, const std::string& doc);

  const int slots, groups, per_group, chunks, start_bits;
  // Widths of unary numbers: taken slots of a group; of it before one of its slots; of other groups.
  const int tally_count, own_count, other_count;
  rtl::Module m;
  rtl::Expr valid, busy, used, kept, same_tag, missed, start, places, enough;
  rtl::Expr home_groups, home, foreign, empty;
  rtl::Expr turn;  // for each slot the number of its chunk, one-hot, or 0
  // By group: free slots of the line's groups, victims, slots on offer, per group how many and how many of
  // them went unused, the groups taken whole, the one that supplies the rest, and what they give; for
  // each slot, the slots that are taken before it.
  rtl::Expr rule1, victims, offered, offer, cold, wanted, ahead_groups, whole, last, given, ahead;
  int offer_bits = 0, sum_bits = 0;
};

}  // namespace hw

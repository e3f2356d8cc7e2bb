// The choice of places under construction.
#pragma once
#include <vector>

#include "hw/l1d/l1d_params.h"
#include "hw/prim/one_hot.h"

namespace hw {

// The sum of the terms, in `bits` bits, as named values of `m`.
rtl::Expr sum_of(rtl::Module& m, const std::string& name, std::vector<rtl::Expr> terms, int bits);

struct SplitPlaces {
  SplitPlaces(const L1dParams& p, const std::string& name);
  rtl::Module run(SplitVictim victim);

 private:
  void ports(SplitVictim victim);
  void groups_of_set();
  void order_by_chunk();
  void order_by_group();
  void ranks();
  void choose();
  rtl::Module counter_module(int n, const std::string& stem, int number_bits) const;
  rtl::Module pick_module() const;

  // By chunk.
  void search_order();
  void openings();
  rtl::Expr lowest_in_groups(rtl::Expr candidates);
  // By group.
  void offers();
  void whole_groups();
  void last_group();
  void order_of_chosen();
  rtl::Module before_module(int key_bits, const std::string& stem) const;
  rtl::Module weight_module() const;
  rtl::Expr groups_before(const rtl::Expr& keys, const std::string& stem);

  rtl::Expr in_groups(const std::string& name, const rtl::Expr& slot_set, const std::string& doc);
  rtl::Expr spread(const std::string& name, const rtl::Expr& group_set, const std::string& doc);
  // Row s of a table of constants with a row of `width` bits for each slot or group.
  rtl::Expr table(const std::string& name, int rows, int width, bool (*bit)(int row, int column, int step),
                  int step, const std::string& doc);

  const int slots, groups, per_group, chunks, rank_bits;
  rtl::Module m;
  rtl::Expr valid, busy, used, kept, same_tag, missed, start, places, enough;
  rtl::Expr home_groups, free_groups, foreign_groups, home, foreign, victims;
  std::vector<rtl::Expr> classes;  // slots that may become places, in the order in which they do
  rtl::Expr ahead;                 // for each slot, the slots that become places before it
  rtl::Expr rank, chosen;
  // By chunk: the four parts of the search, and the slot with which each foreign group is opened.
  std::vector<rtl::Expr> searched;
  rtl::Expr opens;
  // By group: slots on offer, per group how many and how many of them went unused, those that are taken
  // whole, and the one that supplies the rest.
  rtl::Expr offered, offer, cold, wanted, ahead_groups, whole, last;
  int offer_bits = 0, sum_bits = 0;
};

}  // namespace hw

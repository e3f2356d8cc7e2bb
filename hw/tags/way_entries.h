// MSHR file of a cache whose lines lie in ways: each entry names the way of its line.
#pragma once
#include "hw/mshr/mshr_file.h"
#include "hw/tags/tag_params.h"

namespace hw {

class WayEntries : public MshrFile {
 public:
  WayEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines, const std::string& name);

 protected:
  void taken_port() override;
  void matched_port() override;
  void filled_ports() override;
  void replayed_port() override;
  void released_port() override;
  void place_registers() override;
  void match_registers() override;
  rtl::Expr of_match(const rtl::Expr& flags) const override;
  rtl::Expr poisoned_match() const override { return of_match(poisoned_q); }
  void next_match(const rtl::Expr& after) override;
  void gather_match(const List& list) override;
  void match_place(List& list) override;
  void assign_match_place() override;
  bool joins_soon() const override { return joins_soon_; }
  void fill_places(const rtl::Expr& named) override;
  void replay_registers() override;
  void replayed_place() override;
  void next_place() override;
  void take_place() override;
  void release_place() override;
  void new_slot() override;
  void set_place(const rtl::Expr& entry) override;
  void places_shown() override;

 private:
  const int ways, way_bits;
  const bool joins_soon_;
  rtl::Expr way, way_out, fill_way_out, fill_early_out, replay_way_out, dealloc_out;
  rtl::Expr way_q, way_bits_q, replay_way_q;
  rtl::Expr entered_q, coming_q, stayed_q;
  rtl::Expr entry_way, next_way, number;
};

}  // namespace hw

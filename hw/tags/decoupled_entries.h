// MSHR file of a cache with decoupled sectored tags: each entry names the way of its line and its tag there,
// and counts the loads that wait for each chunk (DSC of the TSC paper).
#pragma once
#include "hw/mshr/holding_entries.h"
#include "hw/tags/tag_params.h"

namespace hw {

class DecoupledEntries : public HoldingEntries {
 public:
  DecoupledEntries(const TagParams& tags, const MshrParams& p, const MshrLines& lines,
                   const std::string& name);

 protected:
  void taken_port() override;
  void matched_port() override;
  void filled_ports() override;
  void replayed_port() override;
  void released_port() override;
  void place_registers() override;
  void chunk_registers() override { waits_register(); }
  void match_place(List& list) override;
  void assign_match_place() override;
  void fill_places(const rtl::Expr& named) override;
  void replay_registers() override;
  void replayed_place() override;
  void next_place() override;
  void take_place() override;
  void release_chunks() override;
  void set_place(const rtl::Expr& entry) override;
  void place_changes() override;
  void places_shown() override;

 private:
  const int ways, tags;
  rtl::Expr way, number, way_out, number_out, fill_way_out, fill_early_out, replay_way_out, released_out;
  rtl::Expr way_q, number_q, replay_way_q;
  rtl::Expr entry_way, entry_number, next_way;
};

}  // namespace hw

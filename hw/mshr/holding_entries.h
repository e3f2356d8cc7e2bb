// MSHR file of a cache that holds chunks for waiting loads one by one: each entry counts the loads that wait
// for each chunk of its line, so that a chunk is let go with the last of them (TSC paper, section 3).
#pragma once
#include "hw/mshr/mshr_file.h"

namespace hw {

class HoldingEntries : public MshrFile {
 public:
  using MshrFile::MshrFile;

 protected:
  void match_registers() override;
  rtl::Expr of_match(const rtl::Expr& flags) const override;
  rtl::Expr poisoned_match() const override { return matches & of_match(poisoned_q); }
  void next_match(const rtl::Expr& after) override;
  void gather_match(const List& list) override;
  void match_chunks(List& list) override;
  void waits_left_over() override;
  void replay_chunks(List& list) override;
  void replay_gathered() override;

  // The register of the waits.
  void waits_register();
  // Adds a wire: chunks that nobody waits for after the MSHR target on offer, if it waits for them.
  rtl::Expr last_for();
  // What a load that joins and an MSHR target that is answered make of the waits: wires, their value for a
  // chunk, and what follows.
  void change_wires();
  void change(const rtl::Expr& chunk);
  void change_registers();
  // Declares the waits as observed state.
  void waits_shown();

  rtl::Expr waits_q, last_waits, match_waits, replay_waits;

 private:
  rtl::Expr left_waits_q, left_joined_q, more, fewer;
};

}  // namespace hw

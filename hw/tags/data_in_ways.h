// Data of lines that lie in ways, in the cache around it: who of a hit and a waiting load is answered, and
// what is read (baseline of the TSC, ACI and Decoupled-L1D papers).
#pragma once
#include <string>

#include "hw/tags/exchange.h"
#include "hw/tags/tag_params.h"

namespace hw {

class DataInWays {
 public:
  DataInWays(const rtl::Module& module, const TagParams& params) : m_(module), p_(params) {}

  // The way that holds all chunks of the probe, one-hot or 0.
  void hit_in(const rtl::Expr& hit) { hit_ = hit; }
  // The way that holds some of the probe's line, one-hot or 0, if no MSHR entry has that line.
  void line_in(const rtl::Expr& way) { line_ = way; }
  // Of the chunks held of that line, or of all of it, a fill or the replay takes the bank of one that a store
  // wants to write, or a fill writes such a chunk elsewhere.
  rtl::Expr banks_taken(const ProbeStage& probe, const rtl::Expr& held);
  rtl::Expr banks_taken(const ProbeStage& probe);
  // Wires of the ways that the MSHR file names, and their pins; `way`: the fill's id numbers its own.
  void filled_place(const std::optional<rtl::Expr>& way);
  void replayed_place();
  Pins filled_pins() const { return filled_pins_; }
  Pins replayed_pins() const { return {{"replay_way", replay_way_}}; }
  const rtl::Expr& fill_way() const { return fill_way_; }
  const rtl::Expr& replay_way() const { return replay_way_; }

  Answers answers(const ProbeStage& probe, const Turn& turn);
  void add_store(const ProbeStage& probe, const rtl::Expr& read_data);

 private:
  // Chunks of a store that others use in this cycle.
  struct Meeting {
    rtl::Expr fill, replay;
  };
  Meeting store_meets(const ProbeStage& probe);
  rtl::Condition read_ahead(const ProbeStage& probe);

  rtl::Module m_;
  const TagParams p_;
  rtl::Expr hit_, line_, fill_way_, replay_way_;
  Pins filled_pins_;
};

}  // namespace hw

// Tag store of decoupled sectored tags, in the cache around it: data in ways as in the sectored cache, and
// plans a cycle ahead (Seznec, ISCA 1994; the DSC of the TSC paper; docs/contracts/l1d-decoupled.md).
#pragma once
#include <optional>

#include "hw/tags/data_in_ways.h"
#include "hw/tags/planned_store.h"

namespace hw {

class DecoupledStore : public PlannedStore {
 public:
  explicit DecoupledStore(const TagSocket& socket)
      : PlannedStore(socket), data_(socket.module, socket.params) {}

  void lookup() override;
  void matched_place() override;
  void filled_place(const std::optional<rtl::Expr>& way) override { data_.filled_place(way); }
  void replayed_place() override { data_.replayed_place(); }
  void released_place() override;
  void judge(const ProbeStage& probe, Decision& decision) override;
  const rtl::Condition& tags_wrong() const override { return tags_wrong_; }
  const rtl::Condition& tags_wait() const override { return tags_wait_; }
  Answers answers(const ProbeStage& probe, const Turn& turn) override;
  rtl::Expr held() override { return line_valid_; }
  rtl::Expr banks_taken(const ProbeStage& probe) override { return data_.banks_taken(probe, held()); }
  void add_tags(const ProbeStage& probe) override;
  void add_data(const ProbeStage& probe, const rtl::Expr& read_data) override {
    data_.add_store(probe, read_data);
  }
  Events line_events(const ProbeStage& probe) override;
  TagStorage storage(const MshrParams& mshr) const override;
  rtl::Module mshr_file(const MshrParams& p, const std::string& name) const override;
  Pins taken_pins() const override;
  Pins matched_pins() const override;
  Pins filled_pins() const override { return data_.filled_pins(); }
  Pins replayed_pins() const override { return data_.replayed_pins(); }
  Pins released_pins() const override { return {{"replay_released", replay_released_}}; }

 private:
  Pins protection_pins(const ProbeStage& probe) const;

  DataInWays data_;
  rtl::Expr hit_, line_valid_, line_way_, entry_way_, replay_released_;
  std::optional<rtl::Expr> found_way_, line_tag_, entry_tag_;  // where stores update; where a way has several
  rtl::Expr lines_lost_, chunks_lost_;
  rtl::Condition tags_wrong_, tags_wait_;
};

}  // namespace hw

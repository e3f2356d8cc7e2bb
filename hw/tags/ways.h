// Tag store whose lines lie in ways, conventional or sectored, in the cache around it (baseline of the TSC,
// ACI and Decoupled-L1D papers).
#pragma once
#include "hw/tags/data_in_ways.h"
#include "hw/tags/tag_store.h"

namespace hw {

class Ways : public TagStore {
 public:
  explicit Ways(const TagSocket& socket);

  bool by_chunk() const override { return by_chunk_; }
  void lookup() override;
  void matched_place() override;
  void filled_place(const std::optional<rtl::Expr>& way) override { data_.filled_place(way); }
  void replayed_place() override { data_.replayed_place(); }
  void released_place() override;
  void judge(const ProbeStage& probe, Decision& decision) override;
  Answers answers(const ProbeStage& probe, const Turn& turn) override;
  rtl::Expr held() override;
  const rtl::Condition& tags_wrong() const override { return tags_wrong_; }
  rtl::Expr banks_taken(const ProbeStage& probe) override {
    return by_chunk_ ? data_.banks_taken(probe, held()) : data_.banks_taken(probe);
  }
  Waiting waiting(const ProbeStage& probe, const rtl::Expr& grant_hit,
                  const rtl::Condition& refused) override;
  void take(const ProbeStage& probe) override;
  void add_tags(const ProbeStage& probe) override;
  void add_data(const ProbeStage& probe, const rtl::Expr& read_data) override {
    data_.add_store(probe, read_data);
  }
  Events line_events(const ProbeStage& probe) override;
  TagStorage storage(const MshrParams& mshr) const override;
  rtl::Module mshr_file(const MshrParams& p, const std::string& name) const override;
  WaysUsed ways(const ProbeStage& probe) const override;
  std::optional<rtl::Expr> taken_way() const override { return way_; }
  Pins taken_pins() const override;
  Pins matched_pins() const override;
  Pins filled_pins() const override { return data_.filled_pins(); }
  Pins replayed_pins() const override { return data_.replayed_pins(); }
  Pins released_pins() const override;

 protected:
  Causes fail_causes(const ProbeStage& probe) override;
  // Wires of the choice of a way.
  virtual void choice();
  // Pins of any tag store whose lines lie in ways.
  Pins tag_pins(const ProbeStage& probe) const;
  // A way of the line, or for it, may be had.
  rtl::Expr some_way() const;

  const bool by_chunk_;
  DataInWays data_;
  rtl::Expr can_allocate_, evicted_, reserved_;
  rtl::Condition tags_wrong_;  // a line goes whose tag is wrong

 private:
  static constexpr ControlName shared_sets{"shared_sets"};

  rtl::Expr match_, hit_, match_valid_, way_;
  rtl::Expr entry_way_, dealloc_;
  rtl::Expr allocate_, reserve_;
  rtl::Expr shared_sets_;  // of which lines of other homes are left over
};

}  // namespace hw

// Interface of a tag store to the cache around it: what it finds, what an allocation would take, and the
// commit of one decision. Where lines lie (a way, or slots) is known to it alone, to the data store that it
// brings along, and to the MSHR file's entries that it names.
#pragma once
#include <optional>
#include <string>

#include "hw/mshr/mshr_file.h"
#include "hw/tags/exchange.h"
#include "hw/tags/tag_params.h"

namespace hw {

// What a tag store is made from: the cache's module, to which it adds its part, and the cache's controls.
struct TagSocket {
  TagParams params;
  int tag_bits = 0;
  rtl::Module module;
  ControlSignals controls = {};
};

// An array in so many instances, a row a set or an MSHR entry.
struct TagArray {
  std::string name;
  int row_bits = 0, count = 1;
};

// What a tag store and its data take, for the manifest.
struct TagStorage {
  std::vector<TagArray> arrays = {};
  int data_banks = 0;
  std::vector<std::pair<std::string, int>> flops = {}, own_flops = {};  // bits by group; those of no others
  std::vector<TagArray> entry_arrays = {};                              // a row an MSHR entry
  int mshr_entry_bits = 0;                                              // of where an entry's line lies
};

// The members that add to the module are called once each, in this order.
class TagStore {
 public:
  explicit TagStore(const TagSocket& socket)
      : p_(socket.params), tag_bits_(socket.tag_bits), m_(socket.module) {}
  virtual ~TagStore() = default;

  // Chunks of a line come and go one by one.
  virtual bool by_chunk() const = 0;

  // What a load looks for is settled as it enters the tag-lookup stage.
  virtual void settle(const ProbeStage&) {}

  // Wires of what the store says, and of the ways or slots that the MSHR file names: of the probe's line, of
  // a fill, of the load on offer, and the ones without a waiting load.
  virtual void lookup() = 0;
  virtual void matched_place() {}
  virtual void filled_place(const std::optional<rtl::Expr>& /*way, as the fill's id numbers it*/) {}
  virtual void replayed_place() {}
  virtual void released_place() = 0;

  // A line of the probe's set goes, since its tag is wrong. Never where tags are not protected.
  virtual const rtl::Condition& tags_wrong() const {
    static const rtl::Condition never;
    return never;
  }

  // The request is not decided: what its set has in use has wrong tags, and an MSHR entry waits for it.
  virtual const rtl::Condition& tags_wait() const {
    static const rtl::Condition never;
    return never;
  }

  // Completes the decision on the request.
  virtual void judge(const ProbeStage& probe, Decision& decision) = 0;

  // Who of the hit and the replay is answered: what a fill writes in this cycle cannot be read.
  virtual Answers answers(const ProbeStage& probe, const Turn& turn) = 0;

  // Chunks of the probe's line that can be read; whether a fill or the replay takes a bank of those of them
  // that a store wants to write. For caches whose stores write into lines.
  virtual rtl::Expr held() = 0;
  virtual rtl::Expr banks_taken(const ProbeStage& probe) = 0;

  // A load that finds no line gets none.
  virtual rtl::Condition refuses() const { return {}; }

  // Where a load that is no hit waits; `refused`: it may take no new entry.
  virtual Waiting waiting(const ProbeStage& probe, const rtl::Expr& grant_hit,
                          const rtl::Condition& refused) = 0;

  // A load that is no hit neither waits nor fails yet.
  virtual rtl::Condition undecided(const ProbeStage&) const { return {}; }

  // What a new entry takes.
  virtual void take(const ProbeStage&) {}

  // The cause of the fail; worked out on its first use.
  const Causes& causes(const ProbeStage& probe);

  virtual WaysUsed ways(const ProbeStage&) const { return {}; }
  virtual void add_tags(const ProbeStage& probe) = 0;
  virtual void add_data(const ProbeStage& probe, const rtl::Expr& read_data) = 0;
  virtual Events line_events(const ProbeStage& probe) = 0;
  virtual TagStorage storage(const MshrParams& mshr) const = 0;

  // The MSHR file, whose entries know where their lines lie; its pins that name ways or slots, in groups.
  virtual rtl::Module mshr_file(const MshrParams& p, const std::string& name) const = 0;
  // The way that a new entry's line takes, one-hot, of lines that stay in theirs.
  virtual std::optional<rtl::Expr> taken_way() const { return {}; }
  virtual Pins taken_pins() const { return {}; }
  virtual Pins matched_pins() const { return {}; }
  virtual Pins filled_pins() const { return {}; }
  virtual Pins replayed_pins() const { return {}; }
  virtual Pins released_pins() const { return {}; }
  virtual Pins chunk_pins(const ProbeStage&) const { return {}; }

 protected:
  MshrLines mshr_lines() const;
  virtual Causes fail_causes(const ProbeStage& probe) = 0;

  const TagParams p_;
  const int tag_bits_;
  rtl::Module m_;

 private:
  std::optional<Causes> causes_;
};

}  // namespace hw

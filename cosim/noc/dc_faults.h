// Faults of the slices below a topology that checks its neighbours: now and then an answer is wrong, comes
// twice or not at all; the topology must say so, and a reset ends it.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cosim/noc/dc_traffic.h"
#include "hw/check/check_params.h"
#include "hw/topology/topology_params.h"

namespace verif {

class DcFaults {
 public:
  using Message = golden::Message;
  using Answers = std::span<std::optional<Message>>;  // by slice

  explicit DcFaults(const hw::TopologyParams& params);

  // A fault has begun and its reset has not come.
  bool running() const { return left_ > 0; }
  bool ends() const { return left_ == 1; }

  // Now and then puts a fault among the answers of a cycle, or keeps one there until it is taken.
  void alter(std::mt19937_64& draw, std::span<SliceMemory> memories, Answers answers);
  // The answer of a slice is the fault's.
  bool adds(int slice) const { return offered_ && slice == slice_; }

  // The edge of each cycle but those of resets, with the answers that are taken at it.
  void edge(std::span<const std::optional<Message>> answers, std::span<const bool> taken,
            hw::ProtocolError code);
  // A code without a fault: a slow answer may be late, and nothing else.
  std::optional<Difference> unfounded(hw::ProtocolError code) const;
  // At the reset: what was not noticed. `code` is the topology's.
  std::optional<Difference> reset(hw::ProtocolError code);

  void goals(Goals& goals) const;

 private:
  enum Kind { never_made, doubled, other_id, other_mask, nobody, dropped, kinds };
  struct Row;
  static const std::array<Row, kinds> rows;

  bool can(Kind kind) const {
    return (kind != nobody || others_) && (kind != dropped || params_.l1d.check.timeout > 0);
  }
  void begin(std::mt19937_64& draw, std::span<SliceMemory> memories, Answers answers);

  const hw::TopologyParams params_;
  int below_ = 0, parts_ = 0;  // of ids: bits below the part that a reply goes to, and parts
  bool others_ = false;        // ids can name more than there are
  std::array<std::int64_t, kinds> seen_{};
  std::vector<bool> stalled_;    // an answer was offered in the cycle before, and not taken
  std::optional<Message> last_;  // answer that was taken last
  std::optional<Kind> planned_;  // as soon as there is a chance
  Kind kind_ = kinds;            // none: an answer is late without one
  int slice_ = 0, left_ = 0;     // cycles to the reset
  std::optional<Message> offered_;
};

}  // namespace verif

// Faults of the slices below a topology or a node that checks its neighbours: now and then an answer is
// wrong, comes twice or not at all; the unit must say so, and a reset ends it.
#pragma once
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cosim/noc/dc_traffic.h"
#include "hw/check/check_params.h"
#include "hw/topology/topology_params.h"

namespace verif {

// Where responses of slices come from, and what their ids say.
struct FaultySlices {
  int slices = 1, chunks = 1, timeout = 0;
  int distinguishing_bits = 1;  // lowest bits of an id that each name another request
  int below = 0, parts = 1;     // of ids: bits below the part that a reply goes to, and parts
  int search_from = 64;         // bits of an id from here on are not 0 in responses that may be ignored
  std::uint64_t search_of = 0;  // mask of these bits
};
FaultySlices slices_of(const hw::TopologyParams& params);
// The only slice below a node with this cache.
FaultySlices slice_of(const hw::L1dParams& cache);

class DcFaults {
 public:
  using Message = golden::Message;
  using Answers = std::span<std::optional<Message>>;  // by slice
  using Take = std::function<void(std::size_t slice)>;

  explicit DcFaults(const FaultySlices& slices)
      : slices_(slices), stalled_(static_cast<std::size_t>(slices.slices)) {}

  // A fault has begun and its reset has not come.
  bool running() const { return left_ > 0; }
  bool ends() const { return left_ == 1; }

  // Now and then puts a fault among the answers of a cycle, or keeps one there until it is taken. `take`
  // drops the true answer of a slice.
  void alter(std::mt19937_64& draw, const Take& take, Answers answers);
  // The answer of a slice is the fault's.
  bool adds(int slice) const { return offered_ && slice == slice_; }

  // The fault is a response that never comes.
  bool lost() const { return running() && kind_ == dropped; }

  // The edge of each cycle but those of resets, with the answers that are taken at it.
  void edge(std::span<const std::optional<Message>> answers, std::span<const bool> taken,
            hw::ProtocolError code);
  // A code without a fault: a slow answer may be late, and nothing else.
  std::optional<Difference> unfounded(hw::ProtocolError code) const;
  // What a node shows of the code that is wanted, or a code without a fault.
  std::optional<Difference> difference(bool error, hw::ProtocolError code, hw::ProtocolError want) const;
  // At the reset: what was not noticed. `code` is the topology's.
  std::optional<Difference> reset(hw::ProtocolError code);

  void goals(Goals& goals) const;

 private:
  enum Kind { never_made, doubled, other_id, other_mask, nobody, dropped, kinds };
  struct Row;
  static const std::array<Row, kinds> rows;

  bool can(Kind kind) const {
    return (kind != nobody || others_) && (kind != dropped || slices_.timeout > 0);
  }
  void begin(std::mt19937_64& draw, const Take& take, Answers answers);

  const FaultySlices slices_;
  const bool others_ = !std::has_single_bit(static_cast<unsigned>(slices_.parts));  // ids can name more
  std::array<std::int64_t, kinds> seen_{};
  std::vector<bool> stalled_;    // an answer was offered in the cycle before, and not taken
  std::optional<Message> last_;  // answer that was taken last
  std::optional<Kind> planned_;  // as soon as there is a chance
  Kind kind_ = kinds;            // none: an answer is late without one
  int slice_ = 0, left_ = 0;     // cycles to the reset
  bool begins_ = true;           // the last cycle was of a reset
  int calm_ = 0;                 // cycles without a fault
  std::optional<Message> offered_;
};

}  // namespace verif

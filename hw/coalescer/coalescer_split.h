// The first ranks of a coalescer's request half: the instruction as taken, the one that is split, and the
// request that is split off.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/coalescer/lane_fields.h"
#include "hw/rtl/stream.h"

namespace hw {

using NamedFields = std::vector<std::pair<std::string, rtl::Expr>>;

// The module with its parameters and widths.
struct CoalescerFrame {
  rtl::Module& m;
  const CoalescerParams& p;
  const CoalescerWidths& w;
};

// The data registers of a rank, all written at once.
class CoalescerRank {
 public:
  CoalescerRank(rtl::Module& m, std::string name) : m_(m), name_(std::move(name)) {}

  rtl::Expr keep(const std::string& field, const rtl::Expr& value, const std::string& doc) {
    const rtl::Expr q = m_.data_reg(fmt::format("{}_{}_q", name_, field), value.width(), doc);
    fields_.emplace_back(q, value);
    return q;
  }
  // Statements.
  void take() const {
    for (const auto& [q, value] : fields_) m_.set(q, value);
  }

 private:
  rtl::Module& m_;
  const std::string name_;
  std::vector<std::pair<rtl::Expr, rtl::Expr>> fields_;
};

// An instruction on its way to the rank that splits it.
struct LaneInstruction {
  rtl::Expr valid, id, kind, mask, address, size, data;
  NamedFields brought;  // sideband
};

// The instruction as it was taken, where a rank of registers is spent on that. `split_takes`: the next rank
// can take one.
LaneInstruction taken_instruction(const CoalescerFrame& f, const rtl::Stream& request,
                                  const rtl::Expr& split_takes);

// The lanes' addresses in parts, and which lanes share a request: everything that the number of requests
// depends on. A row a lane: `joins`, lanes above it of its request; `hides`, those of its word.
struct LaneGroups {
  rtl::Expr lines, words;
  std::optional<rtl::Expr> lows;  // where words have several bytes
  rtl::Expr joins, hides, leads, single;
  std::optional<rtl::Expr> wide;  // where lanes may have several bytes
};

// The instruction that is split, in registers; `takes`: the rank that merges can take a request, a wire.
struct SplitInstruction {
  rtl::Expr valid, begins, pending;
  rtl::Expr slot, kind, mask, data;
  LaneGroups lanes;
  NamedFields brought;
  rtl::Expr lead, takes;
};

SplitInstruction split_instruction(const CoalescerFrame& f, const LaneInstruction& next,
                                   const LaneGroups& groups, const rtl::Expr& split_takes);

// The next request of that instruction: `bytes` are the lanes' in their words, without bytes that a lane
// above writes, too; `placed` their values.
struct ChosenRequest {
  rtl::Expr members, line, bytes, placed;
};

ChosenRequest choose_request(const CoalescerFrame& f, const SplitInstruction& split);

}  // namespace hw

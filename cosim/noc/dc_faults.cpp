#include "cosim/noc/dc_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "golden/topology/kinds.h"

namespace verif {
namespace {

using enum hw::ProtocolError;

constexpr unsigned once_in_cycles = 400;
constexpr int cycles_behind = 6, longest = 40'000;

// Lowest bits of an id at a slice that each name another request. Of shared L1s and of cores that search each
// other's, bits above them may be ignored.
int telling_bits(const hw::TopologyParams& p, int below) {
  return golden::kind_of(p.shape).nodes || p.shape.kind == hw::TopologyKind::baseline ? below
                                                                                      : p.l1d.core_id_bits;
}

// The L1 of a core that searches others' lines ignores a response to a search that is over.
bool of_search(const hw::TopologyParams& p, int below, std::uint64_t id) {
  const int cores = hw::width_to_number(p.shape.cores);
  return p.shape.kind == hw::TopologyKind::remote &&
         (id >> (below - 1 - cores) & ((std::uint64_t{2} << cores) - 1)) != 0;
}

}  // namespace

struct DcFaults::Row {
  const char* name;
  std::array<hw::ProtocolError, 3> codes;
};

const std::array<DcFaults::Row, DcFaults::kinds> DcFaults::rows{
    {{"a response of a slice to a request that was never made", {answer_unasked, answer_mask, packet_broken}},
     {"a response of a slice that comes twice", {answer_unasked, answer_mask, answer_mask}},
     {"a response of a slice with another id", {answer_unasked, answer_mask, packet_broken}},
     {"a response of a slice with another mask", {answer_mask, answer_mask, answer_mask}},
     {"a response of a slice for a part that is not there", {packet_broken, packet_broken, packet_broken}},
     {"a response of a slice that does not come", {answer_late, answer_late, answer_late}}}};

DcFaults::DcFaults(const hw::TopologyParams& params)
    : params_(params), stalled_(static_cast<std::size_t>(params.shape.slices)) {
  const golden::Kind& kind = golden::kind_of(params.shape);
  const golden::NetworkPlans networks = kind.networks(params);
  const bool apart = params.shape.kind == hw::TopologyKind::shared;  // replies of slices are not the last
  const golden::NetworkPlan& last = networks.plans[networks.count - 1];
  if (last.meshed()) {
    below_ = last.sent[0].id_bits, parts_ = hw::nodes_of(params.mesh);
  } else {
    const golden::NetworkPlan& replies = apart ? networks.plans[2] : last;
    below_ = replies.in.id_bits, parts_ = replies.crossbar.outputs;
  }
  others_ = !std::has_single_bit(static_cast<unsigned>(parts_));
}

void DcFaults::alter(std::mt19937_64& draw, std::span<SliceMemory> memories, Answers answers) {
  if (!running() && !planned_ && once_in(draw, once_in_cycles)) planned_ = static_cast<Kind>(draw() % kinds);
  if (planned_ && !can(*planned_)) planned_.reset();
  if (planned_) begin(draw, memories, answers);
  if (offered_) answers[static_cast<std::size_t>(slice_)] = *offered_;
}

void DcFaults::begin(std::mt19937_64& draw, std::span<SliceMemory> memories, Answers answers) {
  const std::size_t s = draw() % memories.size();
  const bool adds = *planned_ == never_made || *planned_ == doubled;
  if (stalled_[s] || !last_ || (!adds && !answers[s])) return;
  Message wrong = adds ? *last_ : *answers[s];
  if (of_search(params_, below_, wrong.id)) return;
  const std::uint64_t chunk = draw() % static_cast<unsigned>(hw::chunks_of_line(params_.l1d));
  if (*planned_ == other_mask) wrong.mask ^= 1u << chunk;
  if (*planned_ == never_made || *planned_ == other_id)
    wrong.id ^= std::uint64_t{1} << draw() % static_cast<unsigned>(telling_bits(params_, below_));
  if (*planned_ == nobody) {
    const std::uint64_t below = (std::uint64_t{1} << below_) - 1;
    wrong.id = (wrong.id & below) | static_cast<std::uint64_t>(parts_) << below_;
  }
  kind_ = *planned_;
  planned_.reset();
  if (!adds) memories[s].taken();
  answers[s].reset();
  if (kind_ != dropped) offered_ = wrong, slice_ = static_cast<int>(s);
  ++seen_[kind_];
  left_ = longest + 4 * params_.l1d.check.timeout;
}

void DcFaults::edge(std::span<const std::optional<Message>> answers, std::span<const bool> taken,
                    hw::ProtocolError code) {
  for (std::size_t s = 0; s < answers.size(); ++s) {
    stalled_[s] = answers[s] && !taken[s];
    if (!answers[s] || !taken[s]) continue;
    last_ = *answers[s];
    if (adds(static_cast<int>(s))) offered_.reset();
  }
  const bool noticed = code != none;
  if (running() && left_ > 1) left_ = noticed ? std::min(left_ - 1, cycles_behind) : left_ - 1;
  if (!running() && noticed) left_ = 1, kind_ = kinds;
}

std::optional<Difference> DcFaults::unfounded(hw::ProtocolError code) const {
  if (running() || code == none || code == answer_late) return {};
  return Difference{"protocol_error without a fault", hw::code_of(code), 0};
}

std::optional<Difference> DcFaults::reset(hw::ProtocolError code) {
  const bool ended = left_ == 1 && kind_ != kinds;
  left_ = 0, offered_.reset(), last_.reset();
  std::fill(stalled_.begin(), stalled_.end(), false);
  if (!ended) return {};
  const Row& row = rows[kind_];
  // A response may be late beside it.
  const bool late = params_.l1d.check.timeout && code == answer_late;
  if (late || std::ranges::count(row.codes, code) > 0) return {};
  return Difference{fmt::format("protocol_error_code, of {}", row.name), hw::code_of(code),
                    hw::code_of(row.codes[0])};
}

void DcFaults::goals(Goals& goals) const {
  for (int kind = 0; kind < kinds; ++kind)
    if (can(static_cast<Kind>(kind)))
      goals[rows[static_cast<std::size_t>(kind)].name] = seen_[static_cast<std::size_t>(kind)];
}

}  // namespace verif

#include "cosim/noc/dc_faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/bits.h"
#include "golden/topology/kinds.h"

namespace verif {
namespace {

using enum hw::ProtocolError;

constexpr unsigned once_in_cycles = 400;
// Behind one reset in so many no fault comes for a while, in which what takes long between resets happens: a
// controller of the topology ends its periods.
constexpr unsigned resets_a_calm = 16;
constexpr int calm_cycles = 3'000;
constexpr int cycles_behind = 6, longest = 40'000;

// Lowest bits of an id at a slice that each name another request. Of shared L1s and of cores that search each
// other's, bits above them may be ignored.
int distinguishing_bits(const hw::TopologyParams& p, int below) {
  return golden::kind_of(p.shape).nodes || p.shape.kind == hw::TopologyKind::baseline ? below
                                                                                      : p.l1d.core_id_bits;
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

FaultySlices slices_of(const hw::TopologyParams& params) {
  const golden::Kind& kind = golden::kind_of(params.shape);
  const golden::NetworkPlans networks = kind.networks(params);
  const bool apart = params.shape.kind == hw::TopologyKind::shared;  // replies of slices are not the last
  const golden::NetworkPlan& last = networks.plans[networks.count - 1];
  FaultySlices slices{.slices = params.shape.slices,
                      .chunks = hw::chunks_of_line(params.l1d),
                      .timeout = params.l1d.check.timeout};
  if (last.meshed()) {
    slices.below = last.sent[0].id_bits, slices.parts = hw::nodes_of(params.mesh);
  } else {
    const golden::NetworkPlan& replies = apart ? networks.plans[2] : last;
    slices.below = replies.in.id_bits, slices.parts = replies.crossbar.outputs;
  }
  slices.distinguishing_bits = distinguishing_bits(params, slices.below);
  if (params.shape.kind == hw::TopologyKind::remote) {
    // The L1 of a core that searches others' lines ignores a response to a search that is over.
    const int cores = golden::bits_for(params.shape.cores);
    slices.search_from = slices.below - 1 - cores;
    slices.search_of = (std::uint64_t{2} << cores) - 1;
  }
  return slices;
}

FaultySlices slice_of(const hw::L1dParams& cache) {
  return {.chunks = hw::chunks_of_line(cache),
          .timeout = cache.check.timeout,
          .distinguishing_bits = golden::memory_id_bits(cache)};
}

void DcFaults::alter(std::mt19937_64& draw, const Take& take, Answers answers) {
  if (begins_) calm_ = once_in(draw, resets_a_calm) ? calm_cycles : 0;
  begins_ = false;
  if (!running() && calm_ > 0) {
    --calm_;
    return;
  }
  if (!running() && !planned_ && once_in(draw, once_in_cycles)) planned_ = static_cast<Kind>(draw() % kinds);
  if (planned_ && !can(*planned_)) planned_.reset();
  if (planned_) begin(draw, take, answers);
  if (offered_) answers[static_cast<std::size_t>(slice_)] = *offered_;
}

void DcFaults::begin(std::mt19937_64& draw, const Take& take, Answers answers) {
  const std::size_t s = draw() % answers.size();
  const bool adds = *planned_ == never_made || *planned_ == doubled;
  if (stalled_[s] || !last_ || (!adds && !answers[s])) return;
  Message wrong = adds ? *last_ : *answers[s];
  if (slices_.search_of && (wrong.id >> slices_.search_from & slices_.search_of) != 0) return;
  const std::uint64_t chunk = draw() % static_cast<unsigned>(slices_.chunks);
  if (*planned_ == other_mask) wrong.mask ^= 1u << chunk;
  if (*planned_ == never_made || *planned_ == other_id)
    wrong.id ^= std::uint64_t{1} << draw() % static_cast<unsigned>(slices_.distinguishing_bits);
  if (*planned_ == nobody) {
    const std::uint64_t below = (std::uint64_t{1} << slices_.below) - 1;
    wrong.id = (wrong.id & below) | static_cast<std::uint64_t>(slices_.parts) << slices_.below;
  }
  kind_ = *planned_;
  planned_.reset();
  if (!adds) take(s);
  answers[s].reset();
  if (kind_ != dropped) offered_ = wrong, slice_ = static_cast<int>(s);
  ++seen_[kind_];
  left_ = longest + 4 * slices_.timeout;
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

std::optional<Difference> DcFaults::difference(bool error, hw::ProtocolError code,
                                               hw::ProtocolError want) const {
  if (error != (want != none)) return Difference{"protocol_error", error, want != none};
  if (code != want) return Difference{"protocol_error_code", hw::code_of(code), hw::code_of(want)};
  return unfounded(code);
}

std::optional<Difference> DcFaults::reset(hw::ProtocolError code) {
  const bool ended = left_ == 1 && kind_ != kinds;
  left_ = 0, offered_.reset(), last_.reset(), begins_ = true;
  std::fill(stalled_.begin(), stalled_.end(), false);
  if (!ended) return {};
  const Row& row = rows[kind_];
  // A response may be late beside it.
  const bool late = slices_.timeout && code == answer_late;
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

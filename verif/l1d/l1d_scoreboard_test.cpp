// The scoreboard of the L1's protocol finds each rule that a cache breaks: the golden model with one output
// changed, or one input hidden from it.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "verif/l1d/golden_environment.h"

namespace {

using golden::L1dIn, golden::L1dOut, golden::RequestKind;

struct Broken {
  const char* what;
  const char* rule;  // in the message of the scoreboard
  void (*change_outputs)(const L1dIn& in, L1dOut& out);
  void (*change_inputs)(L1dIn& given) = [](L1dIn&) {};
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.what; }

// A copy with its lowest bit inverted in each byte. It counts until the next call.
template <class Words>
const Words* spoiled(const Words* words) {
  static Words copy;
  copy = *words;
  for (auto& word : copy) word ^= 0x0101010101010101;
  return &copy;
}

bool sends(const L1dOut& out, RequestKind kind) {
  return out.memory_request_valid && out.memory_request_kind == kind;
}

const Broken all_broken[] = {
    {"response_to_nobody", "core_response_id, an answer to no request",
     [](const L1dIn&, L1dOut& out) { out.core_response_id ^= 1u << 30; }},
    {"response_mask", "core_response_mask, of the request",
     [](const L1dIn&, L1dOut& out) { out.core_response_mask ^= 1; }},
    {"response_data", "core_response_data, in the order of acceptance",
     [](const L1dIn&, L1dOut& out) {
       if (out.core_response_data) out.core_response_data = spoiled(out.core_response_data);
     }},
    {"response_falls", "core_response_valid, fell before the transfer",
     [](const L1dIn& in, L1dOut& out) {
       static bool waited = false;
       out.core_response_valid &= !waited;
       waited = out.core_response_valid && !in.core_response_ready;
     }},
    {"forgotten_flush", "core_response_data, of a line before the last flush",
     [](const L1dIn& in, L1dOut& out) { out.flush_ready = in.flush_valid; },
     [](L1dIn& given) { given.flush_valid = false; }},
    {"part_of_a_line", "memory_request_mask of a fetch",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::load)) out.memory_request_mask >>= 1;
     }},
    {"fetch_twice", "memory_request_id, in flight already",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::load)) out.memory_request_id = 0;
     }},
    {"fetch_enables", "memory_request_byte_enable of a load",
     [](const L1dIn&, L1dOut& out) {
       static constexpr golden::ByteMask some{1};
       if (sends(out, RequestKind::load)) out.memory_request_byte_enable = &some;
     }},
    {"store_as_atomic", "memory_request_kind, in order",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::store)) out.memory_request_kind = RequestKind::atomic;
     }},
    {"store_id", "memory_request_id, in order",
     [](const L1dIn&, L1dOut& out) { out.memory_request_id ^= sends(out, RequestKind::store); }},
    {"store_address", "memory_request_address, in order",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::store)) out.memory_request_address ^= 256;
     }},
    {"unaligned", "memory_request_address, offset bits",
     [](const L1dIn&, L1dOut& out) { out.memory_request_address |= 1; }},
    {"store_mask", "memory_request_mask, in order",
     [](const L1dIn&, L1dOut& out) { out.memory_request_mask ^= sends(out, RequestKind::store); }},
    {"store_enables", "memory_request_byte_enable, in order",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::store))
         out.memory_request_byte_enable = spoiled(out.memory_request_byte_enable);
     }},
    {"store_data", "memory_request_data, in order",
     [](const L1dIn&, L1dOut& out) {
       if (sends(out, RequestKind::store)) out.memory_request_data = spoiled(out.memory_request_data);
     }},
    {"request_falls", "memory_request_valid, fell before the transfer",
     [](const L1dIn& in, L1dOut& out) {
       static bool waited = false;
       out.memory_request_valid &= !waited;
       waited = out.memory_request_valid && !in.memory_request_ready;
     }},
    {"refused_fill", "memory_response_ready of a fill",
     [](const L1dIn& in, L1dOut& out) {
       if (in.memory_response_id < 4) out.memory_response_ready = false;
     }},
    {"ready_for_nothing", "memory_response_ready without a response",
     [](const L1dIn&, L1dOut& out) { out.memory_response_ready = true; }},
};

class L1dScoreboard : public testing::TestWithParam<Broken> {};

TEST_P(L1dScoreboard, FindWhatIsBroken) {
  hw::L1dParams p{.capacity_bytes = 2048, .mshr_entries = 4};
  p.index.sets = hw::sets_of(p);
  verif::GoldenEnvironment run(p, 3, {.flush = 5, .loads = 70});
  run.change_outputs = GetParam().change_outputs;
  run.change_inputs = GetParam().change_inputs;
  EXPECT_NONFATAL_FAILURE(run.run(20'000), GetParam().rule);
}

INSTANTIATE_TEST_SUITE_P(All, L1dScoreboard, testing::ValuesIn(all_broken),
                         [](const auto& info) { return std::string(info.param.what); });

}  // namespace

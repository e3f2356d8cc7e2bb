// The AXI4 bridge: lock step over its shapes, worked examples of the contract, injected faults, errors.
#include "golden/bus/axi4_bridge.h"

#include <deque>

#include "hw/bus/axi4_bridge.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::inverted, verif::low, verif::only_with, verif::other, verif::stuck;

std::vector<std::string> shape(int address_bits, int line_bytes, int chunk_bytes, int id_bits, int requests) {
  return {fmt::format("geometry.address_bits={}", address_bits),
          fmt::format("geometry.line_bytes={}", line_bytes),
          fmt::format("geometry.chunk_bytes={}", chunk_bytes), fmt::format("axi4.id_bits={}", id_bits),
          fmt::format("axi4.requests={}", requests)};
}

std::int64_t cycles(std::int64_t fast) { return verif::full_tier() ? 2'000'000 : fast; }

golden::Axi4In request(golden::RequestKind kind, std::uint64_t address, std::uint32_t mask) {
  return {.request_valid = true, .request_kind = kind, .request_address = address, .request_mask = mask};
}

using golden::RequestKind;

}  // namespace

TEST(Axi4Bridge, GoldenReadsTheSmallestBlock) {
  const golden::Axi4Bridge bridge({});
  const auto read = [&](std::uint32_t mask) {
    return bridge.outputs(request(RequestKind::load, 0x1040, mask)).ar;
  };
  EXPECT_EQ(read(0b0001), (golden::Axi4Address{true, 4, 0x1000, 0, 5, 3}));
  EXPECT_EQ(read(0b1100), (golden::Axi4Address{true, 4, 0x1040, 0, 6, 3}));
  EXPECT_EQ(read(0b0110), (golden::Axi4Address{true, 4, 0x1000, 0, 7, 3}));
  const golden::Axi4Bridge wide({.line_bytes = 256, .chunk_bytes = 64});
  EXPECT_EQ(wide.outputs(request(RequestKind::load, 0x1000, 0b0110)).ar,
            (golden::Axi4Address{true, 0, 0x1000, 1, 7, 3}));
  EXPECT_EQ(wide.outputs(request(RequestKind::load, 0x1000, 0b1100)).ar,
            (golden::Axi4Address{true, 0, 0x1080, 0, 7, 3}));
}

TEST(Axi4Bridge, GoldenReadsDevicesChunkByChunk) {
  golden::Axi4Bridge bridge({});
  golden::Axi4In in = request(RequestKind::non_l1, 0x1000, 0b1001);
  in.ar_ready = true;
  EXPECT_EQ(bridge.outputs(in).ar, (golden::Axi4Address{true, 4, 0x1000, 0, 5, 0}));
  bridge.edge(in);
  EXPECT_FALSE(bridge.outputs(in).ar.valid);
  in.r_valid = in.r_last = true;
  EXPECT_FALSE(bridge.outputs(in).request_ready);
  bridge.edge(in);
  in.r_valid = false;
  EXPECT_EQ(bridge.outputs(in).ar, (golden::Axi4Address{true, 4, 0x1060, 0, 5, 0}));
  bridge.edge(in);
  in.r_valid = true;
  EXPECT_TRUE(bridge.outputs(in).request_ready);
  bridge.edge(in);
  EXPECT_TRUE(bridge.outputs({}).response_valid);
  EXPECT_EQ(bridge.outputs({}).response_mask, 0b1001u);
}

TEST(Axi4Bridge, GoldenHoldsAReadUntilTheAnswerOfAWriteToItsLine) {
  golden::Axi4Bridge bridge({});
  golden::Axi4In write = request(RequestKind::store, 0x1000, 1);
  write.aw_ready = write.w_ready = true;
  EXPECT_TRUE(bridge.outputs(write).request_ready);
  bridge.edge(write);
  EXPECT_FALSE(bridge.outputs(request(RequestKind::load, 0x1000, 2)).ar.valid);
  EXPECT_TRUE(bridge.outputs(request(RequestKind::load, 0x1080, 2)).ar.valid);
  bridge.edge({.b_valid = true, .b_id = 0});
  EXPECT_FALSE(bridge.outputs(request(RequestKind::load, 0x1000, 2)).ar.valid);
  bridge.edge({.response_ready = true});
  EXPECT_TRUE(bridge.outputs(request(RequestKind::load, 0x1000, 2)).ar.valid);
}

// The first of two reads of a line is answered first, also beside reads of other lines.
TEST(Axi4Bridge, GoldenReadsOfALineHaveOneId) {
  golden::Axi4Bridge bridge({});
  std::vector<std::uint32_t> ids;
  const std::uint64_t lines[] = {0x1000, 0x2080, 0x1000, 0x1000};
  for (std::uint64_t k = 0; k < 4; ++k) {
    golden::Axi4In in = request(RequestKind::load, lines[k], 1);
    in.request_id = k, in.ar_ready = true;
    ids.push_back(bridge.outputs(in).ar.id);
    bridge.edge(in);
  }
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{4, 0, 4, 4}));
  std::vector<std::uint64_t> answers;
  for (const std::uint32_t id : {4, 4, 0, 4}) {
    bridge.edge({.response_ready = true, .r_valid = true, .r_last = true, .r_id = id});
    answers.push_back(bridge.outputs({}).response_id);
  }
  EXPECT_EQ(answers, (std::vector<std::uint64_t>{0, 2, 1, 3}));
}

// Nothing in the way: a request and an answer a cycle, reads and writes in turn.
TEST(Axi4Bridge, GoldenSendsARequestACycle) {
  golden::Axi4Bridge bridge({});
  int asked = 0, answered = 0;
  std::deque<std::pair<bool, std::uint32_t>> memory;  // writes?, id; three cycles away
  for (int cycle = 0; cycle < 104; ++cycle) {
    golden::Axi4In in = request(asked % 2 ? RequestKind::store : RequestKind::load, 0x80 * asked, 1);
    in.request_valid = asked < 100;
    in.response_ready = in.aw_ready = in.w_ready = in.ar_ready = true;
    if (memory.size() > 2 || (asked == 100 && !memory.empty())) {
      in.b_valid = memory.front().first, in.r_valid = in.r_last = !in.b_valid;
      in.b_id = in.r_id = memory.front().second;
      memory.pop_front();
    }
    const golden::Axi4Out out = bridge.outputs(in);
    if (in.request_valid && out.request_ready) {
      memory.emplace_back(out.aw.valid, out.aw.valid ? out.aw.id : out.ar.id);
      ++asked;
    }
    answered += out.response_valid;
    bridge.edge(in);
  }
  EXPECT_EQ(asked, 100);
  EXPECT_EQ(answered, 100);
}

TEST(Axi4Bridge, LockStep) { verif::expect_same("axi4_bridge", {}, cycles(300'000), verif::fresh_seed(5)); }

TEST(Axi4Bridge, Shapes) {
  using Shape = std::array<int, 5>;
  for (const Shape& s : verif::first_of<Shape>(3, {{20, 32, 32, 1, 2},
                                                   {41, 256, 8, 12, 4},
                                                   {48, 128, 16, 40, 32},
                                                   {32, 256, 64, 9, 16},
                                                   {64, 64, 64, 33, 64},
                                                   {33, 64, 32, 4, 8}}))
    verif::expect_same("axi4_bridge", shape(s[0], s[1], s[2], s[3], s[4]), cycles(40'000),
                       verif::fresh_seed(7));
}

TEST(Axi4Bridge, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> bare{
      {"reads_overtake_writes", "axi4_table", "held", "write_q[place]", low()},
      {"writes_overtake_reads", "axi4_table", "held", "writes", low()},
      {"writes_stay_in_use", "axi4_table", "in_use_q", "1'd0",
       [](const Expr&, const Nets& net) { return ~net("write_q").at(net("answer_place")); }},
      {"scattered_read_not_alone", "axi4_table", "held", "alone & (|in_use_q)", low()},
      {"reads_of_a_line_have_two_ids", "", "axi_arid", "", other("spare")},
      {"a_later_read_is_answered", "axi4_read_order", "oldest_q", "~some_q[sent_id]", high()},
      {"a_read_forgotten", "axi4_read_order", "next_q", "some_q[sent_id]", low()},
      {"place_given_twice", "axi4_table", "free", "1'd0", high()},
      {"no_first_place", "axi4_table", "spare_q", "~spare_valid_q", low()},
      {"mask_of_a_store_kept", "", "on_their_way.mask", "~writes", high()},
      {"answers_take_no_turns", "", "turn_ack_q", "~(answers_read ^ memory_response_ready)", inverted()},
      {"answer_of_a_read_overwritten", "", "read_free", "answers_read", high()},
      {"acknowledgement_overwritten", "", "ack_free", "", high()},
      {"address_waits_for_data", "", "aw_valid", "writes", only_with("axi_wready")},
      {"data_twice", "", "w_valid", "~w_done_q", high()},
      {"address_twice", "", "ar_valid", "~gathering_q", high()},
      {"holes_are_read", "", "scattered", "", low()},
      {"burst_too_small", "", "block_size", "3'd7", stuck(6)},
      {"another_bit_of_the_answer", "", "error_q", "axi_rresp[1]",
       [](const Expr&, const Nets& net) { return net("axi_rresp").bit(0); }},
      {"atomics_are_no_error", "", "error_q", "KIND_ATOMIC", stuck(3)},
      {"gathered_chunks_lost", "", "kept", "", low()}};
  verif::expect_all_found("axi4_bridge", {}, bare);
  const std::vector<verif::Fault> wide{
      {"last_beat_too_early", "", "w_last", "", high()},
      {"half_of_another_beat", "", "upper", "", other("w_second_q")},
      {"first_half_not_kept", "", "kept", "{2'd0, {2{read_second_q}}}", low()},
      {"second_half_taken_for_the_first", "", "read_second_q", "~axi_rlast", low()},
      {"order_moves_with_each_beat", "", "order.out_ready", "axi_rlast", high()},
      {"answered_after_the_first_beat", "", "read_full_q", "r_taken & axi_rlast", other("r_taken")}};
  verif::expect_all_found("axi4_bridge", shape(32, 256, 64, 9, 16), wide);
}

TEST(Axi4Bridge, Errors) {
  const auto expect = [](const hw::Axi4BridgeParams& p, const std::string& message) {
    EXPECT_THAT(verif::thrown([&] { hw::check(p); }), testing::EndsWith(message));
  };
  expect({.address_bits = 65},
         "geometry.address_bits = 65: must be from 20 to 64; use 32 unless the GPU's addresses are wider");
  expect({.line_bytes = 512},
         "geometry.line_bytes = 512: must be a power of two from 32 to 256; use 128, the line of the "
         "reference cache");
  expect({.chunk_bytes = 4},
         "geometry.chunk_bytes = 4: must be a power of two from 8 to 64; use 32, the chunk of the reference "
         "cache");
  expect({.line_bytes = 32, .chunk_bytes = 64},
         "geometry.chunk_bytes = 64: is more than a line of 32 bytes; use smaller chunks or longer lines");
  expect({.id_bits = 41},
         "axi4.id_bits = 41: must be from 1 to 40; use as many as the cache's memory side has");
  expect({.requests = 12},
         "axi4.requests = 12: must be a power of two from 2 to 64; use 16, or more for a distant memory");
}

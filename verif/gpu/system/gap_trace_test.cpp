// Instructions between the accesses of traces: where they stand, how many, and what is refused.
#include "golden/gpu/system/gap_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "golden/trace/rec/rec_convert.h"
#include "verif/gpu/system/listed_trace.h"
#include "verif/temp_folder.h"

namespace {

using golden::Record;

Record at(std::uint16_t warp, std::uint32_t pc) {
  Record record = verif::load_of(0x1000, warp);
  record.pc = pc;
  return record;
}

// Writes records as a `.rec`, with a side file if there is a text for one.
std::string written(const verif::TempFolder& folder, std::vector<Record> records, const std::string& side) {
  const std::string name = folder.path("t.rec");
  verif::ListedTrace trace(4, std::move(records), false);
  golden::write_rec(trace, "-", name);
  std::filesystem::remove(folder.path("t.json"));
  if (!side.empty()) folder.write("t.json", side);
  return name;
}

std::string side(int warp_instructions, int loads) {
  return "{\"launches\": [{\"cta_base\": 0}], \"block\": [128, 1, 1], \"dynamic_untruncated\": "
         "{\"warp_insts\": " +
         std::to_string(warp_instructions) + ", \"global_ld\": " + std::to_string(loads) + "}}";
}

// (warp, instructions in front, whether it is an access) of each record.
using Row = std::tuple<int, std::uint32_t, bool>;
std::vector<Row> rows(const std::string& trace) {
  const auto source = golden::open_instructions(trace);
  golden::KernelInfo kernel;
  std::vector<Row> out;
  Record record;
  while (source->next_kernel(kernel))
    while (source->next(record)) out.emplace_back(record.warp, record.before, !record.is_plain());
  return out;
}

// Two warps of a loop: pc 3, 5, back to 3, 5. In front stand 3, between 1; 20 were executed: the two edges
// share what is left of 20 - 8 accesses - 2 * (3 + 1 + 1), one each.
TEST(GapTrace, EdgesShareWhatThePcsDoNotTell) {
  const verif::TempFolder folder;
  std::vector<Record> records;
  for (std::uint16_t w = 0; w < 2; ++w)
    for (const std::uint32_t pc : {3u, 5u, 3u, 5u}) records.push_back(at(w, pc));
  EXPECT_THAT(rows(written(folder, records, side(20, 8))),
              testing::ElementsAre(Row{0, 3, true}, Row{0, 1, true}, Row{0, 1, true}, Row{0, 1, true},
                                   Row{1, 3, true}, Row{1, 1, true}, Row{1, 1, true}, Row{1, 1, true}));
}

// Three edges a warp share 4 instructions: a third each more than one, which adds up warp by warp.
TEST(GapTrace, FractionsAddUp) {
  const verif::TempFolder folder;
  std::vector<Record> records;
  for (int i = 0; i < 4; ++i) records.push_back(at(0, 1));
  EXPECT_THAT(rows(written(folder, records, side(4 + 1 + 4, 4))),
              testing::ElementsAre(Row{0, 1, true}, Row{0, 1, true}, Row{0, 1, true}, Row{0, 2, true}));
}

TEST(GapTrace, WithoutAnEdgeTheRestStandsAtTheEnds) {
  const verif::TempFolder folder;
  const std::vector<Record> records{at(0, 2), at(0, 3), at(1, 2), at(1, 3)};
  EXPECT_THAT(rows(written(folder, records, side(4 + 4 + 6, 4))),
              testing::ElementsAre(Row{0, 2, true}, Row{0, 0, true}, Row{1, 2, true}, Row{1, 0, true},
                                   Row{1, 2, false}, Row{0, 2, false}));
}

// Half of the accesses executed are in the trace: half of the instructions are.
TEST(GapTrace, CutTracesAreScaled) {
  const verif::TempFolder folder;
  std::vector<Record> records;
  for (const std::uint32_t pc : {0u, 1u, 0u, 1u}) records.push_back(at(0, pc));
  EXPECT_EQ(rows(written(folder, records, side(2 * (4 + 7), 8)))[2], (Row{0, 7, true}));
}

TEST(GapTrace, RefusesWhatDoesNotSayHowManyThereAre) {
  const verif::TempFolder folder;
  const auto complaint = [&](const std::string& trace) -> std::string {
    try {
      golden::open_instructions(trace);
    } catch (const golden::TraceError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(written(folder, {at(0, 3)}, "")),
              testing::HasSubstr("dynamic_untruncated.warp_insts"));
  EXPECT_THAT(complaint(written(folder, {at(0, 0), at(0, 0)}, side(10, 2))),
              testing::HasSubstr("every pc_id is 0"));
  EXPECT_EQ(complaint("builtin:triad?elements=64"), "");
}

TEST(GapTrace, BuiltInKernelsStateTheirEdges) {
  std::uint64_t accesses = 0, before = 0;
  for (const auto& [warp, gap, access] : rows("builtin:kmeans?points=256")) accesses += access, before += gap;
  // 8 warps of 34 loads and stores; the program executes 368,220 instructions for 127,500 of them.
  EXPECT_EQ(accesses, 8u * 68);
  EXPECT_NEAR(static_cast<double>(before + accesses), 368220.0 / 127500 * static_cast<double>(accesses),
              0.02 * static_cast<double>(before + accesses));
}

}  // namespace

// The datasheet of a whole cache: minutes of synthesis.
#include <gmock/gmock.h>

#include "verif/cli/datasheet_headings.h"
#include "verif/cli/page_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using testing::HasSubstr;
using testing::IsEmpty;

}  // namespace

TEST(CacheDatasheet, HasItsHeadingsAndTheWaveformOfTheLockStep) {
  const verif::TempFolder folder;
  const auto done = verif::l1forge({"datasheet", "l1d_tsc", "-o", folder.path("sheets")});
  ASSERT_TRUE(done.ok()) << done.output;
  const std::string page = folder.content("sheets/l1d_tsc.html");
  EXPECT_THAT(verif::missing_headings(page, false), IsEmpty());
  EXPECT_THAT(verif::below(page, "Latency of a hit"), HasSubstr("answered 3 cycles after"));
  EXPECT_THAT(verif::below(page, "Latency and throughput by kind of access"), HasSubstr("kmeans"));
  EXPECT_THAT(verif::below(page, "Bits of storage"), HasSubstr("153024 bits"));
  EXPECT_THAT(verif::below(page, "Gates"), HasSubstr("longest path takes 3."));
  EXPECT_THAT(verif::below(page, "Behaviour when the MSHRs are full"), HasSubstr("There are 32 MSHRs"));
  EXPECT_THAT(verif::below(page, "Miss rates and cycles"), HasSubstr("The plain cache beside it is l1d."));
  EXPECT_THAT(verif::below(page, "Claims of the paper"), HasSubstr("TSC: "));

  const std::string vcd = folder.path("waves.vcd");
  ASSERT_TRUE(verif::l1forge({"cosim", "l1d_tsc", "--random", "13000", "--vcd", vcd}).ok());
  const verif::VcdPorts waveform(gen::read_file(vcd));
  const auto diagrams = verif::diagrams_of(page);
  ASSERT_EQ(diagrams.size(), 3u);
  EXPECT_EQ(diagrams[0]["head"]["text"], "A load that hits");
  for (const auto& diagram : diagrams)
    EXPECT_THAT(verif::differences(diagram, waveform), IsEmpty()) << diagram["head"];
}

// `l1forge explore` of shared L1s with controllers: who serves each request of a list, and what controllers
// decided, worked out by hand.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

// Core 2 stores to line 3000, whose home is core 3, and brings 3100 to its own L1 while even sets are
// private. Replies of the home make it find that shared L1s are better: behind two more requests even sets
// are shared, and 3000 is read past the home, which may have it as it was.
TEST(ExploreDyneb, ListOfRequests) {
  const verif::TempFolder folder;
  const std::string list = folder.write(
      "list",
      "2 S 3000 1\n2 L 3080 1\n2 L 3080 1\n2 L 3080 1\n2 L 3080 1\n2 L 3080 1\n2 L 2000 1\n2 L 3100 1\n"
      "2 L 2080 1\n2 L 2080 1\n2 L 2000 1\n2 L 2000 1\n2 L 3200 1\n2 L 3000 1\n2 S 3100 1\n");
  const std::string json = folder.path("json");
  const auto run =
      verif::l1forge({"explore", "shared_l1", "--requests", list, "-s", "shared.organisation=dyneb", "-s",
                      "shared.min_home_l2=false", "-s", "dyneb.sample_accesses=2", "-s",
                      "dyneb.miss_percent=0", "--dump", "-", "--json", json});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output,
            "2 s\n2 h 3 M\n2 h 3 H\n2 h 3 H\n2 h 3 H\n2 h 3 H\n2 l 2 M\n2 l 2 M\n2 l 2 M\n2 l 2 H\n2 l 2 H\n"
            "2 l 2 H\n2 h 3 M\n2 d 0 M\n2 s\n");
  const auto core = nlohmann::json::parse(folder.content("json"))["runs"][0]["per_core"][2];
  EXPECT_EQ(core["organisation_history"], nlohmann::json::parse(R"([{"loads": 0, "organisation": "samples"},
                                      {"loads": 5, "organisation": "shared"}])"));
}

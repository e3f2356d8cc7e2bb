// Static power of a netlist by hand, in the cells of verif/energy/samples/counter.lib.
#include "gen/area/cell_leakage.h"

#include <gtest/gtest.h>

#include "gen/files.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

// The inverter leaks 1 nW with A and 5 without, a NAND2 4 nW in each state. A RAM is no cell of the library.
TEST(CellLeakage, MeanOverTheStatesOfACell) {
  std::string text = gen::read_file(verif::in_source("verif/energy/samples/counter.lib"));
  const std::string without = "when : \"!A\"; value : 3;";
  ASSERT_NE(text.find(without), text.npos);
  text.replace(text.find(without), without.size(), "when : \"!A\"; value : 5;");
  const verif::TempFolder folder;
  folder.write("small.lib", text);
  const gen::Liberty liberty = gen::user_liberty({folder.path("small.lib")});
  gen::AreaResult inverters, mixed;
  inverters.cells = {{"INV", 3}};
  mixed.cells = {{"INV", 1}, {"NAND2", 10}, {"l1d_ram", 4}};
  EXPECT_EQ(gen::leakages_nw({inverters, mixed}, liberty), (std::vector<double>{3 * 3, 3 + 10 * 4}));
}

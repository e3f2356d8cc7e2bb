// The area ratchet over every row of synth-scripts/area.csv: an hour of synthesis.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "verif/area/ratchet.h"

TEST(AreaRatchet, EveryRowIsAsRecorded) {
  for (const auto& [preset, recorded] : verif::recorded_areas()) {
    ASSERT_NE(gen::find_preset(preset), nullptr) << preset << " is no preset";
    EXPECT_EQ(verif::ratchet_fault(preset, recorded, verif::measured_area(preset)), "");
  }
}

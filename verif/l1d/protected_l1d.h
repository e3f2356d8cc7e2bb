// L1 data caches with protected RAMs, at sizes at which upsets meet much: lock step while bits flip.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "gen/config/catalogue.h"
#include "verif/full_tier.h"
#include "verif/l1d/lock_step.h"
#include "verif/l1d/scarce_l1d.h"

namespace verif {

inline constexpr const char* wrong_data = "load whose data would be wrong without the check";
inline constexpr const char* wrong_tag = "request that would find another line without the check of tags";

// With check bits of data.
inline std::vector<std::string> protected_l1d(const std::string& code,
                                              const std::vector<std::string>& more = {}) {
  return scarce_l1d("ecc.data=" + code, more);
}

// With check bits of tags alone, or beside those of data.
inline std::vector<std::string> protected_tags(const std::string& code,
                                               const std::vector<std::string>& more = {},
                                               const std::string& data = "none") {
  std::vector<std::string> all = protected_l1d(data, {"ecc.tags=" + code, "geometry.address_bits=20"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Every byte of every load is right, and each goal is met; this event comes more often than `least`.
inline void expect_no_silent_upset(const std::string& preset, const std::vector<std::string>& settings,
                                   const char* seen = wrong_data, int least = 100) {
  const gen::Config config = gen::load_config(preset, settings);
  SCOPED_TRACE(config.top);
  const bool shares = preset == "l1d_dsc";  // whose goals take longer
  const auto run = lock_step(config, {.random_cycles = full_tier()                   ? 1'000'000
                                                       : seen == wrong_tag || shares ? 250'000
                                                                                     : 100'000,
                                      .coverage = true});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
  EXPECT_GT(run.report["coverage"]["counts"][seen], least);
}

}  // namespace verif

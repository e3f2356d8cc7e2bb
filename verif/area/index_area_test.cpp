// Area and delay of the index units against what they must beat, by the recipe in synth-scripts/, three
// orders of lines.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/cli/run_l1forge.h"

namespace {

struct Figure {
  double gate_equivalents = 0, ns = 0;
};

Figure of(const nlohmann::json& unit) {
  return {unit["gate_equivalents"]["median"], unit["longest_path_ns"]["median"]};
}

// The unit and its plain form, in one run.
std::pair<Figure, Figure> area(const std::string& preset, int sets) {
  const gen::Finished done = verif::l1forge(
      {"area", preset, "-s", fmt::format("index.sets={}", sets), "--orders", "3", "--json", "-"});
  if (!done.ok()) throw std::runtime_error(done.output);
  const auto units = nlohmann::json::parse(done.output)["units"];
  const std::pair figures(of(units[0]), of(units[1]));
  fmt::print("{} at {} sets: {:.1f} GE, {:.2f} ns; plain form {:.1f} GE, {:.2f} ns\n", preset, sets,
             figures.first.gate_equivalents, figures.first.ns, figures.second.gate_equivalents,
             figures.second.ns);
  return figures;
}

}  // namespace

TEST(IndexArea, PolynomialAt64SetsIsNoLargerAndNoSlowerThanAPublicHash) {
  const auto [unit, plain] = area("index_pli", 64);
  EXPECT_LE(unit.gate_equivalents, 124);
  EXPECT_LE(unit.ns, 0.86);
  EXPECT_LT(unit.gate_equivalents, plain.gate_equivalents);
}

TEST(IndexArea, PrimeModuloIsFarBelowAModuloOperator) {
  const auto [at_31, modulo_31] = area("index_pri", 32);
  EXPECT_LE(at_31.gate_equivalents, 0.45 * modulo_31.gate_equivalents);
  EXPECT_LE(at_31.ns, 0.5 * modulo_31.ns);
  for (const int sets : {64, 128}) {
    const auto [unit, modulo] = area("index_pri", sets);
    EXPECT_LT(unit.gate_equivalents, modulo.gate_equivalents);
    EXPECT_LT(unit.ns, modulo.ns);
  }
}

// Says that the recipe is the one that the public figures were made by.
TEST(IndexArea, PlainModuloReproducesThePublishedFigures) {
  const auto plain = area("index_pri", 32).second;
  EXPECT_NEAR(plain.gate_equivalents, 563, 1);
  EXPECT_NEAR(plain.ns, 12.8, 0.1);
}

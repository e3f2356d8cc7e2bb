#include "gen/verify/mutants.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "gen/unit/unit.h"
#include "gen/verify/changes.h"

namespace gen {
namespace {

// Mutants of one module, one after the other.
class Source {
 public:
  Source(const rtl::Module& module, std::uint64_t seed)
      : module_(module), places_(places_of(module)), draw_(seed) {
    for (std::size_t n = 0; n < places_.size(); ++n)
      for (const PlaceChange& c : changes_of(places_[n], draw_)) of_kind(c.kind).push_back(n);
  }

  // None where the module's changes are used up.
  std::optional<Mutant> next() {
    constexpr int tries = 400;
    for (int t = 0; t < tries; ++t) {
      const auto kind = static_cast<ChangeKind>(draw_() % change_kinds);
      const auto& candidates = of_kind(kind);
      if (candidates.empty()) continue;
      const Place& place = places_[candidates[draw_() % candidates.size()]];
      for (const PlaceChange& c : changes_of(place, draw_))
        if (c.kind == kind && taken_.insert({place.number, c.words}).second) return mutant(place, c);
    }
    return {};
  }

 private:
  std::vector<std::size_t>& of_kind(ChangeKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }

  Mutant mutant(const Place& place, const PlaceChange& change) const {
    Mutant m{.module = module_.name(),
             .net = *place.nets.begin(),
             .change = change.words,
             .file = rtl::short_path(place.loc),
             .line = static_cast<int>(place.loc.line())};
    m.fault.what = m.change;
    m.fault.module = m.module;
    m.fault.net = m.net;
    m.fault.becomes = [now = change.becomes](const rtl::Expr&, const Nets&) { return now; };
    m.fault.place = place.number;
    return m;
  }

  const rtl::Module module_;
  const std::vector<Place> places_;
  std::mt19937_64 draw_;
  std::array<std::vector<std::size_t>, change_kinds> kinds_;
  std::set<std::pair<std::size_t, std::string>> taken_;
};

}  // namespace

std::vector<std::string> mutable_modules(const rtl::Module& top) {
  std::vector<std::string> names;
  for (const rtl::Module& m : rtl::modules_of(top))
    if (!is_ram(m)) names.push_back(m.name());
  return names;
}

std::vector<Mutant> draw_mutants(const rtl::Module& top, std::size_t count, std::uint64_t seed,
                                 const std::vector<std::string>& modules) {
  std::vector<Source> sources;
  std::size_t number = 0;
  for (const rtl::Module& m : rtl::modules_of(top)) {
    if (is_ram(m)) continue;
    const std::uint64_t own_seed = seed * 1'000'003 + number++;
    if (modules.empty() || std::ranges::count(modules, m.name())) sources.emplace_back(m, own_seed);
  }
  std::vector<std::vector<Mutant>> drawn(sources.size());
  std::size_t total = 0;
  for (bool any = true; any && total < count;) {
    any = false;
    for (std::size_t n = 0; n < sources.size() && total < count; ++n)
      if (auto mutant = sources[n].next()) {
        drawn[n].push_back(std::move(*mutant));
        any = true;
        ++total;
      }
  }
  std::vector<Mutant> mutants;
  for (auto& of_module : drawn) std::ranges::move(of_module, std::back_inserter(mutants));
  return mutants;
}

}  // namespace gen

#include "gen/verify/verify_command.h"

#include <memory>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/config/error.h"
#include "gen/verify/upsets.h"
#include "gen/verify/verify.h"

namespace gen {

void add_verify(CLI::App& app, const Origin& origin, int& status) {
  auto* sub = app.add_subcommand(
      "verify",
      "mutate a unit's Verilog and count the mutants that its co-simulation kills, or flip bits of its "
      "protected RAMs or of its flip-flops and count what becomes of them");
  struct Flags : UnitFlags, VerifyRequest {};
  auto f = std::make_shared<Flags>();
  f->UnitFlags::add(*sub);
  sub->add_option("--mutants", f->mutants, "number of mutants, drawn evenly over the modules of the unit")
      ->type_name("N")
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  sub->add_option("--upsets", f->upsets,
                  "upsets of each protected array (ecc.*), in the place of mutants: bits flip under random "
                  "traffic, with every byte checked")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000))
      ->excludes("--mutants");
  sub->add_option("--module", f->modules, "mutate this module of the unit alone; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->excludes("--upsets");
  sub->add_option(
         "--flop-upsets", f->flop_upsets,
         "flip one bit of a flip-flop in each of N runs of random traffic in an L1 data cache, and count by "
         "instance what the ports show: masked, harmless, detected, hung, silent")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000))
      ->excludes("--mutants")
      ->excludes("--module")
      ->excludes("--upsets");
  sub->add_flag("--without-check", f->without_check,
                "with --upsets: into the same cache without its protection, and count the loads that have a "
                "wrong byte")
      ->needs("--upsets");
  sub->add_option("--cycles", f->cycles,
                  "cycles of the first random run; survivors run twice as long; default: those of cosim")
      ->type_name("CYCLES")
      ->check(whole_number(1, 1'000'000'000'000));
  sub->add_option("--seed", f->seed, "seed of the draw of mutants and of the random stimulus")
      ->check(whole_number(0, ~std::uint64_t{0} - 1))
      ->capture_default_str();
  sub->add_option("--json", f->json, "write the scores and survivors as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  sub->add_option("--html", f->html, "write a page with the scores, and the Verilog with survivors marked")
      ->type_name("FILE")
      ->check(path());
  sub->footer("Example: l1forge verify arbiter_round_robin --cycles 100000 --html survivors.html");
  sub->callback([=, &status] {
    CallPaths().reads("the unit's file", f->name).writes("--json", f->json).writes("--html", f->html).check();
    f->origin = origin;
    const Config config = f->load(f->json == "-");
    if ((f->upsets || f->flop_upsets) && !f->html.empty())
      throw ConfigError("--html", "shows mutants; leave it out with --upsets and --flop-upsets");
    if (f->flop_upsets)
      status = verify_flop_upsets(config, *f);
    else if (f->without_check)
      status = verify_upsets_without_check(config, *f);
    else
      status = f->upsets ? verify_upsets(config, *f) : verify(config, *f);
  });
}

}  // namespace gen

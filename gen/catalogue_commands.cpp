#include "gen/catalogue_commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/completion.h"
#include "gen/config/describe.h"
#include "gen/diff.h"
#include "gen/energy/energy_command.h"
#include "gen/files.h"
#include "gen/gpgpusim.h"
#include "gen/system/system_config.h"
#include "gen/tech/technology.h"

namespace gen {

void add_list(CLI::App& app, int& status) {
  auto* list = app.add_subcommand("list", "list the catalogue of units");
  auto json = std::make_shared<std::string>();
  list->add_option("--json", *json, "write the catalogue as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  auto systems = std::make_shared<bool>(false);
  list->add_flag("--systems", *systems, "list the GPU systems of explore --system instead of the units");
  list->footer("Example: l1forge list --json units.json");
  list->callback([=, &status] {
    CallPaths().writes("--json", *json).check();
    const std::string text = (*systems ? systems_json() : list_json()).dump(2) + "\n";
    if (!json->empty() && *json != "-") write_file_atomically(*json, text);
    std::cout << (*json == "-" ? text : *systems ? systems_text() : list_text());
    status = 0;
  });
}

void add_describe(CLI::App& app, int& status) {
  auto* describe = app.add_subcommand("describe", "print every parameter of a unit as a TOML file to edit");
  auto name = std::make_shared<std::string>();
  auto schema = std::make_shared<bool>(false), json = std::make_shared<bool>(false);
  describe->add_option("unit", *name, "preset (see `l1forge list`)");
  describe->add_flag("--schema", *schema, "print the JSON Schema of configuration files");
  describe->add_flag("--json", *json, "print the parameters as JSON");
  describe->footer("Example: l1forge describe l1d > my.toml");
  describe->callback([=, &status] {
    if (*schema && *json) throw ConfigError("describe", "--schema is JSON already");
    if (name->empty() != *schema) throw ConfigError("describe", "takes a preset's name, or --schema alone");
    if (*schema)
      std::cout << config_schema().dump(2) << "\n";
    else if (*json)
      std::cout << describe_json(*name).dump(2) << "\n";
    else
      std::cout << describe_text(*name);
    status = 0;
  });
}

void add_diff(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("diff", "compare two units: parameters, ports, storage, latency");
  struct Flags : DiffOptions {
    std::string first, second;
    std::vector<std::string> settings;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("first", f->first, "first unit: preset, TOML file or manifest")->required();
  sub->add_option("second", f->second, "second unit: preset, TOML file or manifest")->required();
  add_settings(*sub, f->settings, "set a key of the second unit: -s geometry.ways=8");
  auto* area = sub->add_flag("--area", f->area, "compare gates and longest paths too, by yosys and OpenSTA");
  sub->add_option("--orders", f->orders, "netlist shuffles of each unit; reports medians and ranges")
      ->type_name("N")
      ->check(whole_number(1, 1000))
      ->needs(area);
  auto* energy =
      sub->add_flag("--energy", f->energies, "compare energies under the same traffic too; needs --tech");
  f->energy.parts = 1;
  for (CLI::Option* option : add_energy_options(*sub, f->energy)) option->needs(energy);
  sub->add_option("--json", f->json, "write the differences as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  sub->footer(
      "Example: l1forge diff l1d l1d_tsc --area --orders 5\n"
      "         l1forge diff l1d l1d_tsc --energy --trace builtin:kmeans --tech sg13g2.toml");
  sub->callback([=, &status] {
    CallPaths()
        .reads("the first unit's file", f->first)
        .reads("the second unit's file", f->second)
        .reads_traces("--trace", f->energy.traces)
        .reads("--replay", f->energy.replays)
        .reads("--tech",
               f->energy.tech.empty() ? std::vector<std::string>{} : read_technology(f->energy.tech).files())
        .writes("--json", f->json)
        .check();
    status = diff(load_config(f->first), load_all({f->second}, f->settings, f->json == "-")[0], *f);
  });
}

void add_import(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("import", "convert a cache string of GPGPU-Sim or Accel-Sim to a TOML file");
  auto text = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  sub->add_option("string", *text, "cache string: the value of -gpgpu_cache:dl1")->required();
  sub->add_option("-o,--out", *out, "output file; default: standard output")
      ->type_name("FILE")
      ->check(path());
  auto banks = std::make_shared<int>(1);
  sub->add_option("--banks", *banks, "the value of -gpgpu_l1_banks: 1, 2 or 4; default: 1")
      ->type_name("N")
      ->check(CLI::IsMember({1, 2, 4}));
  auto force = std::make_shared<bool>(false);
  sub->add_flag("--force", *force, "replace an existing file");
  sub->footer("Example: l1forge import S:64:128:4,L:L:m:N:X,A:64:8,8:0,32 -o my.toml");
  sub->callback([=, &status] {
    CallPaths().writes("-o", *out).check();
    const std::string toml = toml_of_gpgpusim(*text, *banks);
    if (out->empty() || *out == "-")
      std::cout << toml;
    else if (std::error_code error; *force || !std::filesystem::exists(*out, error))
      write_file_atomically(*out, toml);
    else if (read_file(*out) != toml)
      throw FileError(
          fmt::format("-o {}: is there already; name another file, or replace it by --force", *out));
    status = 0;
  });
}

void add_completion(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("completion", "print a script that completes command lines of l1forge");
  auto shell = std::make_shared<std::string>();
  sub->add_option("shell", *shell, "shell of the script")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer("Example: source <(l1forge completion bash)");
  sub->callback([&app, &status, shell] {
    std::cout << completion(app, *shell);
    status = 0;
  });
}

}  // namespace gen

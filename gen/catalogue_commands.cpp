#include "gen/catalogue_commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "gen/call_paths.h"
#include "gen/command_flags.h"
#include "gen/completion.h"
#include "gen/config/describe.h"
#include "gen/diff.h"
#include "gen/files.h"
#include "gen/gpgpusim.h"
#include "gen/system/system_config.h"

namespace gen {

void add_list(CLI::App& app, int& status) {
  auto* list = app.add_subcommand("list", "the catalogue of units");
  auto json = std::make_shared<std::string>();
  list->add_option("--json", *json, "write the catalogue as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  auto systems = std::make_shared<bool>(false);
  list->add_flag("--systems", *systems, "the GPUs that stand around caches with --system, not the units");
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
  auto* describe = app.add_subcommand("describe", "every parameter of a unit, as a TOML file to start from");
  auto name = std::make_shared<std::string>();
  auto schema = std::make_shared<bool>(false), json = std::make_shared<bool>(false);
  describe->add_option("unit", *name, "a preset's name");
  describe->add_flag("--schema", *schema, "the JSON Schema of configuration files instead");
  describe->add_flag("--json", *json, "as JSON");
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
  auto* sub = app.add_subcommand("diff", "how two units differ: parameters, ports, storage, latency");
  struct Flags : DiffOptions {
    std::string first, second;
    std::vector<std::string> settings;
  };
  auto f = std::make_shared<Flags>();
  sub->add_option("first", f->first, "a preset's name, a TOML file or a manifest")->required();
  sub->add_option("second", f->second, "what stands beside it")->required();
  add_settings(*sub, f->settings, "change a key of the second: -s geometry.ways=8");
  auto* area = sub->add_flag("--area", f->area, "gates and longest paths too, by yosys and OpenSTA");
  sub->add_option("--orders", f->orders, "orders of each unit's lines to try: medians and ranges")
      ->type_name("N")
      ->check(whole_number(1, 1000))
      ->needs(area);
  sub->add_option("--json", f->json, "write the differences as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  sub->footer("Example: l1forge diff l1d l1d_tsc --area --orders 5");
  sub->callback([=, &status] {
    CallPaths()
        .reads("the first unit's file", f->first)
        .reads("the second unit's file", f->second)
        .writes("--json", f->json)
        .check();
    status = diff(load_config(f->first), load_all({f->second}, f->settings, f->json == "-")[0], *f);
  });
}

void add_import(CLI::App& app, int& status) {
  auto* sub = app.add_subcommand("import", "a cache string of GPGPU-Sim or Accel-Sim as a TOML file");
  auto text = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  sub->add_option("string", *text, "what stands behind -gpgpu_cache:dl1")->required();
  sub->add_option("-o,--out", *out, "the file to write; standard output by default")
      ->type_name("FILE")
      ->check(path());
  auto force = std::make_shared<bool>(false);
  sub->add_flag("--force", *force, "replace a file of that name");
  sub->footer("Example: l1forge import S:64:128:4,L:L:m:N:X,A:64:8,8:0,32 -o my.toml");
  sub->callback([=, &status] {
    CallPaths().writes("-o", *out).check();
    const std::string toml = toml_of_gpgpusim(*text);
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
  auto* sub = app.add_subcommand("completion", "a script that completes command lines of l1forge");
  auto shell = std::make_shared<std::string>();
  sub->add_option("shell", *shell, "the shell that the script is for")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer("Example: source <(l1forge completion bash)");
  sub->callback([&app, &status, shell] {
    std::cout << completion(app, *shell);
    status = 0;
  });
}

}  // namespace gen

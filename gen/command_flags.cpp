#include "gen/command_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <map>

#include "gen/config/describe.h"

namespace gen {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [=](std::string& text) {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        const bool plain = !text.empty() && (text == "0" || text[0] != '0');
        return plain && error == std::errc() && stopped == end && value >= least && value <= most
                   ? std::string()
                   : fmt::format("{} is not a whole number from {} to {}", text.empty() ? "\"\"" : text,
                                 least, most);
      },
      "");
}

CLI::Validator path() {
  return CLI::Validator([](std::string& text) { return std::string(text.empty() ? "names no file" : ""); },
                        "");
}

CLI::Validator nanoseconds(const char* what, double least) {
  return CLI::Validator(
      [=](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return end && *end == '\0' && !text.empty() && value >= least && value <= 1e6
                   ? std::string()
                   : fmt::format("{} is not a {} from {} to 1000000 ns", text, what, least);
      },
      "");
}

CLI::Validator scheduler_name() { return CLI::IsMember({"gto", "lrr", "two-level"}); }
CLI::Validator sm_count() { return whole_number(1, 1024); }
CLI::Validator memory_latency() { return whole_number(1, 1'000'000); }
CLI::Validator memory_bandwidth() { return whole_number(1, 4096); }
CLI::Validator random_cycles() { return whole_number(1, 1'000'000'000'000); }
CLI::Validator seed_number() { return whole_number(0, ~std::uint64_t{0}); }
CLI::Validator window_cycles() { return whole_number(1, 1'000'000); }
CLI::Validator cycles_before() { return whole_number(0, 1'000'000); }
CLI::Validator clock_period() { return nanoseconds("period", 0.001); }
CLI::Validator order_count() { return whole_number(1, 1000); }

void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& meaning) {
  app.add_option("-s,--set", settings, meaning)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_reports(CLI::App& app, Reports& reports) {
  app.add_option("--json", reports.json, "write every figure as JSON; - is standard output")
      ->type_name("FILE")
      ->check(path());
  app.add_option("--csv", reports.csv, "write the table as CSV; - is standard output")
      ->type_name("FILE")
      ->check(path());
}

std::vector<Config> load_all(const std::vector<std::string>& names, const std::vector<std::string>& settings,
                             bool report_to_stdout) {
  std::vector<Config> configs;
  std::map<std::string, std::size_t> idle;
  for (const std::string& name : names) {
    configs.push_back(load_config(name, settings));
    for (const std::string& note : idle_flags(configs.back())) ++idle[note];
  }
  for (const auto& [note, times] : idle)
    if (times == names.size() && !report_to_stdout) fmt::print(stderr, "l1forge: note: {}\n", note);
  return configs;
}

Config UnitFlags::load(bool report_to_stdout) const {
  return load_all({name}, settings, report_to_stdout)[0];
}

void UnitFlags::add(CLI::App& app) {
  app.add_option("unit", name, "preset (see `l1forge list`), TOML file or manifest")->required();
  add_settings(app, settings, "set a key of the unit: -s index.sets=64");
}

}  // namespace gen

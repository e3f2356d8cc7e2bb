// The conventions of the source tree (CONTRIBUTING.md), each also shown to catch an injected fault.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "gen/config/catalogue.h"
#include "gen/paths.h"
#include "verif/repo/class_signals.h"
#include "verif/repo/source_tree.h"

namespace {

using verif::SourceFile;
using Complaints = std::vector<std::string>;

const std::vector<SourceFile>& tree() {
  static const auto files = verif::source_tree(gen::paths::source());
  return files;
}

bool exists(const std::string& path) {
  return std::ranges::any_of(tree(), [&](const SourceFile& file) { return file.path == path; });
}

// Complains about each line in which the pattern is found.
Complaints complain(const SourceFile& file, const std::regex& pattern, std::string_view rule) {
  Complaints out;
  int number = 0;
  for (const auto& line : verif::lines(file.text)) {
    ++number;
    if (std::regex_search(line, pattern))
      out.push_back(fmt::format("{}:{}: {}: {}", file.path, number, rule, line));
  }
  return out;
}

// What the files of a folder may include in quotes; the first folder that fits counts.
struct Direction {
  std::string_view folder;
  const char* allowed;
};
constexpr Direction directions[] = {
    {"hw/rtl/", "^hw/rtl/"},
    {"hw/", "^hw/"},
    {"gen/", "^(gen|hw|golden|cosim)/"},
    {"golden/", "^golden/|^hw/.*_params\\.h$"},
    {"cosim/", "^(cosim|golden)/|^hw/.*_params\\.h$"},
    {"clients/gpgpusim/", "^(l1forge/client|l1forge_[a-z_]+|gpu-cache|gpu-sim|mem_fetch|shader)\\.h$"},
    {"clients/", "^(clients|gen|golden|hw)/"},
    {"verif/", "^(verif|cosim|golden|hw|gen|clients)/"},
};

Complaints includes(const SourceFile& file) {
  Complaints out;
  static const std::regex include("^ *#include \"([^\"]*)\"");
  const auto* direction =
      std::ranges::find_if(directions, [&](const Direction& d) { return file.in(d.folder); });
  if (!file.is_cpp() || direction == std::end(directions)) return out;
  const bool test = file.path.ends_with("_test.cpp");  // of that folder, but outside the product
  const std::regex allowed(test ? "^(verif|cosim|golden|hw|gen|clients)/" : direction->allowed);
  for (const auto& line : verif::lines(file.text))
    if (std::smatch found;
        std::regex_search(line, found, include) && !std::regex_search(found[1].str(), allowed))
      out.push_back(fmt::format("{}: must not include {}", file.path, found[1].str()));
  return out;
}

// A model stays readable, and independent, with ac_types and the standard library alone.
Complaints golden_libraries(const SourceFile& file) {
  if (!file.in("golden/") || file.in("golden/gpu/") || file.in("golden/trace/") || file.in("golden/trace/"))
    return {};
  return complain(file, std::regex("^ *#include <(?!ac_[a-z_]+\\.h>|c?[a-z_0-9]+>)"),
                  "a model takes ac_types and the standard library only");
}

Complaints synth_scripts(const SourceFile& file) {
  if (!file.in("synth-scripts/")) return {};
  return complain(file, std::regex("\\b(hw|gen|golden|verif)/"), "scripts read rtl-out only");
}

Complaints plain_verilog(const SourceFile& file) {
  if (!file.in("rtl-out/") || file.extension() != ".v") return {};
  SourceFile code = file;
  code.text = std::regex_replace(file.text, std::regex("//[^\n]*"), "");
  return complain(
      code,
      std::regex("\\b(initial|logic|always_ff|always_comb|always_latch|typedef|interface|enum|struct|"
                 "package|import|unique|priority|assert|bit|byte|int|void|modport)\\b"),
      "not plain Verilog-2005");
}

Complaints line_length(const SourceFile& file) {
  static constexpr size_t limit = 120;
  static const std::set<std::string> prose_and_data = {".md", ".csv", ".json", ".txt", ".svg", ".core"};
  static const std::regex long_number("'h[0-9a-f]{80,};$");  // of generated Verilog: it cannot be broken
  Complaints out;
  if (prose_and_data.contains(file.extension())) return out;
  int number = 0;
  for (const auto& line : verif::lines(file.text)) {
    ++number;
    const auto columns = std::ranges::count_if(line, [](unsigned char c) { return (c & 0xc0) != 0x80; });
    if (static_cast<size_t>(columns) > limit && !std::regex_search(line, long_number))
      out.push_back(fmt::format("{}:{}: {} columns, at most {}", file.path, number, columns, limit));
  }
  return out;
}

Complaints file_length(const SourceFile& file) {
  static constexpr size_t limit = 400;
  const size_t length = verif::lines(file.text).size();
  if (!file.is_cpp() || length <= limit) return {};
  return {fmt::format("{}: {} lines, at most {}", file.path, length, limit)};
}

// Every header says what it is for before anything else, and so does a source file that has none.
Complaints purpose(const SourceFile& file) {
  if (!file.is_cpp()) return {};
  const std::string header = std::filesystem::path(file.path).replace_extension(".h").generic_string();
  Complaints out;
  if ((file.extension() == ".h" || !exists(header)) && !file.text.starts_with("// "))
    out.push_back(file.path + ": does not open with a sentence that says what it is for");
  if (file.extension() == ".h" && file.text.find("#pragma once\n") == std::string::npos)
    out.push_back(file.path + ": has no #pragma once");
  return out;
}

// What a design may be without is an optional or a condition. Null expressions are of hw/rtl, and of numbers
// of one thing, which have no bits.
Complaints null_expressions(const SourceFile& file) {
  if (!file.in("hw/") || file.in("hw/rtl/") || file.path == "hw/prim/one_hot.cpp") return {};
  return complain(file, std::regex("[.>]known\\(\\)"), "an expression that may be null is an std::optional");
}

// Misspelt, they would end a program at run time, if at all.
Complaints signals_by_string(const SourceFile& file) {
  if (!file.in("hw/")) return {};
  return complain(file, std::regex("\\.at\\(\""),
                  "signals are members, or have names that the compiler knows");
}

// A range stands in a `*_ranges.h` alone: not in comments of parameters, nor in texts of checks.
Complaints ranges_once(const SourceFile& file) {
  if (!file.in("hw/")) return {};
  return complain(
      file,
      std::regex(file.path.ends_with("_params.h") ? "; *// .*\\b[0-9]+ to [0-9]"
                                                  : "\"must be (a power of two )?from [0-9]+ to [0-9]+\""),
      "ranges stand in a *_ranges.h");
}

// A part that takes and returns signals says in its signature what it needs.
Complaints signals_of_classes(const SourceFile& file) {
  static constexpr int limit = 25;
  Complaints out;
  if (!file.is_cpp() || !(file.in("hw/") || file.in("golden/"))) return out;
  for (const auto& [name, signals] : verif::class_signals(file.text))
    if (signals > limit)
      out.push_back(
          fmt::format("{}: class {} has {} signals as members, at most {}", file.path, name, signals, limit));
  return out;
}

// A policy with data of its own stands in its own files and in the tables of policies, monitors and traffic;
// all other code asks its traits, its rows or the interfaces that it serves.
Complaints policies_in_tables(const SourceFile& file) {
  static const std::set<std::string> tables{
      "hw/policy/bypass_params.h", "hw/policy/policies.cpp",        "hw/l1d/monitors.cpp",
      "golden/policy/policy.cpp",  "gen/units/l1d/policy_keys.cpp", "cosim/l1d/mechanism_traffic.cpp"};
  const auto in = [&](const char* folder) { return file.in(folder); };
  if (!file.is_cpp() || std::ranges::none_of(std::array{"hw/", "golden/", "gen/", "cosim/"}, in)) return {};
  if (tables.contains(file.path) || file.path.find("bucl") != std::string::npos) return {};
  return complain(file, std::regex("BypassKind::(mrpb|bucl)\\b|bypass\\.bucl\\b|\\bBucl[A-Z]|/bucl_"),
                  "a policy stands in its own files and in the tables");
}

// Monitors stand in tables; the cache in front of them knows none by name.
Complaints monitors_in_tables(const SourceFile& file) {
  static const std::set<std::string> tables{"hw/l1d/monitors.cpp",           "hw/l1d/moving_index.h",
                                            "hw/l1d/moving_index.cpp",       "hw/l1d/l1d_params.h",
                                            "golden/l1d/functional_store.h", "golden/l1d/cycle_monitors.cpp",
                                            "golden/l1d/own_controller.h",   "golden/l1d/l1d_figures.h"};
  if (!file.in("hw/l1d/") && !file.in("golden/l1d/")) return {};
  if (tables.contains(file.path) || file.path.find("_in_cache.") != std::string::npos) return {};
  return complain(
      file,
      std::regex(
          "#include \"(hw|golden)/(monitors/|cache/(adaptive|access_mode|filter_duel|untimed_mode)\\.)|"
          "#include \".*_in_cache\\.h\""),
      "a monitor stands in its own files and in the tables");
}

Complaints machine_paths(const SourceFile& file) {
  return complain(file, std::regex("(^|[^A-Za-z0-9_.~])/(work|root|home|Users)/"),
                  "a path of somebody's machine");
}

Complaints unfinished(const SourceFile& file) {
  return complain(file,
                  std::regex("\\b(TO"
                             "DO|FIX"
                             "ME|XX"
                             "X)\\b"),
                  "an unfinished mark");
}

struct Rule {
  const char* name;
  std::function<Complaints(const SourceFile&)> check;
  SourceFile injected;  // breaks the rule, and once only
};

const Rule rules[] = {
    {"Includes",
     includes,
     {"golden/index/a.h", "#include \"hw/rtl/module.h\"\n#include \"hw/index/a_params.h\"\n"}},
    {"GoldenLibraries",
     golden_libraries,
     {"golden/index/a.h", "#include <ac_int.h>\n#include <fmt/format.h>\n"}},
    {"SynthScripts", synth_scripts, {"synth-scripts/a.ys", "read_verilog hw/a.v\n"}},
    {"PlainVerilog", plain_verilog, {"rtl-out/a.v", "// an initial guess\ninitial x = 0;\n"}},
    {"LineLength", line_length, {"gen/a.cpp", std::string(121, 'x') + "\n"}},
    {"FileLength", file_length, {"gen/a.cpp", std::string(401, '\n')}},
    {"Purpose", purpose, {"gen/a.h", "#pragma once\n// Late.\n"}},
    {"NullExpressions", null_expressions, {"hw/a.cpp", "if (e.known()) {}\n"}},
    {"SignalsByString", signals_by_string, {"hw/a.cpp", "ports_.at(\"id\");\n"}},
    {"RangesOnce", ranges_once, {"hw/a_params.h", "  int ways = 4;  // 1 to 512\n"}},
    {"SignalsOfClasses",
     signals_of_classes,
     {"hw/a.cpp",
      "// class {\nclass A {\n  struct B { Expr x; };\n  Expr f(int n);\n  Expr a, b, c, d, e;\n"
      "  std::optional<rtl::Expr> f, g, h, i, j;\n  rtl::Condition k, l, m, n, o;\n"
      "  rtl::Stream p, q, r, s, t;\n  std::vector<Expr> u, v, w, x, y, z;\n};\n"}},
    {"PoliciesInTables",
     policies_in_tables,
     {"gen/a.cpp", "// As bypass.kind = bucl.\nif (hw::profiles(p.bypass.bucl)) {}\n"}},
    {"MonitorsInTables",
     monitors_in_tables,
     {"golden/l1d/cycle_l1d.h",
      "#include \"golden/cache/monitor.h\"\n#include \"golden/cache/access_mode.h\"\n"}},
    {"MachinePaths", machine_paths, {"gen/a.cpp", std::string("open(\"/ho") + "me/me/x\");\n/usr/share/x\n"}},
    {"Unfinished", unfinished, {"gen/a.cpp", std::string("// TO") + "DO\n"}},
};

class Conventions : public testing::TestWithParam<Rule> {};
void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

TEST_P(Conventions, HoldInTheTree) {
  for (const auto& file : tree())
    for (const auto& complaint : GetParam().check(file)) ADD_FAILURE() << complaint;
}

TEST_P(Conventions, CatchAnInjectedFault) {
  EXPECT_THAT(GetParam().check(GetParam().injected), testing::SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(All, Conventions, testing::ValuesIn(rules),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Tree, IsFoundWhole) {
  for (const char* path :
       {"README.md", "forge", ".ci/run", "hw/rtl/module.h", "verif/repo/conventions_test.cpp"})
    EXPECT_TRUE(exists(path)) << path;
}

// Headers that the models of a folder share; the tests of the units cover them.
const std::set<std::string> shared_by_models = {"golden/check/first_errors.h",
                                                "golden/bits.h",
                                                "golden/check/late_request.h",
                                                "golden/index/byte_tables.h",
                                                "golden/index/index_unit.h",
                                                "golden/index/index_widths.h",
                                                "golden/index/run_time_index.h",
                                                "golden/topology/decoupled_kinds.h",
                                                "golden/topology/fabric.h",
                                                "golden/topology/functional_topology.cpp",
                                                "golden/topology/functional_topology.h",
                                                "golden/topology/kinds.cpp",
                                                "golden/topology/kinds.h",
                                                "golden/topology/network.h",
                                                "golden/topology/parts.cpp",
                                                "golden/topology/parts.h",
                                                "golden/bus/numbered_requests.h",
                                                "golden/noc/home.h",
                                                "golden/noc/packet.h",
                                                "golden/topology/plan.h",
                                                "golden/topology/remote_kinds.h",
                                                "golden/topology/replicas.h",
                                                "golden/topology/shared_kinds.h",
                                                "golden/monitors/page_table.h",
                                                "golden/policy/policy.cpp",
                                                "golden/policy/policy.h",
                                                "golden/policy/policy_unit.h",
                                                "golden/ring.h",
                                                "golden/state.h",
                                                "golden/tags/decoupled_set.cpp",
                                                "golden/tags/decoupled_set.h",
                                                "golden/tags/protected_tags.h",
                                                "golden/tags/replacement.h",
                                                "golden/tags/split_set.h",
                                                "golden/tags/split_set.cpp",
                                                "golden/tags/tag_kinds.cpp",
                                                "golden/tags/tag_kinds.h",
                                                "golden/tags/way_lines.h",
                                                "golden/tags/way_order.h",
                                                "golden/tags/ways_functional.cpp",
                                                "golden/tags/ways_functional.h",
                                                "golden/tags/ways_tags.cpp",
                                                "golden/tags/ways_tags.h"};

// A tag organisation has a store for both models, and loops of its own without time; a policy may have a unit
// inside the cache.
const std::regex models_of_a_mechanism("_(tags|functional|tags_state|upsets|in_cache)$");

bool exists_like(const std::string& start, std::string_view end) {
  return std::ranges::any_of(tree(), [&](const SourceFile& file) {
    return file.path.starts_with(start) && file.path.ends_with(end);
  });
}

// One stem, four files: `find -name '<stem>*'` is the whole story of a unit. A folder that is one unit (l1d)
// has its hardware and its test under the folder's name.
TEST(Tree, EveryModelHasItsReferenceAndItsTest) {
  for (const auto& file : tree()) {
    if (!file.in("golden/") || file.in("golden/gpu/") || file.in("golden/trace/") || file.in("golden/cache/"))
      continue;  // no units: the GPU around the caches, its traces, and what the parts of a cache share
    if (shared_by_models.contains(file.path)) continue;
    const auto path = std::filesystem::path(file.path);
    const std::string folder = path.parent_path().filename();
    const std::string stem = std::regex_replace(path.stem().string(), models_of_a_mechanism, "");
    const std::string unit = exists(fmt::format("hw/{0}/{0}.cpp", folder)) ? folder : stem;
    EXPECT_TRUE(exists_like(fmt::format("hw/{}/{}", folder, unit), ".cpp"))
        << file.path << " has no hardware";
    EXPECT_TRUE(exists_like(fmt::format("verif/{}/{}", folder, unit), "_test.cpp"))
        << file.path << " has no test";
  }
  for (const auto& path : shared_by_models) EXPECT_TRUE(exists(path)) << path;
}

TEST(Documents, NameFilesThatExist) {
  static const std::regex named("`((hw|gen|golden|verif|cmake|docs|synth-scripts)/[a-z0-9_/-]+\\.[a-z]+)`");
  int count = 0;
  for (const auto& file : tree())
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), named), end;
         file.extension() == ".md" && at != end; ++at, ++count)
      EXPECT_TRUE(exists((*at)[1])) << file.path << " names " << (*at)[1];
  EXPECT_GT(count, 20);
}

TEST(Documents, LinksLeadToFiles) {
  static const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  int count = 0;
  for (const auto& file : tree())
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), link), end;
         file.extension() == ".md" && at != end; ++at, ++count) {
      const auto target = std::filesystem::path(file.path).parent_path() / (*at)[1].str();
      EXPECT_TRUE(std::filesystem::exists(gen::paths::source() / target))
          << file.path << " links " << (*at)[1];
    }
  EXPECT_GT(count, 30);
}

TEST(Documents, ReadmeAndCatalogueListEveryPreset) {
  for (const char* page : {"README.md", "docs/catalogue.md"}) {
    const auto file = std::ranges::find(tree(), page, &SourceFile::path);
    ASSERT_TRUE(file != tree().end()) << page;
    for (const auto& preset : gen::preset_names())
      EXPECT_NE(file->text.find("`" + preset + "`"), std::string::npos) << page << " lacks " << preset;
  }
}

}  // namespace

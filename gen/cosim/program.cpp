#include "gen/cosim/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "gen/cosim/program_folder.h"
#include "gen/cosim/program_headers.h"
#include "gen/digest.h"
#include "gen/disk_space.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/status_line.h"
#include "golden/trace/io/draft.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr int folders_kept = 256;

// What a program is compiled with: a run of seconds is over before more than -O1 has paid for itself.
std::string level_of(const ProgramSource& source) {
  return source.verilog.empty() || (source.runs_long && !source.large) ? "-O2" : "-O1";
}

// What a model is made with. Parts apart from each other, and ports that are not looked through, let code
// serve all instances of a part: half of the text of a topology, for a tenth of the speed. With all its text
// a topology of 80 cores takes 7 GB to build.
std::vector<std::string> model_flags(const ProgramSource& source) {
  if (source.runs_long && !source.large) return {};
  return {"--inline-mult", "1", "-fno-gate"};
}

// What a main takes as its model where more is done than Verilator's own class does.
std::string model_header(const ProgramSource& source) {
  std::string includes, model = "Vmodel";
  const auto wrap = [&](bool wanted, std::string_view header, std::string_view around) {
    if (!wanted) return;
    includes += fmt::format("#include \"cosim/harness/{}\"\n", header);
    model = fmt::format("verif::{}<{}>", around, model);
  };
  wrap(source.steps, "stepped_model.h", "SteppedModel");
  wrap(source.counts, "counting_model.h", "CountingModel");
  return fmt::format("#pragma once\n#include \"Vmodel.h\"\n{}using Vdut = {};\n", includes, model);
}

// Headers that a main may include, and the libraries by size and time.
void add_sources(Digest& digest) {
  add_headers(digest);
  for (const auto& library :
       {paths::cosim_runtime(), paths::cosim(), paths::golden_gpu(), paths::golden_l1d()}) {
    std::error_code error;
    digest.add(fmt::format("{} {}", fs::file_size(library, error),
                           fs::last_write_time(library, error).time_since_epoch().count()));
    if (error)
      throw ToolError(fmt::format("{}: the library is missing: build L1Forge again", library.string()));
  }
}

// Old programs go, the longest unused first.
void prune(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  std::error_code error;
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::file_time_type written = fs::last_write_time(entry.path(), error);
    const bool draft = entry.path().filename().string().starts_with('.');  // another process may be at it
    if (!draft || written < yesterday) all.emplace_back(written, entry.path());
  }
  std::ranges::sort(all);
  for (std::size_t i = 0; i + folders_kept < all.size(); ++i) fs::remove_all(all[i].second, error);
}

std::vector<std::string> compiler() {
  try {
    return {find_tool("ccache").string(), find_tool("g++").string()};
  } catch (const ToolError&) {
    return {find_tool("g++").string()};
  }
}

// ccache ends with an error where it finds no folder of its own.
bool compiler_cache_can_be_written() {
  const char* named = std::getenv("CCACHE_DIR");
  if (named == nullptr) return !cache_folder().empty();
  std::error_code error;
  fs::create_directories(named, error);
  return !error && ::access(named, W_OK) == 0;
}

// Like run_checked, but quotes the first error, with its position, and not the end of the log.
void run_tool(const Command& command, const std::string& what) {
  const Finished done = run(command);
  if (done.ok()) return;
  const std::string space = no_space_left({command.folder});
  std::istringstream log(done.output);
  for (std::string line; std::getline(log, line);)
    if (line.starts_with("%Error") || line.starts_with("%Warning") || line.find(" error: ") != line.npos)
      throw ToolError(fmt::format("{}: {}{}", what, line, space));
  throw ToolError(fmt::format("{}: {}{}", what, log_tail(done.output), space));
}

struct Source {
  std::string name, level, text;
  std::uintmax_t bytes = 0;
  bool with_headers = false;
};

// The libraries of a sanitized build need programs of the same kind.
std::vector<std::string> sanitizer_flags() {
  if (paths::sanitizers().empty()) return {};
  return {"-O1", "-fsanitize=" + paths::sanitizers(), "-fno-sanitize-recover=all"};
}

// Verilator's code reads up to a word beyond a vector where an index may lie beyond it, and drops what it
// read.
std::vector<std::string> sanitizer_flags_of(const std::string& source) {
  std::vector<std::string> flags = sanitizer_flags();
  if (!flags.empty() && source != "main.cc")
    flags.insert(flags.end(), {"-fno-sanitize=object-size,bounds", "--param=asan-stack=0"});
  return flags;
}

// One file from one source that lies in `work`, with these flags before the others; paths relative to it, so
// that the compiler cache serves any clone.
void compile(const fs::path& work, const std::string& source, const std::string& made,
             const std::vector<std::string>& first) {
  auto argv = compiler();
  argv.insert(argv.end(), first.begin(), first.end());
  for (const std::string& a :
       {std::string("-std=c++20"), std::string("-w"), std::string("-I."),
        "-I" + fs::relative(paths::source(), work).string(), "-isystem" + paths::ac_types().string(),
        "-isystem" + paths::verilator_include().string(),
        "-isystem" + (paths::verilator_include() / "vltstd").string(), source, std::string("-o"), made})
    argv.push_back(a);
  for (const auto& flag : sanitizer_flags_of(source)) argv.push_back(flag);
  Command command{.argv = argv,
                  .environment = {{"CCACHE_BASEDIR", paths::source().string()},
                                  {"CCACHE_NOHASHDIR", "1"},
                                  {"CCACHE_SLOPPINESS", "pch_defines,time_macros"},
                                  {"CCACHE_PCH_EXTSUM", "1"},
                                  {"TMPDIR", work.string()}},
                  .folder = work};
  // Read headers know each header by its bytes, of which the compiler cache may leave out the comments.
  if (fs::exists(work / (made + ".sum")))
    command.environment.emplace_back("CCACHE_EXTRAFILES", made + ".sum");
  if (!compiler_cache_can_be_written()) command.environment.emplace_back("CCACHE_DISABLE", "1");
  run_tool(command, "g++");
}

// What is compiled with headers that have been read: only what is compiled as quickly as can be, many times.
std::vector<std::string> with_headers(const fs::path& work, const Source& source) {
  if (!source.with_headers || source.level != "-O1") return {};
  const auto read = [](const fs::path& folder, const std::string& from, const std::string& made) {
    compile(folder, from, made, {"-O1", "-x", "c++-header"});
  };
  return {"-I" + fs::relative(headers_folder("-O1", read), work).string(), "-fpch-preprocess"};
}

std::string object_of(const Source& source) { return fs::path(source.name).replace_extension(".o").string(); }

void compile(const fs::path& work, const Source& source) {
  std::vector<std::string> flags{source.level, "-c"};
  std::ranges::move(with_headers(work, source), std::back_inserter(flags));
  compile(work, source.name, object_of(source), flags);
}

// Modules of a further top begin with its name; all others are of the first.
std::string top_of(const std::string& file, const ProgramSource& source) {
  for (const auto& [prefix, top] : source.beside)
    if (file.starts_with(top)) return top;
  return source.top;
}

// Verilog to the C++ of its model.
void verilate(const fs::path& work, const ProgramSource& source, const std::string& prefix,
              const std::string& top) {
  // With `unique` it is for each run to say whether unknowns are zero or random.
  std::vector<std::string> argv{"verilator",    "--cc",   "-O3",        "--x-assign", "unique",
                                "--x-initial",  "unique", "--noassert", "--prefix",   prefix,
                                "--top-module", top,      "--Mdir",     "."};
  if (source.lint) argv.push_back("-Wall");
  if (source.counts && top == source.top) argv.insert(argv.end(), {"--coverage-line", "--coverage-toggle"});
  if (source.flips_rams) argv.push_back("-Wno-MULTIDRIVEN");  // the wrapper writes RAMs of the unit
  std::ranges::copy(model_flags(source), std::back_inserter(argv));
  for (const auto& [name, text] : source.verilog) {
    write_file_atomically(work / name, text);
    if (top_of(name, source) == top) argv.push_back(name);
  }
  run_tool({.argv = argv, .folder = work}, "verilator");
}

// Whether a file of a model holds what only sets it up.
bool runs_once(const std::string& part) { return part.find("__Slow") != part.npos; }

// A large model's files in some sources, what runs once apart.
std::vector<Source> model_sources(const fs::path& work, const std::vector<std::string>& parts,
                                  const std::string& fast) {
  constexpr std::uintmax_t most_bytes = 4 << 20;
  std::vector<Source> sources;
  for (const bool slow : {false, true})
    for (const std::string& part : parts) {
      if (runs_once(part) != slow) continue;
      const std::uintmax_t size = fs::file_size(work / part);
      const std::string level = slow ? "-O0" : fast;
      if (sources.empty() || sources.back().level != level || sources.back().bytes + size > most_bytes)
        sources.push_back({fmt::format("part{}_of_model.cc", sources.size()), level, "", 0});
      sources.back().text += fmt::format("#include \"{}\"\n", part);
      sources.back().bytes += size;
    }
  return sources;
}

// All of a small model in one source, what runs once compiled as fast as can be.
std::string whole_model(const std::vector<std::string>& parts) {
  std::string fast, once;
  for (const std::string& part : parts)
    (runs_once(part) ? once : fast) += fmt::format("#include \"{}\"\n", part);
  return fast + "#pragma GCC push_options\n#pragma GCC optimize(\"O0\")\n" + once +
         "#pragma GCC pop_options\n";
}

// What is to be compiled: a small model and its main together, since Verilator's headers take as long as
// either of them. Sanitizers look less closely at a model than at its main.
std::vector<Source> sources_of(const fs::path& work, const ProgramSource& source) {
  std::vector<std::string> parts;
  for (const auto& entry : fs::directory_iterator(work))
    if (entry.path().extension() == ".cpp") parts.push_back(entry.path().filename().string());
  std::ranges::sort(parts);
  const std::string level = level_of(source);
  std::vector<Source> sources;
  if (source.large || !paths::sanitizers().empty()) sources = model_sources(work, parts, level);
  Source main{sources.empty() ? "program.cc" : "main.cc", level, "", 0};
  main.with_headers = paths::sanitizers().empty();
  main.text = fmt::format("#include \"{}\"\n", program_headers);
  if (sources.empty() && !parts.empty()) main.text += whole_model(parts);
  main.text += source.main;
  sources.push_back(main);
  return sources;
}

// Compiles them beside each other; their objects.
std::vector<std::string> compile_all(const fs::path& work, const std::vector<Source>& sources) {
  std::vector<std::string> objects;
  for (const Source& s : sources) {
    write_file_atomically(work / s.name, s.text);
    objects.push_back(object_of(s));
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::future<void>> workers;
  for (unsigned w = 0; w < std::max(1u, std::thread::hardware_concurrency()); ++w)
    workers.push_back(std::async(std::launch::async, [&] {
      for (std::size_t n = next++; n < sources.size(); n = next++) compile(work, sources[n]);
    }));
  for (auto& worker : workers) worker.wait();
  for (auto& worker : workers) worker.get();
  return objects;
}

}  // namespace

std::string program_digest(const ProgramSource& source) {
  Digest digest;
  digest.add(source.main);
  digest.add(source.top + (source.lint ? " linted" : "") + (source.large ? " large" : "") +
             (source.counts ? " counts" : "") + (source.steps ? " steps " : " ") + level_of(source));
  for (const std::string& flag : model_flags(source)) digest.add(flag);
  for (const auto& [name, text] : source.verilog) digest.add(name), digest.add(text);
  for (const auto& [prefix, top] : source.beside) digest.add(prefix), digest.add(top);
  add_sources(digest);
  return digest.text();
}

fs::path build_program(const ProgramSource& source) {
  const fs::path home = program_place("cosim", fmt::format("{}-{}", source.name, program_digest(source)));
  const fs::path program = home / "cosim";
  std::error_code error;
  if (fs::exists(program, error)) {
    fs::last_write_time(home, fs::file_time_type::clock::now(), error);
    return program;
  }
  // Built aside and renamed: two calls at once do not meet.
  const golden::Draft draft(home);
  const fs::path& work = draft.path();
  fs::create_directories(work);
  StatusLine status(source.name);
  if (!source.verilog.empty()) {
    status.at("Verilator");
    const bool wrapped = source.counts || source.steps;
    verilate(work, source, wrapped ? "Vmodel" : "Vdut", source.top);
    if (wrapped) write_file_atomically(work / "Vdut.h", model_header(source));
    for (const auto& [prefix, top] : source.beside) verilate(work, source, prefix, top);
  }
  const std::vector<Source> sources = sources_of(work, source);
  status.at(fmt::format("compiling {} {}", sources.size(), sources.size() == 1 ? "file" : "files"));
  std::vector<std::string> link{find_tool("g++").string()};
  std::ranges::move(compile_all(work, sources), std::back_inserter(link));
  status.at("linking");
  for (const auto& library :
       {paths::cosim(), paths::golden_gpu(), paths::golden_l1d(), paths::cosim_runtime()})
    link.push_back(library.string());
  for (const char* flag : {"-lfmt", "-llzma", "-lz", "-lpthread", "-o", "cosim"}) link.push_back(flag);
  const auto sanitize = sanitizer_flags();
  link.insert(link.end(), sanitize.begin(), sanitize.end());
  if (sanitize.empty()) link.push_back("-Wl,--strip-debug");  // half of the linking
  run_checked({.argv = link, .folder = work});
  fs::rename(work, home, error);
  if (error && !fs::exists(program))
    throw FileError(fmt::format("{}: cannot create: {}", home.string(), error.message()));
  prune(home.parent_path());
  return program;
}

}  // namespace gen

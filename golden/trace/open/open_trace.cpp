#include "golden/trace/open/open_trace.h"

#include <fmt/format.h>

#include <filesystem>

#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/open/trace_cut.h"
#include "golden/trace/open/trace_name.h"
#include "golden/trace/rec/rec_source.h"
#include "golden/trace/trace_format.h"
#include "golden/trace/trace_side.h"
#include "golden/trace/traceg/kernelslist_source.h"

namespace golden {
namespace fs = std::filesystem;
namespace {

OpenedTrace open_whole(const std::string& path) {
  if (path.starts_with(builtin_prefix)) return {open_builtin(path), nullptr};
  std::error_code code;
  const bool folder = fs::is_directory(path, code);
  const std::string file = folder ? (fs::path(path) / "kernelslist.g").string() : path;
  if (folder && !fs::exists(file, code))
    throw TraceError(fmt::format("{}: this folder holds no kernelslist.g", path));
  auto source = std::make_unique<ByteSource>(file);
  switch (trace_format(*source)) {
    case TraceFormat::traceg:
      return {std::make_unique<TracegSource>(std::move(source)), nullptr};
    case TraceFormat::kernelslist:
      return {std::make_unique<KernelslistSource>(std::move(source), fs::path(file).parent_path()), nullptr};
    case TraceFormat::requests:
      return {nullptr, std::move(source)};
    case TraceFormat::recording:
      throw TraceError(
          fmt::format("{}: this is a recording of a cache's ports, which holds no trace; l1forge cosim "
                      "--replay takes it",
                      source->name()));
    case TraceFormat::rec:
      break;
  }
  return {std::make_unique<RecSource>(std::move(source)), nullptr};
}

}  // namespace

OpenedTrace open_trace_or_requests(const std::string& name) {
  const TraceName named = trace_name(name);
  OpenedTrace opened = open_whole(named.file);
  if (!named.cut.any()) return opened;
  if (!opened.trace)
    throw TraceError(fmt::format("{}: {} is a list of requests, which has no CTAs and cannot be cut",
                                 name, named.file));
  return {std::make_unique<CutTrace>(std::move(opened.trace), named.cut), nullptr};
}

std::vector<std::string> files_of_trace(const std::string& name) {
  const TraceName named = trace_name(name);
  const std::string& path = named.file;
  if (path == "-" || path.starts_with(builtin_prefix)) return {};
  std::error_code code;
  const fs::path file = fs::is_directory(path, code) ? fs::path(path) / "kernelslist.g" : fs::path(path);
  std::vector<std::string> files{file.string(), side_file_name(file.string())};
  if (!fs::is_regular_file(file, code)) return files;
  try {
    auto source = std::make_unique<ByteSource>(file.string());
    if (trace_format(*source) != TraceFormat::kernelslist) return files;
    for (const auto& kernel : KernelslistSource(std::move(source), file.parent_path()).files())
      files.push_back(kernel.string());
  } catch (const TraceError&) {  // the reader of the trace says what is wrong with it
  }
  return files;
}

std::unique_ptr<TraceSource> open_trace(const std::string& path) {
  OpenedTrace opened = open_trace_or_requests(path);
  if (!opened.trace)
    throw TraceError(
        fmt::format("{}: this is a list of requests, not a trace of accesses", opened.requests->name()));
  return std::move(opened.trace);
}

}  // namespace golden

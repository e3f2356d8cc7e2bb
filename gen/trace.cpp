#include "gen/trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <iostream>

#include "gen/config/error.h"
#include "gen/files.h"
#include "gen/trace_profile.h"
#include "gen/workload_list.h"
#include "golden/trace/io/byte_sink.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/open/open_trace.h"
#include "golden/trace/open/trace_cut.h"
#include "golden/trace/rec/rec_convert.h"
#include "golden/trace/request_list.h"
#include "golden/trace/trace_format.h"
#include "golden/trace/trace_summary.h"
#include "golden/trace/traceg/traceg_writer.h"

namespace gen {
namespace {

// Says on a terminal how far a long reading is.
class Progress {
 public:
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r{:60}\r", "");
  }
  template <class Source>
  void operator()(const Source& source) {
    if (!terminal_ || ++calls_ % 4096 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    const double done = source.fraction();
    const std::string how_far =
        done < 0 ? fmt::format("{} read", calls_) : fmt::format("{:.1f} %", 100 * done);
    fmt::print(stderr, "\r{:60}", fmt::format("{:.40}: {}", source.name(), how_far));
    std::fflush(stderr);
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1, shown_ = false;
  std::uint64_t calls_ = 0;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

// A trace that shows how much of it has been read.
class Watched : public golden::TraceSource {
 public:
  explicit Watched(std::unique_ptr<TraceSource> source) : source_(std::move(source)) {}

  bool next_kernel(golden::KernelInfo& kernel) override { return source_->next_kernel(kernel); }
  bool next(golden::Record& record) override {
    progress_(*source_);
    return source_->next(record);
  }
  bool list_instructions() override { return source_->list_instructions(); }
  bool count_instructions() override { return source_->count_instructions(); }
  std::optional<golden::ExecutedCounts> executed() const override { return source_->executed(); }
  const std::string& name() const override { return source_->name(); }
  double fraction() const override { return source_->fraction(); }

 private:
  std::unique_ptr<TraceSource> source_;
  Progress progress_;
};

golden::RequestList::Limits limits(const TraceOptions& options, golden::ByteSource& requests) {
  const std::uint32_t cores = golden::names_cores(requests) ? ~0u : 0;
  return {options.line_bytes, options.chunk_bytes, 64, cores};
}

Watched watched(const TraceOptions& options, std::unique_ptr<golden::TraceSource> source) {
  if (!options.cut.any()) return Watched(std::move(source));
  return Watched(std::make_unique<golden::CutTrace>(std::move(source), options.cut));
}

// A list of requests has neither CTAs nor instructions.
void refuse_cut(const TraceOptions& options, const std::string& list) {
  if (options.cut.any())
    throw ConfigError("trace --ctas, --accesses",
                      fmt::format("cut traces; {} is a list of requests, which has no CTAs", list));
}

enum class Target { rec, traceg, requests };

Target target(const std::string& path) {
  const std::string stem = path.ends_with(".xz") ? path.substr(0, path.size() - 3) : path;
  if (stem.ends_with(".rec")) return Target::rec;
  if (stem.ends_with(".traceg")) return Target::traceg;
  if (stem.ends_with(".req") || stem.ends_with(".txt")) return Target::requests;
  throw ConfigError(
      "trace -o", fmt::format("{} must end in .rec or .traceg (a trace), .req or .txt (a list of requests), "
                              "or one of these and .xz",
                              path));
}

void copy_requests(golden::RequestList& list, bool cores, const std::string& to) {
  golden::ByteSink sink(to);
  Progress progress;
  std::string lines;
  std::uint64_t requests = 0;
  for (golden::RequestList::Item item; list.next(item);) {
    progress(list);
    requests += item.flush ? 0 : 1;
    lines += golden::text(item, cores);
    if (lines.size() < 65536) continue;
    sink.write(lines);
    lines.clear();
  }
  sink.write(lines);
  sink.close();
  fmt::print("{}: {} requests\n", to, requests);
}

void convert(const TraceOptions& options) {
  const std::string& to = options.converted;
  if (options.files.size() != 1) throw ConfigError("trace -o", "converts one trace at a time");
  if (!options.json.empty()) throw ConfigError("trace -o", "writes no JSON");
  const Target kind = target(to);
  check_writable(to);
  golden::OpenedTrace opened = golden::open_trace_or_requests(options.files[0]);
  if (opened.requests) {
    const std::string& name = opened.requests->name();
    refuse_cut(options, name);
    if (kind != Target::requests)
      throw golden::TraceError(
          fmt::format("{}: a list of requests cannot become a trace, its lanes are lost", name));
    const auto fits = limits(options, *opened.requests);
    golden::RequestList list(std::move(opened.requests), fits);
    copy_requests(list, fits.cores > 0, to);
    return;
  }
  Watched trace = watched(options, std::move(opened.trace));
  // The side file of the whole does not describe a part.
  const bool part = options.cut.any() || golden::trace_name(options.files[0]).cut.any();
  const std::string described = part ? "-" : options.files[0];
  if (kind == Target::rec)
    fmt::print("{}: {} records\n", to, golden::write_rec(trace, described, to));
  else if (kind == Target::traceg)
    fmt::print("{}: {} records\n", to, golden::write_traceg(trace, to));
  else
    fmt::print("{}: {} requests\n", to,
               golden::write_requests(trace, to, options.line_bytes, options.chunk_bytes));
}

// To a file, to standard output, or nowhere.
void write_json(const std::string& to, const nlohmann::ordered_json& json) {
  if (to == "-")
    std::cout << golden::json_text(json, 2) << "\n";
  else if (!to.empty())
    write_file_atomically(to, golden::json_text(json, 2) + "\n");
}

// Its line is printed, its JSON returned.
nlohmann::ordered_json summary(const TraceOptions& options, const std::string& file) {
  golden::OpenedTrace opened = golden::open_trace_or_requests(file);
  const auto report = [&](const auto& summary) {
    if (options.json.empty()) fmt::print("{}\n", golden::text(summary));
    return golden::json(summary);
  };
  if (opened.trace) {
    Watched trace = watched(options, std::move(opened.trace));
    return report(golden::summarize(trace, options.line_bytes));
  }
  refuse_cut(options, opened.requests->name());
  const auto fits = limits(options, *opened.requests);
  golden::RequestList list(std::move(opened.requests), fits);
  return report(golden::summarize(list));
}

// Their text is printed, unless there is JSON.
void profile_all(const TraceOptions& options, const Origin& origin) {
  std::vector<golden::Profile> profiles;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  golden::ProfileOptions of;
  if (options.sms) of.sms = options.sms;
  of.line_bytes = options.line_bytes;
  for (const std::string& file : options.files) {
    golden::OpenedTrace opened = golden::open_trace_or_requests(file);
    if (!opened.trace)
      throw golden::TraceError(fmt::format("{}: a list of requests cannot be profiled, it has no CTAs",
                                           opened.requests->name()));
    Watched trace = watched(options, std::move(opened.trace));
    profiles.push_back(golden::profile(trace, of));
    all.push_back(profile_json(profiles.back()));
    if (options.json.empty()) fmt::print("{}", profile_text(profiles.back()));
  }
  write_json(options.json, all);
  if (!options.html.empty()) write_file_atomically(options.html, profile_html(profiles, origin));
}

void check_profile(const TraceOptions& options) {
  if (!options.profile) {
    if (!options.html.empty()) throw ConfigError("trace --html", "draws profiles; add --profile");
    if (options.sms) throw ConfigError("trace --sms", "is for profiles; add --profile");
    return;
  }
  if (options.list) throw ConfigError("trace --profile", "takes traces, not --list");
  if (!options.converted.empty())
    throw ConfigError("trace --profile", "reads traces; it does not convert with -o");
  if (!options.html.empty()) check_writable(options.html);
}

void check_shape(const TraceOptions& options) {
  const auto check = [](const char* flag, int value, int least, int most) {
    if (value < least || value > most || !std::has_single_bit(static_cast<unsigned>(value)))
      throw ConfigError(fmt::format("trace {}", flag),
                        fmt::format("{} must be a power of two from {} to {}", value, least, most));
  };
  check("--line-bytes", options.line_bytes, 32, 256);
  check("--chunk-bytes", options.chunk_bytes, 8, 64);
  if (options.chunk_bytes > options.line_bytes)
    throw ConfigError("trace --chunk-bytes", "must not be above --line-bytes");
}

}  // namespace

int trace(const TraceOptions& options, const Origin& origin) {
  if (options.list == !options.files.empty()) throw ConfigError("trace", "takes traces, or --list alone");
  check_shape(options);
  check_profile(options);
  if (options.json != "-") check_writable(options.json);
  if (options.profile) {
    profile_all(options, origin);
    return 0;
  }
  if (options.list) {
    list_workloads(options.json);
    return 0;
  }
  if (!options.converted.empty()) {
    convert(options);
    return 0;
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string& file : options.files) all.push_back(summary(options, file));
  write_json(options.json, all);
  return 0;
}

}  // namespace gen

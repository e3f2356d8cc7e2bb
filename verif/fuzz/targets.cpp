#include "verif/fuzz/targets.h"

#include <cstdlib>
#include <string>

#include "gen/config/config.h"
#include "golden/trace/coalesce.h"
#include "golden/trace/rec/rec_source.h"
#include "golden/trace/request_list.h"
#include "golden/trace/trace_format.h"
#include "golden/trace/traceg/kernelslist_source.h"

namespace verif {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::unique_ptr<golden::ByteSource> source(Bytes bytes) {
  return std::make_unique<golden::ByteSource>("fuzz", bytes);
}

// Errors are one printable line that names a position.
void check_line(const std::string& line) {
  bool printable = !line.empty();
  for (const char c : line) printable = printable && c != '\n' && c != '\r' && c != '\0';
  if (!printable) std::abort();
}

void drain(golden::TraceSource& trace) {
  std::vector<golden::LineAccess> lines;
  golden::Record record;
  for (golden::KernelInfo kernel; trace.next_kernel(kernel);)
    while (trace.next(record)) {
      if (record.is_barrier() != (record.mask == 0)) std::abort();
      golden::coalesce(record, 128, 32, lines);
    }
}

template <class Step>
void expect_trace_error_at_most(Step step) {
  try {
    step();
  } catch (const golden::TraceError& e) {
    check_line(e.what());
  }
}

void rec(Bytes bytes) {
  expect_trace_error_at_most([&] {
    golden::RecSource trace(source(bytes));
    drain(trace);
  });
}

void traceg(Bytes bytes) {
  expect_trace_error_at_most([&] {
    golden::TracegSource trace(source(bytes));
    drain(trace);
  });
}

// Its kernels are not there.
void kernelslist(Bytes bytes) {
  expect_trace_error_at_most([&] {
    const auto list = source(bytes);
    golden::trace_format(*list);
  });
  expect_trace_error_at_most([&] {
    golden::KernelslistSource trace(source(bytes), "/no/such/folder");
    drain(trace);
  });
}

void requests(Bytes bytes) {
  for (const std::uint32_t cores : {0u, 80u})
    expect_trace_error_at_most([&] {
      golden::RequestList list(source(bytes), {128, 32, 32, cores});
      for (golden::RequestList::Item item; list.next(item);)
        if (item.request.mask == 0 || item.request.address % 128 != 0) std::abort();
    });
}

void toml(Bytes bytes) {
  const std::string text(bytes.begin(), bytes.end());
  try {
    gen::parse_config(text, "fuzz.toml");
  } catch (const gen::ConfigError& e) {
    check_line(e.what());
  }
}

constexpr FuzzTarget targets[] = {
    {"rec", rec}, {"traceg", traceg}, {"kernelslist", kernelslist}, {"requests", requests}, {"toml", toml}};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return targets; }

}  // namespace verif

#include "gen/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace gen {
namespace {

constexpr std::size_t widest = 78;  // more would leave rests of the line behind

}  // namespace

StatusLine::StatusLine(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (!clock_.joinable()) return;
  clock_.request_stop();
  clock_.join();
  fmt::print(stderr, "\r\033[K");
}

void StatusLine::at(const std::string& phase) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  since_ = std::chrono::steady_clock::now();
  show();
  if (!clock_.joinable()) clock_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

void StatusLine::show() {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - since_);
  const std::string text = fmt::format("{}: {}", what_, phase_);
  fmt::print(stderr, "\r\033[K{:.{}} {} s", text, widest - 8, seconds.count());
  std::fflush(stderr);
}

void StatusLine::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    stopped_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    if (stop.stop_requested()) return;
    show();
  }
}

}  // namespace gen

// Save files of GTKWave (.gtkw): which signals of a waveform are shown, in which order and how.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace verif {

enum class GtkwRadix { hex, decimal, binary };

// Builds the save file from top to bottom; write() puts it beside the waveform, which it names relative to
// itself.
class Gtkw {
 public:
  explicit Gtkw(const std::string& dump);  // the waveform's path; only its file name is kept

  void comment(std::string_view text);  // a line of text among the signals
  // A folded group shows its name until it is opened by hand.
  void open_group(std::string_view name, bool folded = false);
  void close_group();
  // `full_name` as WaveFile::full_name gives it, shown with its scopes; a name without a range is one bit.
  // Red ones are what to look at.
  void signal(std::string_view full_name, GtkwRadix radix = GtkwRadix::hex, bool red = false);
  // Puts the primary marker there, for instance at a mismatch, and opens the view some cycles of `cycle` time
  // units before it. GTKWave does so only where the waveform fills the window from there on: up to tail()
  // time units behind the marker are enough for any screen.
  void marker(std::uint64_t time, std::uint64_t cycle);
  static std::uint64_t tail(std::uint64_t cycle);
  // Opens the view on all from `first` to `end`, with the primary marker there, if at all.
  void whole(std::uint64_t first, std::uint64_t end, std::optional<std::uint64_t> marker = {});

  // The text, for a save file of this name in the waveform's folder.
  std::string text(const std::string& path) const;
  void write(const std::string& path) const;  // throws FileError

 private:
  void flags(std::uint32_t flags);
  void view(std::uint64_t start, double zoom, std::optional<std::uint64_t> marker);

  std::string dump_, lines_;
  std::string group_;
  std::uint32_t flags_ = 0;
  bool folded_ = false;
  std::string view_ = "[timestart] 0\n";
};

}  // namespace verif

// Save files of GTKWave (.gtkw): which signals of a VCD file are shown, in which order and how.
#pragma once
#include <cstdint>
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
  void open_group(std::string_view name);
  void close_group();
  // `full_name` as VcdWriter::full_name gives it, shown with its scopes; a name without a range is one bit.
  void signal(std::string_view full_name, GtkwRadix radix = GtkwRadix::hex);
  // Puts the primary marker there, for instance at a mismatch, and opens the view some cycles of `cycle` time
  // units before it.
  void marker(std::uint64_t time, std::uint64_t cycle);

  // The text, for a save file of this name in the waveform's folder.
  std::string text(const std::string& path) const;
  void write(const std::string& path) const;  // throws FileError

 private:
  void flags(std::uint32_t flags);

  std::string dump_, lines_;
  std::string group_;
  std::uint32_t flags_ = 0;
  std::string view_ = "[timestart] 0\n";
};

}  // namespace verif

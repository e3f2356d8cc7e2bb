// Pieces of bytes that stay in memory up to a limit and go to a temporary file without a name beyond it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace golden {

class SpillFile {
 public:
  static constexpr std::size_t piece_bytes = 4096;  // at most, each

  struct Piece {
    std::vector<std::uint8_t> bytes;  // empty while it is in the file
    std::uint32_t size = 0, slot = 0;
  };

  explicit SpillFile(std::size_t memory_bytes) : memory_bytes_(memory_bytes) {}
  SpillFile(const SpillFile&) = delete;
  ~SpillFile();

  // Throws TraceError when the temporary folder cannot take it.
  Piece keep(const std::vector<std::uint8_t>& bytes);
  // Gives the piece's bytes back and forgets it.
  void take(Piece& piece, std::vector<std::uint8_t>& bytes);

  std::uint64_t spilled() const { return spilled_; }  // pieces that went to the file so far

 private:
  void open();

  std::size_t memory_bytes_, in_memory_ = 0;
  int fd_ = -1;
  std::uint32_t slots_ = 0;  // of the file
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t spilled_ = 0;
};

}  // namespace golden

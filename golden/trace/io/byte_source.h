// Bytes of a plain or .xz file, or of standard input, in order and in bounded memory; content shows .xz.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

// A trace, its side file or an access list is unusable; what() is one line: file, position, reason.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteSource {
 public:
  explicit ByteSource(const std::string& path);                         // "-" is standard input
  ByteSource(std::string name, std::span<const std::uint8_t> content);  // of a file that is in memory
  ByteSource(const ByteSource&) = delete;
  ~ByteSource();

  // Fills `out` from its front and returns how much came; 0 means the end. A fault is thrown only once every
  // byte before it has been handed out.
  size_t read(std::span<std::uint8_t> out);

  // The next bytes, which read() will hand out again: `size` of them, or fewer before the end or a fault.
  std::span<const std::uint8_t> snoop(size_t size);

  // The path, or "standard input".
  const std::string& name() const { return name_; }
  // As given; "-" for standard input and content in memory.
  const std::string& path() const { return path_; }
  // Bytes handed out so far, counted after decompression.
  std::uint64_t offset() const { return offset_; }
  // Share of the stored bytes read so far, 0 to 1; negative when the size is not known.
  double fraction() const;

 private:
  struct Xz;

  void detect_format();
  size_t pull(std::span<std::uint8_t> out);
  size_t fill(size_t want);
  size_t receive(std::span<std::uint8_t> out);
  size_t read_plain(std::span<std::uint8_t> out);
  size_t read_xz(std::span<std::uint8_t> out);
  bool next_stream();
  bool at_magic() const;

  std::string path_, name_;
  int fd_ = -1;
  bool end_ = false;   // the file descriptor has no more bytes
  std::string fault_;  // why nothing more can be read
  std::uint64_t offset_ = 0;
  std::uint64_t stored_ = 0;         // bytes received from the file
  std::uint64_t size_ = 0;           // of the file; 0 when not known
  std::vector<std::uint8_t> head_;   // snooped bytes that read() has not handed out yet
  std::vector<std::uint8_t> input_;  // bytes as stored, waiting between first_ and last_
  size_t first_ = 0, last_ = 0;
  std::unique_ptr<Xz> xz_;  // empty when the file is plain
};

}  // namespace golden

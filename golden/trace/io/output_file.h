// A file that appears under its name only when it is complete: written beside it, renamed at the end.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "golden/trace/io/draft.h"

namespace golden {

// A file or folder cannot be read or written; what() is one line with its name and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OutputFile {
 public:
  // Opens the temporary file in the same folder. A device or a pipe, such as /dev/stdout, is written as it
  // is.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  ~OutputFile();  // without commit() nothing is left

  void write(std::string_view bytes);
  void commit();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error);
  void abandon();

  std::string path_;
  std::optional<Draft> draft_;  // none for a device
  int fd_ = -1;
};

}  // namespace golden

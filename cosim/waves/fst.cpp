#include "cosim/waves/fst.h"

#include <fmt/format.h>
#include <gtkwave/fstapi.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "golden/trace/io/output_file.h"

namespace verif {

namespace {

// Of older writers a pointer to void.
using Context = decltype(fstWriterCreate("", 1));
Context context(void* file) { return static_cast<Context>(file); }

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw golden::FileError(fmt::format("cannot write {}: {}", path, reason));
}

}  // namespace

FstWriter::FstWriter(std::string path, const std::string& timescale)
    : WaveFile(timescale), path_(std::move(path)), draft_(path_) {
  if (std::filesystem::is_directory(path_)) fail(path_, std::strerror(EISDIR));
  std::error_code error;
  if (!std::filesystem::create_directory(draft_.path(), error)) fail(path_, error.message());
  file_ = fstWriterCreate(written().c_str(), 1);
  if (!file_) fail(path_, std::strerror(errno));
  fstWriterSetTimescaleFromString(context(file_), timescale.c_str());
  fstWriterSetVersion(context(file_), "l1forge");
  fstWriterSetDate(context(file_), "");  // the same run gives the same file
}

std::string FstWriter::written() const { return draft_.path() / "waves.fst"; }

FstWriter::~FstWriter() {
  if (file_) fstWriterClose(context(file_));
}

void FstWriter::open_scope(const std::string& name) {
  fstWriterSetScope(context(file_), FST_ST_VCD_MODULE, name.c_str(), nullptr);
}

void FstWriter::close_scope() { fstWriterSetUpscope(context(file_)); }

void FstWriter::declare(std::size_t signal, std::string_view name, int width) {
  const std::string shown = width > 1 ? fmt::format("{} [{}:0]", name, width - 1) : std::string(name);
  if (handles_.size() <= signal) handles_.resize(signal + 1);
  handles_[signal] = fstWriterCreateVar(context(file_), FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                                        static_cast<std::uint32_t>(width), shown.c_str(), 0);
}

void FstWriter::move_to(std::uint64_t time) {
  fstWriterEmitTimeChange(context(file_), time);
  time_ = time;
}

void FstWriter::put(std::size_t signal, std::string_view bits) {
  bits_ = bits;
  fstWriterEmitValueChange(context(file_), handles_[signal], bits_.c_str());
}

// The writer reports no full disk: its file is looked at.
void FstWriter::finish(std::optional<std::uint64_t> end) {
  if (end && *end != time_) move_to(*end);
  fstWriterClose(context(std::exchange(file_, nullptr)));
  auto* back = fstReaderOpen(written().c_str());
  const bool whole = back && fstReaderGetEndTime(back) == time_;
  if (back) fstReaderClose(back);
  if (!whole) fail(path_, "what was written cannot be read; is there space left?");
  std::error_code error;
  std::filesystem::rename(written(), path_, error);
  if (error) fail(path_, error.message());
}

}  // namespace verif

// Writes waveforms as an FST file, GTKWave's compressed format, by the writer that comes with Verilator.
#pragma once
#include <string>
#include <vector>

#include "cosim/waves/wave_file.h"
#include "golden/trace/io/draft.h"

namespace verif {

class FstWriter final : public WaveFile {
 public:
  FstWriter(std::string path, const std::string& timescale);
  ~FstWriter() override;

 private:
  void open_scope(const std::string& name) override;
  void close_scope() override;
  void declare(std::size_t signal, std::string_view name, int width) override;
  void begin() override {}
  void move_to(std::uint64_t time) override;
  void put(std::size_t signal, std::string_view bits) override;
  void first_values_done() override {}
  void finish(std::optional<std::uint64_t> end) override;

  std::string written() const;

  std::string path_;
  golden::Draft draft_;  // a folder: the writer has files of its own beside the one that counts
  void* file_ = nullptr;
  std::vector<std::uint32_t> handles_;  // of the signals
  std::string bits_;                    // what the writer reads ends with 0
  std::uint64_t time_ = 0;
};

}  // namespace verif

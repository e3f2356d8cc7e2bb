// Writes waveforms as a VCD file (IEEE 1364-2005, clause 18).
#pragma once
#include <string>

#include "cosim/waves/wave_file.h"
#include "golden/trace/io/output_file.h"

namespace verif {

class VcdWriter final : public WaveFile {
 public:
  VcdWriter(std::string path, const std::string& timescale);

 private:
  void open_scope(const std::string& name) override;
  void close_scope() override;
  void declare(std::size_t signal, std::string_view name, int width) override;
  void begin() override;
  void move_to(std::uint64_t time) override;
  void put(std::size_t signal, std::string_view bits) override;
  void first_values_done() override;
  void finish(std::optional<std::uint64_t> end) override;
  void flush(std::size_t above);

  golden::OutputFile file_;
  std::string buffer_;
  bool any_time_ = false;
};

}  // namespace verif

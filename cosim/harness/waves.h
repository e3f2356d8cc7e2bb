// Both sides of a co-simulation in one waveform file, with a .gtkw beside it that shows the ports of DUT and
// golden together.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/waves/gtkw.h"
#include "cosim/waves/wave_file.h"

namespace verif {

class Waves {
 public:
  explicit Waves(const CosimOptions& options);

  // A signal of the DUT, in scopes separated by dots; `words` is a member of the Verilated class.
  template <class Member>
  void add(const std::string& scopes, const std::string& name, int width, const Member* words) {
    add(scopes, name, width, words, false);
  }
  // The same of a port of the DUT: golden ports of its name stand beside it.
  template <class Member>
  void add_port(const std::string& scopes, const std::string& name, int width, const Member* words) {
    add(scopes, name, width, words, true);
  }
  // A golden value, as wide as the DUT's port of that name, if there is one; unknown while known(false).
  void add_golden(const std::string& name, int width, const std::uint64_t* value);
  // One of any width, whose getter says whether it counts.
  void add_golden(const std::string& name, int width, WaveFile::Getter getter);

  void known(bool is) { known_ = is; }
  // A cycle, as it is before the clock edge that ends it; outside the window of the options nothing is
  // written. Of a unit with clk_noc1 a cycle of that clock, in which clk is high or not.
  void sample(std::int64_t cycle, bool clk_is_high = true);
  void close(const std::vector<Mismatch>& mismatches);

 private:
  // As it is in the file, and what the save file shows.
  struct Shown {
    std::string scopes, name, full_name;
    int width = 1;
  };
  struct Clocks {
    std::uint8_t clk = 0, clk_noc1 = 0;
  };

  template <class Member>
  void add(const std::string& scopes, const std::string& name, int width, const Member* words, bool is_port) {
    if constexpr (std::is_arithmetic_v<Member>) {
      // Co-simulation has edges without a time; a picture has clocks that go up and down.
      if constexpr (sizeof(Member) == 1)
        if (const std::uint8_t* clock = clock_of(name)) words = clock;
      note(scopes, name, width, file_->add(scope(scopes), name, width, words), is_port);
    } else {
      note(scopes, name, width, file_->add(scope(scopes), name, width, words->data()), is_port);
    }
  }
  const std::uint8_t* clock_of(const std::string& name);
  WaveFile::Scope scope(const std::string& scopes);
  void note(const std::string& scopes, const std::string& name, int width, WaveFile::Signal signal,
            bool is_port);
  int width_of_port(const std::string& name, int otherwise) const;
  const Shown* find(const std::vector<Shown>& list, const std::string& name) const;
  void comment(const std::string& text);
  void show_mismatch(const Mismatch& mismatch);
  void show_ports();
  void show_others();

  const std::string path_;
  const std::int64_t first_, last_;
  const std::unique_ptr<WaveFile> file_;
  Gtkw save_;
  std::vector<Shown> ports_, golden_, inner_;
  Clocks clocks_;
  bool two_clocks_ = false, known_ = false, started_ = false;
  std::int64_t first_shown_ = 0, last_shown_ = -1;
};

}  // namespace verif

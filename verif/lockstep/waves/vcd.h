// libvcd: writes waveforms of many signals as a VCD file (IEEE 1364-2005, clause 18), only what changed.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "golden/trace/io/output_file.h"

namespace verif {

// Use: make scopes and signals, start(), sample() once per point in time, close(). A caller that wants a
// window of a run simply does not call sample() outside it. Without close(), nothing is left of the file. The
// same calls give the same bytes. Misuse throws std::invalid_argument, an unwritable file FileError.
//
//   VcdWriter vcd("wave.vcd", "1ns");
//   const auto dut = vcd.scope("dut"), golden = vcd.scope("golden");
//   vcd.add(dut, "set_index", 5, &model.set_index);  // a Verilator port: CData, SData, IData or QData
//   vcd.add(dut, "line", 1024, model.line.data());   // a wide one: VlWide<32>
//   vcd.add(golden, "set_index", 5, [&](std::span<std::uint64_t> words) {
//     words[0] = expected.to_uint64();               // an ac_int
//     return valid;                                  // false: unknown, shown as x
//   });
class VcdWriter {
 public:
  enum class Scope : std::size_t {};
  enum class Signal : std::size_t {};
  // Fills the words of a value, bit 0 first, and says whether the value is known.
  using Getter = std::function<bool(std::span<std::uint64_t> words)>;

  VcdWriter(std::string path, std::string timescale);

  // A scope on top or inside another; asking again for the same name gives the same scope.
  Scope scope(std::string_view name) { return scope(root, name); }
  Scope scope(Scope parent, std::string_view name);

  // A signal read at every sample() from as many words of memory as its width takes, bit 0 in the first one.
  template <std::unsigned_integral Word>
  Signal add(Scope scope, std::string_view name, int width, const Word* words) {
    return insert(scope, name, width, words);
  }
  Signal add(Scope scope, std::string_view name, int width, Getter getter);

  // "dut.set_index[4:0]", as GTKWave names it.
  std::string full_name(Signal signal) const;

  void start();                     // no more scopes and signals from here on
  void sample(std::uint64_t time);  // later than the sample before
  void close();                     // the file gets its name

 private:
  struct ScopeEntry {
    std::string name;
    std::size_t parent = 0;
    std::vector<std::size_t> signals, scopes;
    std::unordered_map<std::string, std::size_t>
        taken;  // names inside; to the scope of that name, or a_signal
  };
  struct Entry {
    const void* source;  // the value's bytes, little-endian
    std::size_t shadow;  // where in shadow_ the value last written is
    std::size_t getter;  // index in getters_, or no_getter
    int width;
    bool known = false;  // the value last written was not x
  };
  struct GetterEntry {
    Getter get;
    std::vector<std::uint64_t> words;
    bool known = false;
  };
  static constexpr Scope root{0};  // not printed; the scopes on top are inside
  static constexpr std::size_t a_signal = 0, no_getter = ~std::size_t{0};

  Signal insert(Scope scope, std::string_view name, int width, const void* source);
  void require_before_start() const;
  void print_scope(std::size_t scope);
  void read_getters();
  bool changed(const Entry& entry) const;
  void print_value(std::size_t index);
  void print_time(std::uint64_t time);
  void flush(std::size_t above);

  golden::OutputFile file_;
  std::string timescale_;
  std::string buffer_;
  std::vector<ScopeEntry> scopes_{1};
  std::vector<Entry> entries_;
  std::vector<std::string> names_;         // of the signals, with their range
  std::vector<std::size_t> signal_scope_;  // the scope of each signal
  std::vector<GetterEntry> getters_;
  std::vector<std::uint8_t> shadow_;
  bool started_ = false, closed_ = false;
  std::optional<std::uint64_t> time_;  // of the latest sample
  bool time_printed_ = false;
};

}  // namespace verif

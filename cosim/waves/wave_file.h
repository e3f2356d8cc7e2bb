// Waveforms of many signals in a file of any format: scopes, signals, and what has changed since the
// sample before.
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
class WaveFile {
 public:
  enum class Scope : std::size_t {};
  enum class Signal : std::size_t {};
  // Fills the words of a value, bit 0 first, and says whether the value is known.
  using Getter = std::function<bool(std::span<std::uint64_t> words)>;

  virtual ~WaveFile() = default;

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
  void sample(std::uint64_t time);  // writes the values that changed; times ascend
  void blank(std::uint64_t time);   // all values are unknown from here on: the run is over
  // Until then the last values hold; no earlier than the last sample. None: until that.
  void close(std::optional<std::uint64_t> end = {});

 protected:
  explicit WaveFile(const std::string& timescale);  // 1, 10 or 100 and s, ms, us, ns, ps or fs
  WaveFile(const WaveFile&) = delete;

  // What a format does. A signal of more than one bit has its range apart: "line", 66.
  virtual void open_scope(const std::string& name) = 0;
  virtual void close_scope() = 0;
  virtual void declare(std::size_t signal, std::string_view name, int width) = 0;
  virtual void begin() = 0;                                         // all is declared
  virtual void move_to(std::uint64_t time) = 0;                     // before the values of a time
  virtual void put(std::size_t signal, std::string_view bits) = 0;  // as wide as the signal; 0, 1 or x
  virtual void first_values_done() = 0;                             // those of the first sample
  virtual void finish(std::optional<std::uint64_t> end) = 0;

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
  void require_later(std::uint64_t time);
  void declare_all(std::size_t scope);
  bool known_now(const Entry& entry) const;
  bool changed(const Entry& entry) const;
  void put_value(std::size_t index);
  void at_this_time();

  std::vector<ScopeEntry> scopes_{1};
  std::vector<Entry> entries_;
  std::vector<std::string> names_;         // of the signals, with their range
  std::vector<std::size_t> signal_scope_;  // the scope of each signal
  std::vector<GetterEntry> getters_;
  std::vector<std::uint8_t> shadow_;
  std::string bits_;  // of the value that is put
  bool started_ = false, closed_ = false;
  std::optional<std::uint64_t> time_;  // of the latest sample
  bool moved_ = false;                 // the file is at that time
};

}  // namespace verif

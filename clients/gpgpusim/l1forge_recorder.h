// Writes what an SM sends to its cache, with times, as recorded traffic: `l1forge cosim --replay` repeats it
// on the Verilog (verif/traffic/README.md has the form).
#pragma once
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace l1forge_sim {

typedef std::bitset<128> Bytes;  // of a line

class Recorder {
 public:
  // The file appears with its last line; until then it is FILE.part.
  explicit Recorder(const std::string& file);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Requests and responses that transfer in a cycle, in this order.
  void load(unsigned long long cycle, uint64_t id, uint64_t line, unsigned sectors);
  void store(unsigned long long cycle, uint64_t id, uint64_t line, unsigned sectors, Bytes enabled);
  void response(unsigned long long cycle, uint64_t id);
  void fence(unsigned long long cycle);
  // Ends the file: what is still on its way has its response now.
  void close();

 private:
  struct Open {
    uint64_t line;
    unsigned sectors;  // 0: a store
  };
  void request(unsigned long long cycle, uint64_t id, const Open& open, char kind, unsigned sectors);
  void data(uint64_t line, const Bytes& bytes);

  const std::string file_;
  FILE* out_;
  unsigned long long last_;  // cycle
  std::map<uint64_t, Open> open_;
};

}  // namespace l1forge_sim

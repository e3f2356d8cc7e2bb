#include "l1forge_recorder.h"

#include <cerrno>
#include <cstring>

#include "l1forge_model.h"

namespace l1forge_sim {
namespace {

constexpr unsigned bytes_of_line = 128, bytes_of_sector = 32;

Bytes of_sectors(unsigned sectors) {
  Bytes bytes;
  for (unsigned b = 0; b < bytes_of_line; ++b) bytes[b] = sectors >> b / bytes_of_sector & 1;
  return bytes;
}

}  // namespace

Recorder::Recorder(const std::string& file)
    : file_(file), out_(fopen((file + ".part").c_str(), "w")), last_(0) {
  if (!out_) stop(file + ".part: " + strerror(errno));
}

Recorder::~Recorder() { close(); }

// The simulator has no data. Memory holds a hash of each byte's address, and stores write the same.
void Recorder::data(uint64_t line, const Bytes& bytes) {
  fputc(' ', out_);
  for (unsigned b = bytes_of_line; b-- > 0;)
    fprintf(out_, "%02x", bytes[b] ? static_cast<unsigned>((line + b) * 0x9E3779B97F4A7C15ull >> 56) : 0u);
}

void Recorder::request(unsigned long long cycle, uint64_t id, const Open& open, char kind, unsigned sectors) {
  last_ = cycle;
  open_[id] = open;
  fprintf(out_, "Q %llu %llu %c %llx %x", cycle, static_cast<unsigned long long>(id), kind,
          static_cast<unsigned long long>(open.line), sectors);
}

void Recorder::load(unsigned long long cycle, uint64_t id, uint64_t line, unsigned sectors) {
  const Open open = {line, sectors};
  request(cycle, id, open, '0', sectors);
  fputc('\n', out_);
}

void Recorder::store(unsigned long long cycle, uint64_t id, uint64_t line, unsigned sectors, Bytes enabled) {
  const Open open = {line, 0};
  request(cycle, id, open, '1', sectors);
  enabled &= of_sectors(sectors);
  fputc(' ', out_);
  for (unsigned nibble = bytes_of_line / 4; nibble-- > 0;) {
    unsigned value = 0;
    for (unsigned bit = 0; bit < 4; ++bit) value |= static_cast<unsigned>(enabled[4 * nibble + bit]) << bit;
    fprintf(out_, "%x", value);
  }
  data(line, enabled);
  fputc('\n', out_);
}

void Recorder::response(unsigned long long cycle, uint64_t id) {
  last_ = cycle;
  const Open open = open_[id];
  open_.erase(id);
  fprintf(out_, "A %llu %llu %x", cycle, static_cast<unsigned long long>(id), open.sectors);
  if (open.sectors) data(open.line, of_sectors(open.sectors));
  fputc('\n', out_);
}

void Recorder::fence(unsigned long long cycle) { fprintf(out_, "R %llu\n", cycle); }

void Recorder::close() {
  if (!out_) return;
  while (!open_.empty()) response(last_, open_.begin()->first);
  const bool bad = ferror(out_) != 0;
  FILE* const out = out_;
  out_ = nullptr;
  const std::string part = file_ + ".part";
  if (fclose(out) != 0 || bad || rename(part.c_str(), file_.c_str()) != 0)
    fprintf(stderr, "l1forge: %s: could not be written: %s\n", file_.c_str(), strerror(errno));
}

}  // namespace l1forge_sim

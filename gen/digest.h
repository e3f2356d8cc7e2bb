// A number for everything that something was made of, so that the same is not made twice: FNV-1a, 64 bits.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace gen {

class Digest {
 public:
  // Texts one after the other, apart from each other.
  void add(std::string_view text) {
    for (const unsigned char c : text) hash_ = (hash_ ^ c) * 0x100000001b3;
    hash_ = (hash_ ^ text.size()) * 0x100000001b3;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

inline std::string digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

}  // namespace gen

// A number of bits, rows or rounds: what it is in this elaboration, and how the text names it where it comes
// from a parameter of the module.
#pragma once
#include <map>
#include <string>

namespace rtl {

// A sum of products of parameters, so that equal sizes have one text: (DEPTH + 1) - 1 is DEPTH.
class Size {
 public:
  Size(int value) : value_(value), number_(value) {}
  // What the text calls `name`: a parameter, or an operation of its own such as "$clog2(ROWS)".
  static Size named(const std::string& name, int value);

  int value() const { return value_; }
  bool is_number() const { return terms_.empty(); }
  // "DEPTH * WIDTH - 1"; within the brackets of a range "DEPTH*WIDTH-1".
  std::string text(bool spaced = true) const;
  // One name or number: it needs no brackets as an operand.
  bool is_simple() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  bool operator==(const Size&) const = default;

 private:
  int value_ = 0;
  int number_ = 0;                                 // the part without parameters
  std::map<std::string, int, std::less<>> terms_;  // factors joined by '*', with their coefficient
};

// The parts of a parameter, such as the bytes of a word.
Size divided(const Size& size, int by);
// Bits that number so many rows.
Size address_bits(const Size& rows);

}  // namespace rtl

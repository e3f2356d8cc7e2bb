// Elaboration errors: one mistake in a hardware description, reported at the line of the person who wrote it.
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rtl {

using Loc = std::source_location;

// What went wrong, as one short word that also appears in the message.
enum class Fault { name, width, range, driver, latch, loop, scope, unused, clock };

std::string_view text(Fault fault);

// The path from hw/, gen/ or verif/ on, so that messages and generated files read the same on every machine.
std::string short_path(const Loc& loc);

class ElabError : public std::runtime_error {
 public:
  ElabError(Fault fault, const Loc& loc, std::string_view module, std::string_view what);

  Fault fault;
};

}  // namespace rtl

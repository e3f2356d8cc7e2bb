// The text that a user sees of an error.
#pragma once
#include <exception>
#include <string>

namespace verif {

// What the call throws, or "nothing thrown".
template <class Call>
std::string thrown(Call&& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing thrown";
}

}  // namespace verif

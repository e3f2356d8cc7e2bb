// Boolean expressions of Liberty: the functions of pins, and the conditions (`when`) of energies.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

namespace gen {

// Written by the rules of Liberty: ! or a trailing ', then ^, then & or * or a blank, then | or +.
class Boolean {
 public:
  // A constant.
  explicit Boolean(bool value = false) : steps_{{value ? Kind::one : Kind::zero}} {}
  // `variable` gives each name its number. Throws ToolError for text that is no expression.
  Boolean(std::string_view text, const std::function<int(std::string_view)>& variable);

  // `get(number)` is the value of a variable.
  template <class Get>
  bool value(const Get& get) const {
    bool stack[deepest];
    int top = -1;
    for (const Step& step : steps_) switch (step.kind) {
        case Kind::zero:
        case Kind::one:
          stack[++top] = step.kind == Kind::one;
          break;
        case Kind::variable:
          stack[++top] = get(step.variable);
          break;
        case Kind::invert:
          stack[top] = !stack[top];
          break;
        default:
          --top;
          stack[top] = step.kind == Kind::both     ? stack[top] && stack[top + 1]
                       : step.kind == Kind::either ? stack[top] || stack[top + 1]
                                                   : stack[top] != stack[top + 1];
      }
    return stack[0];
  }

  std::vector<int> variables() const;

 private:
  enum class Kind { zero, one, variable, invert, both, either, differs };
  struct Step {
    Kind kind = Kind::zero;
    int variable = 0;
  };
  class Parser;
  static constexpr int deepest = 64;  // operands that wait at a time

  std::vector<Step> steps_;  // postfix
};

}  // namespace gen

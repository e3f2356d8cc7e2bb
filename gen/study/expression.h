// Arithmetic over the figures of results: "gmean(cycles.l1d / cycles.l1d_tsc)". A name stands for a figure or
// for those of all rows; these are worked with row by row.
#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace gen {

// What is wrong with an expression, or with the figures that it asks for.
struct ExpressionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `results` by name. ".x" is a member, or that of each row; "[x]" a row and "[x, y]" several, by their names;
// where none is called x, "[x]" is all rows that have its words in their names, or that of each row before
// it; a name is quoted where row_name() says so. Numbers, + - * /, < and > (1 or 0), and functions that make
// one number of many: of all rows, or with several arguments in each row. Throws ExpressionError, also where
// several numbers are left.
double evaluate(const std::string& text, const nlohmann::ordered_json& results);

// A row's name as it stands between [ and ]: quoted where a comma, a bracket or the like would end it.
std::string row_name(const std::string& name);

// The results that an expression names, in their order.
std::vector<std::string> results_in(const std::string& text);

}  // namespace gen

#include "gen/study/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "gen/config/text.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// A figure, or those of several rows under the rows' names.
struct Numbers {
  std::vector<std::string> rows;  // none: one figure of no row
  std::vector<double> values;
};

double mean_of(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double geometric_mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += std::log(x);
  return std::exp(sum / static_cast<double>(v.size()));
}

double median_of(std::vector<double> v) {
  std::ranges::sort(v);
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

struct Function {
  const char* name;
  double (*of)(const std::vector<double>&);
};
const std::array<Function, 7> functions{
    {{"gmean", geometric_mean_of},
     {"mean", mean_of},
     {"median", [](const std::vector<double>& v) { return median_of(v); }},
     {"max", [](const std::vector<double>& v) { return *std::ranges::max_element(v); }},
     {"min", [](const std::vector<double>& v) { return *std::ranges::min_element(v); }},
     {"sum", [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }},
     {"count", [](const std::vector<double>& v) {
        return static_cast<double>(std::ranges::count_if(v, [](double x) { return x != 0; }));
      }}}};

using Items = std::vector<std::pair<std::string, const Json*>>;

// Where an expression has come to: at one value of the results, or at several rows.
struct Node {
  const Json* one = nullptr;
  Items rows = {};
};

// Members of an object; items of a list by their names, or by their numbers.
Items items_of(const Node& node) {
  if (!node.one) return node.rows;
  Items items;
  if (node.one->is_object())
    for (const auto& [name, item] : node.one->items()) items.emplace_back(name, &item);
  if (node.one->is_array())
    for (const Json& item : *node.one) {
      const bool named = item.is_object() && item.contains("name") && item["name"].is_string();
      items.emplace_back(named ? item["name"].get<std::string>() : std::to_string(items.size()), &item);
    }
  return items;
}

Node member(const Node& node, const std::string& name) {
  const Items items = items_of(node);
  const auto found = std::ranges::find(items, name, &Items::value_type::first);
  if (found != items.end()) return {found->second};
  Node of_rows;
  for (const auto& [row, item] : items)
    if (item->is_object() && item->contains(name)) of_rows.rows.emplace_back(row, &(*item)[name]);
  if (of_rows.rows.empty() || of_rows.rows.size() != items.size())
    throw ExpressionError(fmt::format("has no \"{}\"", name));
  return of_rows;
}

// The row of that name, or all that have its words in theirs: "ways geometry.ways=4 index.kind=pli" and
// others for "ways index.kind=pli".
Items rows_like(const Items& items, const std::string& name) {
  const auto found = std::ranges::find(items, name, &Items::value_type::first);
  if (found != items.end()) return {*found};
  const std::vector<std::string> wanted = words_of(name);
  Items like;
  for (const auto& item : items) {
    const std::vector<std::string> words = words_of(item.first);
    const auto there = [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); };
    if (std::ranges::all_of(wanted, there)) like.push_back(item);
  }
  return like;
}

Node rows_named(const Node& node, const std::vector<std::string>& names) {
  Node out;
  for (const std::string& name : names) {
    Items like = rows_like(items_of(node), name);
    if (like.empty() && names.size() == 1)
      for (const auto& [row, item] : node.rows)  // below each row
        for (const auto& [below, figure] : items_of({item}))
          if (below == name) like.emplace_back(row, figure);
    if (like.empty()) throw ExpressionError(fmt::format("has no row \"{}\"", name));
    out.rows.insert(out.rows.end(), like.begin(), like.end());
  }
  return out.rows.size() == 1 ? Node{out.rows[0].second} : out;
}

Numbers numbers_of(const Node& node) {
  if (node.one && node.one->is_number()) return {{}, {node.one->get<double>()}};
  Numbers numbers;
  for (const auto& [row, value] : items_of(node)) {
    if (!value->is_number()) throw ExpressionError(fmt::format("\"{}\" is no number", row));
    numbers.rows.push_back(row);
    numbers.values.push_back(value->get<double>());
  }
  if (numbers.rows.empty()) throw ExpressionError("is no number");
  return numbers;
}

// The values of each row make one; a figure of no row is that of every row.
template <class Operation>
Numbers row_by_row(const std::vector<Numbers>& of, Operation&& operation) {
  Numbers out;
  for (const Numbers& numbers : of) {
    if (!out.rows.empty() && !numbers.rows.empty() && numbers.rows != out.rows)
      throw ExpressionError("the two sides of an operation have different rows");
    if (out.rows.empty()) out.rows = numbers.rows;
  }
  for (std::size_t i = 0; i < std::max(out.rows.size(), std::size_t{1}); ++i) {
    std::vector<double> values;
    for (const Numbers& numbers : of) values.push_back(numbers.values[numbers.rows.empty() ? 0 : i]);
    out.values.push_back(operation(values));
  }
  return out;
}

template <class Operation>
Numbers combined(const Numbers& a, const Numbers& b, Operation&& operation) {
  return row_by_row({a, b}, [&](const std::vector<double>& v) { return operation(v[0], v[1]); });
}

constexpr int most_depth = 100;  // an expression that somebody wrote nests less

// Recursive descent over the text; without `results` it only collects the names of the results that it needs.
class Parser {
 public:
  Parser(const std::string& text, const Json* results) : text_(text), results_(results) {}

  Numbers whole() {
    Numbers value = comparison();
    if (snoop() != '\0') fail();
    return value;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  [[noreturn]] void fail() const {
    throw ExpressionError(at_ < text_.size() ? fmt::format("\"{}\" cannot stand here", text_.substr(at_, 20))
                                             : "ends too early");
  }
  char snoop() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool takes(char c) {
    if (snoop() != c) return false;
    ++at_;
    return true;
  }
  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    if (at_ == from) fail();
    return text_.substr(from, at_ - from);
  }

  // Counts what encloses the text that is read: each level is a level of calls.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) {
      if (depth_ == most_depth)
        throw ExpressionError(fmt::format("nests more than {} parentheses, calls and signs", most_depth));
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;

   private:
    int& depth_;
  };

  Numbers comparison() {
    const Numbers left = sum();
    if (takes('<')) return combined(left, sum(), [](double a, double b) { return a < b ? 1.0 : 0.0; });
    if (takes('>')) return combined(left, sum(), [](double a, double b) { return a > b ? 1.0 : 0.0; });
    return left;
  }
  Numbers sum() {
    Numbers left = product();
    for (;;) {
      if (takes('+'))
        left = combined(left, product(), std::plus<>());
      else if (takes('-'))
        left = combined(left, product(), std::minus<>());
      else
        return left;
    }
  }
  Numbers product() {
    Numbers left = factor();
    for (;;) {
      if (takes('*'))
        left = combined(left, factor(), std::multiplies<>());
      else if (takes('/'))
        left = combined(left, factor(), std::divides<>());
      else
        return left;
    }
  }
  Numbers factor() {
    const Level level(depth_);
    if (takes('-')) return combined({{}, {0.0}}, factor(), std::minus<>());
    if (takes('(')) {
      Numbers inner = comparison();
      if (!takes(')')) fail();
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(snoop()))) return number();
    const std::string name = word();
    return takes('(') ? call(name) : figures(name);
  }
  Numbers number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    return {{}, {value}};
  }
  Numbers call(const std::string& name) {
    const auto function = std::ranges::find_if(functions, [&](const Function& f) { return name == f.name; });
    if (function == functions.end()) throw ExpressionError(fmt::format("{}: no such function", name));
    std::vector<Numbers> of{comparison()};
    while (takes(',')) of.push_back(comparison());
    if (!takes(')')) fail();
    if (of.size() == 1) return {{}, {function->of(of[0].values)}};
    return row_by_row(of, function->of);
  }
  std::vector<std::string> row_names() {
    std::vector<std::string> rows;
    do {
      if (snoop() == '"') {
        const auto name = unquoted(text_, at_);
        if (!name) throw ExpressionError("has a \" without its \"");
        rows.push_back(*name);
      } else {
        const std::size_t end = std::min(text_.find_first_of(",]", at_), text_.size());
        rows.push_back(text_.substr(at_, end - at_));
        at_ = end;
      }
    } while (takes(','));
    if (!takes(']')) throw ExpressionError("has a [ without its ]");
    return rows;
  }
  Numbers figures(const std::string& name) {
    names_.push_back(name);
    if (results_ && !results_->contains(name)) throw ExpressionError(fmt::format("{}: no such result", name));
    Node node{results_ ? &(*results_)[name] : nullptr};
    const std::size_t from = at_ - name.size();
    try {
      for (;;) {
        if (takes('.')) {
          const std::string below = word();
          if (results_) node = member(node, below);
        } else if (takes('[')) {
          const auto rows = row_names();
          if (results_) node = rows_named(node, rows);
        } else {
          return results_ ? numbers_of(node) : Numbers{{}, {1.0}};
        }
      }
    } catch (const ExpressionError& error) {
      throw ExpressionError(fmt::format("{}: {}", text_.substr(from, at_ - from), error.what()));
    }
  }

  const std::string& text_;
  const Json* results_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

double evaluate(const std::string& text, const Json& results) {
  const Numbers value = Parser(text, &results).whole();
  if (!value.rows.empty())
    throw ExpressionError(fmt::format("leaves {} numbers where one is needed", value.rows.size()));
  if (!std::isfinite(value.values[0])) throw ExpressionError("has no finite value");
  return value.values[0];
}

std::string row_name(const std::string& name) {
  const bool plain = name.find_first_of(",[]{}:\"$") == std::string::npos && !name.empty() &&
                     !name.starts_with(' ') && !name.ends_with(' ');
  return plain ? name : in_quotes(name);
}

std::vector<std::string> results_in(const std::string& text) {
  Parser parser(text, nullptr);
  parser.whole();
  std::vector<std::string> names;
  for (const std::string& name : parser.names())
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace gen

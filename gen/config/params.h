// The parameters of one unit: the struct that its hardware and its model take, whichever that is.
#pragma once
#include <any>
#include <concepts>
#include <type_traits>
#include <utility>

namespace gen {

class Params {
 public:
  Params() = default;
  template <class P>
  requires(!std::same_as<std::remove_cvref_t<P>, Params>) Params(P params) : struct_(std::move(params)) {}

  template <class P>
  bool holds() const {
    return struct_.type() == typeid(P);
  }
  bool same_struct(const Params& other) const { return struct_.type() == other.struct_.type(); }

  // Null unless they are of this struct.
  template <class P>
  const P* find() const {
    return std::any_cast<P>(&struct_);
  }

  // They are of this struct.
  template <class P>
  const P& get() const {
    return std::any_cast<const P&>(struct_);
  }
  template <class P>
  P& get() {
    return std::any_cast<P&>(struct_);
  }

 private:
  std::any struct_;
};

}  // namespace gen

// The parameters of one unit of any kind: the struct that its hardware and its model take.
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
  requires(!std::same_as<std::remove_cvref_t<P>, Params>) Params(P params)
      : struct_(std::move(params)),
        equal_([](const Params& a, const Params& b) { return a.get<P>() == b.get<P>(); }) {}

  template <class P>
  bool holds() const {
    return struct_.type() == typeid(P);
  }
  bool same_struct(const Params& other) const { return struct_.type() == other.struct_.type(); }

  bool operator==(const Params& other) const {
    return same_struct(other) && (!struct_.has_value() || equal_(*this, other));
  }

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
  bool (*equal_)(const Params&, const Params&) = nullptr;  // of two of this struct
};

}  // namespace gen

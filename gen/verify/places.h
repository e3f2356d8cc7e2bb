// The expressions of a module that a fault may change, in one order for all that name them.
#pragma once
#include <functional>

#include "gen/verify/injector.h"
#include "hw/rtl/module_data.h"

namespace gen {

// Calls `at` for each expression and replaces it by the returned one. `now` is the expression with the
// changes of its own parts; it is the same node where nothing changed.
void each_place(rtl::ModuleData& copy,
                const std::function<rtl::Expr(const Place& place, const rtl::Expr& now)>& at);

rtl::Expr net_of(const rtl::ModuleData& module, const rtl::Signal& signal);

}  // namespace gen

// Which identifiers may appear in generated Verilog: lower snake case, no word that any consumer reserves.
#pragma once
#include <string>
#include <string_view>

namespace rtl {

// A word reserved by Verilog-2005, SystemVerilog-2017 or C++20 (a Verilated model's members are C++ names).
bool is_reserved(std::string_view word);

// Lower snake case, opening with a letter, no double or closing underscore, and not reserved.
bool legal_name(std::string_view name);

// Upper snake case, as constants are named.
bool legal_constant(std::string_view name);

// Why a name is refused, as the end of a sentence; empty when the name is legal.
std::string name_fault(std::string_view name);

}  // namespace rtl

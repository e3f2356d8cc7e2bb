// Properties of network units, as Verilog around a unit: written from the spec, not from the units' own code.
#pragma once
#include <string>
#include <vector>

#include "verif/formal/prove.h"

namespace verif {

// An arbiter's grant is one of the requests, alone, and there is one whenever somebody asks.
Property one_grant(int inputs, const std::string& unit, const std::string& unit_verilog);

// An input that requests without pause is passed over by at most inputs - 1 grants that are used.
Property bounded_wait(int inputs, int watched, const std::string& unit, const std::string& unit_verilog);

// An allocator's pairs are among the requests, no input or output has two, and there is one whenever somebody
// asks.
Property one_partner(int inputs, int outputs, const std::string& unit, std::vector<std::string> unit_verilog);

// Where an allocator's requests stand until they are granted, number `watched` is granted within `cycles`.
Property all_served(int inputs, int outputs, int watched, int cycles, const std::string& unit,
                    std::vector<std::string> unit_verilog);

}  // namespace verif

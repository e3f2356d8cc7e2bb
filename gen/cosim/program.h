// Builds co-simulation programs on demand: Verilog through Verilator, a short main, and the libraries of this
// build.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace gen {

struct ProgramSource {
  std::string name = {};                            // of its folder, for people who look
  std::map<std::string, std::string> verilog = {};  // file name -> text; none: golden models alone
  std::string top = {};                             // Verilated as class Vdut
  std::map<std::string, std::string> beside = {};   // class -> another top
  bool lint = true;                                 // a warning of `verilator -Wall` is an error
  bool flips_rams = false;                          // by an input of the wrapper
  bool steps = false;                               // the wrapper takes inputs at an edge of its own
  bool large = false;                               // compiled in parts, and for less speed
  bool runs_long = false;                           // compiled for speed, in half as long again
  bool counts = false;                              // how often lines and nets of the Verilog are reached
  std::string main = {};                            // C++, includes "Vdut.h"
};

// A number for all that the program is made of, the libraries of this build included.
std::string program_digest(const ProgramSource& source);

// The program's path. An unchanged program is found by its content, so a second call takes milliseconds;
// objects come from ccache where it is installed. Throws ToolError, with Verilator's or the compiler's own
// words.
std::filesystem::path build_program(const ProgramSource& source);

}  // namespace gen

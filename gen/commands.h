// The subcommands of l1forge and their flags.
#pragma once
#include <string>

namespace gen {

// `commit` is what --version names beside the version; empty where that is not known. The exit status: 0
// success, 1 a mismatch or failed check, 2 bad use. Throws what main prints as one line, status 2.
int run_command(int argc, char** argv, const std::string& commit);

}  // namespace gen

// The command l1forge: hands the command line to its subcommand and turns errors into one line and status 2.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>

#include "gen/commands.h"
#include "gen/config/text.h"
#include "gen/signals.h"

// Written by the build, of the commit that was checked out.
extern const char* const commit;

namespace {

// fputs, since an exception in here would have nowhere to go.
int complain(const std::string& what) {
  std::fputs(("l1forge: " + gen::one_line(what) + "\n").c_str(), stderr);
  return 2;
}

// "/proc/1/fd: Permission denied", as other errors read, in the place of the library's words.
std::string text_of(const std::filesystem::filesystem_error& error) {
  const std::string& why = error.code().message();
  return error.path1().empty() ? why : error.path1().string() + ": " + why;
}

}  // namespace

int main(int argc, char** argv) {
  gen::clean_up_on_signals();
  int status = 2;
  try {
    status = gen::run_command(argc, argv, commit);
  } catch (const std::filesystem::filesystem_error& e) {
    std::cout.flush();
    return complain(text_of(e));
  } catch (const std::bad_alloc&) {
    return complain("not enough memory");
  } catch (const std::exception& e) {
    std::cout.flush();
    return complain(e.what());
  }
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  // Nothing but the failed write has set errno since.
  return written ? status : complain(std::string("cannot write to standard output: ") + std::strerror(errno));
}

#include "gen/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "gen/files.h"
#include "gen/process.h"

namespace gen {

// A thread of its own waits for the signals, so that it may do what a signal handler may not.
void clean_up_on_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, s);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    while (::sigwait(&signals, &signal) != 0) {
    }
    kill_children();  // first, so that they write nothing more
    remove_temporary_folders();
    ::_exit(128 + signal);
  }).detach();
}

}  // namespace gen

#include "cosim/harness/ending_signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "golden/trace/io/draft.h"

namespace verif {

// A thread of its own waits for the signals, so that it may do what a signal handler may not.
void on_ending_signals(void (*clean_up)()) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, s);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, clean_up] {
    int signal = 0;
    while (::sigwait(&signals, &signal) != 0) {
    }
    clean_up();
    golden::remove_drafts();
    ::_exit(128 + signal);
  }).detach();
}

}  // namespace verif

// What Ctrl-C leaves behind: nothing.
#pragma once

namespace verif {

// After SIGINT, SIGTERM or SIGHUP: `clean_up` is called, files that are not complete are removed, and the
// process ends with status 128 + signal. Call it before any thread starts.
void on_ending_signals(void (*clean_up)());

}  // namespace verif

// What Ctrl-C leaves behind: nothing.
#pragma once

namespace gen {

// After SIGINT, SIGTERM or SIGHUP: children are ended, temporary folders and files that are not complete are
// removed, and the process ends with status 128 + signal. Call it before any thread starts.
void clean_up_on_signals();

}  // namespace gen

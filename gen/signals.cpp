#include "gen/signals.h"

#include "cosim/harness/ending_signals.h"
#include "gen/files.h"
#include "gen/process.h"

namespace gen {

void clean_up_on_signals() {
  verif::on_ending_signals([] {
    end_children();  // first, so that they write nothing more
    remove_temporary_folders();
  });
}

}  // namespace gen

// Marks temporary files and folders with their process, so that what a killed one leaves behind is known for
// that.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace golden {

// "1a2b3c4d-1234-567890": the boot and the space of process numbers, this process, and when it began. A
// number that another process bears by now, on another machine or in another container, is not taken for this
// one's.
const std::string& process_mark();

// Whether the name has the mark of a process of this machine that is gone: PREFIX, mark, "-" and what makes
// the name unique, with or without ".tmp".
bool marks_gone_process(std::string_view name);

// Removes what gone processes of this user have left in the folder, under names that begin and end like this.
void remove_stale_lines(const std::filesystem::path& folder, std::string_view begin, std::string_view end);

}  // namespace golden

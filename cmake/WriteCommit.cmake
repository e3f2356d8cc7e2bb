# Writes FILE, which defines the text `commit`: "commit 0123456789ab", or nothing where git knows none.
set(text)
if(GIT)
  execute_process(COMMAND ${GIT} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(hash)
    set(text "commit ${hash}")
  endif()
endif()
file(WRITE ${FILE} "extern const char* const commit;\nconst char* const commit = \"${text}\";\n")

# The commit that is checked out, for `l1forge --version`: a source file that a new commit makes rehashed. Empty in a
# tree without git's history.
set(COMMIT_SOURCE ${CMAKE_BINARY_DIR}/commit.cpp)
find_package(Git QUIET)
set(history)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --path-format=absolute --git-path logs/HEAD
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${log}")
    set(history ${log})
  endif()
endif()
add_custom_command(OUTPUT ${COMMIT_SOURCE} DEPENDS ${history} ${CMAKE_CURRENT_LIST_DIR}/WriteCommit.cmake VERBATIM
  COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${CMAKE_SOURCE_DIR} -DFILE=${COMMIT_SOURCE}
    -P ${CMAKE_CURRENT_LIST_DIR}/WriteCommit.cmake)

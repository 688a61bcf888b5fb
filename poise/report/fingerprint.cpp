#include "poise/report/fingerprint.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/hash.h"

namespace poise::report {

namespace {

using finding::FaultKind;
using model::Model;

// Each part is hashed with its length in front: {"ab", "c"} and {"a", "bc"} differ.
std::string hashed(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += fmt::format("{}:{},", part.size(), part);
  return fmt::format("{:016x}", fnv1a(text));
}

std::string model_part(const Model& model, std::size_t namesakes) {
  return namesakes == 0 ? model.name : fmt::format("{}\n{}", model.name, namesakes + 1);
}

}  // namespace

std::string fingerprint(const Model& model, const finding::Fault& fault, std::size_t namesakes) {
  std::vector<std::string> rules;
  for (const model::RuleId rule : fault.rules) rules.push_back(model.rules[rule].name);
  // The rules of a path have an order of their own; those of a choice only that of declaration,
  // which may change.
  if (fault.kind == FaultKind::Nondeterminism) std::ranges::sort(rules);

  std::vector<std::string> parts = {model_part(model, namesakes),
                                    std::string(finding::name(fault.kind)),
                                    model.states[fault.state].name};
  parts.insert(parts.end(), rules.begin(), rules.end());
  return hashed(parts);
}

std::string fingerprint(const Model& model, const finding::Fault& fault,
                        const finding::Conjunction& situation) {
  std::vector<std::string> literals;
  for (const finding::Literal& literal : situation) {
    literals.push_back((literal.holds ? "" : "not ") + model.atoms[literal.atom].text);
  }
  std::ranges::sort(literals);
  literals.insert(literals.begin(), fingerprint(model, fault));
  return hashed(literals);
}

std::string fingerprint(const Model& model, const check::Unstable& unstable,
                        std::size_t namesakes) {
  return hashed({model_part(model, namesakes), "unstable-rule", model.states[unstable.state].name,
                 model.rules[unstable.rule].name});
}

std::string fingerprint(const Model& model, const std::vector<std::string>& parts,
                        std::size_t namesakes) {
  std::vector<std::string> all = {model_part(model, namesakes)};
  all.insert(all.end(), parts.begin(), parts.end());
  return hashed(all);
}

}  // namespace poise::report

#include "poise/verify/export/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::verify {

namespace {

bool is_plain(char c) { return is_letter_or_digit(c); }

std::string_view suffix(Unknown::What what) {
  switch (what) {
    case Unknown::What::Carried: return "";
    case Unknown::What::Sensed: return "sensed";
    case Unknown::What::Done: return "done";
    case Unknown::What::Actual: return "actual";
    case Unknown::What::Before: return "before";
    case Unknown::What::Made: return "made";
  }
  return "";
}

}  // namespace

ExportNames::ExportNames(const System& system, std::span<const std::string_view> kept) {
  for (const std::string_view word : kept) taken_.emplace(word);
  for (const model::StateId id : system.model->states.ids()) {
    states_.push_back(fresh("in_" + plain_name(system.model->states[id].name)));
  }
  for (const model::FailureId id : system.model->world.failures.ids()) {
    failures_.push_back(fresh(plain_name(system.model->world.failures[id].name)));
  }
  for (const model::SlotId id : system.model->slots.ids()) {
    const model::Variable& variable = system.variable(id);
    std::string name = plain_name(variable.name);
    if (variable.type.kind == model::TypeKind::Set) {
      name +=
          "_" +
          plain_name(system.model->symbols[variable.type.members[system.model->slots[id].member]]);
    }
    slots_.push_back(fresh(name));
  }
}

std::string ExportNames::fresh(std::string_view wanted) {
  std::string name(wanted);
  // Names of one letter are operators of temporal logic in more than one language.
  if (name.size() == 1) name += "_";
  const std::string first = name;
  for (int i = 2; taken_.contains(name); ++i) name = fmt::format("{}_{}", first, i);
  taken_.insert(name);
  return name;
}

std::string ExportNames::unknown(const Unknown& unknown) const {
  std::string name = slot(unknown.slot);
  if (unknown.what != Unknown::What::Carried || unknown.act > 0) name += "__";
  name += suffix(unknown.what);
  if (unknown.act > 0) name += fmt::format("{}", unknown.act);
  return name;
}

// Never two underscores in a row: suffixes begin with two, so no suffix makes another name.
std::string plain_name(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (is_plain(c)) {
      made += c;
    } else if (!made.empty() && made.back() != '_') {
      made += '_';
    }
  }
  while (made.ends_with('_')) made.pop_back();
  if (made.empty() || is_digit(made.front())) made = "x" + made;
  return made;
}

std::string one_line(std::string_view text) {
  std::string made(text);
  std::ranges::replace_if(
      made, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return made;
}

}  // namespace poise::verify

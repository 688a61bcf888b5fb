#include "poise/rank/result.h"

#include <fmt/format.h>

namespace poise::rank {

std::string_view name(Method method) { return method == Method::Paper ? "paper" : "likelihood"; }

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::None: return "none";
    case Verdict::Confirmed: return "confirmed";
    case Verdict::Rejected: return "rejected";
  }
  return "";
}

std::string_view name(Basis basis) {
  switch (basis) {
    case Basis::Happened: return "happened";
    case Basis::Possible: return "possible";
    case Basis::Situation: return "situation";
    case Basis::Likeness: return "likeness";
  }
  return "";
}

std::string to_text(const model::Model& model, const Exclusion& exclusion) {
  const std::string& first = model.atoms[exclusion.first.atom].text;
  const std::string& second = model.atoms[exclusion.second.atom].text;
  if (exclusion.first == exclusion.second) {
    return exclusion.first.holds ? fmt::format("not {}", first) : first;
  }
  if (exclusion.first.holds && exclusion.second.holds) {
    return fmt::format("not ({} and {})", first, second);
  }
  if (exclusion.first.holds) return fmt::format("{} implies {}", first, second);
  if (exclusion.second.holds) return fmt::format("{} implies {}", second, first);
  return fmt::format("{} or {}", first, second);
}

std::string to_text(const model::Model& model, const Edge& edge) {
  return fmt::format("{} -> {}", finding::to_text(model, finding::Conjunction{edge.from}),
                     finding::to_text(model, finding::Conjunction{edge.to}));
}

std::vector<std::string> objections(const model::Model& model, const Ranked& ranked) {
  std::vector<std::string> texts;
  for (const Edge& edge : ranked.violated) {
    texts.push_back(fmt::format("{} ({:.2f})", to_text(model, edge), edge.confidence));
  }
  for (const finding::Conjunction& never : ranked.never) {
    texts.push_back(fmt::format("{} never {}", finding::to_text(model, never),
                                never.size() > 1 ? "together" : "happened"));
  }
  return texts;
}

}  // namespace poise::rank

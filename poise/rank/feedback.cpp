#include "poise/rank/feedback.h"

#include "poise/json/reader.h"

namespace poise::rank {

namespace {

std::optional<Verdict> verdict_named(std::string_view word) {
  for (const Verdict verdict : {Verdict::None, Verdict::Confirmed, Verdict::Rejected}) {
    if (word == name(verdict)) return verdict;
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<Judgement>> judgement_from(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  std::string scratch;
  json::Reader json(line, scratch);
  std::optional<std::string> fault;
  std::optional<Verdict> verdict;
  json.begin_object();
  while (const auto key = json.next_key()) {
    const std::size_t at = json.key_offset();
    if (*key == "fault") {
      if (fault) json.fail(at, "`fault` is there twice");
      if (const auto text = json.string()) fault = std::string(*text);
    } else if (*key == "verdict") {
      if (verdict) json.fail(at, "`verdict` is there twice");
      const std::size_t value_at = json.offset();
      if (const auto text = json.string()) {
        verdict = verdict_named(*text);
        if (!verdict) json.fail(value_at, "a verdict is `confirmed`, `rejected` or `none`");
      }
    } else {
      static_cast<void>(json.any());
    }
  }
  if (!json.finish()) return json.error();
  if (!fault) return failure("`fault` is missing");
  if (!verdict) return failure("`verdict` is missing");
  return Judgement{*fault, *verdict};
}

}  // namespace poise::rank

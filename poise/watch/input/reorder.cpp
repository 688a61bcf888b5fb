#include "poise/watch/input/reorder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "poise/base/check.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

Reorder::Instance& Reorder::instance(std::string_view app) {
  const auto found = instances_.find(app);
  if (found != instances_.end()) return found->second;
  return instances_.emplace(app, Instance{}).first->second;
}

Result<std::optional<Reorder::Late>> Reorder::take(std::size_t number, std::string_view line) {
  POISE_CHECK(!rest_);
  const Result<const log::Entry*> read = lines_.read(number, line);
  if (!read) return Failure(read.error());
  if (*read == nullptr) return std::nullopt;
  const log::Entry& entry = **read;
  std::optional<Time> time;
  if (!entry.time_text.empty()) {
    time = time_from(entry.time_text);
    if (!time) return failure("a time that is too far away");
  }
  Instance& of = instance(entry.app);
  last_ = &of;
  const Time at = time ? *time : of.newest.value_or(0);
  if (of.handed_over && at < *of.handed_over) return Late{.time = at, .after = *of.handed_over};
  of.newest = std::max(at, of.newest.value_or(at));
  of.rows.push_back({at, arrivals_++, {.number = number, .text = std::string(line)}});
  std::ranges::push_heap(of.rows, Later());
  return std::nullopt;
}

std::optional<HeldLine> Reorder::next() {
  if (!rest_ && last_ == nullptr) return std::nullopt;
  std::vector<Waiting>& rows = rest_ ? *rest_ : last_->rows;
  if (rows.empty()) return std::nullopt;
  const Time first = rows.front().time;
  if (!rest_ && later(first, lateness_) > *last_->newest) return std::nullopt;
  std::ranges::pop_heap(rows, Later());
  HeldLine line = std::move(rows.back().line);
  rows.pop_back();
  if (!rest_) last_->handed_over = first;
  return line;
}

void Reorder::finish() {
  std::vector<Waiting> all;
  for (auto& [name, of] : instances_) {
    std::ranges::move(of.rows, std::back_inserter(all));
    of.rows.clear();
  }
  std::ranges::make_heap(all, Later());
  rest_ = std::move(all);
}

void Reorder::start(std::string_view app, Time now) {
  Instance& of = instance(app);
  of.newest = now;
  of.handed_over = now;
}

std::vector<HeldLine> Reorder::held() const {
  std::vector<const Waiting*> rows;
  for (const auto& [name, of] : instances_) {
    for (const Waiting& row : of.rows) rows.push_back(&row);
  }
  std::ranges::sort(rows, {}, &Waiting::arrival);
  std::vector<HeldLine> lines;
  lines.reserve(rows.size());
  for (const Waiting* row : rows) lines.push_back(row->line);
  return lines;
}

}  // namespace poise::watch

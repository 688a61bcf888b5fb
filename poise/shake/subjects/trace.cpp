#include "poise/shake/subjects/trace.h"

#include <algorithm>

namespace poise::shake {

Contexts contexts_of(const Grid& grid, const Flow& flow) {
  Contexts contexts{.width = grid.properties.size(), .count = flow.size(), .values = {}};
  contexts.values.reserve(contexts.width * contexts.count);
  for (const Instance& instance : flow) {
    for (std::size_t property = 0; property < grid.properties.size(); ++property) {
      contexts.values.push_back(value_of(grid.properties[property], instance[property]));
    }
  }
  return contexts;
}

Trace trace_of(Subject& subject, const Contexts& contexts) {
  Trace trace;
  trace.variants.width = subject.fields().size();
  trace.variants.values.reserve(trace.variants.width * contexts.count);
  subject.reset();
  trace.initial = subject.variant();
  for (std::size_t tick = 0; tick < contexts.count; ++tick) {
    const Result<std::span<const double>> variant = subject.step(contexts[tick]);
    if (!variant) {
      trace.ended = variant.error();
      break;
    }
    trace.variants.values.insert(trace.variants.values.end(), variant->begin(), variant->end());
    ++trace.variants.count;
  }
  return trace;
}

Trace trace_of(Subject& subject, const Grid& grid, const Flow& flow) {
  return trace_of(subject, contexts_of(grid, flow));
}

bool same(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, [](double x, double y) { return same(x, y); });
}

std::optional<std::size_t> first_difference(const Trace& a, const Trace& b) {
  const std::size_t common = std::min(a.ticks(), b.ticks());
  if (a.variants.width != b.variants.width) return 0;
  for (std::size_t tick = 0; tick < common; ++tick) {
    if (!same(a[tick], b[tick])) return tick;
  }
  if (a.ticks() != b.ticks() || a.ended.has_value() != b.ended.has_value()) return common;
  return std::nullopt;
}

std::optional<std::size_t> first_difference(Subject& subject, const Contexts& contexts,
                                            const Trace& expected) {
  subject.reset();
  for (std::size_t tick = 0; tick < contexts.count; ++tick) {
    const Result<std::span<const double>> variant = subject.step(contexts[tick]);
    const bool both_end = !variant && tick == expected.ticks();
    if (both_end) return std::nullopt;
    if (!variant || tick == expected.ticks() || !same(*variant, expected[tick])) return tick;
  }
  return std::nullopt;
}

}  // namespace poise::shake

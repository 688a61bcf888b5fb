#include "poise/boolean/cover.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace poise::boolean {

namespace {

// A longer sum of products stays as it is. It is irredundant already, and to a reader the rest of a
// long one is not worth what it would cost.
constexpr std::size_t kMostWidened = 16;
constexpr std::size_t kMostNarrowed = 4;

Node function_of(Arena& arena, const Cube& cube) {
  Node function = kTrue;
  for (auto literal = cube.rbegin(); literal != cube.rend(); ++literal) {
    function = literal->holds ? arena.node(literal->variable, kFalse, function)
                              : arena.node(literal->variable, function, kFalse);
  }
  return function;
}

std::vector<std::uint8_t> phases_of(const Arena& arena, const Cube& cube) {
  std::vector<std::uint8_t> phases(arena.variable_count() + 1, kFreePhase);
  for (const auto& [variable, holds] : cube) phases[variable] = holds ? 1 : 0;
  return phases;
}

// The cube extended by all literals that hold wherever both the cube and `on` do. One of the new
// literals may say what several of the old ones say together, so that Widening can drop those.
Cube narrowed(Arena& arena, const Cube& cube, Node on) {
  const Node both = arena.conjunction(function_of(arena, cube), on);
  if (both == kFalse) return cube;  // only where the arena gave up
  const std::vector<std::uint8_t> settled = arena.settled(both);
  Cube all;
  for (const Variable variable : arena.order()) {
    if (settled[variable] != kFreePhase) all.push_back({variable, settled[variable] == 1});
  }
  return all;
}

// Drops literals while the cube stays clear of what is forbidden: negative ones first, from the
// last on. Whole ranges are tried at once and halved if that fails, so that long cubes with few
// literals to keep take few tests.
class Widening {
 public:
  Widening(Arena& arena, const Cube& cube, Node forbidden)
      : arena_(arena), cube_(cube), forbidden_(forbidden), phases_(phases_of(arena, cube)) {}

  Cube widened() {
    for (const bool holds : {false, true}) drop(0, cube_.size(), holds);
    Cube kept;
    for (const VariableLiteral& literal : cube_) {
      if (phases_[literal.variable] != kFreePhase) kept.push_back(literal);
    }
    return kept;
  }

 private:
  void set(std::size_t begin, std::size_t end, bool holds, std::uint8_t phase) {
    for (std::size_t i = begin; i < end; ++i) {
      if (cube_[i].holds == holds) phases_[cube_[i].variable] = phase;
    }
  }

  void drop(std::size_t begin, std::size_t end, bool holds) {
    const auto concerned = [&](const VariableLiteral& literal) { return literal.holds == holds; };
    const auto range = std::span(cube_).subspan(begin, end - begin);
    if (std::ranges::none_of(range, concerned)) return;
    set(begin, end, holds, kFreePhase);
    if (!arena_.can_hold(forbidden_, phases_)) return;
    set(begin, end, holds, holds ? 1 : 0);
    if (end - begin == 1) return;
    const std::size_t middle = begin + (end - begin) / 2;
    drop(middle, end, holds);
    drop(begin, middle, holds);
  }

  Arena& arena_;
  const Cube& cube_;
  Node forbidden_;
  std::vector<std::uint8_t> phases_;
};

// Drops cubes that the others make superfluous, the longest first.
std::vector<Cube> irredundant(Arena& arena, std::vector<Cube> cubes, Node on) {
  std::ranges::stable_sort(cubes, std::greater{}, &Cube::size);
  std::vector<Node> behind(cubes.size() + 1, kFalse);  // what the cubes from here on cover
  for (std::size_t i = cubes.size(); i-- > 0;) {
    behind[i] = arena.disjunction(behind[i + 1], function_of(arena, cubes[i]));
  }
  std::vector<Cube> kept;
  Node covered = kFalse;
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    const Node others = arena.disjunction(covered, behind[i + 1]);
    if (arena.implies(on, others)) continue;
    covered = arena.disjunction(covered, function_of(arena, cubes[i]));
    kept.push_back(std::move(cubes[i]));
  }
  return kept;
}

}  // namespace

constexpr std::size_t kFirstKnown = 1 << 10;

void Covers::forget() {
  known_.assign(kFirstKnown, {});
  known_count_ = 0;
  lists_.clear();
  generation_ = arena_.generation();
}

void Covers::forget_if_stale() {
  constexpr std::size_t kMostKept = 1 << 20;
  if (generation_ != arena_.generation() || known_count_ > kMostKept) forget();
}

Covers::Known& Covers::known(std::uint64_t key) {
  const std::size_t mask = known_.size() - 1;
  std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
  std::size_t place = static_cast<std::size_t>(hash ^ (hash >> 32U)) & mask;
  while (known_[place].key != 0 && known_[place].key != key) place = (place + 1) & mask;
  return known_[place];
}

void Covers::grow() {
  std::vector<Known> old(known_.size() * 4);
  std::swap(old, known_);
  for (const Known& entry : old) {
    if (entry.key != 0) known(entry.key) = entry;
  }
}

std::uint32_t Covers::count(ListId list) const { return list <= 1 ? list : lists_[list - 2].count; }

// By the first variable: first the cubes that must have it false, because `on` holds there and
// `allowed` does not on the other side; then those that must have it true; then cubes without it
// for what is left over.
Covers::Answer Covers::between(Node on, Node allowed) {
  if (on == kFalse || arena_.gave_up()) return {kFalse, 0};
  if (allowed == kTrue) return {kTrue, 1};
  const std::uint64_t key = (std::uint64_t{on} << 32U) | allowed;
  if (const Known& before = known(key); before.key == key) return before.answer;
  if (steps_left_ == 0) {
    out_of_steps_ = true;
    return {kFalse, 0};
  }
  --steps_left_;
  const std::uint32_t top = std::min(arena_.level(on), arena_.level(allowed));
  const Variable variable = arena_.order()[top];
  const auto low_of = [&](Node a) { return arena_.level(a) == top ? arena_.inside(a).low : a; };
  const auto high_of = [&](Node a) { return arena_.level(a) == top ? arena_.inside(a).high : a; };
  const Answer low = between(arena_.difference(low_of(on), high_of(allowed)), low_of(allowed));
  const Answer high = between(arena_.difference(high_of(on), low_of(allowed)), high_of(allowed));
  const Node left = arena_.disjunction(arena_.difference(low_of(on), low.function),
                                       arena_.difference(high_of(on), high.function));
  const Answer both = between(left, arena_.conjunction(low_of(allowed), high_of(allowed)));
  if (out_of_steps_) return {kFalse, 0};
  Answer answer{
      arena_.disjunction(both.function, arena_.node(variable, low.function, high.function)),
      both.list};
  if (low.list != 0 || high.list != 0) {
    constexpr std::uint32_t kMany = std::uint32_t{1} << 30;
    const std::uint32_t cubes =
        std::min(kMany, count(low.list) + std::min(kMany, count(high.list) + count(both.list)));
    lists_.push_back({variable, low.list, high.list, both.list, cubes});
    answer.list = static_cast<ListId>(lists_.size() + 1);
  }
  known(key) = {key, answer};
  if (++known_count_ * 2 > known_.size()) grow();
  return answer;
}

void Covers::unfold(ListId index, Cube& prefix, std::vector<Cube>& cubes) const {
  if (index == 0) return;
  if (index == 1) {
    cubes.push_back(prefix);
    return;
  }
  const List& list = lists_[index - 2];
  for (const bool holds : {true, false}) {
    prefix.push_back({list.variable, holds});
    unfold(holds ? list.high : list.low, prefix, cubes);
    prefix.pop_back();
  }
  unfold(list.both, prefix, cubes);
}

std::optional<Covers::Answer> Covers::between_within(std::size_t steps, Node on, Node allowed) {
  forget_if_stale();
  steps_left_ = steps;
  out_of_steps_ = false;
  const Answer answer = between(on, allowed);
  return out_of_steps_ || arena_.gave_up() ? std::nullopt : std::optional(answer);
}

std::optional<Covers::Cover> Covers::shorter_of(Node on, Node allowed, std::size_t most) {
  // Steps are limited, and the limit grows from round to round. So if one of the two covers is huge
  // and the other one small, the huge one is not worked out to its end.
  constexpr std::uint32_t kMany = 256;
  for (std::size_t steps = 16'384;; steps *= 16) {
    const auto direct = between_within(steps, on, allowed);
    if (direct && count(direct->list) <= kMany) break;
    const Node not_on = arena_.negation(on);
    const Node not_allowed = arena_.negation(allowed);
    const auto opposite = between_within(steps, not_allowed, not_on);
    if (arena_.gave_up()) return std::nullopt;
    if (opposite && (!direct || count(opposite->list) < count(direct->list))) {
      auto cubes = of(not_allowed, not_on, most);
      return cubes ? std::optional(Cover{std::move(*cubes), true}) : std::nullopt;
    }
    if (direct) break;
  }
  auto cubes = of(on, allowed, most);
  return cubes ? std::optional(Cover{std::move(*cubes), false}) : std::nullopt;
}

std::optional<std::vector<Cube>> Covers::of(Node on, Node allowed, std::size_t most) {
  const auto answer = between_within(std::numeric_limits<std::size_t>::max(), on, allowed);
  if (!answer || count(answer->list) > most) return std::nullopt;
  const ListId root = answer->list;
  std::vector<Cube> cubes;
  cubes.reserve(count(root));
  Cube prefix;
  unfold(root, prefix, cubes);
  // Without don't-cares the cubes are prime as they are.
  if (allowed == on || cubes.size() > kMostWidened) return cubes;
  const Node forbidden = arena_.negation(allowed);
  const bool narrow = cubes.size() <= kMostNarrowed;
  bool other = false;
  for (Cube& cube : cubes) {
    const Cube full = narrow ? narrowed(arena_, cube, on) : cube;
    Cube better = Widening(arena_, full, forbidden).widened();
    other = other || better != cube;
    cube = std::move(better);
  }
  // The cubes were irredundant before; only widening can make some superfluous.
  if (other) cubes = irredundant(arena_, std::move(cubes), on);
  if (arena_.gave_up()) return std::nullopt;
  return cubes;
}

}  // namespace poise::boolean

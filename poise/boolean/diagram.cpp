#include "poise/boolean/diagram.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "poise/base/check.h"

namespace poise::boolean {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kFirstTable = 1 << 11;
constexpr std::size_t kFirstCache = 1 << 11;
constexpr std::size_t kLargestCache = 1 << 20;
constexpr std::uint32_t kLastLevel = std::numeric_limits<std::uint32_t>::max();

std::size_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint64_t hash = a * 0x9E3779B97F4A7C15ULL + b * 0xC2B2AE3D27D4EB4FULL;
  hash ^= hash >> 29;
  hash += c * 0x165667B19E3779F9ULL;
  hash *= 0xBF58476D1CE4E5B9ULL;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

}  // namespace

class Arena::Seen {
 public:
  explicit Seen(Arena& arena) : arena_(arena) {
    const std::size_t size = arena.nodes_.size();
    if (arena.stamps_.size() < size) arena.stamps_.resize(size + size / 2, 0);
    if (++arena.stamp_ == 0) {
      std::ranges::fill(arena.stamps_, 0);
      arena.stamp_ = 1;
    }
  }
  [[nodiscard]] bool contains(Node node) const { return arena_.stamps_[node] == arena_.stamp_; }
  void add(Node node) {
    arena_.stamps_[node] = arena_.stamp_;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  Arena& arena_;
  std::size_t size_ = 0;
};

template <class Answer>
class Arena::Known {
 public:
  explicit Known(Arena& arena) : arena_(arena), seen_(arena) {
    if (arena.places_.size() < arena.stamps_.size()) arena.places_.resize(arena.stamps_.size(), 0);
  }
  [[nodiscard]] const Answer* find(Node node) const {
    return seen_.contains(node) ? &answers_[arena_.places_[node]] : nullptr;
  }
  void add(Node node, Answer answer) {
    seen_.add(node);
    arena_.places_[node] = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back(std::move(answer));
  }

 private:
  Arena& arena_;
  Seen seen_;
  std::vector<Answer> answers_;
};

Arena::Arena(ArenaLimits limits, Budget* budget) : limits_(limits), budget_(budget) { clear(); }

void Arena::clear() {
  ++generation_;
  nodes_.clear();
  nodes_.push_back({0, kFalse, kFalse});
  nodes_.push_back({0, kTrue, kTrue});
  level_.assign(1, kLastLevel);
  order_.clear();
  // Tables that have grown stay allocated, but only their first part is in use.
  if (table_.size() < kFirstTable) table_.resize(kFirstTable);
  if (cache_.size() < kFirstCache) cache_.resize(kFirstCache);
  table_mask_ = kFirstTable - 1;
  cache_mask_ = kFirstCache - 1;
  std::fill_n(table_.begin(), kFirstTable, kNone);
  std::fill_n(cache_.begin(), kFirstCache, Cached{});
  gave_up_ = false;
  because_ = {};
}

void Arena::give_up(std::string_view because) {
  if (gave_up_) return;
  gave_up_ = true;
  because_ = because;
}

// ---- Variables ----

Variable Arena::add_variable() {
  if (variable_count() >= limits_.variables) {
    give_up("the rules of one state and its surroundings ask too many different questions");
    return order_.empty() ? 0 : order_.back();
  }
  const auto variable = static_cast<Variable>(level_.size());
  level_.push_back(static_cast<std::uint32_t>(order_.size()));
  order_.push_back(variable);
  return variable;
}

Variable Arena::add_variable_behind(Variable other) {
  return insert_variable(level_[other] + std::size_t{1});
}

Variable Arena::add_variable_before(Variable other) { return insert_variable(level_[other]); }

Variable Arena::insert_variable(std::size_t place) {
  if (variable_count() >= limits_.variables) return add_variable();
  const auto variable = static_cast<Variable>(level_.size());
  level_.push_back(0);
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), variable);
  renumber_from(place);
  return variable;
}

void Arena::renumber_from(std::size_t place) {
  for (; place < order_.size(); ++place) level_[order_[place]] = static_cast<std::uint32_t>(place);
}

// ---- Nodes ----

Node Arena::node(Variable variable, Node low, Node high) {
  return low == high ? low : found_or_made(variable, low, high);
}

Node Arena::found_or_made(Variable variable, Node low, Node high) {
  std::size_t slot = mixed(variable, low, high) & table_mask_;
  while (table_[slot] != kNone) {
    const Inside& there = nodes_[table_[slot]];
    if (there.variable == variable && there.low == low && there.high == high) return table_[slot];
    slot = (slot + 1) & table_mask_;
  }
  if (nodes_.size() >= limits_.nodes) {
    give_up("the decision diagrams of one state and its surroundings have too many nodes");
    return kFalse;
  }
  if (budget_ != nullptr && (nodes_.size() & 0xFF) == 0) {
    // The budget itself looks at the clock only on every 1,024th call.
    if (const Exhausted exhausted = budget_->exhausted(); exhausted != Exhausted::No) {
      give_up(reason(exhausted));
    }
  }
  const auto made = static_cast<Node>(nodes_.size());
  nodes_.push_back({variable, low, high});
  table_[slot] = made;
  if (nodes_.size() * 2 > table_mask_) grow();
  return made;
}

void Arena::grow() {
  const std::size_t size = (table_mask_ + 1) * 4;
  if (table_.size() < size) table_.resize(size);
  std::fill_n(table_.begin(), size, kNone);
  table_mask_ = size - 1;
  for (Node i = kTrue + 1; i < nodes_.size(); ++i) {
    std::size_t slot = mixed(nodes_[i].variable, nodes_[i].low, nodes_[i].high) & table_mask_;
    while (table_[slot] != kNone) slot = (slot + 1) & table_mask_;
    table_[slot] = i;
  }
  const std::size_t entries = size / 4;
  if (entries > cache_mask_ + 1 && entries <= kLargestCache) {
    if (cache_.size() < entries) cache_.resize(entries);
    std::fill_n(cache_.begin(), entries, Cached{});
    cache_mask_ = entries - 1;
  }
}

Arena::Cached& Arena::cached(Node a, Node b, Node c) {
  return cache_[mixed(a, b, c) & cache_mask_];
}

// ---- Operations ----

Node Arena::literal(Variable variable, bool holds) {
  return holds ? node(variable, kFalse, kTrue) : node(variable, kTrue, kFalse);
}

// The answer where it needs no recursion, else kNone.
template <Arena::Operation operation>
inline Node Arena::shortcut(Node a, Node b) {
  if constexpr (operation == Operation::And) {
    if (a == kFalse || b == kFalse) return kFalse;
    if (a == kTrue || a == b) return b;
    if (b == kTrue) return a;
  } else if constexpr (operation == Operation::Or) {
    if (a == kTrue || b == kTrue) return kTrue;
    if (a == kFalse || a == b) return b;
    if (b == kFalse) return a;
  } else if constexpr (operation == Operation::Difference) {
    if (a == kFalse || b == kTrue || a == b) return kFalse;
    if (b == kFalse) return a;
  } else if constexpr (operation == Operation::Equivalence) {
    if (a == b) return kTrue;
    if (a == kTrue) return b;
    if (b == kTrue) return a;
  } else if constexpr (operation == Operation::Not) {
    if (a <= kTrue) return kTrue - a;
  } else if constexpr (operation == Operation::Meet) {
    if (a == kFalse || b == kFalse) return kFalse;
    if (a == kTrue || b == kTrue || a == b) return kTrue;
  }
  return kNone;
}

template <Arena::Operation operation>
Node Arena::binary(Node a, Node b) {
  if (const Node answer = shortcut<operation>(a, b); answer != kNone) return answer;
  if (gave_up_) return kFalse;
  constexpr bool kCommutes = operation != Operation::Difference && operation != Operation::Not;
  if (kCommutes && a > b) std::swap(a, b);
  // The third part of the key tells operations apart from each other, and from choice(), whose
  // third operand is a node and never that large.
  constexpr Node kKey = kNone - 1 - static_cast<Node>(operation);
  const Cached& before = cached(a, b, kKey);
  if (before.a == a && before.b == b && before.c == kKey) return before.result;
  const std::uint32_t level_a = level(a);
  const std::uint32_t level_b = level(b);
  const Inside x = nodes_[a];
  const Inside y = nodes_[b];
  const Variable variable = level_a <= level_b ? x.variable : y.variable;
  const Node low_a = level_a <= level_b ? x.low : a;
  const Node high_a = level_a <= level_b ? x.high : a;
  const Node low_b = level_b <= level_a ? y.low : b;
  const Node high_b = level_b <= level_a ? y.high : b;
  Node result;
  if constexpr (operation == Operation::Meet) {
    result = binary<operation>(low_a, low_b);
    if (result == kFalse) result = binary<operation>(high_a, high_b);
  } else {
    const Node low = binary<operation>(low_a, low_b);
    const Node high = binary<operation>(high_a, high_b);
    result = node(variable, low, high);
  }
  cached(a, b, kKey) = {a, b, kKey, result};
  return result;
}

Node Arena::negation(Node a) {
  // The second operand is a constant, so that only the first is followed.
  return binary<Operation::Not>(a, kFalse);
}
Node Arena::conjunction(Node a, Node b) { return binary<Operation::And>(a, b); }
Node Arena::disjunction(Node a, Node b) { return binary<Operation::Or>(a, b); }
Node Arena::difference(Node a, Node b) {
  if (a == kTrue) return negation(b);
  return binary<Operation::Difference>(a, b);
}
Node Arena::equivalence(Node a, Node b) {
  if (a == kFalse) return negation(b);
  if (b == kFalse) return negation(a);
  return binary<Operation::Equivalence>(a, b);
}
bool Arena::meet(Node a, Node b) { return binary<Operation::Meet>(a, b) != kFalse; }

Node Arena::choice(Node condition, Node then, Node otherwise) {
  if (condition == kTrue || then == otherwise) return then;
  if (condition == kFalse) return otherwise;
  // The condition is a variable above both others: the result is a single node.
  const Inside first = nodes_[condition];
  if (first.low == kFalse && first.high == kTrue &&
      level(condition) < std::min(level(then), level(otherwise))) {
    return node(first.variable, otherwise, then);
  }
  if (then == kTrue) return disjunction(condition, otherwise);
  if (then == kFalse) return difference(otherwise, condition);
  if (otherwise == kFalse) return conjunction(condition, then);
  if (gave_up_) return kFalse;
  const Cached& before = cached(condition, then, otherwise);
  if (before.a == condition && before.b == then && before.c == otherwise) return before.result;
  const std::uint32_t top = std::min({level(condition), level(then), level(otherwise)});
  const auto low_of = [&](Node a) { return level(a) == top ? nodes_[a].low : a; };
  const auto high_of = [&](Node a) { return level(a) == top ? nodes_[a].high : a; };
  const Node low = choice(low_of(condition), low_of(then), low_of(otherwise));
  const Node high = choice(high_of(condition), high_of(then), high_of(otherwise));
  const Node result = node(order_[top], low, high);
  cached(condition, then, otherwise) = {condition, then, otherwise, result};
  return result;
}

namespace {

bool is_kept(const std::vector<bool>& kept, Variable variable) {
  return variable < kept.size() && kept[variable];
}

}  // namespace

Node Arena::projection(Node a, const std::vector<bool>& kept) {
  if (depends_only_on(a, kept)) return a;
  Known<Node> known(*this);
  const auto project = [&](const auto& self, Node of) -> Node {
    if (is_constant(of) || gave_up_) return of;
    if (const auto* before = known.find(of)) return *before;
    const Inside here = nodes_[of];
    const Node low = self(self, here.low);
    const Node high = low == kTrue && !is_kept(kept, here.variable) ? kTrue : self(self, here.high);
    const Node result =
        is_kept(kept, here.variable) ? node(here.variable, low, high) : disjunction(low, high);
    known.add(of, result);
    return result;
  };
  return project(project, a);
}

Node Arena::composition(Node a, std::span<const Node> replacements) {
  Known<Node> known(*this);
  const auto compose = [&](const auto& self, Node of) -> Node {
    if (is_constant(of) || gave_up_) return of;
    if (const auto* before = known.find(of)) return *before;
    const Inside here = nodes_[of];
    const Node low = self(self, here.low);
    const Node high = self(self, here.high);
    const bool replaced =
        here.variable < replacements.size() && replacements[here.variable] != kUnchanged;
    const Node condition = replaced ? replacements[here.variable] : literal(here.variable);
    const Node result = choice(condition, high, low);
    known.add(of, result);
    return result;
  };
  return compose(compose, a);
}

// ---- Questions about one diagram ----

bool Arena::depends_only_on(Node a, const std::vector<bool>& kept) {
  Seen known(*this);
  const auto look = [&](const auto& self, Node of) -> bool {
    if (is_constant(of) || known.contains(of)) return true;
    known.add(of);
    const Inside& here = nodes_[of];
    return is_kept(kept, here.variable) && self(self, here.low) && self(self, here.high);
  };
  return look(look, a);
}

bool Arena::can_hold(Node a, const std::vector<std::uint8_t>& phases) {
  Seen failed(*this);
  const auto look = [&](const auto& self, Node of) -> bool {
    if (is_constant(of)) return of == kTrue;
    if (failed.contains(of)) return false;
    const Inside& here = nodes_[of];
    const std::uint8_t phase = here.variable < phases.size() ? phases[here.variable] : kFreePhase;
    if (phase != 0 && self(self, here.high)) return true;
    if (phase != 1 && self(self, here.low)) return true;
    failed.add(of);
    return false;
  };
  return look(look, a);
}

std::vector<std::uint8_t> Arena::settled(Node a) {
  Seen known(*this);
  std::vector<std::uint8_t> phases(level_.size(), kFreePhase);
  if (is_constant(a)) return phases;
  // By level: whether some path to kTrue takes the low or the high branch there. An edge that skips
  // levels leaves both values open on them; `opens` counts +1 where such edges begin and -1 where
  // they end, so that its prefix sum says how many skip a level.
  struct Met {
    bool low = false;
    bool high = false;
    std::int64_t opens = 0;
  };
  std::vector<Met> met(order_.size() + 1);
  const auto end_of = [&](Node of) {
    return is_constant(of) ? order_.size() : std::size_t{level(of)};
  };
  const auto look = [&](const auto& self, Node of) -> void {
    if (is_constant(of) || known.contains(of)) return;
    known.add(of);
    const Inside& here = nodes_[of];
    const std::uint32_t own = level(of);
    for (const Node next : {here.low, here.high}) {
      if (next == kFalse) continue;
      (next == here.low ? met[own].low : met[own].high) = true;
      ++met[own + 1].opens;
      --met[end_of(next)].opens;
      self(self, next);
    }
  };
  look(look, a);
  std::int64_t open = 0;
  for (std::size_t place = level(a); place < order_.size(); ++place) {
    open += met[place].opens;
    if (open == 0 && met[place].low != met[place].high) {
      phases[order_[place]] = met[place].high ? 1 : 0;
    }
  }
  return phases;
}

std::vector<Variable> Arena::support(Node a) {
  Seen known(*this);
  std::vector<bool> met(level_.size(), false);
  const auto look = [&](const auto& self, Node of) -> void {
    if (is_constant(of) || known.contains(of)) return;
    known.add(of);
    met[nodes_[of].variable] = true;
    self(self, nodes_[of].low);
    self(self, nodes_[of].high);
  };
  look(look, a);
  std::vector<Variable> variables;
  std::ranges::copy_if(order_, std::back_inserter(variables),
                       [&](Variable variable) { return met[variable]; });
  return variables;
}

std::size_t Arena::size_of(Node a) {
  Seen known(*this);
  const auto look = [&](const auto& self, Node of) -> void {
    if (is_constant(of) || known.contains(of)) return;
    known.add(of);
    self(self, nodes_[of].low);
    self(self, nodes_[of].high);
  };
  look(look, a);
  return known.size();
}

namespace {

Integer to_integer(Wide number) {
  constexpr unsigned kHalf = 62;
  const auto low = static_cast<std::int64_t>(number & ((std::uint64_t{1} << kHalf) - 1));
  const Wide high = number >> kHalf;
  if (high == 0) return low;
  return to_integer(high) * Integer(std::int64_t{1} << kHalf) + Integer(low);
}

template <class Number>
Number times_power_of_two(Number number, std::uint32_t exponent) {
  if constexpr (std::is_same_v<Number, Integer>) {
    // Most nodes have a branch to false: do not work out a huge power to multiply it by 0.
    if (exponent == 0 || number.sign() == 0) return number;
    return number * Integer::power(2, exponent);
  } else {
    return number << exponent;
  }
}

}  // namespace

// place[variable] is its index among the counted variables. For a node, look() is the number of
// satisfying assignments to the counted variables from the node's own one on; each variable that an
// edge skips doubles it.
template <class Number>
Number Arena::count_as(Node a, const std::vector<std::uint32_t>& place, std::uint32_t places) {
  Known<Number> known(*this);
  const auto place_of = [&](Node of) {
    return is_constant(of) ? places : place[nodes_[of].variable];
  };
  const auto look = [&](const auto& self, Node of) -> Number {
    if (is_constant(of)) return Number(of);
    if (const Number* before = known.find(of)) return *before;
    const Inside here = nodes_[of];
    const std::uint32_t below = place_of(of) + 1;
    Number total = times_power_of_two(self(self, here.low), place_of(here.low) - below);
    total += times_power_of_two(self(self, here.high), place_of(here.high) - below);
    known.add(of, total);
    return total;
  };
  return times_power_of_two(look(look, a), place_of(a));
}

Integer Arena::count(Node a, const std::vector<bool>& counted) {
  std::vector<std::uint32_t> place(level_.size(), 0);
  std::uint32_t places = 0;
  for (const Variable variable : order_) {
    place[variable] = places;
    if (is_kept(counted, variable)) ++places;
  }
  return places < 126 ? to_integer(count_as<Wide>(a, place, places))
                      : count_as<Integer>(a, place, places);
}

std::vector<bool> Arena::lightest(Node a, const std::vector<bool>& weighs) {
  POISE_CHECK(a != kFalse);
  constexpr std::uint32_t kImpossible = std::numeric_limits<std::uint32_t>::max() / 2;
  Known<std::uint32_t> known(*this);
  const auto weight = [&](const auto& self, Node of) -> std::uint32_t {
    if (is_constant(of)) return of == kTrue ? 0 : kImpossible;
    if (const auto* before = known.find(of)) return *before;
    const Inside here = nodes_[of];
    const std::uint32_t own = is_kept(weighs, here.variable) ? 1 : 0;
    const std::uint32_t best = std::min(self(self, here.low), own + self(self, here.high));
    known.add(of, best);
    return best;
  };
  std::vector<bool> assignment(level_.size(), false);
  for (Node at = a; !is_constant(at);) {
    const Inside here = nodes_[at];
    const std::uint32_t own = is_kept(weighs, here.variable) ? 1 : 0;
    const bool high = own + weight(weight, here.high) < weight(weight, here.low);
    assignment[here.variable] = high;
    at = high ? here.high : here.low;
  }
  return assignment;
}

// ---- Garbage ----

void Arena::collect(std::span<Node* const> roots) {
  ++generation_;
  std::vector<Node> renamed(nodes_.size(), kNone);
  renamed[kFalse] = kFalse;
  renamed[kTrue] = kTrue;
  Seen needed(*this);
  const auto mark = [&](const auto& self, Node of) -> void {
    if (is_constant(of) || needed.contains(of)) return;
    needed.add(of);
    self(self, nodes_[of].low);
    self(self, nodes_[of].high);
  };
  for (const Node* root : roots) mark(mark, *root);
  // Children were made before their parents, so one pass in order of age renames everything.
  Node next = kTrue + 1;
  for (Node of = kTrue + 1; of < nodes_.size(); ++of) {
    if (!needed.contains(of)) continue;
    const Inside here = nodes_[of];
    nodes_[next] = {here.variable, renamed[here.low], renamed[here.high]};
    renamed[of] = next++;
  }
  nodes_.resize(next);
  for (Node* root : roots) *root = renamed[*root];
  std::size_t size = kFirstTable;
  while (size < nodes_.size() * 4) size *= 2;
  table_mask_ = std::min(size, table_.size()) / 4 - 1;
  grow();
  std::fill_n(cache_.begin(), cache_mask_ + 1, Cached{});
}

}  // namespace poise::boolean

#include "poise/model/clusters.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/model/differences.h"
#include "poise/model/polynomial.h"
#include "poise/model/step.h"

namespace poise::model {

namespace {

// Beyond these the search for parts itself would take too long or too much memory.
constexpr std::size_t kMaxForms = 4000;
constexpr std::size_t kMaxPoints = 4'000'000;
constexpr std::size_t kMaxTests = 1 << 23;  // evaluations of a test at a point

struct Domain {
  bool listed = false;  // bool and enumeration: `values`; else all from low to high
  bool whole = true;
  std::vector<Rational> values = {};
  Rational low = {};
  Rational high = {};

  [[nodiscard]] bool real() const { return !whole; }
  [[nodiscard]] Integer size() const {  // of a domain that can be enumerated
    if (listed) return static_cast<std::int64_t>(values.size());
    return high.floor() - low.ceil() + 1;
  }
};

Domain domain_of(const Model& model, SlotId slot) {
  const Type& type = model.variables[model.slots[slot].variable].type;
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Set: return {.listed = true, .values = {0, 1}};
    case TypeKind::Enum: {
      Domain domain{.listed = true};
      for (const SymbolId symbol : type.members) domain.values.emplace_back(symbol.index);
      return domain;
    }
    case TypeKind::Int: return {.low = type.low, .high = type.high};
    case TypeKind::Real: return {.whole = false, .low = type.low, .high = type.high};
  }
  return {};
}

std::vector<Rational> values_of(const Domain& domain) {
  if (domain.listed) return domain.values;
  std::vector<Rational> values;
  for (Integer value = domain.low.ceil(); value <= domain.high.floor(); value += 1) {
    values.emplace_back(value);
  }
  return values;
}

// A value strictly between two neighbouring roots, each possibly absent, if the domain has one.
std::optional<Rational> value_between(const Domain& domain, const Rational* below,
                                      const Rational* above) {
  if (below == nullptr) {
    if (above == nullptr || domain.low < *above) return domain.low;
    return std::nullopt;
  }
  if (domain.whole) {
    Rational value = below->floor() + 1;
    if (value <= domain.high && (above == nullptr || value < *above)) return value;
    return std::nullopt;
  }
  if (above != nullptr) return simple_between(*below, *above);
  if (*below >= domain.high) return std::nullopt;
  return simple_between(*below, domain.high);
}

// One value for each root in the domain and one for each gap between roots. Roots are sorted.
std::vector<Rational> values_around(const Domain& domain, const std::vector<Rational>& roots) {
  std::vector<Rational> values;
  if (domain.listed) {
    bool other = false;
    for (const Rational& value : domain.values) {
      const bool root = std::ranges::binary_search(roots, value);
      if (root || !other) values.push_back(value);
      other = other || !root;
    }
    return values;
  }
  const Rational* below = nullptr;
  const auto add_gap = [&](const Rational* above) {
    if (const auto value = value_between(domain, below, above)) values.push_back(*value);
  };
  for (const Rational& root : roots) {
    if (root < domain.low || root > domain.high) continue;
    add_gap(&root);
    if (!domain.whole || root.is_integer()) values.push_back(root);
    below = &root;
  }
  add_gap(nullptr);
  return values;
}

// The form with every slot but one replaced by its value; nothing if one of them has no value.
std::optional<Polynomial> restricted(const Polynomial& form, SlotId free, const Context& context) {
  Polynomial result = form;
  for (const Monomial& term : form.terms) {
    for (const SlotId slot : term.slots) {
      if (slot == free) continue;
      const Value& value = context[slot.index];
      if (!value) return std::nullopt;
      result = substituted(result, slot, *value);
    }
  }
  return result;
}

// The sign of a form: -1, 0, 1, or 2 where it reads a slot without a value.
int sign_of(const Polynomial& form, const Context& context) {
  Rational sum = form.constant;
  for (const Monomial& term : form.terms) {
    Rational product = term.coefficient;
    for (const SlotId slot : term.slots) {
      if (!context[slot.index]) return 2;
      product = product * *context[slot.index];
    }
    sum = sum + product;
  }
  return sum.sign();
}

}  // namespace

// A set of polynomials no two of which vanish together.
struct ClusterFinder::Forms : std::set<Polynomial, decltype(&precedes)> {
  Forms() : set(&precedes) {}
};

Changes changes_of(const Model& model) {
  Changes changes;
  std::set<SlotId> enabled;
  for (const Rule& rule : model.rules) {
    for (const Action& action : rule.actions) {
      for (const Effect& effect : action.effects) {
        if (effect.value) {
          changes.assigned[effect.slot].insert(*effect.value);
          if (holds(effect.value)) enabled.insert(effect.slot);
        } else {
          changes.freed.insert(effect.slot);
          enabled.insert(effect.slot);
        }
      }
    }
  }
  if (enabled.empty()) return changes;
  for (const SlotId slot : model.slots.ids()) {
    for (auto guard = guard_slot(model, slot); guard; guard = guard_slot(model, *guard)) {
      if (enabled.contains(*guard)) changes.freed.insert(slot);
    }
  }
  return changes;
}

std::vector<Rational> part_values(const Model& model, SlotId slot,
                                  const std::vector<Polynomial>& forms, const Context& context) {
  const Domain domain = domain_of(model, slot);
  std::vector<Rational> roots;
  for (const Polynomial& form : forms) {
    if (!reads(form, slot)) continue;
    const std::optional<Polynomial> rest = restricted(form, slot, context);
    if (!rest || !reads(*rest, slot)) continue;
    if (!is_linear(*rest)) return values_of(domain);  // of an integer: reals are linear
    roots.push_back(-rest->constant / coefficient(*rest, slot));
  }
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return values_around(domain, roots);
}

std::vector<Rational> all_values(const Model& model, SlotId slot) {
  return values_of(domain_of(model, slot));
}

bool is_real(const Model& model, SlotId slot) { return domain_of(model, slot).real(); }

Atom equals(SlotId slot, const Rational& value) {
  Atom test;
  test.slots = {slot};
  test.value = sum(slot_value(slot), constant(-value));
  return test;
}

std::vector<int> signature(const Cluster& cluster, const Context& context) {
  std::vector<int> result;
  for (const SlotId slot : cluster.order) {
    result.push_back(static_cast<int>(context[slot.index].has_value()));
  }
  for (const Atom& test : cluster.tests) {
    result.push_back(static_cast<int>(model::holds(test, context)));
  }
  if (cluster.by_signs) {
    for (const Polynomial& form : cluster.forms) result.push_back(sign_of(form, context));
  }
  return result;
}

ClusterFinder::ClusterFinder(const Model& model, Budget& budget)
    : model_(model),
      budget_(budget),
      changes_(changes_of(model)),
      is_guard_(model.slots.size(), false),
      context_(model.slots.size()) {
  for (const SlotId slot : model.slots.ids()) {
    if (const auto guard = guard_slot(model, slot)) is_guard_[guard->index] = true;
  }
}

std::size_t ClusterFinder::root(std::size_t slot) {
  while (parent_[slot] != slot) slot = parent_[slot] = parent_[parent_[slot]];
  return slot;
}

void ClusterFinder::unite(SlotId a, SlotId b) { parent_[root(a.index)] = root(b.index); }

// Slots that one atom reads belong together, and so do the guards of such slots.
void ClusterFinder::join_slots() {
  parent_.resize(model_.slots.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  std::vector<SlotId> together;
  for (const Atom& atom : model_.atoms) {
    if (atom.slots.size() < 2) continue;
    for (const SlotId slot : atom.slots) unite(slot, atom.slots.front());
    together.insert(together.end(), atom.slots.begin(), atom.slots.end());
  }
  for (const SlotId slot : together) {
    SlotId inner = slot;
    for (auto guard = guard_slot(model_, inner); guard; guard = guard_slot(model_, inner)) {
      unite(inner, *guard);
      inner = *guard;
    }
  }
}

std::size_t ClusterFinder::guard_depth(SlotId slot) const {
  std::size_t depth = 0;
  for (auto guard = guard_slot(model_, slot); guard; guard = guard_slot(model_, *guard)) ++depth;
  return depth;
}

std::vector<Cluster> ClusterFinder::clusters() {
  join_slots();
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::size_t> cluster_of_root(model_.slots.size(), kNone);
  std::vector<Cluster> clusters;
  for (const SlotId slot : model_.slots.ids()) {
    std::size_t& index = cluster_of_root[root(slot.index)];
    if (index == kNone) {
      index = clusters.size();
      clusters.emplace_back();
    }
    clusters[index].order.push_back(slot);
  }
  for (Cluster& cluster : clusters) {
    if (cluster.order.size() == 1) continue;
    std::ranges::stable_sort(cluster.order, {}, [&](SlotId slot) {
      return std::pair(is_real(model_, slot), guard_depth(slot));
    });
  }
  // Clusters of several slots contain all their guards, so only single slots wait for others. Most
  // models have no guards, and all is in order already.
  const auto place = [&](const Cluster& cluster) {
    return std::pair(cluster.order.size() > 1 ? 0 : 1 + guard_depth(cluster.order.front()),
                     cluster.order.front());
  };
  if (!std::ranges::is_sorted(clusters, {}, place)) {
    std::ranges::stable_sort(clusters, {}, place);
  }
  std::vector<std::size_t> cluster_of(model_.slots.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (const SlotId slot : clusters[i].order) cluster_of[slot.index] = i;
  }
  for (const AtomId atom : model_.atoms.ids()) {
    clusters[cluster_of[model_.atoms[atom].slots.front().index]].atoms.push_back(atom);
  }
  return clusters;
}

namespace {

// Equal for tests that ask the same.
std::string key_of(const Atom& test) {
  std::string text = fmt::format("{} {}", static_cast<int>(test.relation), test.membership);
  for (const Rational& value : test.among) text += " " + value.to_string();
  for (const SlotId slot : test.slots) text += fmt::format(" s{}", slot.index);
  for (const Monomial& term : test.value.terms) {
    text += " " + term.coefficient.to_string();
    for (const SlotId slot : term.slots) text += fmt::format("*s{}", slot.index);
  }
  return text + " " + test.value.constant.to_string();
}

std::vector<const Atom*> pointers_to(const std::vector<Atom>& tests) {
  std::vector<const Atom*> pointers;
  for (const Atom& test : tests) pointers.push_back(&test);
  return pointers;
}

}  // namespace

Result<void> ClusterFinder::add_tests(Cluster& cluster) {
  std::vector<Atom>& tests = cluster.tests;
  std::map<std::string, std::size_t> known;
  const auto index_of = [&](Atom test) {
    const auto [place, fresh] = known.emplace(key_of(test), tests.size());
    if (fresh) tests.push_back(std::move(test));
    return place->second;
  };
  for (const AtomId atom : cluster.atoms) {
    known.emplace(key_of(model_.atoms[atom]), tests.size());
    tests.push_back(model_.atoms[atom]);
  }
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (tests[i].slots.size() < 2) continue;  // what is left would be a constant
    const Atom test = tests[i];
    for (const SlotId slot : test.slots) {
      const auto assigned = changes_.assigned.find(slot);
      if (assigned == changes_.assigned.end()) continue;
      for (const Rational& value : assigned->second) {
        Atom next = test;
        std::erase(next.slots, slot);
        next.value = substituted(test.value, slot, value);
        cluster.substitutions.push_back({i, slot, value, index_of(std::move(next))});
      }
    }
    if (tests.size() > kMaxForms) return too_many_forms();
  }
  for (const SlotId slot : cluster.order) {
    if (is_guard_[slot.index]) index_of(equals(slot, 1));
    const auto assigned = changes_.assigned.find(slot);
    if (assigned == changes_.assigned.end()) continue;
    for (const Rational& value : assigned->second) index_of(equals(slot, value));
  }
  cluster.by_signs = cluster.order.size() > 1 && frees_any(cluster);
  cluster.by_integers = frees_integers(cluster);
  cluster.decided = cluster.order.size() > 1 && !frees_any(cluster) &&
                    Differences::of(model_, cluster.order, pointers_to(tests)).has_value();
  return {};
}

Failure ClusterFinder::too_many_forms() {
  if (const Exhausted exhausted = budget_.exhausted(); exhausted != Exhausted::No) {
    return failure(std::string(reason(exhausted)));
  }
  return failure(fmt::format(
      "atoms over several variables split the context along more than {} boundaries", kMaxForms));
}

// Projects forms along a real slot (as in Fourier-Motzkin elimination): forms over the other slots
// whose signs determine the order of the slot's roots, and so which parts of it exist.
Result<ClusterFinder::Forms> ClusterFinder::projected(const Forms& forms, SlotId slot) {
  const Domain domain = domain_of(model_, slot);
  Forms result;
  std::vector<Polynomial> reading;
  for (const Polynomial& form : forms) {
    if (reads(form, slot)) {
      reading.push_back(form);
    } else {
      result.insert(form);
    }
  }
  for (const Rational& bound : {domain.low, domain.high}) {
    reading.push_back(sum(slot_value(slot), constant(-bound)));
  }
  for (std::size_t i = 0; i < reading.size(); ++i) {
    for (std::size_t j = i + 1; j < reading.size(); ++j) {
      const Polynomial eliminated =
          normalized(sum(scaled(reading[i], coefficient(reading[j], slot)),
                         scaled(reading[j], -coefficient(reading[i], slot))));
      if (!eliminated.terms.empty()) result.insert(eliminated);
    }
    if (result.size() > kMaxForms || budget_.exhausted() != Exhausted::No) {
      return too_many_forms();
    }
  }
  return result;
}

// The polynomials whose signs decide the tests of a cluster.
Result<ClusterFinder::Forms> ClusterFinder::forms_of(const Cluster& cluster) {
  Forms forms;
  const auto add = [&](const Polynomial& form) {
    if (!form.terms.empty()) forms.insert(normalized(form));
  };
  for (const Atom& test : cluster.tests) {
    if (test.membership) {
      for (const Rational& value : test.among) add(sum(test.value, constant(-value)));
    } else {
      add(test.value);
    }
    const auto real = [&](SlotId slot) { return is_real(model_, slot); };
    if (!is_linear(test.value) && std::ranges::any_of(test.slots, real)) {
      return Failure(
          Error{fmt::format("`{}` multiplies variables, a real one among them: its boundary is "
                            "no straight line, and the parts of the "
                            "context beside it cannot be found exactly",
                            test.text)});
    }
  }
  for (const SlotId slot : cluster.order) {
    if (!cluster.by_signs || !changes_.freed.contains(slot) || !domain_of(model_, slot).real()) {
      continue;
    }
    Result<Forms> projection = projected(forms, slot);
    if (!projection) return projection;
    forms.merge(*projection);
  }
  if (cluster.by_signs && !add_substituted(cluster, forms)) return too_many_forms();
  return forms;
}

// Adds the forms that arise when actions assign slots, until nothing new comes up. Substitution and
// projection of linear forms commute, so the new ones need not be projected.
bool ClusterFinder::add_substituted(const Cluster& cluster, Forms& forms) const {
  std::vector<Polynomial> open(forms.begin(), forms.end());
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const SlotId slot : cluster.order) {
      const auto assigned = changes_.assigned.find(slot);
      if (assigned == changes_.assigned.end() || !reads(open[i], slot)) continue;
      for (const Rational& value : assigned->second) {
        const Polynomial next = normalized(substituted(open[i], slot, value));
        if (!next.terms.empty() && forms.insert(next).second) open.push_back(next);
      }
    }
    if (forms.size() > kMaxForms) return false;
  }
  return true;
}

// Visits the points of a cluster, slot by slot; levels[i] holds the forms that split slot i.
struct ClusterFinder::Points {
  ClusterFinder& finder;
  const Cluster& cluster;
  std::vector<std::vector<Polynomial>> levels;
  std::vector<bool> enumerated;
  Context& context;
  std::size_t visited = 0;
  std::size_t tested = 0;
  std::vector<std::vector<Value>> cells = {};
  std::set<std::vector<int>> known = {};
  bool keep_all = false;
  bool gave_up = false;

  void visit(std::size_t level) {
    if (gave_up) return;
    if (level == cluster.order.size()) {
      add_cell();
      return;
    }
    const SlotId slot = cluster.order[level];
    const std::optional<SlotId> guard = guard_slot(finder.model_, slot);
    if (cluster.order.size() > 1 && guard && !holds(context[guard->index])) {
      context[slot.index] = std::nullopt;
      visit(level + 1);
      return;
    }
    const std::vector<Rational> values =
        enumerated[level] ? all_values(finder.model_, slot)
                          : part_values(finder.model_, slot, levels[level], context);
    for (const Rational& value : values) {
      context[slot.index] = value;
      visit(level + 1);
    }
    context[slot.index] = std::nullopt;
  }

  void add_cell() {
    ++visited;
    tested += cluster.tests.size();
    if (visited > kMaxPoints || tested > kMaxTests || finder.budget_.exhausted() != Exhausted::No) {
      gave_up = true;
      return;
    }
    if (!keep_all && !known.insert(signature(cluster, context)).second) return;
    std::vector<Value> values;
    for (const SlotId slot : cluster.order) values.push_back(context[slot.index]);
    cells.push_back(std::move(values));
  }
};

// Integers that an action frees beside other slots of a cluster: whether some integer lies in a
// part is not decided by signs, so no two points may be merged.
bool ClusterFinder::frees_integers(const Cluster& cluster) const {
  return cluster.order.size() > 1 && std::ranges::any_of(cluster.order, [&](SlotId slot) {
           return changes_.freed.contains(slot) && !is_real(model_, slot);
         });
}

bool ClusterFinder::frees_any(const Cluster& cluster) const {
  return std::ranges::any_of(cluster.order,
                             [&](SlotId slot) { return changes_.freed.contains(slot); });
}

std::string ClusterFinder::describe(const Cluster& cluster) const {
  std::string names;
  for (const SlotId slot : cluster.order) {
    if (!names.empty()) names += ", ";
    names += model_.variables[model_.slots[slot].variable].name;
  }
  return names;
}

// Why values are tried, although comparisons of differences are decided without that.
std::string ClusterFinder::hint(const Cluster& cluster) const {
  if (cluster.order.size() < 2 || cluster.decided) return "";
  const auto other = std::ranges::find_if(
      cluster.tests, [&](const Atom& test) { return !comparison_of(model_, test); });
  if (other != cluster.tests.end()) {
    return fmt::format(
        "; without `{}` their values need not be tried: comparisons like `a < b + 5` are decided",
        other->text);
  }
  const auto freed = std::ranges::find_if(
      cluster.order, [&](SlotId slot) { return changes_.freed.contains(slot); });
  if (freed != cluster.order.end()) {
    return fmt::format("; their values need not be tried if no action makes the guard of `{}` true",
                       model_.variables[model_.slots[*freed].variable].name);
  }
  return "; with smaller numbers, or fewer digits, their values need not be tried";
}

Failure ClusterFinder::too_many_tests(const Cluster& cluster) {
  return failure(
      fmt::format("{}: telling apart the values by {} comparisons takes more than {} of them{}",
                  describe(cluster), cluster.tests.size(), kMaxTests, hint(cluster)));
}

// Visits the parts of a decided cluster: one point for each way to choose segments of its forms.
struct ClusterFinder::Ways {
  const Differences& differences;
  Points& points;
  std::vector<Differences::Segment> segments = {};

  void visit(const Differences::State& state) {
    if (points.gave_up) return;
    if (segments.size() == differences.steps()) {
      const std::vector<Value> values = differences.point(segments);
      for (std::size_t i = 0; i < values.size(); ++i) {
        points.context[points.cluster.order[i].index] = values[i];
      }
      points.add_cell();
      return;
    }
    for (const Differences::Branch& branch : differences.branches(segments.size(), state)) {
      segments.push_back(branch.segment);
      visit(branch.state);
      segments.pop_back();
    }
  }
};

Result<void> ClusterFinder::add_decided_cells(Cluster& cluster) {
  const auto differences = Differences::of(model_, cluster.order, pointers_to(cluster.tests));
  POISE_CHECK(differences.has_value());
  Points points{*this, cluster, {}, {}, context_};
  Ways{*differences, points}.visit(Differences::start());
  for (const SlotId slot : cluster.order) context_[slot.index] = std::nullopt;
  if (const Exhausted exhausted = budget_.exhausted(); exhausted != Exhausted::No) {
    return failure(std::string(reason(exhausted)));
  }
  if (points.gave_up) return too_many_tests(cluster);
  cluster.cells = std::move(points.cells);
  std::ranges::sort(cluster.cells);
  return {};
}

Result<void> ClusterFinder::add_cells(Cluster& cluster) {
  if (cluster.decided) return add_decided_cells(cluster);
  Result<Forms> forms = forms_of(cluster);
  if (!forms) return Failure(forms.error());
  cluster.forms.assign(forms->begin(), forms->end());
  const std::size_t size = cluster.order.size();
  Points points{*this, cluster, std::vector<std::vector<Polynomial>>(size),
                std::vector<bool>(size, false), context_};
  points.keep_all = cluster.by_integers;
  Forms remaining = std::move(*forms);
  Integer enumerated = 1;
  for (std::size_t level = size; level-- > 0;) {
    const SlotId slot = cluster.order[level];
    const Domain domain = domain_of(model_, slot);
    const bool last_enumerable =
        level + 1 == size || domain_of(model_, cluster.order[level + 1]).real();
    points.enumerated[level] = !domain.real() && size > 1 && (!last_enumerable || points.keep_all);
    if (points.enumerated[level]) enumerated = enumerated * domain.size();
    for (const Polynomial& form : remaining) {
      if (reads(form, slot)) points.levels[level].push_back(form);
    }
    if (domain.real() && level > 0) {
      Result<Forms> projection = projected(remaining, slot);
      if (!projection) return Failure(projection.error());
      remaining = std::move(*projection);
    }
  }
  if (enumerated > Integer(static_cast<std::int64_t>(kMaxPoints))) {
    return failure(fmt::format("{} take {} combinations of values together, more than {}{}",
                               describe(cluster), enumerated.to_string(), kMaxPoints,
                               hint(cluster)));
  }
  points.visit(0);
  if (const Exhausted exhausted = budget_.exhausted(); exhausted != Exhausted::No) {
    return failure(std::string(reason(exhausted)));
  }
  if (points.gave_up) return too_many_tests(cluster);
  cluster.cells = std::move(points.cells);
  return {};
}

}  // namespace poise::model

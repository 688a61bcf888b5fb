#include "poise/model/cells.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "poise/model/polynomial.h"

namespace poise::model {

namespace {

// Beyond these the search for parts itself would take too long or too much memory.
constexpr std::size_t kMaxForms = 4000;
constexpr std::size_t kMaxPoints = 4'000'000;
constexpr std::size_t kMaxTests = 1 << 23;  // of a point

using Forms = std::set<Polynomial, decltype(&precedes)>;

Forms no_forms() { return Forms(&precedes); }

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

std::vector<Rational> all_values(const Domain& domain) {
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

// Values of `slot` that stand for all its parts, while the other slots are as in the context.
std::vector<Rational> part_values(const Model& model, SlotId slot,
                                  const std::vector<Polynomial>& forms, const Context& context) {
  const Domain domain = domain_of(model, slot);
  std::vector<Rational> roots;
  for (const Polynomial& form : forms) {
    if (!reads(form, slot)) continue;
    const std::optional<Polynomial> rest = restricted(form, slot, context);
    if (!rest || !reads(*rest, slot)) continue;
    if (!is_linear(*rest)) return all_values(domain);  // of an integer: reals are linear
    roots.push_back(-rest->constant / coefficient(*rest, slot));
  }
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return values_around(domain, roots);
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

bool holds(const Value& value) { return value && value->sign() != 0; }

// What the rules do to slots.
struct Changes {
  std::map<SlotId, std::set<Rational>> assigned;
  std::set<SlotId> freed;  // that may come to any value
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

}  // namespace

struct Cells::Builder {
  const Model& model;
  Budget& budget;
  Changes changes = changes_of(model);
  std::vector<std::size_t> parent = {};           // union-find over slots
  Context context = Context(model.slots.size());  // where points are put together

  std::size_t root(std::size_t slot) {
    while (parent[slot] != slot) slot = parent[slot] = parent[parent[slot]];
    return slot;
  }
  void unite(SlotId a, SlotId b) { parent[root(a.index)] = root(b.index); }

  // Slots that one atom reads belong together, and so do the guards of such slots.
  void join_slots() {
    parent.resize(model.slots.size());
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<SlotId> together;
    for (const Atom& atom : model.atoms) {
      if (atom.slots.size() < 2) continue;
      for (const SlotId slot : atom.slots) unite(slot, atom.slots.front());
      together.insert(together.end(), atom.slots.begin(), atom.slots.end());
    }
    for (const SlotId slot : together) {
      SlotId inner = slot;
      for (auto guard = guard_slot(model, inner); guard; guard = guard_slot(model, inner)) {
        unite(inner, *guard);
        inner = *guard;
      }
    }
  }

  [[nodiscard]] std::size_t guard_depth(SlotId slot) const {
    std::size_t depth = 0;
    for (auto guard = guard_slot(model, slot); guard; guard = guard_slot(model, *guard)) ++depth;
    return depth;
  }

  std::vector<Cluster> clusters_in_order() {
    std::map<std::size_t, std::vector<SlotId>> members;
    for (const SlotId slot : model.slots.ids()) members[root(slot.index)].push_back(slot);
    std::vector<Cluster> clusters;
    for (auto& [first, slots] : members) {
      Cluster cluster;
      cluster.order = std::move(slots);
      std::ranges::stable_sort(cluster.order, {}, [&](SlotId slot) {
        return std::pair(domain_of(model, slot).real(), guard_depth(slot));
      });
      clusters.push_back(std::move(cluster));
    }
    // Clusters of several slots contain all their guards, so only single slots wait for others.
    std::ranges::stable_sort(clusters, {}, [&](const Cluster& cluster) {
      return std::pair(cluster.order.size() > 1 ? 0 : 1 + guard_depth(cluster.order.front()),
                       cluster.order.front());
    });
    return clusters;
  }

  static Atom equals(SlotId slot, const Rational& value) {
    Atom test;
    test.slots = {slot};
    test.value = sum(slot_value(slot), constant(-value));
    return test;
  }

  // The atoms of a cluster, also as they stand once some of their slots have been assigned, and
  // whether a slot has an assigned value or is a guard that holds.
  Result<std::vector<Atom>> tests_of(const Cluster& cluster) {
    std::vector<Atom> tests;
    for (const AtomId atom : cluster.atoms) tests.push_back(model.atoms[atom]);
    std::set<std::string> known;
    const auto key = [](const Atom& test) {
      std::string text = fmt::format("{} {}", static_cast<int>(test.relation), test.membership);
      for (const Rational& value : test.among) text += " " + value.to_string();
      for (const SlotId slot : test.slots) text += fmt::format(" s{}", slot.index);
      for (const Monomial& term : test.value.terms) {
        text += " " + term.coefficient.to_string();
        for (const SlotId slot : term.slots) text += fmt::format("*s{}", slot.index);
      }
      return text + " " + test.value.constant.to_string();
    };
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const Atom test = tests[i];
      if (test.slots.size() < 2) continue;  // what is left would be a constant
      for (const SlotId slot : test.slots) {
        const auto assigned = changes.assigned.find(slot);
        if (assigned == changes.assigned.end()) continue;
        for (const Rational& value : assigned->second) {
          Atom next = test;
          std::erase(next.slots, slot);
          next.value = substituted(test.value, slot, value);
          if (known.insert(key(next)).second) tests.push_back(std::move(next));
        }
      }
      if (tests.size() > kMaxForms) return too_many_forms();
    }
    for (const SlotId slot : cluster.order) {
      if (is_guard[slot.index]) tests.push_back(equals(slot, 1));
      const auto assigned = changes.assigned.find(slot);
      if (assigned == changes.assigned.end()) continue;
      for (const Rational& value : assigned->second) tests.push_back(equals(slot, value));
    }
    return tests;
  }

  Failure too_many_forms() {
    if (const Exhausted exhausted = budget.exhausted(); exhausted != Exhausted::No) {
      return Failure(Error{std::string(reason(exhausted))});
    }
    return Failure(Error{
        fmt::format("atoms over several variables split the context along more than {} boundaries",
                    kMaxForms)});
  }

  // The forms over the other slots that tell which parts of a real slot exist.
  Result<Forms> projected(const Forms& forms, SlotId slot) {
    const Domain domain = domain_of(model, slot);
    Forms result = no_forms();
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
      if (result.size() > kMaxForms || budget.exhausted() != Exhausted::No) {
        return too_many_forms();
      }
    }
    return result;
  }

  // The polynomials whose signs decide the tests of a cluster.
  Result<Forms> forms_of(const Cluster& cluster) {
    Forms forms = no_forms();
    const auto add = [&](const Polynomial& form) {
      if (!form.terms.empty()) forms.insert(normalized(form));
    };
    for (const Atom& test : cluster.tests) {
      if (test.membership) {
        for (const Rational& value : test.among) add(sum(test.value, constant(-value)));
      } else {
        add(test.value);
      }
      const auto is_real = [&](SlotId slot) { return domain_of(model, slot).real(); };
      if (!is_linear(test.value) && std::ranges::any_of(test.slots, is_real)) {
        return Failure(
            Error{fmt::format("`{}` multiplies variables, a real one among them: its boundary is "
                              "no straight line, and the parts of the "
                              "context beside it cannot be found exactly",
                              test.text)});
      }
    }
    for (const SlotId slot : cluster.order) {
      if (!cluster.by_signs || !changes.freed.contains(slot) || !domain_of(model, slot).real()) {
        continue;
      }
      Result<Forms> projection = projected(forms, slot);
      if (!projection) return projection;
      forms.merge(*projection);
    }
    return forms;
  }

  // Visits the points of a cluster, slot by slot; levels[i] holds the forms that split slot i.
  struct Points {
    const Builder& builder;
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
      const std::optional<SlotId> guard = guard_slot(builder.model, slot);
      if (cluster.order.size() > 1 && guard && !holds(context[guard->index])) {
        context[slot.index] = std::nullopt;
        visit(level + 1);
        return;
      }
      const std::vector<Rational> values =
          enumerated[level] ? all_values(domain_of(builder.model, slot))
                            : part_values(builder.model, slot, levels[level], context);
      for (const Rational& value : values) {
        context[slot.index] = value;
        visit(level + 1);
      }
      context[slot.index] = std::nullopt;
    }

    void add_cell() {
      ++visited;
      tested += cluster.tests.size();
      if (visited > kMaxPoints || tested > kMaxTests ||
          builder.budget.exhausted() != Exhausted::No) {
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
  [[nodiscard]] bool frees_integers(const Cluster& cluster) const {
    return cluster.order.size() > 1 && std::ranges::any_of(cluster.order, [&](SlotId slot) {
             return changes.freed.contains(slot) && !domain_of(model, slot).real();
           });
  }

  [[nodiscard]] bool frees_any(const Cluster& cluster) const {
    return std::ranges::any_of(cluster.order,
                               [&](SlotId slot) { return changes.freed.contains(slot); });
  }

  [[nodiscard]] std::string describe(const Cluster& cluster) const {
    std::string names;
    for (const SlotId slot : cluster.order) {
      if (!names.empty()) names += ", ";
      names += model.variables[model.slots[slot].variable].name;
    }
    return names;
  }

  Result<std::vector<std::vector<Value>>> cells_of(const Cluster& cluster, const Forms& forms) {
    const std::size_t size = cluster.order.size();
    Points points{*this, cluster, std::vector<std::vector<Polynomial>>(size),
                  std::vector<bool>(size, false), context};
    points.keep_all = frees_integers(cluster);
    Forms remaining = forms;
    Integer enumerated = 1;
    for (std::size_t level = size; level-- > 0;) {
      const SlotId slot = cluster.order[level];
      const Domain domain = domain_of(model, slot);
      const bool last_enumerable =
          level + 1 == size || domain_of(model, cluster.order[level + 1]).real();
      points.enumerated[level] =
          !domain.real() && size > 1 && (!last_enumerable || points.keep_all);
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
      return Failure(Error{fmt::format("{} take {} combinations of values together, more than {}",
                                       describe(cluster), enumerated.to_string(), kMaxPoints)});
    }
    points.visit(0);
    if (const Exhausted exhausted = budget.exhausted(); exhausted != Exhausted::No) {
      return Failure(Error{std::string(reason(exhausted))});
    }
    if (points.gave_up) {
      return Failure(Error{
          fmt::format("{}: telling apart the values by {} comparisons takes more than {} of them",
                      describe(cluster), cluster.tests.size(), kMaxTests)});
    }
    return points.cells;
  }

  // How many ways the clusters behind true guards of `cluster` can go, itself included.
  Integer count_from(std::size_t index, const std::vector<Cluster>& clusters,
                     const std::map<SlotId, std::vector<std::size_t>>& behind) {
    Integer total = 0;
    const Cluster& cluster = clusters[index];
    for (const std::vector<Value>& cell : cluster.cells) {
      Integer ways = 1;
      for (std::size_t i = 0; i < cluster.order.size(); ++i) {
        const auto guarded = behind.find(cluster.order[i]);
        if (guarded == behind.end() || !holds(cell[i])) continue;
        for (const std::size_t child : guarded->second) {
          ways = ways * count_from(child, clusters, behind);
        }
      }
      total += ways;
    }
    return total;
  }

  Integer count(const std::vector<Cluster>& clusters) {
    std::map<SlotId, std::vector<std::size_t>> behind;
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const auto guard = guard_slot(model, clusters[i].order.front());
      if (clusters[i].order.size() == 1 && guard) {
        behind[*guard].push_back(i);
      } else {
        roots.push_back(i);
      }
    }
    Integer total = 1;
    for (const std::size_t cluster : roots) total = total * count_from(cluster, clusters, behind);
    return total;
  }

  Result<Cells> build() {
    is_guard.assign(model.slots.size(), false);
    for (const SlotId slot : model.slots.ids()) {
      if (const auto guard = guard_slot(model, slot)) is_guard[guard->index] = true;
    }
    join_slots();
    Cells cells;
    cells.model_ = &model;
    cells.clusters_ = clusters_in_order();
    cells.cluster_of_.resize(model.slots.size());
    for (std::size_t i = 0; i < cells.clusters_.size(); ++i) {
      for (const SlotId slot : cells.clusters_[i].order) cells.cluster_of_[slot.index] = i;
    }
    for (const AtomId atom : model.atoms.ids()) {
      const SlotId slot = model.atoms[atom].slots.front();
      cells.clusters_[cells.cluster_of_[slot.index]].atoms.push_back(atom);
    }
    for (Cluster& cluster : cells.clusters_) {
      Result<std::vector<Atom>> tests = tests_of(cluster);
      if (!tests) return Failure(tests.error());
      cluster.tests = std::move(*tests);
      cluster.by_signs = cluster.order.size() > 1 && frees_any(cluster);
      const Result<Forms> forms = forms_of(cluster);
      if (!forms) return Failure(forms.error());
      cluster.forms.assign(forms->begin(), forms->end());
      Result<std::vector<std::vector<Value>>> parts = cells_of(cluster, *forms);
      if (!parts) return Failure(parts.error());
      cluster.cells = std::move(*parts);
    }
    cells.count_ = count(cells.clusters_);
    return cells;
  }

  std::vector<bool> is_guard = {};  // by slot
};

Result<Cells> Cells::of(const Model& model, Budget& budget) {
  return Builder{model, budget}.build();
}

bool Cells::has_value(SlotId slot, const Context& context) const {
  const std::optional<SlotId> guard = guard_slot(*model_, slot);
  return !guard || holds(context[guard->index]);
}

void Cells::for_each_context(const std::function<bool(const Context&)>& visit) const {
  Context context(model_->slots.size());
  visit_from(0, context, {visit, {}});
}

std::optional<Context> Cells::context_with(const std::vector<bool>& atoms) const {
  std::optional<Context> found;
  const Visit visit = {[&](const Context& context) {
                         found = context;
                         return false;
                       },
                       [&](const Cluster& cluster, const Context& context) {
                         return std::ranges::all_of(cluster.atoms, [&](AtomId atom) {
                           return model::holds(model_->atoms[atom], context) == atoms[atom.index];
                         });
                       }};
  Context context(model_->slots.size());
  visit_from(0, context, visit);
  return found;
}

bool Cells::visit_from(std::size_t index, Context& context, const Visit& visit) const {
  // Clusters with one choice are passed in a loop: recursion is as deep as there are real choices,
  // of which an enumerable model has few.
  const auto fits = [&](const Cluster& cluster) {
    return !visit.fits || visit.fits(cluster, context);
  };
  for (; index < clusters_.size(); ++index) {
    const Cluster& cluster = clusters_[index];
    const auto enter = [&](const std::vector<Value>& cell) {
      for (std::size_t i = 0; i < cell.size(); ++i) context[cluster.order[i].index] = cell[i];
    };
    const bool waits = cluster.order.size() == 1;
    if (waits && !has_value(cluster.order.front(), context)) {
      context[cluster.order.front().index] = std::nullopt;
      if (!fits(cluster)) return true;
      continue;
    }
    if (cluster.cells.size() == 1) {
      enter(cluster.cells.front());
      if (!fits(cluster)) return true;
      continue;
    }
    for (const std::vector<Value>& cell : cluster.cells) {
      enter(cell);
      if (fits(cluster) && !visit_from(index + 1, context, visit)) return false;
    }
    return true;
  }
  return visit.visit(context);
}

std::vector<Rational> Cells::values(SlotId slot, const Context& context) const {
  const Cluster& cluster = clusters_[cluster_of_[slot.index]];
  std::vector<Rational> values;
  std::set<std::vector<int>> known;
  Context trial = context;
  for (const Rational& value : part_values(*model_, slot, cluster.forms, context)) {
    trial[slot.index] = value;
    if (known.insert(signature(cluster, trial)).second) values.push_back(value);
  }
  return values;
}

bool Cells::same(const Context& a, const Context& b) const {
  if (a == b) return true;
  return std::ranges::all_of(clusters_, [&](const Cluster& cluster) {
    return signature(cluster, a) == signature(cluster, b);
  });
}

std::vector<int> Cells::signature(const Cluster& cluster, const Context& context) {
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

}  // namespace poise::model

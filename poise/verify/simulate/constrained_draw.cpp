#include "poise/verify/simulate/constrained_draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poise/base/truth.h"
#include "poise/chance/law.h"

namespace poise::verify {

using model::FormulaId;
using model::Op;
using model::Relation;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kTries = 300;

double share(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

// A sum of unknown values and a constant, in a relation to 0.
struct Requirement {
  std::vector<double> factors;  // by unknown
  double constant = 0;
  double size = 0;  // sum of the absolute values in the constant: the scale of its rounding
  Relation relation = Relation::Equal;
};

// One attempt to draw all unknown values. It fails if its random choices lead nowhere.
class Attempt {
 public:
  enum class Choices { AsInPattern, Random };
  Attempt(const Draw& what, std::span<double> values, Random& random, Choices choices)
      : what_(what),
        values_(values),
        random_(random),
        pattern_(choices == Choices::AsInPattern ? what.pattern : std::span<const double>()),
        number_(values.size(), kKnown),
        solved_(what.unknown.size()),
        found_(what.unknown.size(), false) {
    for (std::size_t i = 0; i < what.unknown.size(); ++i) number_[what.unknown[i].slot] = i;
  }

  bool succeeds() {
    for (const FormulaId formula : what_.required) {
      if (!collect(formula, true)) return false;
    }
    if (!solve()) return false;
    for (std::size_t i = 0; i < what_.unknown.size(); ++i) {
      if (!solved_[i] && !found_[i] && !draw_value(i)) return false;
    }
    for (std::size_t i = 0; i < what_.unknown.size(); ++i) {
      if (solved_[i]) value(i) = solution(*solved_[i]);
    }
    return is_right();
  }

 private:
  static constexpr std::size_t kKnown = std::numeric_limits<std::size_t>::max();

  double& value(std::size_t unknown) { return values_[what_.unknown[unknown].slot]; }

  // ---- From the condition to rows ----

  [[nodiscard]] bool is_known(std::uint32_t slot) const { return number_[slot] == kKnown; }

  [[nodiscard]] Truth truth(const NumericAtom& atom) const {
    bool open = false;
    for (const std::uint32_t guard : atom.guards) {
      if (!is_known(guard)) {
        open = true;
      } else if (values_[guard] != 1) {
        return Truth::False;
      }
    }
    for (const std::uint32_t slot : atom.slots) open = open || !is_known(slot);
    return open ? Truth::Unknown : truth_of(what_.conditions.holds(atom, values_));
  }

  [[nodiscard]] Truth truth(FormulaId id) const {
    const model::Formula& formula = what_.conditions.formula(id);
    const auto part = [&](std::size_t i) { return truth(formula.parts[i]); };
    switch (formula.op) {
      case Op::False: return Truth::False;
      case Op::True: return Truth::True;
      case Op::Atom: return truth(what_.conditions.atom(formula.atom));
      case Op::Not: return !part(0);
      case Op::And: return all_hold(formula.parts.size(), part);
      case Op::Or: return any_holds(formula.parts.size(), part);
      case Op::Implies: return std::max(!part(0), part(1));
      case Op::Iff: return are_the_same(part(0), part(1));
    }
    return Truth::Unknown;
  }

  struct Wish {
    FormulaId formula;
    bool holds;
  };

  // Adds rows that together make the formula hold, or fail.
  bool collect(FormulaId id, bool wanted) {
    const Truth now = truth(id);
    if (now != Truth::Unknown) return (now == Truth::True) == wanted;
    const model::Formula& formula = what_.conditions.formula(id);
    std::vector<Wish> wishes;
    for (const FormulaId part : formula.parts) wishes.push_back({part, wanted});
    switch (formula.op) {
      case Op::False:
      case Op::True: return true;
      case Op::Atom: return add_row(what_.conditions.atom(formula.atom), wanted);
      case Op::Not: return collect(formula.parts[0], !wanted);
      case Op::And: return wanted ? all(wishes) : one_of(wishes);
      case Op::Or: return wanted ? one_of(wishes) : all(wishes);
      case Op::Implies: wishes[0].holds = !wanted; return wanted ? one_of(wishes) : all(wishes);
      case Op::Iff: {
        const bool left = seems({formula.parts[0], true}) || (pattern_.empty() && random_.coin());
        return collect(formula.parts[0], left) && collect(formula.parts[1], left == wanted);
      }
    }
    return false;
  }

  bool all(const std::vector<Wish>& wishes) {
    return std::ranges::all_of(wishes,
                               [&](const Wish& wish) { return collect(wish.formula, wish.holds); });
  }

  // Whether the wish is fulfilled in the pattern.
  [[nodiscard]] bool seems(const Wish& wish) const {
    return !pattern_.empty() && what_.conditions.holds(wish.formula, pattern_) == wish.holds;
  }

  bool one_of(const std::vector<Wish>& wishes) {
    std::vector<Wish> possible;
    for (const Wish& wish : wishes) {
      const Truth now = truth(wish.formula);
      if (now != Truth::Unknown && (now == Truth::True) != wish.holds) continue;
      if (seems(wish)) return collect(wish.formula, wish.holds);
      possible.push_back(wish);
    }
    if (possible.empty()) return false;
    const Wish& wish = possible[random_.below(possible.size())];
    return collect(wish.formula, wish.holds);
  }

  bool add_row(const NumericAtom& atom, bool wanted) {
    for (const std::uint32_t guard : atom.guards) {
      if (wanted && !is_known(guard)) add_equal(number_[guard], 1);
    }
    Requirement row{.factors = std::vector<double>(what_.unknown.size()),
                    .constant = atom.constant,
                    .size = std::abs(atom.constant),
                    .relation = wanted ? atom.relation : negated(atom.relation)};
    for (const NumericAtom::Term& term : atom.terms) {
      double product = term.factor;
      std::size_t unknown = kKnown;
      for (const std::uint32_t slot : term.slots) {
        if (is_known(slot)) {
          product *= values_[slot];
        } else if (unknown == kKnown) {
          unknown = number_[slot];
        } else {
          return true;  // not linear: the check at the end decides
        }
      }
      if (unknown == kKnown) {
        row.constant += product;
        row.size += std::abs(product);
      } else {
        row.factors[unknown] += product;
      }
    }
    if (atom.membership) {
      if (!wanted || atom.among.empty()) return !wanted;
      row.relation = Relation::Equal;
      const double member = chosen_member(atom);
      row.constant -= member;
      row.size += std::abs(member);
    }
    rows_.push_back(std::move(row));
    return true;
  }

  [[nodiscard]] double chosen_member(const NumericAtom& atom) const {
    if (!pattern_.empty()) {
      double sum = atom.constant;
      for (const NumericAtom::Term& term : atom.terms) {
        double product = term.factor;
        for (const std::uint32_t slot : term.slots) product *= pattern_[slot];
        sum += product;
      }
      return *std::ranges::min_element(atom.among, {},
                                       [&](double one) { return std::abs(one - sum); });
    }
    return atom.among[random_.below(atom.among.size())];
  }

  void add_equal(std::size_t unknown, double to) {
    Requirement row{.factors = std::vector<double>(what_.unknown.size()),
                    .constant = -to,
                    .size = std::abs(to),
                    .relation = Relation::Equal};
    row.factors[unknown] = 1;
    rows_.push_back(std::move(row));
  }

  // ---- Equations ----

  // Gauss-Jordan elimination: each equation gives one unknown in terms of others that stay open.
  bool solve() {
    for (Requirement& row : rows_) {
      if (row.relation != Relation::Equal) continue;
      substitute(row);
      std::size_t pivot = 0;
      for (std::size_t i = 1; i < row.factors.size(); ++i) {
        if (std::abs(row.factors[i]) > std::abs(row.factors[pivot])) pivot = i;
      }
      if (row.factors.empty() || std::abs(row.factors[pivot]) < 1e-12) {
        if (sign_of(row.constant, row.size) != 0) return false;
        continue;
      }
      const double scale = row.factors[pivot];
      for (double& factor : row.factors) factor /= scale;
      row.constant /= scale;
      row.size /= std::abs(scale);
      row.factors[pivot] = 1;
      for (std::optional<Requirement>& other : solved_) {
        if (other) eliminate(*other, row, pivot);
      }
      solved_[pivot] = row;
    }
    for (Requirement& row : rows_) {
      if (row.relation != Relation::Equal) substitute(row);
    }
    return true;
  }

  static void eliminate(Requirement& from, const Requirement& row, std::size_t pivot) {
    const double factor = from.factors[pivot];
    if (factor == 0) return;
    for (std::size_t i = 0; i < row.factors.size(); ++i) from.factors[i] -= factor * row.factors[i];
    from.constant -= factor * row.constant;
    from.size += std::abs(factor) * row.size;
    from.factors[pivot] = 0;
  }

  void substitute(Requirement& row) const {
    for (std::size_t i = 0; i < solved_.size(); ++i) {
      if (solved_[i]) eliminate(row, *solved_[i], i);
    }
  }

  // The value of a solved unknown: its row has factor 1 for it, and other factors for drawn ones.
  [[nodiscard]] double solution(const Requirement& row) const {
    double sum = -row.constant;
    for (std::size_t i = 0; i < row.factors.size(); ++i) {
      if (found_[i]) sum -= row.factors[i] * values_[what_.unknown[i].slot];
    }
    return sum;
  }

  // ---- Open values ----

  struct Range {
    double low = -kInfinite;
    double high = kInfinite;
  };

  // The range of an unknown by those comparisons in which all other values are found.
  [[nodiscard]] Range range_of(std::size_t unknown) const {
    Range range;
    const bool whole = what_.unknown[unknown].domain.whole;
    for (const Requirement& row : rows_) {
      if (row.relation == Relation::Equal || row.relation == Relation::NotEqual) continue;
      const double factor = row.factors[unknown];
      if (std::abs(factor) < 1e-12) continue;
      double rest = row.constant;
      bool known = true;
      for (std::size_t i = 0; i < row.factors.size(); ++i) {
        if (i == unknown || row.factors[i] == 0) continue;
        known = known && found_[i];
        rest += row.factors[i] * values_[what_.unknown[i].slot];
      }
      if (!known) continue;
      double bound = -rest / factor;
      const bool strict = row.relation == Relation::Less || row.relation == Relation::Greater;
      const bool from_above =
          (row.relation == Relation::Less || row.relation == Relation::LessEqual) == (factor > 0);
      if (from_above) {
        if (whole) bound = strict ? std::ceil(bound) - 1 : std::floor(bound);
        range.high = std::min(range.high, bound);
      } else {
        if (whole) bound = strict ? std::floor(bound) + 1 : std::ceil(bound);
        range.low = std::max(range.low, bound);
      }
    }
    return range;
  }

  bool draw_value(std::size_t unknown) {
    const UnknownValue& what = what_.unknown[unknown];
    const NumericDomain& domain = what.domain;
    const Range range = range_of(unknown);
    if (range.low > range.high) return false;
    double low = std::max(range.low, domain.low);
    double high = std::min(range.high, domain.high);
    if (low > high) {
      if (what.stays) return false;
      low = high = range.low > domain.high ? range.low : range.high;
    }
    found_[unknown] = true;
    if (!pattern_.empty()) {
      // In the pattern it may have been outside the domain.
      value(unknown) = std::clamp(pattern_[what.slot], what.stays ? low : range.low,
                                  what.stays ? high : range.high);
    } else {
      NumericDomain within{.low = low, .high = high, .whole = domain.whole};
      for (const double member : domain.members) {
        if (member >= low && member <= high) within.members.push_back(member);
      }
      if (!domain.members.empty() && within.members.empty()) return false;
      value(unknown) = drawn(within, random_);
    }
    return true;
  }

  bool is_right() {
    for (std::size_t i = 0; i < what_.unknown.size(); ++i) {
      const UnknownValue& unknown = what_.unknown[i];
      const NumericDomain& domain = unknown.domain;
      double& now = value(i);
      if (domain.whole) {
        if (std::abs(now - std::round(now)) > 1e-9) return false;
        now = std::round(now);
      }
      if (!unknown.stays) continue;
      const double size = std::abs(domain.low) + std::abs(domain.high);
      if (sign_of(now - domain.low, size) < 0 || sign_of(now - domain.high, size) > 0) return false;
      if (!domain.members.empty() && !std::ranges::binary_search(domain.members, now)) return false;
    }
    return std::ranges::all_of(what_.required, [&](FormulaId formula) {
      return what_.conditions.holds(formula, values_);
    });
  }

  const Draw& what_;
  std::span<double> values_;
  Random& random_;
  std::span<const double> pattern_;
  std::vector<std::size_t> number_;  // by slot: its index among the unknowns, or kKnown
  std::vector<Requirement> rows_;
  std::vector<std::optional<Requirement>> solved_;
  std::vector<bool> found_;  // has been drawn
};

}  // namespace

NumericDomain numeric_domain(const model::Type& type) {
  switch (type.kind) {
    case model::TypeKind::Bool:
    case model::TypeKind::Set: return {.low = 0, .high = 1, .whole = true};
    case model::TypeKind::Int:
      return {.low = to_double(type.low), .high = to_double(type.high), .whole = true};
    case model::TypeKind::Real: return {.low = to_double(type.low), .high = to_double(type.high)};
    case model::TypeKind::Enum: break;
  }
  NumericDomain domain{.whole = true};
  for (const model::SymbolId member : type.members) domain.members.push_back(member.index);
  std::ranges::sort(domain.members);
  domain.low = domain.members.front();
  domain.high = domain.members.back();
  return domain;
}

double drawn(const NumericDomain& domain, Random& random) {
  if (!domain.members.empty()) return domain.members[random.below(domain.members.size())];
  if (!domain.whole) return domain.low + share(random) * (domain.high - domain.low);
  const double count = std::floor(domain.high) - std::ceil(domain.low) + 1;
  if (count < 1) return domain.low;
  return std::ceil(domain.low) + std::floor(share(random) * count);
}

bool draw(const Draw& what, std::span<double> values, Random& random) {
  if (!what.pattern.empty() &&
      Attempt(what, values, random, Attempt::Choices::AsInPattern).succeeds()) {
    return true;
  }
  for (int i = 0; i < kTries; ++i) {
    if (Attempt(what, values, random, Attempt::Choices::Random).succeeds()) return true;
  }
  return false;
}

}  // namespace poise::verify

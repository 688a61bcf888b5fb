#include "poise/verify/zones/octagon.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/integer.h"

// A dimension x has two nodes, 2x and 2x + 1, which stand for x and for -x; we write v(a) for what
// node a stands for, and a' for the other node of its dimension, so v(a') = -v(a). The entry at
// (a, b) is the tightest bound of v(a) - v(b). At (a, a') that is a bound of twice v(a). Entries
// (a, b) and (b', a') say the same, so only those with b <= (a | 1) are kept: the lower half of a
// matrix, in rows.
//
// An entry is twice the bound, in parts of a tick, plus 1 if the bound is not strict. So the order
// of entries is the order of bounds, and the sum of two is one addition (`sum`).
//
// The invariant, strong closure: at(a, b) <= at(a, c) + at(c, b), and at(a, b) <= half of
// (at(a, a') + at(b', b)). Then every entry is the exact supremum of v(a) - v(b), strict if it is
// not attained, which makes everything else easy: to forget is to drop entries, to include is to
// compare them. A new bound m of v(a) - v(b) makes the paths a -> b (and b' -> a', the same
// constraint) shorter: what is closed becomes closed again by going from each node to each other
// one through the new bound once, or through it and its twin (`close_through`), in quadratic time;
// then halves of sums of unary bounds are taken once (`strengthen`). See A. Chawdhary, E. Robbins,
// A. King, Incrementally closing octagons, 2018.
//
// Halves are where a bound may need another binary digit. Closure of constraints in whole ticks
// never needs a second one, but `shift_together` may keep x + y <= 5/2 and drop the bounds of x and
// y which it came from, and then quarters can follow. This is rare, so kFineBits digits are enough
// and more of them are an overflow.
//
// Whole dimensions: bounds of their sums and differences are rounded down to multiples of the unit,
// those of twice a dimension to multiples of twice the unit, between the two steps of closing
// (`tighten`). That this is enough is the theorem of Bagnara, Hill and Zaffanella. As long as no
// whole dimension has a relation to a real one, the octagon is the product of a whole and of a real
// one, and exact. Otherwise rounding may make a path through a real dimension shorter, and we close
// again (`close_fully`). The bounds of whole dimensions are right then, since real dimensions can
// be eliminated first; in particular, an octagon without points is recognised as empty. But to
// eliminate a whole dimension does not give an octagon, e.g. "x is within 1/4 of a whole number".
//
// Shifts. The supremum of a sum or difference over { p + e d : p in P, low <= e <= high } is that
// over P plus the supremum of its change, so these entries are known at once (`relax`), are closed,
// and describe the least octagon around the result. Is this octagon the result? Eliminate e, as
// Fourier and Motzkin do: a bound of something that grows with e is a lower bound of e, one of
// something that shrinks is an upper bound of e, and the result is described by the entries after
// `relax` and by the combinations of a lower and an upper bound. So we look whether each of these
// combinations follows from the new entries (`shifts_exactly`). With one or two dimensions that
// have relations to no others, all combinations are octagonal again, and then they always do. Of
// whole dimensions, e is whole, and a combination of 2e >= p and 2e <= q asks for more than p <= q
// if both can be the same odd number, so p < q must follow (the dark shadow of W. Pugh, The Omega
// test, 1991).

namespace poise::verify {
namespace {

using Entry = std::int64_t;
using Node = std::uint32_t;

constexpr int kFineBits = 10;  // a tick has 2^kFineBits parts
constexpr Entry kZero = 1;     // <= 0
constexpr Entry kInfinity = Entry{1} << 61;
// A sum with an infinite part is above this, any other sum below.
constexpr Entry kUnbounded = Entry{1} << 60;
// Bounds beyond this are an overflow. The sum of five that are not is below kUnbounded.
constexpr Entry kSafe = Entry{1} << 56;

// Enough for 16 dimensions without an allocation.
constexpr std::size_t kUsualNodes = 32;
constexpr std::size_t kUsualEntries = kUsualNodes * (kUsualNodes + 2) / 2;

constexpr Node opposite(Node node) { return node ^ 1; }
constexpr Node node_of(std::uint32_t x, int sign) { return sign < 0 ? 2 * x + 1 : 2 * x; }
constexpr std::uint32_t dimension_of(Node node) { return node / 2; }

// The entries of a row a are those at (a, 0) .. (a, a | 1).
constexpr std::size_t row_of(Node a) {
  const std::size_t next = std::size_t{a} + 1;
  return next * next / 2;
}

// The sum of two bounds: strict if one of them is. If one is infinite, the result is above
// kUnbounded but need not be kInfinity: the caller compares.
constexpr Entry raw_sum(Entry a, Entry b) { return a + b - ((a | b) & 1); }

constexpr Entry sum(Entry a, Entry b) {
  return a >= kUnbounded || b >= kUnbounded ? kInfinity : raw_sum(a, b);
}

constexpr bool is_safe(Entry entry) { return -kSafe < entry && entry < kSafe; }
constexpr Entry parts(Entry entry) { return entry >> 1; }
constexpr bool is_strict(Entry entry) { return (entry & 1) == 0; }

// The entry for a bound of value * 2^shift parts of a tick; none if it does not fit into one.
std::optional<Entry> entry_of(std::int64_t value, int shift, bool strict) {
  for (; shift < 0; ++shift) {
    if (value % 2 != 0) return std::nullopt;
    value /= 2;
  }
  constexpr int kMostShift = kFineBits + 1;
  POISE_CHECK(shift <= kMostShift);
  if (value >= kSafe >> (kMostShift + 1) || value <= -(kSafe >> (kMostShift + 1))) {
    return std::nullopt;
  }
  return value * (Entry{1} << (shift + 1)) + (strict ? 0 : 1);
}

// The limit that an entry stands for, divided by 2^halvings.
Limit limit_of(Entry entry, int halvings) {
  Limit limit{.value = parts(entry), .strict = is_strict(entry)};
  halvings += kFineBits;
  for (; halvings > 0 && limit.value % 2 == 0; --halvings) limit.value /= 2;
  limit.halvings = static_cast<std::uint8_t>(halvings);
  return limit;
}

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

// The tightest bound that means the same for multiples of `step` parts.
Entry rounded_down(Entry entry, Entry step) {
  if (entry >= kUnbounded) return entry;
  return 2 * floor_to(parts(entry) - (is_strict(entry) ? 1 : 0), step) + 1;
}

// Lowers the entry of v(a) - v(b) to half the sum of the bounds of twice v(a) and twice -v(b).
// False if that needs finer parts of a tick than there are.
inline bool lower_to_half(Entry& entry, Entry of_a, Entry of_b) {
  const Entry twice = raw_sum(of_a, of_b);
  if (twice >= kUnbounded) return true;
  const bool odd = (parts(twice) & 1) != 0;
  const Entry half = (parts(twice) & ~Entry{1}) | (twice & 1);  // rounded down if odd
  if (odd) return entry <= (half | 1);
  entry = std::min(entry, half);
  return true;
}

// The bound of v(a) - v(b) that follows from these; infinite if it does not fit into an entry.
inline Entry half_of(Entry of_a, Entry of_b) {
  Entry half = kInfinity;
  lower_to_half(half, of_a, of_b);
  return half;
}

// A number that is small if the entry is a whole number of ticks not far from 0, as most are; 0 if
// it is infinite.
std::uint64_t code_of(Entry entry) {
  if (entry >= kUnbounded) return 0;
  const bool whole = floor_to(parts(entry), Entry{1} << kFineBits) == parts(entry);
  const Entry value = whole ? parts(entry) >> kFineBits : parts(entry);
  const auto size = static_cast<std::uint64_t>(value < 0 ? -(value + 1) : value);
  return 1 + size * 8 + (value < 0 ? 4 : 0) + (is_strict(entry) ? 2 : 0) + (whole ? 1 : 0);
}

Entry entry_from(std::uint64_t code) {
  if (code == 0) return kInfinity;
  --code;
  const auto size = static_cast<Entry>(code / 8);
  const Entry value = (code & 4U) != 0 ? -size - 1 : size;
  const Entry scaled = (code & 1U) != 0 ? value * (Entry{1} << kFineBits) : value;
  return 2 * scaled + ((code & 2U) != 0 ? 0 : 1);
}

// How much the bound of a sum grows if the sum changes by rate * e, low <= e <= high.
constexpr Entry growth(Entry rate, Entry low, Entry high) { return rate * (rate < 0 ? low : high); }

// Scratch memory, on the stack if kUsual is enough. Not initialised.
template <class T, std::size_t kUsual>
class Scratch {
 public:
  explicit Scratch(std::size_t size) : size_(size) {
    if (size > kUsual) large_.resize(size);
  }
  [[nodiscard]] T* data() { return size_ > kUsual ? large_.data() : usual_.data(); }
  [[nodiscard]] std::span<T> span() { return {data(), size_}; }

 private:
  std::size_t size_;
  std::array<T, kUsual> usual_;
  std::vector<T> large_;
};

struct Bound {
  Rational value;
  bool strict;
};

struct Range {
  std::optional<Bound> low;
  std::optional<Bound> high;

  [[nodiscard]] bool contains(const Rational& number) const {
    return (!low || (low->strict ? low->value < number : low->value <= number)) &&
           (!high || (high->strict ? number < high->value : number <= high->value));
  }
};

Rational rounded(const Rational& number, const Rational& step) {
  return Rational((number / step + Rational(1, 2)).floor()) * step;
}

// A round number in the range: a multiple of the coarsest of 1000, 100, 10, ... that has one in the
// middle half of the range. Whole numbers anywhere in the range are better than fractions.
Rational round_number_inside(const Range& range) {
  if (!range.low || !range.high) {
    if (range.contains(0)) return 0;
    if (range.low) return Rational(range.low->value.floor()) + 1;
    return Rational(range.high->value.ceil()) - 1;
  }
  const Rational& low = range.low->value;
  const Rational& high = range.high->value;
  if (low == high) return low;
  POISE_CHECK(low < high);
  const Rational middle = (low + high) / 2;
  const Rational quarter = (high - low) / 4;
  Rational step = 1;
  while (step < high - low) step = step * 10;
  for (;; step = step / 10) {
    if (step == Rational(1, 10)) {
      for (const Integer& whole : {middle.floor(), middle.ceil()}) {
        if (range.contains(Rational(whole))) return Rational(whole);
      }
    }
    const Rational number = rounded(middle, step);
    if (low + quarter <= number && number <= high - quarter) return number;
  }
}

}  // namespace

Rational ticks(const Limit& limit) {
  return Rational(limit.value, Integer(std::int64_t{1} << limit.halvings));
}

Octagon::Octagon(const Shape& shape)
    : shape_(&shape),
      entries_(std::size_t{2} * shape.dimensions * (std::size_t{shape.dimensions} + 1), kInfinity) {
  POISE_CHECK(shape.whole.empty() || shape.whole.size() == shape.dimensions);
  // With a unit as large as the largest bound, rounding could leave the range of an entry.
  POISE_CHECK(shape.unit > 0 && shape.unit < kSafe >> (kFineBits + 2));
  for (Node a = 0; a < nodes(); ++a) at(a, a) = kZero;
}

inline bool Octagon::is_whole(Node node) const {
  return !shape_->whole.empty() && shape_->whole[dimension_of(node)];
}

inline Octagon::Entry Octagon::at(Node a, Node b) const {
  return b <= (a | 1) ? entries_[row_of(a) + b] : entries_[row_of(opposite(b)) + opposite(a)];
}

inline Octagon::Entry& Octagon::at(Node a, Node b) {
  return b <= (a | 1) ? entries_[row_of(a) + b] : entries_[row_of(opposite(b)) + opposite(a)];
}

bool Octagon::is_fixed(Node node) const {
  return sum(at(node, opposite(node)), at(opposite(node), node)) == kZero;
}

void Octagon::become_empty() {
  empty_ = true;
  exact_ = true;
}

void Octagon::overflow() {
  overflowed_ = true;
  exact_ = false;
  std::fill(entries_.begin(), entries_.end(), kInfinity);
  for (Node a = 0; a < nodes(); ++a) at(a, a) = kZero;
}

// The tightest equivalent bound. Only for two whole dimensions is there something to round.
inline Octagon::Entry Octagon::rounded(const Edge& edge) const {
  if (!is_whole(edge.a) || !is_whole(edge.b)) return edge.most;
  const Entry unit = shape_->unit << kFineBits;
  return rounded_down(edge.most, edge.a == opposite(edge.b) ? 2 * unit : unit);
}

// None if the bound cannot be kept in an entry.
inline std::optional<Octagon::Edge> Octagon::edge_of(const Constraint& constraint) const {
  const auto& [x, x_sign, y, y_sign, most] = constraint;
  POISE_CHECK(x < shape_->dimensions && (x_sign == 1 || x_sign == -1));
  POISE_CHECK(y_sign == 0 || (y < shape_->dimensions && (y_sign == 1 || y_sign == -1)));
  const bool unary = y_sign == 0;
  const Node a = node_of(x, x_sign);
  const Node b = unary ? opposite(a) : node_of(y, -y_sign);
  const std::optional<Entry> entry =
      entry_of(most.value, kFineBits + (unary ? 1 : 0) - most.halvings, most.strict);
  if (!entry) return std::nullopt;
  return Edge{a, b, *entry};
}

void Octagon::add(const Constraint& constraint) {
  const std::optional<Edge> edge = edge_of(constraint);
  if (!says_something()) return;
  if (!edge) return overflow();
  meet(edge->a, edge->b, edge->most);
}

bool Octagon::excludes(const Constraint& constraint) const {
  if (!says_something()) return empty_;
  const std::optional<Edge> edge = edge_of(constraint);
  return edge && sum(rounded(*edge), at(edge->b, edge->a)) < kZero;
}

void Octagon::meet(Node a, Node b, Entry most) {
  const bool related = is_whole(a) != is_whole(b);
  most = rounded({a, b, most});
  if (most >= at(a, b)) return;
  // A cycle through this edge and its twin is no shorter, because at(b, a) is strengthened.
  if (sum(most, at(b, a)) < kZero) return become_empty();
  if (related && is_fixed(a)) {
    return meet(opposite(b), b, sum(sum(most, most), at(opposite(a), a)));
  }
  if (related && is_fixed(b)) {
    return meet(a, opposite(a), sum(sum(most, most), at(b, opposite(b))));
  }
  if (related) exact_ = false;
  if (!exact_) {
    at(a, b) = most;
    return close_fully();
  }
  if (b == opposite(a)) return meet_own(a, most);

  const bool own_bounds_changed = close_through(a, b, most);
  if (!says_something() || !own_bounds_changed) return;
  tighten();
  if (!says_something()) return;
  strengthen();
}

// A bound of twice v(a), of an exact octagon. A path i -> a -> a' -> j through it is no shorter
// than half of i -> a -> a' -> i' and j' -> a -> a' -> j, which are bounds of single dimensions. So
// it is enough to find these, and to take halves of sums again where one of the two has changed.
void Octagon::meet_own(Node a, Entry most) {
  const Node count = nodes();
  Scratch<Entry, kUsualNodes> own_scratch(count);
  Scratch<Node, kUsualNodes> changed_scratch(count);
  Entry* const own = own_scratch.data();
  Node* const changed = changed_scratch.data();
  Node changes = 0;
  for (Node i = 0; i < count; ++i) {
    own[i] = at(i, opposite(i));
    const Entry to_a = at(i, a);
    const Entry path = rounded({i, opposite(i), sum(sum(to_a, to_a), most)});
    if (path >= own[i]) continue;
    own[i] = path;
    changed[changes++] = i;
  }
  bool exact = true;
  for (Node k = 0; k < changes; ++k) {
    const Node i = changed[k];
    // Rounding may have left nothing between them.
    if (sum(own[i], own[opposite(i)]) < kZero) return become_empty();
    exact = exact && is_safe(own[i]);
    for (Node j = 0; j < count; ++j) {
      exact = lower_to_half(at(i, j), own[i], own[opposite(j)]) && exact;
    }
  }
  if (!exact) overflow();
}

// Lowers each entry to the shortest path that goes through a -> b of length `most`, through b' ->
// a' of the same length, or through both in any order. (With b = a and length 0, this is one step
// of Floyd and Warshall.) Returns whether a bound of a single dimension changed: if not, there is
// nothing to tighten or to strengthen.
bool Octagon::close_through(Node a, Node b, Entry most) {
  const Node count = nodes();
  Scratch<Entry, 4 * kUsualNodes> scratch(std::size_t{4} * count);
  Entry* const to_a = scratch.data();
  Entry* const to_twin = to_a + count;      // to b'
  Entry* const over_b = to_twin + count;    // to b, the last step being new
  Entry* const over_twin = over_b + count;  // to a', the last step being new
  for (Node i = 0; i < count; ++i) {
    to_a[i] = at(i, a);
    to_twin[i] = at(i, opposite(b));
  }
  const Entry twin_first = sum(sum(most, at(opposite(a), a)), most);
  const Entry twin_last = sum(sum(most, at(b, opposite(b))), most);
  for (Node i = 0; i < count; ++i) {
    over_b[i] = std::min(sum(to_a[i], most), sum(to_twin[i], twin_first));
    over_twin[i] = std::min(sum(to_twin[i], most), sum(to_a[i], twin_last));
  }

  bool own_bounds_changed = false;
  bool safe = true;
  Entry* row = entries_.data();
  for (Node i = 0; i < count; ++i) {
    const Node length = (i | 1) + 1;
    if (over_b[i] < kUnbounded || over_twin[i] < kUnbounded) {
      for (Node j = 0; j < length; ++j) {
        // From b to j is from j' to b', and from a' to j is from j' to a.
        const Entry path = std::min(raw_sum(over_b[i], to_twin[opposite(j)]),
                                    raw_sum(over_twin[i], to_a[opposite(j)]));
        if (path < std::min(row[j], kUnbounded)) {
          row[j] = path;
          safe = safe && is_safe(path);
          own_bounds_changed = own_bounds_changed || j == opposite(i);
        }
      }
    }
    row += length;
  }
  if (!safe) overflow();
  return own_bounds_changed;
}

// Lowers the bounds of v(a) - v(b) to those that follow from v(a) and v(b) alone.
void Octagon::strengthen() {
  const Node count = nodes();
  Scratch<Entry, kUsualNodes> scratch(count);
  Entry* const unary = scratch.data();
  for (Node a = 0; a < count; ++a) unary[a] = at(a, opposite(a));
  bool exact = true;
  Entry* row = entries_.data();
  for (Node a = 0; a < count; ++a) {
    const Node length = (a | 1) + 1;
    if (unary[a] < kUnbounded) {
      for (Node b = 0; b < length; ++b) {
        exact = lower_to_half(row[b], unary[a], unary[opposite(b)]) && exact;
      }
    }
    row += length;
  }
  if (!exact) overflow();
}

// Rounds the bounds of whole dimensions. In an exact octagon, only those of twice a dimension can
// need that. Returns whether a bound changed.
bool Octagon::tighten() {
  if (shape_->whole.empty()) return false;
  const Entry unit = shape_->unit << kFineBits;
  bool changed = false;
  const auto round = [&](Node a, Node b, Entry step) {
    const Entry before = at(a, b);
    const Entry after = rounded_down(before, step);
    changed = changed || after != before;
    at(a, b) = after;
  };
  for (Node a = 0; a < nodes(); ++a) {
    if (!is_whole(a)) continue;
    round(a, opposite(a), 2 * unit);
    if (exact_) continue;
    for (Node b = 0; b < (a & ~Node{1}); ++b) {
      if (is_whole(b)) round(a, b, unit);
    }
  }
  if (!changed) return false;
  for (Node a = 0; a < nodes(); a += 2) {
    if (sum(at(a, opposite(a)), at(opposite(a), a)) < kZero) become_empty();
  }
  return true;
}

// The second round closes the bounds of whole dimensions, the third those of real ones; there the
// former do not change any more.
void Octagon::close_fully() {
  bool changed = true;
  while (changed) {
    for (Node a = 0; a < nodes(); a += 2) {
      close_through(a, a, kZero);
      // Empty: a negative cycle. Ends at once, because paths around it get shorter without end.
      for (Node b = 0; b < nodes(); ++b) {
        if (at(b, b) < kZero) become_empty();
      }
      if (!says_something()) return;
    }
    changed = tighten();
    if (!says_something()) return;
    strengthen();
    if (!says_something()) return;
  }
}

void Octagon::assign(std::span<const Source> sources) {
  POISE_CHECK(sources.size() == shape_->dimensions);
  if (!says_something()) return;
  const Node count = nodes();
  constexpr Node kAnything = std::numeric_limits<Node>::max();
  Scratch<Node, kUsualNodes> origins(count);
  Node* const origin = origins.data();
  bool whole_and_real = false;
  bool all_fixed = true;
  for (Node a = 0; a < count; ++a) {
    const Source& source = sources[dimension_of(a)];
    origin[a] = kAnything;
    if (!source.from) continue;
    POISE_CHECK(*source.from < shape_->dimensions);
    origin[a] = node_of(*source.from, source.negated ? -1 : 1) ^ (a & 1);
    if (is_whole(a) == is_whole(origin[a])) continue;
    whole_and_real = true;
    all_fixed = all_fixed && is_fixed(origin[a]);
  }

  Scratch<Entry, kUsualEntries> olds(entries_.size());
  Entry* const old = olds.data();
  std::copy(entries_.begin(), entries_.end(), old);
  const auto old_at = [&](Node a, Node b) {
    return b <= (a | 1) ? old[row_of(a) + b] : old[row_of(opposite(b)) + opposite(a)];
  };
  Entry* entry = entries_.data();
  for (Node a = 0; a < count; ++a) {
    for (Node b = 0; b <= (a | 1); ++b) {
      if (a == b) {
        *entry = kZero;
      } else if (origin[a] == kAnything || origin[b] == kAnything) {
        *entry = kInfinity;
      } else {
        *entry = old_at(origin[a], origin[b]);
      }
      ++entry;
    }
  }
  if (!whole_and_real) return;
  if (!all_fixed) exact_ = false;
  close_fully();
}

void Octagon::forget(std::uint32_t x) {
  POISE_CHECK(x < shape_->dimensions);
  if (!says_something()) return;
  for (const Node a : {2 * x, 2 * x + 1}) {
    for (Node b = 0; b < nodes(); ++b) at(a, b) = a == b ? kZero : kInfinity;
  }
}

void Octagon::shift(std::uint32_t x, std::int64_t low, std::int64_t high) {
  const std::array moved{Moved{.x = x, .sign = 1}};
  POISE_CHECK(shift_together(moved, low, high));
}

bool Octagon::shift_together(std::span<const Moved> moved, std::int64_t low, std::int64_t high) {
  POISE_CHECK(low <= high);
  Scratch<Entry, kUsualNodes> scratch(nodes());
  const std::span<Entry> rates = scratch.span();
  std::fill(rates.begin(), rates.end(), 0);
  bool some_whole = false;
  bool some_real = false;
  for (const auto& [x, sign] : moved) {
    POISE_CHECK(x < shape_->dimensions && (sign == 1 || sign == -1) && rates[node_of(x, 1)] == 0);
    rates[node_of(x, 1)] = sign;
    rates[node_of(x, -1)] = -sign;
    (is_whole(node_of(x, 1)) ? some_whole : some_real) = true;
  }
  if (!says_something()) return true;
  if (!entry_of(low, kFineBits, true) || !entry_of(high, kFineBits, true)) {
    overflow();
    return true;
  }
  if (some_whole) {
    low = -floor_to(-low, shape_->unit);
    high = floor_to(high, shape_->unit);
    if (low > high) {
      become_empty();
      return true;
    }
  }
  if (low < high && some_whole && some_real) return false;
  const Entry least = low * (Entry{2} << kFineBits);
  const Entry most = high * (Entry{2} << kFineBits);
  if (low < high && moved.size() > 1 && !shifts_exactly(rates, least, most)) return false;
  relax(rates, least, most);
  return true;
}

// Raises all bounds by what a shift by e, low <= e <= high, can add. rates: how fast each node
// changes with e.
void Octagon::relax(std::span<const Entry> rates, Entry low, Entry high) {
  bool safe = true;
  Entry* row = entries_.data();
  for (Node a = 0; a < nodes(); ++a) {
    const Node length = (a | 1) + 1;
    for (Node b = 0; b < length; ++b) {
      const Entry rate = rates[a] - rates[b];
      if (rate == 0 || row[b] >= kUnbounded) continue;
      row[b] += growth(rate, low, high);
      safe = safe && is_safe(row[b]);
    }
    row += length;
  }
  if (!safe) overflow();
}

bool Octagon::follows_from_own_bounds(Node a, Node b) const {
  return sum(at(a, b), at(a, b)) >= sum(at(a, opposite(a)), at(opposite(b), b));
}

bool Octagon::shifts_exactly(std::span<const Entry> rates, Entry low, Entry high) const {
  // v(a) + v(b) <= most: a bound of e, since the sum changes by rate * e.
  struct BoundOfShift {
    Node a;
    Node b;
    Entry rate;  // of the sum: -2, -1, 1 or 2; odd if only one of them changes
    Entry most;
  };
  Scratch<BoundOfShift, kUsualEntries> scratch(entries_.size());
  BoundOfShift* const bounds = scratch.data();
  std::size_t count = 0;
  for (Node a = 0; a < nodes(); ++a) {
    for (Node b = 0; b <= (a | 1); ++b) {
      const Entry rate = rates[a] - rates[b];
      if (rate == 0 || at(a, b) >= kUnbounded) continue;
      if (b != opposite(a) && follows_from_own_bounds(a, b)) continue;
      bounds[count++] = {.a = a, .b = opposite(b), .rate = rate, .most = at(a, b)};
    }
  }
  const std::span<const BoundOfShift> all(bounds, count);

  // Cases that are known to be exact without a look at every combination.
  const auto is_unary = [](const BoundOfShift& bound) { return bound.a == bound.b; };
  const auto is_among_moved = [](const BoundOfShift& bound) { return bound.rate % 2 == 0; };
  if (std::ranges::all_of(all, is_unary)) return true;
  if (shape_->whole.empty() && std::ranges::count(rates, 1) == 2 &&
      std::ranges::all_of(all, is_among_moved)) {
    return true;
  }

  for (const BoundOfShift& lower : all) {
    if (lower.rate < 0) continue;
    for (const BoundOfShift& upper : all) {
      if (upper.rate > 0) continue;
      // To eliminate e, a bound that changes at half the rate of the other counts twice.
      std::array<Node, 6> terms{lower.a, lower.b, upper.a, upper.b, 0, 0};
      Entry most = sum(lower.most, upper.most);
      std::size_t size = 4;
      if (lower.rate != -upper.rate) {
        const BoundOfShift& slower = lower.rate == 1 ? lower : upper;
        terms[4] = slower.a;
        terms[5] = slower.b;
        most = sum(most, slower.most);
        size = 6;
      }
      const bool parity_matters = lower.rate == 2 && upper.rate == -2 && lower.a != lower.b &&
                                  upper.a != upper.b && is_whole(lower.a);
      if (parity_matters) most -= 2 * (shape_->unit << kFineBits);
      if (follows({terms.data(), size}, rates, low, high) > most) return false;
    }
  }
  return true;
}

// The tightest bound of the sum of these nodes that follows from bounds of pairs of them, as they
// are after `relax`.
Octagon::Entry Octagon::follows(std::span<Node> terms, std::span<const Entry> rates, Entry low,
                                Entry high) const {
  if (terms.empty()) return kZero;
  Entry best = kInfinity;
  for (std::size_t i = 1; i < terms.size(); ++i) {
    std::swap(terms[1], terms[i]);
    const Node a = terms[0];
    const Node b = opposite(terms[1]);
    const Entry entry = at(a, b);
    if (entry < kUnbounded) {
      const Entry pair = entry + growth(rates[a] - rates[b], low, high);
      best = std::min(best, sum(pair, follows(terms.subspan(2), rates, low, high)));
    }
    std::swap(terms[1], terms[i]);
  }
  return best;
}

bool Octagon::includes(const Octagon& other) const {
  POISE_CHECK(entries_.size() == other.entries_.size());
  if (other.empty_) return true;
  if (empty_) return false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (other.entries_[i] > entries_[i]) return false;
  }
  return true;
}

// In ticks, rounded down, and cut at kFar, so that the difference of two fits into 32 bits. With
// more than four dimensions, some share a direction.
Octagon::Extent Octagon::extent() const {
  constexpr Entry kFar = (Entry{1} << 30) - 1;
  std::array<Entry, std::tuple_size_v<Extent>> sums{};
  for (Node a = 0; a < nodes(); ++a) {
    sums[a % sums.size()] += at(a, opposite(a)) >> (kFineBits + 2);
  }
  Extent extent{};
  for (std::size_t i = 0; i < extent.size(); ++i) {
    extent[i] = static_cast<std::int32_t>(std::clamp(sums[i], -kFar, kFar));
  }
  return extent;
}

bool operator==(const Octagon& a, const Octagon& b) {
  return a.empty_ || b.empty_ ? a.empty_ == b.empty_ : a.entries_ == b.entries_;
}

std::size_t Octagon::hash() const {
  if (empty_) return 0;
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const Entry entry : entries_) {
    hash = (hash ^ static_cast<std::uint64_t>(entry)) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 32;
  }
  return hash;
}

// First the bounds of single dimensions. Then the others, run-length encoded: how many follow from
// the former, one that does not, how many follow, and so on.
void Octagon::write(PackedWriter& bytes) const {
  POISE_CHECK(!empty_);
  bytes.add((exact_ ? 1U : 0U) + (overflowed_ ? 2U : 0U));
  for (Node a = 0; a < nodes(); ++a) bytes.add(code_of(at(a, opposite(a))));
  std::uint64_t following = 0;
  for (Node a = 0; a < nodes(); ++a) {
    for (Node b = 0; b < (a & ~Node{1}); ++b) {
      if (at(a, b) == half_of(at(a, opposite(a)), at(opposite(b), b))) {
        ++following;
        continue;
      }
      bytes.add(following);
      bytes.add(code_of(at(a, b)));
      following = 0;
    }
  }
  bytes.add(following);
}

Octagon Octagon::read(const Shape& shape, PackedReader& bytes) {
  Octagon result(shape);
  const std::uint64_t flags = bytes.next();
  result.exact_ = (flags & 1U) != 0;
  result.overflowed_ = (flags & 2U) != 0;
  for (Node a = 0; a < result.nodes(); ++a) result.at(a, opposite(a)) = entry_from(bytes.next());
  std::uint64_t following = bytes.next();
  for (Node a = 0; a < result.nodes(); ++a) {
    for (Node b = 0; b < (a & ~Node{1}); ++b) {
      Entry& entry = result.at(a, b);
      if (following > 0) {
        entry = half_of(result.at(a, opposite(a)), result.at(opposite(b), b));
        --following;
      } else {
        entry = entry_from(bytes.next());
        following = bytes.next();
      }
    }
  }
  return result;
}

std::optional<Limit> Octagon::most(std::uint32_t x) const {
  POISE_CHECK(!empty_ && x < shape_->dimensions);
  const Entry entry = at(2 * x, 2 * x + 1);
  if (entry >= kUnbounded) return std::nullopt;
  return limit_of(entry, 1);
}

std::optional<Limit> Octagon::least(std::uint32_t x) const {
  POISE_CHECK(!empty_ && x < shape_->dimensions);
  const Entry entry = at(2 * x + 1, 2 * x);
  if (entry >= kUnbounded) return std::nullopt;
  Limit limit = limit_of(entry, 1);
  limit.value = -limit.value;
  return limit;
}

std::optional<Limit> Octagon::most(std::uint32_t x, int x_sign, std::uint32_t y, int y_sign) const {
  POISE_CHECK(!empty_ && x < shape_->dimensions && y < shape_->dimensions);
  POISE_CHECK((x_sign == 1 || x_sign == -1) && (y_sign == 1 || y_sign == -1));
  const Entry entry = at(node_of(x, x_sign), node_of(y, -y_sign));
  if (entry >= kUnbounded) return std::nullopt;
  return limit_of(entry, 0);
}

Octagon::Constraint Octagon::constraint(Node a, Node b) const {
  const auto sign = [](Node node) { return (node & 1) == 0 ? 1 : -1; };
  if (b == opposite(a)) {
    return {.x = dimension_of(a), .x_sign = sign(a), .most = limit_of(at(a, b), 1)};
  }
  return {.x = dimension_of(a),
          .x_sign = sign(a),
          .y = dimension_of(b),
          .y_sign = -sign(b),
          .most = limit_of(at(a, b), 0)};
}

std::vector<Octagon::Constraint> Octagon::constraints() const {
  POISE_CHECK(!empty_);
  std::vector<Constraint> kept;
  Octagon built(*shape_);
  const auto keep = [&](Node a, Node b) {
    if (at(a, b) >= built.at(a, b)) return;
    kept.push_back(constraint(a, b));
    built.add(kept.back());
  };
  for (Node a = 0; a < nodes(); ++a) keep(a, opposite(a));
  for (Node a = 0; a < nodes(); ++a) {
    for (Node b = (a | 1) + 1; b < nodes(); ++b) keep(a, opposite(b));
  }

  // From the back, so that of two bounds that imply each other the simpler one stays.
  for (std::size_t i = kept.size(); i-- > 0;) {
    Octagon others(*shape_);
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (j != i) others.add(kept[j]);
    }
    if (others == *this) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return kept;
}

std::optional<std::vector<Rational>> Octagon::point() const {
  if (!says_something()) return std::nullopt;
  const std::uint32_t dimensions = shape_->dimensions;
  // Real dimensions have a value for every choice of whole ones, but not the other way round.
  std::vector<std::uint32_t> order;
  for (std::uint32_t x = 0; x < dimensions; ++x) {
    if (is_whole(2 * x)) order.push_back(x);
  }
  for (std::uint32_t x = 0; x < dimensions; ++x) {
    if (!is_whole(2 * x)) order.push_back(x);
  }

  std::vector<Rational> point(dimensions);
  const Rational part(1, Integer(std::int64_t{1} << kFineBits));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t x = order[i];
    const Rational unit = is_whole(2 * x) ? shape_->unit : 1;
    // The upper bound of a node, given the values chosen so far.
    const auto bound_of = [&](Node a) {
      std::optional<Bound> bound;
      const auto meet_with = [&](Entry entry, const Rational& rest, int factor) {
        if (entry >= kUnbounded) return;
        const Rational value = (Rational(parts(entry)) * part + rest) / factor / unit;
        if (!bound || value < bound->value) {
          bound = {value, is_strict(entry)};
        } else if (value == bound->value) {
          bound->strict = bound->strict || is_strict(entry);
        }
      };
      meet_with(at(a, opposite(a)), 0, 2);
      for (std::size_t j = 0; j < i; ++j) {
        meet_with(at(a, 2 * order[j]), point[order[j]], 1);
        meet_with(at(a, 2 * order[j] + 1), -point[order[j]], 1);
      }
      return bound;
    };
    Range range{.low = bound_of(2 * x + 1), .high = bound_of(2 * x)};
    if (range.low) range.low->value = -range.low->value;
    point[x] = round_number_inside(range) * unit;
  }
  return point;
}

bool Octagon::contains(std::span<const Rational> point) const {
  POISE_CHECK(point.size() == shape_->dimensions);
  if (empty_) return false;
  const Rational part(1, Integer(std::int64_t{1} << kFineBits));
  const auto value = [&](Node a) {
    return (a & 1) == 0 ? point[dimension_of(a)] : -point[dimension_of(a)];
  };
  for (Node a = 0; a < nodes(); ++a) {
    if (is_whole(a) && !(value(a) / shape_->unit).is_integer()) return false;
    for (Node b = 0; b <= (a | 1); ++b) {
      const Entry entry = at(a, b);
      if (entry >= kUnbounded) continue;
      const Rational most = Rational(parts(entry)) * part;
      const Rational difference = value(a) - value(b);
      if (is_strict(entry) ? difference >= most : difference > most) return false;
    }
  }
  return true;
}

}  // namespace poise::verify

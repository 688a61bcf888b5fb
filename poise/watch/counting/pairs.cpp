#include "poise/watch/counting/pairs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "poise/base/check.h"

namespace poise::watch {

using model::QueryNode;

namespace {

// Rows that are compared at a time: their answers stay in the first-level cache.
constexpr std::size_t kBlock = 256;
// So many gone rows at the front of a shelf are not worth erasing.
constexpr std::size_t kSlack = 64;

// With cells, factors and constants below these, a sum of kFewTerms products fits 64 bits.
constexpr Cell kSmallCell = Cell{1} << 40U;
constexpr std::int64_t kSmallFactor = std::int64_t{1} << 20U;
constexpr std::int64_t kSmallConstant = std::int64_t{1} << 61U;
constexpr std::size_t kFewTerms = 2;

// The tile of values that are too large for the grid.
constexpr Cell kElsewhere = INT64_MAX;

bool is_small(Cell cell) { return cell > -kSmallCell && cell < kSmallCell; }

bool is_simple(const CellAtom& atom) {
  return atom.linear && !atom.membership && atom.terms.size() <= kFewTerms &&
         atom.constant > -kSmallConstant && atom.constant < kSmallConstant &&
         std::ranges::all_of(atom.terms, [](const CellAtom::Term& term) {
           return term.factor > -kSmallFactor && term.factor < kSmallFactor;
         });
}

Cell floor_of(Cell value, Cell width) {
  return value / width - static_cast<Cell>(value % width < 0);
}

// into[i] = compare(base + the sum of factor * cells[begin + i], 0)
template <class Line, class Compare>
void compare_rows(const Line& line, std::size_t begin, std::size_t count, std::uint8_t* into,
                  Compare compare) {
  const std::int64_t base = line.base;
  const Cell* const cells = line.varying[0].cells + begin;
  const std::int64_t factor = line.varying[0].factor;
  if (line.terms == 1) {
    for (std::size_t i = 0; i < count; ++i) into[i] = compare(base + factor * cells[i], 0);
    return;
  }
  const Cell* const others = line.varying[1].cells + begin;
  const std::int64_t of_others = line.varying[1].factor;
  for (std::size_t i = 0; i < count; ++i) {
    into[i] = compare(base + factor * cells[i] + of_others * others[i], 0);
  }
}

template <class Line>
void compare_rows(const Line& line, std::size_t begin, std::size_t count, std::uint8_t* into) {
  using model::Relation;
  switch (line.relation) {
    case Relation::Equal: return compare_rows(line, begin, count, into, std::equal_to<>());
    case Relation::NotEqual: return compare_rows(line, begin, count, into, std::not_equal_to<>());
    case Relation::Less: return compare_rows(line, begin, count, into, std::less<>());
    case Relation::LessEqual: return compare_rows(line, begin, count, into, std::less_equal<>());
    case Relation::Greater: return compare_rows(line, begin, count, into, std::greater<>());
    case Relation::GreaterEqual:
      return compare_rows(line, begin, count, into, std::greater_equal<>());
  }
}

// a < b as 0 or 1, by the sign of the difference, which must fit. SSE2 has no comparison of 64-bit
// numbers but has this, so a column is gone through twice as fast.
std::uint64_t is_less(Cell a, Cell b) { return static_cast<std::uint64_t>(a - b) >> 63U; }

template <class Holds>
std::uint64_t count_if(const Cell* cells, std::size_t rows, Holds holds) {
  std::uint64_t some = 0;
  for (std::size_t i = 0; i < rows; ++i) some += holds(cells[i]);
  return some;
}

// Answers are bytes, 0 or 1. This takes eight of them at a time.
std::uint64_t eight(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// How many are 1. At most a block, so that no byte of the sums overflows.
std::uint32_t ones(std::span<const std::uint8_t> bytes) {
  static_assert(kBlock / 8 < 256);
  constexpr std::uint64_t kEverySecond = 0x00FF00FF00FF00FFU;
  std::uint64_t sums = 0;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) sums += eight(bytes.data() + i);
  sums = (sums & kEverySecond) + (sums >> 8U & kEverySecond);
  auto sum = static_cast<std::uint32_t>(sums * 0x0001000100010001U >> 48U);
  for (; i < bytes.size(); ++i) sum += bytes[i];
  return sum;
}

// Most answers are no, so eight of them are passed over at once.
template <class Visit>
void for_each_one(std::span<const std::uint8_t> bytes, Visit visit) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (i + 8 <= bytes.size() && eight(bytes.data() + i) == 0) {
      i += 8;
      continue;
    }
    const std::size_t end = std::min(i + 8, bytes.size());
    for (; i < end; ++i) {
      if (bytes[i] != 0) visit(i);
    }
  }
}

void add_field(std::vector<std::uint32_t>& fields, std::uint32_t field) {
  if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
}

}  // namespace

Pairs::Pairs(const WatchedModel& watched, const Numbers& numbers, const Plan& plan)
    : watched_(watched), numbers_(numbers), plan_(plan), inner_fields_(plan.lookups.size()) {
  const CellQuery& query = watched.query(plan.query);
  elements_.resize(query.query->streams.size());
  for (std::size_t i = 0; i < plan.lookups.size(); ++i) {
    const Plan::Lookup& lookup = plan.lookups[i];
    const std::function<void(std::uint32_t)> collect = [&](std::uint32_t node) {
      const QueryNode& one = query.query->nodes[node];
      for (const std::uint32_t part : one.parts) collect(part);
      if (one.op != QueryNode::Op::Atom) return;
      for (const model::Place& place : query.atoms[one.atom].places) {
        if (place.slot) continue;
        add_field(place.binding == plan.binding ? outer_fields_ : inner_fields_[i], place.field);
      }
    };
    collect(query.query->nodes[lookup.node].parts[0]);
    // A shelf knows its size by its first column, so it needs one.
    if (inner_fields_[i].empty()) inner_fields_[i].push_back(0);
  }
  if (outer_fields_.empty()) outer_fields_.push_back(0);
}

std::size_t Pairs::case_of(const Shelf& outer, std::size_t row) const {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < outer.found.size(); ++i) {
    bits |= std::size_t{outer.found[i][row] != 0} << i;
  }
  return bits << plan_.locals.size() | outer.classes[row];
}

// ---- The grid ----

Cell Pairs::place_of(Cell value) const {
  if (!plan_.band) return 0;
  if (value == kNone) return kNone;
  return is_small(value) ? floor_of(value, plan_.band->width()) : kElsewhere;
}

Pairs::Tile& Pairs::tile(Cell place) {
  const auto known = tiles_.find(place);
  if (known != tiles_.end()) return known->second;
  if (!spare_.empty()) {
    auto node = std::move(spare_.back());
    spare_.pop_back();
    node.key() = place;
    return tiles_.insert(std::move(node)).position->second;
  }
  Tile& made = tiles_[place];
  made.outer.columns.resize(outer_fields_.size());
  made.outer.found.resize(plan_.lookups.size());
  made.inner.resize(plan_.lookups.size());
  for (std::size_t i = 0; i < made.inner.size(); ++i) {
    made.inner[i].columns.resize(inner_fields_[i].size());
  }
  return made;
}

// Values drift, so the memory of tiles that have become empty is used for others.
void Pairs::drop_if_empty(Cell place) {
  const auto at = tiles_.find(place);
  Tile& tile = at->second;
  const auto is_empty = [](const Shelf& shelf) { return shelf.first == shelf.size(); };
  if (!is_empty(tile.outer) || !std::ranges::all_of(tile.inner, is_empty)) return;
  spare_.push_back(tiles_.extract(at));
}

void Pairs::clear() {
  while (!tiles_.empty()) {
    Tile& tile = tiles_.begin()->second;
    tile.outer.clear();
    for (Shelf& shelf : tile.inner) shelf.clear();
    spare_.push_back(tiles_.extract(tiles_.begin()));
  }
}

template <class Visit>
void Pairs::for_each_neighbour(Cell value, Cell below, Cell above, Visit visit) {
  if (value == kNone && plan_.band) return;
  if (plan_.band && !is_small(value)) {
    for (auto& [place, tile] : tiles_) visit(tile);
    return;
  }
  const auto visit_known = [&](Cell place) {
    const auto known = tiles_.find(place);
    if (known != tiles_.end()) visit(known->second);
  };
  if (!plan_.band) return visit_known(0);
  const Cell last = place_of(value + above);
  for (Cell place = place_of(value + below); place <= last; ++place) visit_known(place);
  visit_known(kElsewhere);
}

// ---- Shelves ----

void Shelf::clear() {
  for (std::vector<Cell>& column : columns) column.clear();
  for (std::vector<std::uint32_t>& counts : found) counts.clear();
  classes.clear();
  first = 0;
  odd = 0;
}

void Shelf::put(const std::vector<std::uint32_t>& fields, const Cell* element) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    columns[i].push_back(element[fields[i]]);
    odd += std::size_t{!is_small(element[fields[i]])};
  }
}

std::size_t Shelf::row_of(const std::vector<std::uint32_t>& fields, const Cell* element,
                          std::optional<std::size_t> the_class) const {
  for (std::size_t row = first; row < size(); ++row) {
    bool same = !the_class || classes[row] == *the_class;
    for (std::size_t i = 0; i < fields.size() && same; ++i) {
      same = columns[i][row] == element[fields[i]];
    }
    if (same) return row;
  }
  POISE_CHECK(false);
}

void Shelf::take(std::size_t row) {
  for (const std::vector<Cell>& column : columns) odd -= std::size_t{!is_small(column[row])};
  std::size_t from = row;
  std::size_t to = row + 1;
  if (row == first) {
    ++first;
    if (first != size() && (first < kSlack || 2 * first < size())) return;
    from = 0;
    to = first;
    first = 0;
  }
  const auto erase = [&](auto& rows) {
    const auto begin = rows.begin();
    rows.erase(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
  };
  for (std::vector<Cell>& column : columns) erase(column);
  for (std::vector<std::uint32_t>& counts : found) erase(counts);
  if (!classes.empty()) erase(classes);
}

// ---- Conditions, column by column ----

void Pairs::mask(std::uint32_t node, const Side& side, std::size_t begin, std::size_t count,
                 std::uint8_t* into) {
  const CellQuery& query = watched_.query(plan_.query);
  const QueryNode& one = query.query->nodes[node];
  const auto combine = [&](auto join) {
    mask(one.parts[0], side, begin, count, into);
    std::array<std::uint8_t, kBlock> other{};
    for (std::size_t part = 1; part < one.parts.size(); ++part) {
      mask(one.parts[part], side, begin, count, other.data());
      for (std::size_t i = 0; i < count; ++i) {
        into[i] = static_cast<std::uint8_t>(join(into[i], other[i]));
      }
    }
  };
  switch (one.op) {
    case QueryNode::Op::False: std::fill_n(into, count, std::uint8_t{0}); return;
    case QueryNode::Op::True: std::fill_n(into, count, std::uint8_t{1}); return;
    case QueryNode::Op::Atom: return mask_atom(query.atoms[one.atom], side, begin, count, into);
    case QueryNode::Op::Not:
      mask(one.parts[0], side, begin, count, into);
      for (std::size_t i = 0; i < count; ++i) into[i] ^= 1U;
      return;
    case QueryNode::Op::And: return combine(std::bit_and<>());
    case QueryNode::Op::Or: return combine(std::bit_or<>());
    case QueryNode::Op::Implies: return combine(std::less_equal<>());
    case QueryNode::Op::Iff: return combine(std::equal_to<>());
    case QueryNode::Op::Exists:
    case QueryNode::Op::All: break;
  }
  POISE_CHECK(false);
}

const Cell* Pairs::Side::column(std::uint32_t field) const {
  const auto at = std::ranges::find(*fields, field) - fields->begin();
  return shelf->columns[static_cast<std::size_t>(at)].data();
}

std::optional<Pairs::Line> Pairs::line(const CellAtom& atom, const Side& side) const {
  const auto varies = [&](const model::Place& place) {
    return !place.slot && place.binding == side.binding;
  };
  const auto fixed = [&](const model::Place& place) {
    return place.slot ? slots_[place.slot->index] : elements_[place.binding][place.field];
  };
  const bool simple = is_simple(atom) && side.shelf->odd == 0 &&
                      std::ranges::all_of(atom.places, [&](const model::Place& place) {
                        return varies(place) || is_small(fixed(place));
                      });
  if (!simple) return std::nullopt;
  static_assert(kFewTerms <= std::tuple_size_v<decltype(Line::varying)>);
  Line line{.relation = atom.relation, .base = static_cast<std::int64_t>(atom.constant)};
  for (const CellAtom::Term& term : atom.terms) {
    if (varies(term.place)) {
      line.varying[line.terms++] = {side.column(term.place.field), term.factor};
    } else {
      line.base += term.factor * fixed(term.place);
    }
  }
  return line;
}

std::optional<Pairs::Bound> Pairs::bound(const Plan::Lookup& lookup, const Side& side) const {
  const CellQuery& query = watched_.query(plan_.query);
  const QueryNode& body = query.query->nodes[query.query->nodes[lookup.node].parts[0]];
  if (body.op != QueryNode::Op::Atom) return std::nullopt;
  const std::optional<Line> found = line(query.atoms[body.atom], side);
  if (!found || found->terms != 1) return std::nullopt;
  const auto [cells, factor] = found->varying[0];
  if (factor == 1) return Bound{cells, found->relation, -found->base};
  if (factor == -1) return Bound{cells, model::mirrored(found->relation), found->base};
  return std::nullopt;
}

std::size_t Pairs::Bound::count(std::size_t begin, std::size_t rows) const {
  using model::Relation;
  const Cell* const from = cells + begin;
  switch (relation) {
    case Relation::Equal: return count_if(from, rows, [n = number](Cell c) { return c == n; });
    case Relation::NotEqual: return count_if(from, rows, [n = number](Cell c) { return c != n; });
    case Relation::Less:
      return count_if(from, rows, [n = number](Cell c) { return is_less(c, n); });
    case Relation::LessEqual:
      return count_if(from, rows, [n = number + 1](Cell c) { return is_less(c, n); });
    case Relation::Greater:
      return count_if(from, rows, [n = number](Cell c) { return is_less(n, c); });
    case Relation::GreaterEqual:
      return count_if(from, rows, [n = number - 1](Cell c) { return is_less(n, c); });
  }
  return 0;
}

void Pairs::mask_atom(const CellAtom& atom, const Side& side, std::size_t begin, std::size_t count,
                      std::uint8_t* into) {
  if (const std::optional<Line> simple = line(atom, side)) {
    if (simple->terms > 0) return compare_rows(*simple, begin, count, into);
    const int sign = static_cast<int>(simple->base > 0) - static_cast<int>(simple->base < 0);
    std::fill_n(into, count, static_cast<std::uint8_t>(model::holds(atom.relation, sign)));
    return;
  }
  const Cell* const before = elements_[side.binding];
  for (const std::uint32_t field : *side.fields) {
    gathered_.resize(std::max<std::size_t>(gathered_.size(), field + 1));
  }
  elements_[side.binding] = gathered_.data();
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint32_t field : *side.fields) gathered_[field] = side.column(field)[begin + i];
    into[i] = static_cast<std::uint8_t>(holds(atom, slots_, elements_, numbers_));
  }
  elements_[side.binding] = before;
}

template <class Visit>
void Pairs::for_each_block(const Plan::Lookup& lookup, const Side& side, Visit visit) {
  const std::uint32_t body = watched_.query(plan_.query).query->nodes[lookup.node].parts[0];
  const std::optional<Bound> bound = this->bound(lookup, side);
  std::array<std::uint8_t, kBlock> fits{};
  for (std::size_t row = side.shelf->first; row < side.shelf->size(); row += kBlock) {
    const std::size_t count = std::min(kBlock, side.shelf->size() - row);
    if (bound && bound->count(row, count) == (lookup.all ? count : 0)) continue;
    mask(body, side, row, count, fits.data());
    // An `all` looks for exceptions.
    if (lookup.all) {
      for (std::size_t i = 0; i < count; ++i) fits[i] ^= 1U;
    }
    visit(row, std::span(fits).first(count));
  }
}

// ---- Changes ----

std::uint32_t Pairs::fitting(std::size_t index, const Shelf& inner) {
  const Plan::Lookup& lookup = plan_.lookups[index];
  const Side side{lookup.binding, &inner_fields_[index], &inner};
  if (const std::optional<Bound> bound = this->bound(lookup, side)) {
    const std::size_t rows = inner.size() - inner.first;
    const std::size_t within = bound->count(inner.first, rows);
    return static_cast<std::uint32_t>(lookup.all ? rows - within : within);
  }
  std::uint32_t some = 0;
  for_each_block(lookup, side,
                 [&](std::size_t, std::span<const std::uint8_t> fits) { some += ones(fits); });
  return some;
}

void Pairs::change_outer(const Cell* element, std::size_t the_class, int by,
                         std::span<const Cell> slots, const Tally& tally) {
  slots_ = slots;
  const Cell value = plan_.band ? element[plan_.band->outer] : 0;
  const Cell place = place_of(value);
  if (by < 0) {
    Shelf& shelf = tile(place).outer;
    const std::size_t row = shelf.row_of(outer_fields_, element, the_class);
    tally.count(case_of(shelf, row), -1);
    shelf.take(row);
    return drop_if_empty(place);
  }
  elements_[plan_.binding] = element;
  std::array<std::uint32_t, kMostLookups> found{};
  for_each_neighbour(value, plan_.band ? plan_.band->least : 0, plan_.band ? plan_.band->most : 0,
                     [&](const Tile& other) {
                       for (std::size_t i = 0; i < plan_.lookups.size(); ++i) {
                         found[i] += fitting(i, other.inner[i]);
                       }
                     });
  Shelf& shelf = tile(place).outer;
  shelf.put(outer_fields_, element);
  shelf.classes.push_back(static_cast<std::uint8_t>(the_class));
  for (std::size_t i = 0; i < plan_.lookups.size(); ++i) shelf.found[i].push_back(found[i]);
  tally.count(case_of(shelf, shelf.size() - 1), 1);
}

void Pairs::change_inner(std::size_t index, const Cell* element, int by,
                         std::span<const Cell> slots, const Tally& tally) {
  slots_ = slots;
  const Plan::Lookup& lookup = plan_.lookups[index];
  const Cell value = plan_.band ? element[plan_.band->inner] : 0;
  if (plan_.band && value == kNone) return;  // fits none
  elements_[lookup.binding] = element;
  for_each_neighbour(value, plan_.band ? -plan_.band->most : 0, plan_.band ? -plan_.band->least : 0,
                     [&](Tile& other) { change_found(other.outer, index, by, tally); });
  const Cell place = place_of(value);
  Shelf& shelf = tile(place).inner[index];
  if (by > 0) return shelf.put(inner_fields_[index], element);
  shelf.take(shelf.row_of(inner_fields_[index], element, std::nullopt));
  drop_if_empty(place);
}

void Pairs::change_found(Shelf& outer, std::size_t index, int by, const Tally& tally) {
  for_each_block(plan_.lookups[index], {plan_.binding, &outer_fields_, &outer},
                 [&](std::size_t begin, std::span<const std::uint8_t> fits) {
                   for_each_one(fits, [&](std::size_t i) {
                     const std::size_t row = begin + i;
                     const std::size_t before = case_of(outer, row);
                     outer.found[index][row] += static_cast<std::uint32_t>(by);
                     const std::size_t after = case_of(outer, row);
                     if (before != after) tally.move(before, after, 1);
                   });
                 });
}

}  // namespace poise::watch

#include "poise/verify/odds/chain_of.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "poise/base/infinity.h"

namespace poise::verify {

using Sign = Literal::Sign;

// Finds the moves, then where each row belongs.
class ChainReading {
 public:
  ChainReading(FactorBounds& made, const Rows& rows) : made_(made), part_(made.part_) {
    for (const AffineRow* row : rows) read(*row);
  }

  void run() {
    find_moves();
    for (Reading& one : rows_) place(one);
    settle_sensors();
    for (const Reading& one : rows_) add(one);
    end_with_errors();
  }

 private:
  // What may be added to a row: an error, or a number that the environment chooses late.
  struct Source {
    bool late;
    std::size_t index;
    auto operator<=>(const Source&) const = default;
  };
  struct Reading {
    const AffineRow* row;
    std::map<Source, double> moves;  // factors
    std::optional<AffineRow::Term> sensor;
    double offset = 0;
    std::size_t position = 0;
    double slope = 0;
  };

  [[nodiscard]] const IndependentPart::Noise& noise(std::size_t index) const {
    return part_.noise[index];
  }
  [[nodiscard]] chance::Law law_of(const Source& source) const {
    if (!source.late) return noise(source.index).law;
    // Numbers that are chosen late keep the bounds that the part has for them alone.
    const IndependentPart::Environment& number = part_.environment[source.index];
    const double low = std::max(number.beyond && !number.apart ? -kInfinity : number.low,
                                made_.open_low_[source.index]);
    const double high =
        std::min(number.beyond ? kInfinity : number.high, made_.open_high_[source.index]);
    // An equation may leave a range that rounding has turned around.
    return chance::Law::uniform(std::min(low, high), std::max(low, high));
  }

  void relax(Reading& one, const chance::Law& law, double factor) {
    one.offset += std::min(factor * law.low(), factor * law.high());
    made_.relaxed_ = true;
  }

  void read(const AffineRow& row) {
    Reading one{&row, {}, {}};
    const bool alone = row.noise.size() == 1 && !has_late(row);
    for (const AffineRow::Term& term : row.noise) {
      const IndependentPart::Noise& error = noise(term.index);
      if (row.sign == Sign::Equal && !error.whole) forbid_or_relax(row);
      if (error.whole) made_.log_concave_ = false;
      if (error.whole && !alone) {
        relax(one, error.law, term.factor);
      } else if (error.sensing || error.whole) {
        if (one.sensor) {
          relax(one, error.law, term.factor);
        } else {
          one.sensor = term;
        }
      } else {
        one.moves[{false, term.index}] = term.factor;
      }
    }
    for (const AffineRow::Term& term : row.environment) {
      if (is_late(term)) one.moves[{true, term.index}] = term.factor;
    }
    rows_.push_back(std::move(one));
  }

  // An equation for real noise holds with probability 0, unless a number that is chosen late can
  // make it hold; then it stays as the bound that is half of it.
  void forbid_or_relax(const AffineRow& row) {
    (has_late(row) ? made_.relaxed_ : made_.impossible_) = true;
  }

  [[nodiscard]] bool is_late(const AffineRow::Term& of_environment) const {
    return made_.open_ == OpenNumbers::Late && part_.environment[of_environment.index].open;
  }
  [[nodiscard]] bool has_late(const AffineRow& row) const {
    return std::ranges::any_of(row.environment,
                               [&](const AffineRow::Term& term) { return is_late(term); });
  }

  // The first moves occur in the most rows. The row with the most moves says by how much each moves
  // the position.
  void find_moves() {
    std::map<Source, std::size_t> uses;
    const Reading* longest = nullptr;
    for (const Reading& one : rows_) {
      for (const auto& [source, factor] : one.moves) ++uses[source];
      if (longest == nullptr || one.moves.size() > longest->moves.size()) longest = &one;
    }
    if (longest == nullptr || longest->moves.empty()) return;
    for (const auto& [source, factor] : longest->moves) order_.push_back(source);
    std::ranges::stable_sort(order_, std::greater<>(),
                             [&](const Source& source) { return uses[source]; });
    const double unit = longest->moves.at(order_.front());
    for (const Source& source : order_) factors_.push_back(longest->moves.at(source) / unit);
  }

  // After how many moves the position is that the row is about. Moves that do not fit are relaxed:
  // all of them, since what is left would be about no position.
  void place(Reading& one) {
    one.position = one.moves.size();
    if (one.moves.empty()) return;
    bool fits = one.position <= order_.size() && one.moves.contains(order_.front());
    one.slope = fits ? one.moves.at(order_.front()) : 0;
    for (std::size_t i = 0; fits && i < one.position; ++i) {
      const auto move = one.moves.find(order_[i]);
      fits = move != one.moves.end() &&
             std::abs(move->second - one.slope * factors_[i]) <= 1e-12 * std::abs(move->second);
    }
    if (fits) return;
    for (const auto& [source, factor] : one.moves) relax(one, law_of(source), factor);
    one.moves.clear();
    one.position = 0;
    one.slope = 0;
  }

  // An error of sensing belongs to one position; rows elsewhere that read it, too, are relaxed.
  void settle_sensors() {
    std::map<std::size_t, std::size_t> positions;
    for (Reading& one : rows_) {
      if (!one.sensor) continue;
      const auto [known, is_new] = positions.try_emplace(one.sensor->index, one.position);
      if (known->second == one.position) continue;
      relax(one, noise(one.sensor->index).law, one.sensor->factor);
      one.sensor.reset();
    }
    std::map<std::size_t, std::size_t> errors;
    for (const auto& [index, position] : positions) {
      errors[index] = made_.form_.chain.errors.size();
      made_.form_.chain.errors.push_back(noise(index).law);
    }
    errors_ = std::move(errors);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      made_.form_.chain.moves.push_back(
          {.law = law_of(order_[i]), .factor = factors_[i], .chosen = order_[i].late});
    }
  }

  void add(const Reading& one) {
    using Of = FactorBounds::Source::Of;
    FactorBounds::Form& form = made_.form_;
    chance::Chain::Row row{.position = one.position, .slope = one.slope};
    if (!one.sensor) {
      form.chain.rows.push_back(row);
      form.sources.push_back({one.row, one.offset});
      return;
    }
    row.error = errors_.at(one.sensor->index);
    row.factor = one.sensor->factor;
    if (!noise(one.sensor->index).whole) {
      form.chain.rows.push_back(row);
      form.sources.push_back({one.row, one.offset});
      return;
    }
    for (const Of of : {Of::WholeTop, Of::WholeBottom}) {
      row.factor = of == Of::WholeTop ? 1 : -1;
      form.chain.rows.push_back(row);
      form.sources.push_back({one.row, one.offset, of});
    }
  }

  // The last move need not be on the grid if nothing but bounds comes after it: then it is an error
  // of the rows about its end, whose mass is exact.
  void end_with_errors() {
    chance::Chain& chain = made_.form_.chain;
    const std::size_t last = chain.moves.size();
    if (last == 0 || chain.moves.back().chosen) return;
    const bool plain = std::ranges::all_of(chain.rows, [&](const chance::Chain::Row& row) {
      return row.position != last || !row.error;
    });
    if (!plain) return;
    for (chance::Chain::Row& row : chain.rows) {
      if (row.position != last) continue;
      row.position = last - 1;
      row.error = chain.errors.size();
      row.factor = row.slope * chain.moves.back().factor;
      if (last == 1) row.slope = 0;
    }
    chain.errors.push_back(chain.moves.back().law);
    chain.moves.pop_back();
  }

  FactorBounds& made_;
  const IndependentPart& part_;
  std::vector<Reading> rows_;
  std::vector<Source> order_;    // of the moves
  std::vector<double> factors_;  // by which they move the position
  std::map<std::size_t, std::size_t> errors_;
};

FactorBounds::FactorBounds(const IndependentPart& part, const Rows& rows, OpenNumbers open)
    : part_(part), open_(open) {
  find_open_ranges();
  ChainReading(*this, rows).run();
  mix();
}

// What the stages without noise say about a number alone.
void FactorBounds::find_open_ranges() {
  open_low_.assign(part_.environment.size(), -kInfinity);
  open_high_.assign(part_.environment.size(), kInfinity);
  if (part_.branches.size() != 1) return;
  for (const PartStage& stage : part_.branches.front().stages) {
    if (stage.ways.size() > 1) continue;
    for (const AffineRow& row : stage.ways.front()) {
      if (!row.noise.empty() || row.environment.size() != 1) continue;
      const AffineRow::Term& term = row.environment.front();
      const double limit = -row.constant / term.factor;
      const bool equal = row.sign == Sign::Equal;
      if (equal || term.factor > 0)
        open_high_[term.index] = std::min(open_high_[term.index], limit);
      if (equal || term.factor < 0) open_low_[term.index] = std::max(open_low_[term.index], limit);
    }
  }
}

// All combinations of the parts of tables. If there are too many, a table becomes a uniform law of
// a mass that is nowhere below it.
void FactorBounds::mix() {
  constexpr std::size_t kMost = 64;
  std::vector<Mixed> all = {{1, {}, {}}};
  const bool any_move = !form_.chain.moves.empty();
  const auto add = [&](const chance::Law& law, std::vector<chance::Law> Mixed::*laws, bool expand) {
    std::vector<chance::Law::Part> parts = {{1, law}};
    if (expand && !law.is_log_concave()) {
      parts = law.log_concave_parts();
      log_concave_ = false;
      if (parts.size() * all.size() > kMost) {
        const double width = law.high() - law.low();
        double densest = 0;
        for (const chance::Law::Part& part : parts) {
          densest = std::max(densest, part.mass / (part.law.high() - part.law.low()));
        }
        parts = {{densest * width, chance::Law::uniform(law.low(), law.high())}};
        relaxed_ = true;
      }
    }
    std::vector<Mixed> longer;
    for (const Mixed& one : all) {
      for (const chance::Law::Part& part : parts) {
        longer.push_back(one);
        longer.back().mass *= part.mass;
        (longer.back().*laws).push_back(part.law);
      }
    }
    all = std::move(longer);
  };
  for (const chance::Chain::Move& move : form_.chain.moves) add(move.law, &Mixed::moves, true);
  for (const chance::Law& law : form_.chain.errors) {
    add(law, &Mixed::errors, any_move);
    if (!law.is_log_concave()) log_concave_ = false;
  }
  mixture_ = std::move(all);
}

chance::Chain FactorBounds::chain_in(const Box& box) const {
  chance::Chain chain = form_.chain;
  for (std::size_t i = 0; i < chain.rows.size(); ++i) {
    const Source& source = form_.sources[i];
    const AffineRow& row = *source.row;
    BoxSide rest{row.constant + source.offset, row.constant + source.offset};
    for (const AffineRow::Term& term : row.environment) {
      if (open_ == OpenNumbers::Late && part_.environment[term.index].open) continue;
      const BoxSide& side = box[term.index];
      const bool up = term.factor > 0;
      rest.from += term.factor * (up ? side.from : side.to);
      rest.to += term.factor * (up ? side.to : side.from);
    }
    if (source.of == Source::Of::Row) {
      chain.rows[i].constant = rest.from;
      continue;
    }
    // The values that suit the row somewhere in the box.
    const double factor = row.noise.front().factor;
    const Allowed one = allowed(factor, rest.from, row.sign, true);
    const Allowed other = allowed(factor, rest.to, row.sign, true);
    const double limits[] = {-rest.from / factor, -rest.to / factor};
    const bool equal = row.sign == Sign::Equal;
    const double from = equal ? std::ceil(std::min(limits[0], limits[1]) - 1e-9) - 0.5
                              : std::min(one.from, other.from);
    const double to = equal ? std::floor(std::max(limits[0], limits[1]) + 1e-9) + 0.5
                            : std::max(one.to, other.to);
    chain.rows[i].constant = source.of == Source::Of::WholeTop ? -to : from;
  }
  return chain;
}

chance::Interval FactorBounds::bounds(const Box& box) const {
  if (impossible_) return {0, 0};
  chance::Chain chain = chain_in(box);
  chance::Interval sum{0, 0};
  for (const Mixed& one : mixture_) {
    for (std::size_t i = 0; i < one.moves.size(); ++i) chain.moves[i].law = one.moves[i];
    chain.errors = one.errors;
    const chance::Interval here = chance::bounds(chain);
    sum.low += one.mass * here.low;
    sum.high += one.mass * here.high;
  }
  return {relaxed_ ? 0 : sum.low, std::min(1.0, sum.high)};
}

}  // namespace poise::verify

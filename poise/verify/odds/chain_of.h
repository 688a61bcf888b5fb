#pragma once

// Reads related rows of an event as chains of moves (chance/chain.h), whose probability has proved
// bounds.
//
// The errors of acting, in the order in which they are added up, are the moves; each row must be
// about the sum of the first few of them, and at most one error of sensing. Numbers that the
// environment chooses late may count as moves, too: then they are chosen with what happened so far
// in mind, which can only make the event likelier.
//
// Rows that do not fit are relaxed: an error that is in the way takes the value that suits the row
// best. The upper bound stays true, and the lower one is 0. A table is a mixture of uniform laws,
// so its chains are counted one by one, each with its mass.

#include <cstddef>
#include <vector>

#include "poise/chance/chain.h"
#include "poise/verify/odds/conjunctions.h"

namespace poise::verify {

// A box of environments, by number of the part.
struct BoxSide {
  double from;
  double to;
  friend bool operator==(const BoxSide&, const BoxSide&) = default;
};
using Box = std::vector<BoxSide>;

// Whether open numbers are fixed in advance, or chosen as late as they are needed.
enum class OpenNumbers { Fixed, Late };

class FactorBounds {
 public:
  // The rows of one factor, and the part they are from, which must outlive it.
  FactorBounds(const IndependentPart& part, const Rows& rows, OpenNumbers open);

  // No environment of the box exceeds `high`. `low` is for boxes of a single environment.
  [[nodiscard]] chance::Interval bounds(const Box& box) const;

  // Whether the probability is a log-concave function of the environment: a single chain, and no
  // whole errors.
  [[nodiscard]] bool is_log_concave() const { return log_concave_; }
  [[nodiscard]] std::size_t moves() const { return form_.chain.moves.size(); }

 private:
  // Where the constant of a row of the chain comes from.
  struct Source {
    enum class Of { Row, WholeTop, WholeBottom };
    const AffineRow* row;
    double offset = 0;  // of what was relaxed
    Of of = Of::Row;
  };
  struct Form {
    chance::Chain chain;
    std::vector<Source> sources;  // by row of the chain
  };
  struct Mixed {  // the laws of one chain of a mixture
    double mass;
    std::vector<chance::Law> moves;
    std::vector<chance::Law> errors;
  };
  friend class ChainReading;

  [[nodiscard]] chance::Chain chain_in(const Box& box) const;
  void find_open_ranges();
  void mix();

  const IndependentPart& part_;
  OpenNumbers open_;
  Form form_;
  std::vector<Mixed> mixture_;
  std::vector<double> open_low_;  // by number of the environment
  std::vector<double> open_high_;
  bool relaxed_ = false;
  bool impossible_ = false;  // an equation for real noise
  bool log_concave_ = true;
};

}  // namespace poise::verify

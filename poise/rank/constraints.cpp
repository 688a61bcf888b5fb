#include "poise/rank/constraints.h"

namespace poise::rank {

namespace {

using finding::Literal;
using model::AtomId;

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Literal literal(std::size_t atom, int holds) {
  return {AtomId{static_cast<std::uint32_t>(atom)}, holds == 1};
}

}  // namespace

double support(const Evidence& evidence, const Literal& literal) {
  std::size_t known = 0;
  std::size_t holds = 0;
  for (const Moment& moment : evidence.moments()) {
    const Truth truth = moment.truths[literal.atom.index];
    if (truth == Truth::Unknown) continue;
    known += moment.entries;
    if ((truth == Truth::True) == literal.holds) holds += moment.entries;
  }
  return share(holds, known);
}

std::vector<PairCounts> pair_counts(const Evidence& evidence) {
  if (evidence.moments().empty()) return {};
  const std::size_t atoms = evidence.moments().front().truths.size();
  std::vector<PairCounts> counts(atoms * atoms);
  for (const Moment& moment : evidence.moments()) {
    for (std::size_t p = 0; p < atoms; ++p) {
      if (moment.truths[p] == Truth::Unknown) continue;
      for (std::size_t q = 0; q < atoms; ++q) {
        if (moment.truths[q] == Truth::Unknown) continue;
        counts[p * atoms + q]
            .of[moment.truths[p] == Truth::True][moment.truths[q] == Truth::True] += moment.entries;
      }
    }
  }
  return counts;
}

std::vector<Edge> constraints(const Evidence& evidence, const Thresholds& thresholds) {
  std::vector<Edge> edges;
  if (evidence.moments().empty()) return edges;
  const std::size_t atoms = evidence.moments().front().truths.size();
  const std::vector<PairCounts> counts = pair_counts(evidence);
  for (std::size_t p = 0; p < atoms; ++p) {
    for (const int a : {0, 1}) {
      for (std::size_t q = 0; q < atoms; ++q) {
        if (p == q) continue;
        const PairCounts& pair = counts[p * atoms + q];
        for (const int b : {0, 1}) {
          Edge edge{literal(p, a), literal(q, b)};
          edge.support = share(pair.of[a][b], pair.known());
          edge.confidence = share(pair.of[a][b], pair.of[a][0] + pair.of[a][1]);
          if (pair.of[a][b] == 0 || edge.support < thresholds.support ||
              edge.confidence < thresholds.confidence) {
            continue;
          }
          edges.push_back(edge);
        }
      }
    }
  }
  return edges;
}

}  // namespace poise::rank

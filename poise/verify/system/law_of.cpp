#include "poise/verify/system/law_of.h"

#include <vector>

#include "poise/base/rational.h"

namespace poise::verify {

using chance::Law;

namespace {

std::vector<double> to_doubles(const std::vector<Rational>& numbers) {
  std::vector<double> doubles;
  doubles.reserve(numbers.size());
  for (const Rational& number : numbers) doubles.push_back(to_double(number));
  return doubles;
}

}  // namespace

Law law_of(const model::WorldError& error) {
  const double low = to_double(error.low);
  const double high = to_double(error.high);
  switch (error.law) {
    case model::WorldError::Law::Uniform: return Law::uniform(low, high);
    case model::WorldError::Law::Gauss: return Law::gauss(low, high, to_double(error.deviation));
    case model::WorldError::Law::Triangle: return Law::triangle(low, high);
    case model::WorldError::Law::Table: break;
  }
  return Law::table(low, high, to_doubles(error.weights));
}

Law law_of(const model::Variable& variable) {
  model::WorldError error = *variable.error;
  if (variable.type.kind != model::TypeKind::Int) return law_of(error);
  error.low = Rational(error.low.ceil()) - Rational(1, 2);
  error.high = Rational(error.high.floor()) + Rational(1, 2);
  if (error.law != model::WorldError::Law::Triangle) return law_of(error);
  return Law::triangle(to_double(error.low), to_double(error.high), 1);
}

}  // namespace poise::verify

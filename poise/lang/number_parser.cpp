#include "poise/lang/number_parser.h"

#include <utility>

#include <fmt/format.h>

#include "poise/lang/reporter.h"

namespace poise::lang {

using diag::Code;

std::optional<Bound> read_bound(Reader& reader, std::string_view what, std::string hint) {
  const Token start = reader.current();
  const bool negative = reader.accept(TokenKind::Minus);
  if (!reader.at(TokenKind::Number)) {
    return reader.missing(Code::ExpectedLiteral, what, std::move(hint));
  }
  const Rational value = number_value(reader.text(reader.advance().span));
  return Bound{.value = negative ? -value : value,
               .span = join(start.span, reader.previous().span)};
}

std::optional<NumberType> read_range(Reader& reader, std::string_view word) {
  auto low = read_bound(reader, fmt::format("the least value of the `{}`", word),
                        fmt::format("a range is written `{} 0..100`", word));
  if (!low) return std::nullopt;
  if (!reader.expect(TokenKind::DotDot, "`..`", "a range is written `0..100`")) {
    return std::nullopt;
  }
  auto high = read_bound(reader, fmt::format("the greatest value of the `{}`", word), {});
  if (!high) return std::nullopt;
  return NumberType{.whole = word == "int",
                    .low = std::move(low->value),
                    .high = std::move(high->value),
                    .low_span = low->span,
                    .high_span = high->span};
}

std::optional<Bound> read_duration(Reader& reader, std::string_view shape) {
  if (!reader.at(TokenKind::Number)) {
    return reader.missing(Code::BadDuration, "a duration", std::string(shape));
  }
  const Span span = reader.advance().span;
  const Rational seconds = number_value(reader.text(span));
  if (auto wrong = wrong_duration(reader.text(span), seconds, span)) {
    return reader.fail(wrong->code, wrong->span, std::move(wrong->message), std::move(wrong->hint));
  }
  return Bound{.value = seconds, .span = span};
}

std::optional<diag::Diagnostic> wrong_duration(std::string_view text, const Rational& seconds,
                                               Span span) {
  const bool has_unit = text.back() < '0' || text.back() > '9';
  if (has_unit && seconds.sign() > 0) return std::nullopt;
  return diag::Diagnostic{
      .code = Code::BadDuration,
      .span = span,
      .message = fmt::format("{} is no length of time", quoted(text)),
      .hint = has_unit ? "" : "did you mean " + quoted(fmt::format("{}s", text)) + "?"};
}

}  // namespace poise::lang

#include "poise/shake/grid/pict_lexer.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::shake {

namespace {

bool begins_word(char c) { return is_letter(c) || c == '_'; }

}  // namespace

PictToken PictLexer::next() {
  skip_space();
  PictToken token{.text = {}, .offset = at_};
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  if (c == '[') return quoted(']', PictToken::Kind::Parameter);
  if (c == '"') return quoted('"', PictToken::Kind::Text);
  if (begins_word(c)) return word();
  if (is_digit(c) || c == '-' || c == '+' || c == '.') return number();
  for (const std::string_view symbol :
       {"<>", "<=", ">=", "=", "<", ">", "(", ")", "{", "}", ",", ";"}) {
    if (!text_.substr(at_).starts_with(symbol)) continue;
    token.kind = PictToken::Kind::Symbol;
    token.text = symbol;
    at_ += symbol.size();
    return token;
  }
  token.kind = PictToken::Kind::Bad;
  token.text = "a character that means nothing here";
  ++at_;
  return token;
}

PictToken PictLexer::argument() {
  skip_space();
  if (at_ == text_.size() || text_[at_] != '(') {
    return {.kind = PictToken::Kind::Bad, .text = "`(` should be here", .offset = at_};
  }
  PictToken token{.kind = PictToken::Kind::Parameter, .text = {}, .offset = at_};
  for (++at_; at_ < text_.size() && text_[at_] != ')'; ++at_) {
    const char c = text_[at_];
    const bool blank = c == ' ' || c == '\t';
    if (c != '\n' && c != '\r' && !(blank && token.text.empty())) token.text += c;
  }
  if (at_ == text_.size()) {
    token.kind = PictToken::Kind::Bad;
    token.text = "`)` is missing";
  } else {
    ++at_;
  }
  return token;
}

PictToken PictLexer::word() {
  PictToken token{.kind = PictToken::Kind::Word, .text = {}, .offset = at_};
  while (at_ < text_.size() && (begins_word(text_[at_]) || is_digit(text_[at_]))) {
    const char c = text_[at_++];
    token.text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return token;
}

PictToken PictLexer::number() {
  PictToken token{.kind = PictToken::Kind::Number, .text = {}, .offset = at_};
  ++at_;
  while (at_ < text_.size() && is_part_of_number(text_[at_])) ++at_;
  const std::optional<double> number = pict_number(text_.substr(token.offset, at_ - token.offset));
  if (!number) {
    token.kind = PictToken::Kind::Bad;
    token.text = "this is no number";
  }
  token.number = number.value_or(0);
  return token;
}

bool PictLexer::is_part_of_number(char c) const {
  const char before = text_[at_ - 1];
  return is_digit(c) || c == '.' || c == 'e' || c == 'E' ||
         ((c == '-' || c == '+') && (before == 'e' || before == 'E'));
}

void PictLexer::skip_space() {
  bool line_begins = true;
  for (std::size_t back = at_; back > 0 && text_[back - 1] != '\n'; --back) {
    if (text_[back - 1] == ' ' || text_[back - 1] == '\t') continue;
    line_begins = false;
    break;
  }
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#' && line_begins) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      line_begins = line_begins || c == '\n';
      ++at_;
    } else {
      return;
    }
  }
}

PictToken PictLexer::quoted(char end, PictToken::Kind kind) {
  PictToken token{.kind = kind, .text = {}, .offset = at_};
  for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
    char c = text_[at_];
    if (c == end) {
      ++at_;
      return token;
    }
    if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') c = text_[++at_];
    token.text += c;
  }
  token.kind = PictToken::Kind::Bad;
  token.text = fmt::format("`{}` is missing at the end of the line", end);
  return token;
}

std::optional<double> pict_number(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace poise::shake

// The layout is computed from the tokens, from where declarations start whose words are names
// elsewhere (so the parser is asked), and from three things of the author's: which comments stand
// behind a token, which on a line of their own, and where there is a blank line between two
// declarations. All three come out as they went in, so a second run sees what the first saw and
// changes nothing.
//
//   tokens, comments --(pieces_of)--> pieces: what each token is here, its spacing, its comments
//                    --(items_of)---> items: declarations and the comment lines between them
//                    --(align)------> padding in blocks of variables and of lets
//                    --(Writer)-----> text
//
// A declaration is one logical line, a rule one for its head and one for each clause. So is an
// option or a preference that does not fit on a line, and the terms of a variable have a line of
// their own. A comment inside a logical line forces a line break; what is still too long is broken
// at its loosest operators, and so on within the parts.

#include "poise/lang/format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "poise/lang/lexer.h"
#include "poise/lang/parser.h"
#include "poise/lang/reader.h"

namespace poise::lang {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kMaxWidth = 100;
constexpr std::size_t kClauseIndent = 2;
constexpr std::size_t kContinuationIndent = 4;
constexpr std::size_t kNestedIndent = 2;
constexpr std::size_t kMaxIndent = 40;

// A longer name or type is not worth a column that wide for all its neighbours.
constexpr std::size_t kMaxAlignedName = 40;
constexpr std::size_t kMaxAlignedType = 80;

// Where a line may be broken, loosest first. Lists and sums are filled, as many as fit on a line;
// of the others each starts a line.
enum class Break : std::uint8_t { List, Iff, Implies, Or, And, Sum, Never };

constexpr bool is_filled(Break kind) { return kind == Break::List || kind == Break::Sum; }

// A token, and what its surroundings make of it.
struct Piece {
  std::string_view text;
  TokenKind kind = TokenKind::End;  // a keyword that is a member is a Name here
  Break break_before = Break::Never;
  bool space_before = true;  // unless it starts a line
  bool blank_line_before = false;
  bool comment_behind = false;
  bool starts_error = false;   // of a variable
  bool starts_clause = false;  // `when`, `do`, `priority`, `cooldown`, `term`
  std::uint32_t depth = 0;     // of the brackets around it
  std::uint32_t padding = 0;   // more spaces before it
  // Its comments are side by side in Pieces::comments: those on lines of their own before it, then
  // the one behind it.
  std::uint32_t first_comment = 0;
  std::uint32_t comments_before = 0;
};

struct Comment {
  std::string_view text;
  bool blank_line_before = false;
};

struct Pieces {
  std::vector<Piece> pieces;  // the last is End
  std::vector<Comment> comments;
};

std::string_view without_trailing_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

bool ends_operand(TokenKind kind) {
  return kind == TokenKind::Name || kind == TokenKind::Number || kind == TokenKind::True ||
         kind == TokenKind::False || kind == TokenKind::Text || kind == TokenKind::RightParen ||
         kind == TokenKind::RightBrace || kind == TokenKind::Prime;
}

// Sees the tokens in order and knows where in a declaration each stands.
class Spacing {
 public:
  Piece piece(TokenKind kind, std::string_view text) {
    // A word of policies between two operands, or behind one, is no name.
    const bool word = kind == TokenKind::Name && ends_operand(before_) && !before_is_word_;
    const bool member = braces_ > 0 || before_ == TokenKind::Has || before_ == TokenKind::Is;
    if (is_keyword(kind) && member) kind = TokenKind::Name;
    if (is_declaration_keyword(kind)) declaration_ = kind;
    if (kind == TokenKind::RightParen || kind == TokenKind::RightBrace) --depth_;
    if (kind == TokenKind::RightBrace) --braces_;

    // Nothing is calculated in the declaration of a variable.
    const bool unary = kind == TokenKind::Minus &&
                       (has_numbers() || behind_type_ || !ends_operand(before_) || before_is_word_);
    const bool terms = starts_terms(kind, text);
    const Piece result{.text = text,
                       .kind = kind,
                       .break_before = break_before(kind, unary),
                       .space_before = has_space_before(kind),
                       .starts_error = starts_error(kind, text),
                       .starts_clause = terms || kind == TokenKind::When || kind == TokenKind::Do ||
                                        kind == TokenKind::Priority ||
                                        (word && in_option() && text == "cooldown"),
                       .depth = depth_};

    // The first bound behind `int` or `real` may have a sign.
    behind_type_ = before_ == TokenKind::Colon && in_stream() && kind == TokenKind::Name;
    behind_unary_ = unary;
    if (kind == TokenKind::LeftBrace) ++braces_;
    if (kind == TokenKind::LeftParen || kind == TokenKind::LeftBrace) ++depth_;
    in_terms_ = terms || (in_terms_ && !is_declaration_keyword(kind));
    before_is_word_ = terms || (word && (text == "then" || text == "else" || text == "of")) ||
                      (before_ == TokenKind::Utility && text == "of");
    before_ = kind;
    return result;
  }

 private:
  [[nodiscard]] bool in_variable() const {
    return declaration_ == TokenKind::Sense || declaration_ == TokenKind::Var ||
           declaration_ == TokenKind::Variant;
  }
  [[nodiscard]] bool has_numbers() const {
    return in_variable() || declaration_ == TokenKind::Utility;
  }
  [[nodiscard]] bool in_option() const { return declaration_ == TokenKind::Option; }

  // So may the word `term`, and an option that has a utility of its own.
  [[nodiscard]] bool starts_terms(TokenKind kind, std::string_view text) const {
    if (kind != TokenKind::Name || text != "term" || !has_numbers() || braces_ > 0) return false;
    return before_ != declaration_ && before_ != TokenKind::If && before_ != TokenKind::Equals &&
           before_ != TokenKind::Comma && !before_is_word_;
  }

  // The word `error` may be the name, the guard or the first value of a variable, too.
  [[nodiscard]] bool starts_error(TokenKind kind, std::string_view text) const {
    if (kind != TokenKind::Name || text != "error" || !in_variable() || braces_ > 0) return false;
    return before_ != declaration_ && before_ != TokenKind::If && before_ != TokenKind::Equals;
  }

  [[nodiscard]] bool in_stream() const { return declaration_ == TokenKind::Stream; }

  // The braces around the fields of a stream stand apart from them: { tag: string }.
  [[nodiscard]] bool in_fields() const { return in_stream() && braces_ == 1; }

  [[nodiscard]] Break break_before(TokenKind kind, bool unary) const {
    if (before_ == TokenKind::Comma) return Break::List;
    switch (kind) {
      case TokenKind::Number:  // the weights of an error
        return before_ == TokenKind::Number && !in_terms_ ? Break::List : Break::Never;
      case TokenKind::LeftParen:  // the points of a table
        return before_ == TokenKind::RightParen ? Break::Sum : Break::Never;
      case TokenKind::Iff: return Break::Iff;
      case TokenKind::Implies: return Break::Implies;
      case TokenKind::Or: return Break::Or;
      case TokenKind::And: return Break::And;
      case TokenKind::Plus: return Break::Sum;
      case TokenKind::Minus: return unary ? Break::Never : Break::Sum;
      default: return Break::Never;
    }
  }

  [[nodiscard]] bool has_space_before(TokenKind kind) const {
    if (before_ == TokenKind::LeftBrace && in_fields()) return kind != TokenKind::RightBrace;
    if (behind_unary_ || before_ == TokenKind::LeftParen || before_ == TokenKind::LeftBrace ||
        before_ == TokenKind::LeftBracket || before_ == TokenKind::DotDot) {
      return false;
    }
    switch (kind) {
      case TokenKind::RightBrace: return in_stream() && braces_ == 0;
      case TokenKind::Comma:
      case TokenKind::LeftBracket:
      case TokenKind::RightBracket:
      case TokenKind::RightParen:
      case TokenKind::Prime:
      case TokenKind::DotDot: return false;
      case TokenKind::Colon: return has_numbers();
      case TokenKind::LeftParen:  // near(a, b), but else (a), table (0 1)
        return before_ != TokenKind::Name || before_is_word_ || has_numbers();
      default: return true;
    }
  }

  TokenKind declaration_ = TokenKind::End;
  TokenKind before_ = TokenKind::End;
  bool behind_unary_ = false;
  bool behind_type_ = false;
  bool before_is_word_ = false;  // then, else, of, term: no name
  bool in_terms_ = false;
  std::uint32_t depth_ = 0;
  std::uint32_t braces_ = 0;
};

// The words that start declarations and are not reserved, by where they stand.
std::map<std::uint32_t, TokenKind> declaring_words(std::string_view text, const Tree& tree) {
  std::map<std::uint32_t, TokenKind> words;
  const auto add = [&](const auto& declaration) {
    if constexpr (requires { declaration.span; }) {
      const std::string_view rest = text.substr(declaration.span.begin);
      const auto kind = word_declaration(rest.substr(0, rest.find_first_not_of(kLetters)));
      if (kind) words.emplace(declaration.span.begin, *kind);
    }
  };
  for (const Declaration& declaration : tree.declarations) std::visit(add, declaration);
  return words;
}

Pieces pieces_of(std::string_view text, const Tokens& tokens,
                 const std::map<std::uint32_t, TokenKind>& words) {
  Pieces result;
  result.pieces.reserve(tokens.tokens.size());
  Spacing spacing;
  const auto written = [&](Span span) { return text.substr(span.begin, span.end - span.begin); };
  std::uint32_t end = 0;  // of the last token or comment
  const auto line_breaks_before = [&](Span span) {
    return std::ranges::count(text.substr(end, span.begin - end), '\n');
  };
  auto comment = tokens.comments.begin();
  for (const Token& token : tokens.tokens) {
    std::uint32_t comments_before = 0;
    for (; comment != tokens.comments.end() && comment->begin < token.span.begin; ++comment) {
      const auto line_breaks = line_breaks_before(*comment);
      if (line_breaks == 0 && !result.pieces.empty()) {
        result.pieces.back().comment_behind = true;
      } else {
        ++comments_before;
      }
      result.comments.push_back({.text = without_trailing_space(written(*comment)),
                                 .blank_line_before = line_breaks > 1});
      end = comment->end;
    }
    const auto word = words.find(token.span.begin);
    const TokenKind kind = word == words.end() ? token.kind : word->second;
    Piece piece = spacing.piece(kind, written(token.span));
    piece.comments_before = comments_before;
    piece.first_comment = static_cast<std::uint32_t>(result.comments.size()) - comments_before;
    piece.blank_line_before = line_breaks_before(token.span) > 1;
    result.pieces.push_back(piece);
    end = token.span.end;
  }
  return result;
}

// A declaration, or a line with a comment between two declarations.
struct Item {
  std::span<Piece> pieces;  // none for a comment
  std::string_view comment = {};
  bool blank_line_before = false;
};

bool is_rule(const Item& item) {
  return !item.pieces.empty() && item.pieces.front().kind == TokenKind::Rule;
}
bool is_let(const Item& item) {
  return !item.pieces.empty() && item.pieces.front().kind == TokenKind::Let;
}
bool is_variant(const Item& item) {
  return !item.pieces.empty() && item.pieces.front().kind == TokenKind::Variant;
}
bool is_variable(const Item& item) {
  return !item.pieces.empty() && (item.pieces.front().kind == TokenKind::Sense ||
                                  item.pieces.front().kind == TokenKind::Var || is_variant(item));
}

// What stands before the first clause: all of a variable but its terms.
std::span<Piece> head_of(const Item& item) {
  const auto clause = std::ranges::find_if(item.pieces, &Piece::starts_clause);
  return item.pieces.first(static_cast<std::size_t>(clause - item.pieces.begin()));
}

// A rule stands apart from what is before it, together with the comment lines that belong to it.
void separate_rules(std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_rule(items[i])) continue;
    std::size_t first = i;
    while (first > 0 && !items[first].blank_line_before && items[first - 1].pieces.empty()) --first;
    items[first].blank_line_before = true;
  }
  if (!items.empty()) items.front().blank_line_before = false;
}

std::vector<Item> items_of(Pieces& pieces) {
  std::vector<Item> items;
  const std::span<Piece> all = pieces.pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_declaration_keyword(all[i].kind) && all[i].kind != TokenKind::End) continue;
    if (i > 0) items.back().pieces = all.subspan(begin, i - begin);
    for (std::uint32_t j = 0; j < all[i].comments_before; ++j) {
      const Comment& comment = pieces.comments[all[i].first_comment + j];
      items.push_back(
          {.pieces = {}, .comment = comment.text, .blank_line_before = comment.blank_line_before});
    }
    if (all[i].kind == TokenKind::End) break;
    items.push_back({.pieces = {}, .blank_line_before = all[i].blank_line_before});
    begin = i;
  }
  separate_rules(items);
  return items;
}

std::size_t width(std::span<const Piece> pieces) {
  std::size_t columns = 0;
  for (const Piece& piece : pieces) {
    const bool first = &piece == pieces.data();
    if (!first) columns += piece.padding + (piece.space_before ? 1 : 0);
    columns += piece.text.size();
  }
  return columns;
}

// Whether a logical line can stand on one line as far as its comments are concerned.
bool is_in_one_piece(std::span<const Piece> pieces) {
  const bool cut_behind =
      std::ranges::any_of(pieces.first(pieces.size() - 1), &Piece::comment_behind);
  const bool cut_before = std::ranges::any_of(
      pieces.subspan(1), [](const Piece& piece) { return piece.comments_before > 0; });
  return !cut_behind && !cut_before;
}

// Puts the first token in each of some neighbouring lines that `is_wanted` below each other, as far
// as the text before it ends within `limit` columns and the line does not become too long.
template <class Predicate>
void align_column(std::span<const Item> block, Predicate is_wanted, std::size_t limit) {
  const auto first_of = [&](const Item& item) {
    const std::span<Piece> head = head_of(item);
    const auto piece = std::ranges::find_if(head, is_wanted);
    return piece == head.end() ? nullptr : &*piece;
  };
  const auto width_before = [](const Item& item, const Piece* piece) {
    return width(item.pieces.first(static_cast<std::size_t>(piece - item.pieces.data())));
  };
  std::size_t column = 0;
  for (const Item& item : block) {
    const Piece* const piece = first_of(item);
    if (piece == nullptr) continue;
    const std::size_t end = width_before(item, piece);
    if (end <= limit) column = std::max(column, end);
  }
  for (const Item& item : block) {
    Piece* const piece = first_of(item);
    if (piece == nullptr) continue;
    const std::size_t end = width_before(item, piece);
    piece->padding = static_cast<std::uint32_t>(column > end ? column - end : 0);
    if (width(head_of(item)) > kMaxWidth) piece->padding = 0;
  }
}

// In a block with `sense` and `var`, `var` is padded to the width of `sense`.
void align_keywords(std::span<const Item> block) {
  std::size_t longest = 0;
  for (const Item& item : block) longest = std::max(longest, item.pieces[0].text.size());
  for (const Item& item : block) {
    item.pieces[1].padding = static_cast<std::uint32_t>(longest - item.pieces[0].text.size());
  }
}

// A block is a run of senses and own variables, of variants, or of `let`s, without a blank line or
// a comment line between or within them.
void align(std::span<const Item> items) {
  const auto is = [](TokenKind kind) {
    return [kind](const Piece& piece) { return piece.kind == kind; };
  };
  const auto alike = [](const Item& item, const Item& other) {
    if (!is_in_one_piece(head_of(item))) return false;
    if (is_let(item) && is_let(other)) return true;
    return is_variable(item) && is_variable(other) && is_variant(item) == is_variant(other);
  };
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    while (end < items.size() && !items[end].pieces.empty() && alike(items[end], items[begin]) &&
           (end == begin || !items[end].blank_line_before)) {
      ++end;
    }
    const std::span<const Item> block = items.subspan(begin, end - begin);
    if (!block.empty() && is_variable(block.front())) {
      align_keywords(block);
      align_column(block, is(TokenKind::Colon), kMaxAlignedName);
      align_column(block, is(TokenKind::If), kMaxAlignedType);
      align_column(block, std::mem_fn(&Piece::starts_error), kMaxAlignedType);
    } else if (!block.empty()) {
      align_column(block, is(TokenKind::Equals), kMaxAlignedName);
    }
    begin = std::max(end, begin + 1);
  }
}

class Writer {
 public:
  explicit Writer(std::span<const Comment> comments) : comments_(comments) {}

  void write(const Item& item) {
    if (item.blank_line_before) out_ += '\n';
    if (item.pieces.empty()) {
      write_line(0, item.comment);
    } else if (is_rule(item) || !fits_on_a_line(item)) {
      write_rule(item.pieces);
    } else {
      write_logical_line(item.pieces, 0);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void write_line(std::size_t indent, std::string_view text) {
    out_.append(indent, ' ').append(text) += '\n';
  }

  // Terms never do; an option or a preference may.
  static bool fits_on_a_line(const Item& item) {
    const auto clause = std::ranges::find_if(item.pieces, &Piece::starts_clause);
    if (clause == item.pieces.end()) return true;
    if (clause->kind == TokenKind::Name && clause->text == "term") return false;
    return is_in_one_piece(item.pieces) && width(item.pieces) <= kMaxWidth;
  }

  // A priority that follows the head, with no comment between, stays on its line.
  static bool belongs_to_head(std::span<const Piece> rule, std::size_t clause) {
    return rule[clause].kind == TokenKind::Priority && rule[clause].comments_before == 0 &&
           !rule[clause - 1].comment_behind;
  }

  void write_rule(std::span<const Piece> rule) {
    const auto clause_behind = [&](std::size_t i) {
      ++i;
      while (i < rule.size() && !rule[i].starts_clause) ++i;
      return i;
    };
    std::size_t end = clause_behind(0);
    if (end < rule.size() && belongs_to_head(rule, end)) end = clause_behind(end);
    write_logical_line(rule.first(end), 0);
    while (end < rule.size()) {
      const std::size_t begin = std::exchange(end, clause_behind(end));
      write_logical_line(rule.subspan(begin, end - begin), kClauseIndent);
    }
  }

  void write_comments_before(const Piece& piece, std::size_t indent) {
    for (const Comment& comment : comments_.subspan(piece.first_comment, piece.comments_before)) {
      write_line(indent, comment.text);
    }
  }

  // The comments before a declaration are items of their own; those before a clause belong to it.
  void write_logical_line(std::span<const Piece> pieces, std::size_t indent) {
    if (pieces.front().starts_clause) write_comments_before(pieces.front(), indent);
    while (!pieces.empty()) {
      std::size_t size = 1;
      while (size < pieces.size() && !pieces[size - 1].comment_behind &&
             pieces[size].comments_before == 0) {
        ++size;
      }
      write_broken(pieces.first(size), indent, kContinuationIndent);
      pieces = pieces.subspan(size);
      indent = kContinuationIndent;
      if (!pieces.empty()) write_comments_before(pieces.front(), indent);
    }
  }

  // As one line if it fits, else as several: the first at `indent`, the others at `continuation`,
  // and what must be broken again within these further in.
  void write_broken(std::span<const Piece> pieces, std::size_t indent, std::size_t continuation) {
    std::vector<std::size_t> breaks;
    if (indent + width(pieces) > kMaxWidth) breaks = breaks_of(pieces, indent, continuation);
    if (breaks.empty()) {
      write_physical_line(pieces, indent);
      return;
    }
    breaks.push_back(pieces.size());
    const std::size_t further = std::min(continuation + kNestedIndent, kMaxIndent);
    std::size_t begin = 0;
    for (const std::size_t end : breaks) {
      write_broken(pieces.subspan(begin, end - begin), begin == 0 ? indent : continuation, further);
      begin = end;
    }
  }

  // The loosest places to break a line: in the outermost brackets, and there of the loosest kind.
  static std::vector<std::size_t> breaks_of(std::span<const Piece> pieces, std::size_t indent,
                                            std::size_t continuation) {
    const auto looseness = [](const Piece& piece) {
      return std::tuple(piece.break_before == Break::Never, piece.depth, piece.break_before);
    };
    if (pieces.size() < 2) return {};
    const Piece& loosest = *std::ranges::min_element(pieces.subspan(1), {}, looseness);
    if (loosest.break_before == Break::Never) return {};
    std::vector<std::size_t> places;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (looseness(pieces[i]) == looseness(loosest)) places.push_back(i);
    }
    return is_filled(loosest.break_before) ? filled(pieces, places, indent, continuation) : places;
  }

  // Of the places where a line may be broken, those where the next part would not fit.
  static std::vector<std::size_t> filled(std::span<const Piece> pieces,
                                         std::span<const std::size_t> places, std::size_t indent,
                                         std::size_t continuation) {
    std::vector<std::size_t> breaks;
    std::size_t column = indent + width(pieces.first(places.front()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t end = i + 1 < places.size() ? places[i + 1] : pieces.size();
      const std::size_t part = width(pieces.subspan(places[i], end - places[i]));
      if (column + 1 + part > kMaxWidth) {
        breaks.push_back(places[i]);
        column = continuation + part;
      } else {
        column += 1 + part;
      }
    }
    return breaks;
  }

  void write_physical_line(std::span<const Piece> pieces, std::size_t indent) {
    out_.append(indent, ' ');
    for (const Piece& piece : pieces) {
      const bool first = &piece == pieces.data();
      if (!first) out_.append(piece.padding + (piece.space_before ? 1 : 0), ' ');
      out_ += piece.text;
    }
    const Piece& last = pieces.back();
    if (last.comment_behind) {
      out_.append("  ").append(comments_[last.first_comment + last.comments_before].text);
    }
    out_ += '\n';
  }

  std::span<const Comment> comments_;
  std::string out_;
};

}  // namespace

std::optional<std::string> format(std::string_view text) {
  const ParsedTree parsed = parse_tree(text);
  if (!parsed.diagnostics.empty()) return std::nullopt;
  Pieces pieces = pieces_of(text, tokens_of(text), declaring_words(text, parsed.tree));
  const std::vector<Item> items = items_of(pieces);
  align(items);
  Writer writer(pieces.comments);
  for (const Item& item : items) writer.write(item);
  return writer.take();
}

}  // namespace poise::lang

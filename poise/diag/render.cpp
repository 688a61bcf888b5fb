#include "poise/diag/render.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"

namespace poise::diag {
namespace {

constexpr std::size_t kMaxColumns = 160;

enum class Style { Error, Strong, Note, Gutter };

std::string styled(std::string_view text, Style style, Color color) {
  if (color == Color::No || text.empty()) return std::string(text);
  const auto escape = [&] {
    switch (style) {
      case Style::Error: return "\x1b[1;31m";
      case Style::Strong: return "\x1b[1m";
      case Style::Note: return "\x1b[1;34m";
      case Style::Gutter: return "\x1b[34m";
    }
    return "";
  }();
  return fmt::format("{}{}\x1b[0m", escape, text);
}

// A part of a source line as a terminal may show it, every character one column wide, and the
// columns that are marked.
struct Excerpt {
  std::uint32_t line = 0;
  std::string text;
  std::size_t mark_begin = 0;
  std::size_t mark_width = 1;
};

std::string_view shown(const CodePoint& point, std::string_view bytes) {
  if (point.value == U'\t') return " ";
  const bool control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0);
  return !point.valid || control ? "?" : bytes;
}

// A window on a long line that holds as much of the marked columns as fits, with some text before.
struct Window {
  std::size_t begin;
  std::size_t end;
};

Window window_on(std::size_t columns, std::size_t mark_begin, std::size_t mark_end) {
  if (columns <= kMaxColumns) return {0, columns};
  const std::size_t marked = std::min(mark_end - mark_begin, kMaxColumns);
  const std::size_t before = (kMaxColumns - marked) / 2;
  const std::size_t begin = mark_begin > before ? mark_begin - before : 0;
  const std::size_t end = std::min(columns, begin + kMaxColumns);
  return {end - std::min(end, kMaxColumns), end};
}

// The bytes around a place that are enough for every column to be shown. Lines may be megabytes
// long, and a hundred diagnostics may be on one of them, so a line is not looked at as a whole.
std::string_view neighbourhood(std::string_view line, std::size_t place) {
  constexpr std::size_t kReach = 4 * kMaxColumns;
  const auto inside_code_point = [&](std::size_t i) {
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
  };
  std::size_t begin = place > kReach ? place - kReach : 0;
  while (begin > 0 && begin < place && inside_code_point(begin)) ++begin;
  return line.substr(begin, place + kReach - begin);
}

Excerpt excerpt(const Source& source, const LineIndex& lines, Span span) {
  const std::uint32_t number = lines.position(span.begin).line;
  const std::string_view line = lines.line(number);
  const char* const place = source.text.data() + span.begin;
  const auto offset = static_cast<std::size_t>(place - line.data());
  const std::string_view near = neighbourhood(line, std::min(offset, line.size()));

  std::vector<std::string_view> cells;  // one per column
  std::size_t mark_begin = 0;
  std::size_t mark_end = 0;
  for (std::size_t i = 0; i < near.size();) {
    const CodePoint point = first_code_point(near.substr(i));
    if (near.data() + i < place) mark_begin = cells.size() + 1;
    if (near.data() + i < source.text.data() + span.end) mark_end = cells.size() + 1;
    cells.push_back(shown(point, near.substr(i, point.length)));
    i += point.length;
  }
  mark_end = std::max(mark_end, mark_begin + 1);

  const Window window = window_on(cells.size(), mark_begin, mark_end);
  Excerpt result{.line = number, .text = {}};
  const bool cut_before = window.begin > 0 || near.data() != line.data();
  const bool cut_behind =
      window.end < cells.size() || near.data() + near.size() != line.data() + line.size();
  if (cut_before) result.text += "…";
  for (std::size_t i = window.begin; i < window.end; ++i) result.text += cells[i];
  if (cut_behind) result.text += "…";
  result.mark_begin = mark_begin - window.begin + (cut_before ? 1 : 0);
  result.mark_width = std::max(mark_begin + 1, std::min(mark_end, window.end)) - mark_begin;
  return result;
}

std::string_view without_trailing_space(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

class Renderer {
 public:
  Renderer(const Source& source, Color color)
      : source_(source), lines_(source.text), color_(color) {}

  void add(const Diagnostic& diagnostic) {
    const Position place = lines_.position(diagnostic.span.begin);
    out_ += styled(fmt::format("{}:{}:{}:", source_.name, place.line, place.column), Style::Strong,
                   color_);
    out_ += " " + styled("error:", Style::Error, color_);
    out_ += " " + styled(diagnostic.message, Style::Strong, color_);
    out_ += fmt::format(" [{}]\n", info(diagnostic.code).code);

    std::vector<Excerpt> excerpts = {excerpt(source_, lines_, diagnostic.span)};
    for (const Related& related : diagnostic.related) {
      excerpts.push_back(excerpt(source_, lines_, related.span));
    }
    const std::uint32_t last_line = std::ranges::max(excerpts, {}, &Excerpt::line).line;
    gutter_width_ = std::to_string(last_line).size();
    add_excerpt(excerpts[0], '^', diagnostic.hint, Style::Error);
    for (std::size_t i = 0; i < diagnostic.related.size(); ++i) {
      add_excerpt(excerpts[i + 1], '-', diagnostic.related[i].label, Style::Note);
    }
  }

  void add_line(std::string_view line) { (out_ += line) += '\n'; }

  std::string take() { return std::move(out_); }

 private:
  void add_excerpt(const Excerpt& excerpt, char mark, std::string_view label, Style style) {
    out_ += styled(fmt::format(" {:>{}} |", excerpt.line, gutter_width_), Style::Gutter, color_);
    const std::string_view text = without_trailing_space(excerpt.text);
    if (!text.empty()) (out_ += ' ') += text;
    out_ += '\n';
    out_ += styled(fmt::format(" {:>{}} |", "", gutter_width_), Style::Gutter, color_);
    std::string marks = std::string(excerpt.mark_width, mark);
    if (!label.empty()) (marks += ' ') += label;
    out_ += std::string(excerpt.mark_begin + 1, ' ') + styled(marks, style, color_) + "\n";
  }

  const Source& source_;
  LineIndex lines_;
  Color color_;
  std::size_t gutter_width_ = 1;
  std::string out_;
};

}  // namespace

std::string render(const Source& source, const Diagnostics& diagnostics, Color color) {
  Renderer renderer(source, color);
  const std::size_t shown_count = std::min(diagnostics.size(), kMaxShown);
  for (std::size_t i = 0; i < shown_count; ++i) renderer.add(diagnostics[i]);
  if (diagnostics.size() > shown_count) {
    renderer.add_line("… and " + counted(diagnostics.size() - shown_count, "more error"));
  }
  return renderer.take();
}

}  // namespace poise::diag

#include "poise/lang/syntax.h"

#include "poise/lang/lexer.h"

namespace poise::lang {

std::span<const NodeId> Tree::children(const Node& node) const {
  return std::span(links).subspan(node.first_child, node.child_count);
}

std::string_view Tree::text(const Node& node) const {
  const Span span = node.kind == NodeKind::Call ? node.operator_span : node.span;
  const std::string_view written = source.substr(span.begin, span.end - span.begin);
  if (node.kind == NodeKind::Text) return written.substr(1, written.size() - 2);
  if (node.kind == NodeKind::Primed) return written.substr(0, written.size() - 1);
  return written;
}

Rational Tree::number(const Node& node) const {
  POISE_CHECK(node.kind == NodeKind::Number);
  return number_value(text(node));
}

}  // namespace poise::lang

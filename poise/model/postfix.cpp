#include "poise/model/postfix.h"

namespace poise::model {

namespace {

constexpr std::size_t kMaxTokens = 256;

PostfixOp joining(Op op) {
  switch (op) {
    case Op::And: return PostfixOp::And;
    case Op::Or: return PostfixOp::Or;
    case Op::Implies: return PostfixOp::Implies;
    case Op::Iff: return PostfixOp::Iff;
    case Op::False:
    case Op::True:
    case Op::Atom:
    case Op::Not: break;
  }
  return PostfixOp::True;
}

// False once there is no room.
bool append_postfix(const Model& model, FormulaId id, std::vector<PostfixToken>& code,
                    std::size_t limit) {
  if (code.size() >= limit) return false;
  const Formula& formula = model.formulas[id];
  switch (formula.op) {
    case Op::False: code.push_back({PostfixOp::False}); return true;
    case Op::True: code.push_back({PostfixOp::True}); return true;
    case Op::Atom: code.push_back({PostfixOp::Atom, formula.atom.index}); return true;
    case Op::Not:
      if (!append_postfix(model, formula.parts[0], code, limit)) return false;
      code.push_back({PostfixOp::Not});
      return true;
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Iff: break;
  }
  if (formula.parts.empty()) {
    code.push_back({formula.op == Op::And ? PostfixOp::True : PostfixOp::False});
    return true;
  }
  for (std::size_t i = 0; i < formula.parts.size(); ++i) {
    if (!append_postfix(model, formula.parts[i], code, limit)) return false;
    if (i > 0) code.push_back({joining(formula.op)});
  }
  return true;
}

}  // namespace

void append_postfix(const Model& model, FormulaId formula, std::vector<PostfixToken>& code) {
  const std::size_t before = code.size();
  if (append_postfix(model, formula, code, before + kMaxTokens)) return;
  code.resize(before);
  code.push_back({PostfixOp::Formula, formula.index});
}

}  // namespace poise::model

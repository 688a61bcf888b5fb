#include "poise/model/relation.h"

namespace poise::model {

bool holds(Relation relation, int sign) {
  switch (relation) {
    case Relation::Equal: return sign == 0;
    case Relation::NotEqual: return sign != 0;
    case Relation::Less: return sign < 0;
    case Relation::LessEqual: return sign <= 0;
    case Relation::Greater: return sign > 0;
    case Relation::GreaterEqual: return sign >= 0;
  }
  return false;
}

Relation negated(Relation relation) {
  switch (relation) {
    case Relation::Equal: return Relation::NotEqual;
    case Relation::NotEqual: return Relation::Equal;
    case Relation::Less: return Relation::GreaterEqual;
    case Relation::LessEqual: return Relation::Greater;
    case Relation::Greater: return Relation::LessEqual;
    case Relation::GreaterEqual: return Relation::Less;
  }
  return relation;
}

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::Less: return Relation::Greater;
    case Relation::LessEqual: return Relation::GreaterEqual;
    case Relation::Greater: return Relation::Less;
    case Relation::GreaterEqual: return Relation::LessEqual;
    case Relation::Equal:
    case Relation::NotEqual: break;
  }
  return relation;
}

std::string_view symbol(Relation relation) {
  switch (relation) {
    case Relation::Equal: return "==";
    case Relation::NotEqual: return "!=";
    case Relation::Less: return "<";
    case Relation::LessEqual: return "<=";
    case Relation::Greater: return ">";
    case Relation::GreaterEqual: return ">=";
  }
  return "";
}

}  // namespace poise::model

#pragma once

// The extent of an answer: whether it is complete, and if not, why. Every report has one. That
// something is missing from an incomplete report proves nothing.

#include <string>

namespace poise {

struct Extent {
  bool complete = true;  // false if there may be more than what is listed or counted
  std::string stopped;   // the limit that ended the run; empty if none did
};

}  // namespace poise

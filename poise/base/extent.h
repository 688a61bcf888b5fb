#pragma once

// How much of an answer there is. Every report has one: what is not complete proves nothing by what
// it leaves out.

#include <string>

namespace poise {

struct Extent {
  bool complete = true;  // false where there is more than what is listed or counted
  std::string stopped;   // the limit that ended the run; empty if none did
};

}  // namespace poise

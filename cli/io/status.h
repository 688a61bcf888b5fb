#pragma once

// Exit statuses, and which of two wins if a call has several files: the one that makes the answer
// least reliable. A limit that was reached is worse than a fault that was found.

namespace poise::cli {

enum class Status { NothingFound = 0, Found = 1, Wrong = 2, LimitReached = 3 };

[[nodiscard]] inline Status worse(Status a, Status b) {
  const auto rank = [](Status status) {
    switch (status) {
      case Status::NothingFound: return 0;
      case Status::Found: return 1;
      case Status::LimitReached: return 2;
      case Status::Wrong: return 3;
    }
    return 3;
  };
  return rank(a) < rank(b) ? b : a;
}

}  // namespace poise::cli

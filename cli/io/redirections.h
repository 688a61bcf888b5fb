#pragma once

// What posix_spawn() does with descriptors before it starts a program.

#include <spawn.h>

namespace poise::cli {

struct Redirections {
  Redirections() { ::posix_spawn_file_actions_init(&actions); }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;
  ~Redirections() { ::posix_spawn_file_actions_destroy(&actions); }
  posix_spawn_file_actions_t actions{};
};

}  // namespace poise::cli

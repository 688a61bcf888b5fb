#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/io/terminal.h"
#include "poise/base/parallel.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // If the reader of a pipe goes away, a write shall fail, which run() reports, not end the
  // process.
  std::signal(SIGPIPE, SIG_IGN);
  // The same for a file that would exceed the user's limit on file size.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const int status =
      poise::cli::run(args, std::cin, std::cout, std::cerr, poise::cli::terminal_environment());
  if (poise::threads_left == 0) return status;
  // A solver that did not listen is still at work, and must not see globals being destroyed.
  std::cout.flush();
  std::cerr.flush();
  std::_Exit(status);
}

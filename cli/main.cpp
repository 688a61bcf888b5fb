#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/io/terminal.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // If the reader of a pipe goes away, a write shall fail, which run() reports, not end the
  // process.
  std::signal(SIGPIPE, SIG_IGN);
  // The same for a file that would exceed the user's limit on file size.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return poise::cli::run(args, std::cin, std::cout, std::cerr, poise::cli::terminal_environment());
}

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/io/terminal.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A reader that goes away makes a write fail, which run() reports, instead of killing us.
  std::signal(SIGPIPE, SIG_IGN);
  // So does a file that becomes larger than the user may write.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return poise::cli::run(args, std::cin, std::cout, std::cerr, poise::cli::terminal_environment());
}

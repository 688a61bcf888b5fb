#pragma once

// The program, as a function: what it is called with, the three streams, and the exit status that
// comes back (0 nothing found, 1 something found, 2 the input or the call is wrong, 3 a limit was
// reached). Tests call it in process; main.cpp does nothing else.
//
//   const std::vector<std::string> args = {"check", "home.poise"};
//   return cli::run(args, std::cin, std::cout, std::cerr);

#include <iosfwd>
#include <span>
#include <string>

#include "cli/io/streams.h"

namespace poise::cli {

int run(std::span<const std::string> args, std::istream& in, std::ostream& out, std::ostream& err,
        const Environment& environment = {});

}  // namespace poise::cli

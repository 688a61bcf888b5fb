#pragma once

// The program as a function: it takes the arguments and the three streams, and returns the exit
// status (0 nothing found, 1 something found, 2 the input or the call is wrong, 3 a limit was
// reached). Tests call it in process; main.cpp only adds what belongs to a process: signals, the
// terminal.
//
// The path of a call: options/command_line.h splits the words, the verb's file in verbs/ turns them
// into settings (options/words.h), reads files (io/), runs the analysis and writes its report.
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

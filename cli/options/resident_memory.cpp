#include "cli/options/resident_memory.h"

#include <fstream>

#include <unistd.h>

namespace poise::cli {

std::size_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace poise::cli

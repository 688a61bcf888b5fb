// Any bytes are a controller in FCL or have diagnostics, and never both or neither. What becomes of
// a controller can be read, or says what is wrong; it never breaks what reads it.

#include "poise/importer/fcl.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  poise::check_imported(text, poise::importer::from_fcl(text));
  return 0;
}

// Any bytes either are a controller in FLL or have diagnostics, never both. The model into which a
// controller is translated either parses or has diagnostics, too.

#include "poise/importer/fll.h"
#include "tests/fuzz/imported.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  poise::check_imported(text, poise::importer::from_fll(text));
  return 0;
}

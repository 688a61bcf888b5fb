// The main function of a fuzz target without libFuzzer: feeds it with the given files and folders.
// Each name is printed before the target sees the file, so that the last one is that of a crash.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs_from(const std::vector<std::string>& arguments) {
  std::vector<fs::path> inputs;
  for (const std::string& argument : arguments) {
    if (!fs::is_directory(argument)) {
      inputs.emplace_back(argument);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.is_regular_file()) inputs.push_back(entry.path());
    }
  }
  std::ranges::sort(inputs);
  return inputs;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<fs::path> inputs = inputs_from({argv + 1, argv + argc});
  for (const fs::path& input : inputs) {
    std::ifstream file(input, std::ios::binary);
    if (!file) {
      std::cerr << "cannot read " << input << "\n";
      return 2;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::cout << input.string() << std::endl;
    const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(data.data(), data.size());
  }
  std::cout << inputs.size() << " inputs\n";
  return inputs.empty() ? 2 : 0;
}

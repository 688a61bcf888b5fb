#pragma once

// Files by their descriptors, for what C++ streams cannot do: make sure that bytes are on the disk,
// truncate a file, lock it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "poise/base/result.h"

namespace poise::cli {

// Owns a descriptor: the destructor closes it.
[[nodiscard]] std::string words_for(int error);

// A descriptor of ours, closed in the end.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File();
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// The text for an errno as the tail of a message: ": Permission denied". Empty for 0.
[[nodiscard]] std::string reason(int error);

// The errors of the following functions are such tails.
[[nodiscard]] Result<void> write_all(int descriptor, std::string_view bytes);
// Returns when all that was written is on the disk (fsync).
[[nodiscard]] Result<void> sync(int descriptor);
// The same for the name: after a crash, the path still refers to the file that it refers to now.
[[nodiscard]] Result<void> sync_name(const std::string& path);
// Up to `size` bytes from offset `at`, fewer at the end of the file. Nothing if the descriptor is
// not a regular file.
[[nodiscard]] std::optional<std::string> bytes_at(int descriptor, std::uint64_t at,
                                                  std::size_t size);

}  // namespace poise::cli

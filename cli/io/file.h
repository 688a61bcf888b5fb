#pragma once

// Files by their descriptors, for what streams cannot do: to know that bytes are on the disk, to
// cut a file, to lock it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "poise/base/result.h"

namespace poise::cli {

// What the system says about an error number: "No such file or directory".
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

// The reason the system gives, as the tail of a message; nothing if it gives none.
[[nodiscard]] std::string reason(int error);

// Errors are reasons.
[[nodiscard]] Result<void> write_all(int descriptor, std::string_view bytes);
// What was written is on the disk.
[[nodiscard]] Result<void> sync(int descriptor);
// So is its name: what has the path now has it after a crash, too.
[[nodiscard]] Result<void> sync_name(const std::string& path);
// Bytes of a file at some place, fewer at its end. Nothing if it cannot be read from anywhere.
[[nodiscard]] std::optional<std::string> bytes_at(int descriptor, std::uint64_t at,
                                                  std::size_t size);

}  // namespace poise::cli

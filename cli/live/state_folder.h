#pragma once

// A folder that keeps some bytes through crashes: it always has the bytes that were kept last, as a
// whole, whatever happened since. Only one process at a time can use it.
//
//   Result<StateFolder> folder = StateFolder::open("state");
//   const Result<std::optional<std::string>> kept = folder->kept();
//   ...
//   const Result<void> done = folder->keep(bytes);
//
// It holds `state` and, while bytes are written, `state.tmp`; `lock` is locked while it is used.

#include <optional>
#include <string>
#include <string_view>

#include "cli/io/file.h"
#include "poise/base/result.h"

namespace poise::cli {

class StateFolder {
 public:
  // The folder is made if there is none. An error if another process uses it, or if it cannot be
  // written to.
  [[nodiscard]] static Result<StateFolder> open(const std::string& path);

  // The bytes that were kept last; nothing in a new folder.
  [[nodiscard]] Result<std::optional<std::string>> kept() const;
  // When it returns, the bytes are on the disk. After an error, the ones from before are kept.
  [[nodiscard]] Result<void> keep(std::string_view bytes) const;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  StateFolder(std::string path, File lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  File lock_;
};

}  // namespace poise::cli

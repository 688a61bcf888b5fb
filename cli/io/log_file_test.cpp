#include "cli/io/log_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "poise/log/entry.h"

namespace poise::cli {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstandard(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
  EXPECT_EQ(ZSTD_isError(size), 0U);
  packed.resize(size);
  return packed;
}

// Some megabytes that do not pack too well, so that both sides take many chunks.
std::string many_lines(std::size_t count) {
  std::string text;
  std::uint64_t bits = 1;
  for (std::size_t i = 0; i < count; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    text += std::to_string(i) + " " + std::to_string(bits) + "\n";
  }
  return text;
}

struct Reading {
  Lines lines;
  std::string error;
};

Reading reading(LineSource source) {
  Reading result;
  while (true) {
    const Result<std::optional<std::string_view>> line = source.next();
    if (!line) {
      result.error = line.error().message;
      const Result<std::optional<std::string_view>> again = source.next();
      EXPECT_TRUE(!again && again.error().message == result.error);
      return result;
    }
    if (!*line) return result;
    result.lines.emplace_back(**line);
  }
}

Reading read_input(const std::string& bytes) {
  std::istringstream input(bytes);
  return reading(LineSource::open("-", input).value());
}

Lines lines_of(const std::string& text) {
  std::istringstream stream(text);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(LogFile, HandsOverLines) {
  EXPECT_EQ(read_input("").lines, Lines{});
  EXPECT_EQ(read_input("a").lines, Lines{"a"});
  EXPECT_EQ(read_input("a\n").lines, Lines{"a"});
  EXPECT_EQ(read_input("a\n\nb\r\n\n").lines, (Lines{"a", "", "b\r", ""}));
  EXPECT_EQ(read_input("\n").lines, Lines{""});
}

TEST(LogFile, PutsLinesTogetherThatLieInSeveralChunks) {
  const std::string text = many_lines(100'000);
  const Reading all = read_input(text);
  EXPECT_TRUE(all.lines == lines_of(text));
  EXPECT_EQ(all.error, "");
  const std::string line(300'000, 'x');
  EXPECT_TRUE(read_input("a\n" + line + "\n" + line).lines == (Lines{"a", line, line}));
}

TEST(LogFile, CutsLinesThatAreTooLong) {
  const std::string line(3 * log::kMaxLineSize, 'x');
  const Reading all = read_input("a\n" + line + "\nb\n");
  ASSERT_EQ(all.lines.size(), 3U);
  EXPECT_EQ(all.lines[1].size(), log::kMaxLineSize + 1);
  EXPECT_EQ(all.lines[2], "b");
}

TEST(LogFile, UnpacksArchives) {
  const std::string text = many_lines(100'000);
  const Lines lines = lines_of(text);
  EXPECT_TRUE(read_input(gzipped(text)).lines == lines);
  EXPECT_TRUE(read_input(zstandard(text)).lines == lines);
  // What is packed very small fills the room for it many times.
  const std::string same(1 << 20, '\n');
  EXPECT_EQ(read_input(gzipped(same)).lines.size(), same.size());
  EXPECT_EQ(read_input(zstandard(same)).lines.size(), same.size());
  EXPECT_EQ(read_input(gzipped("")).lines, Lines{});
  EXPECT_EQ(read_input(zstandard("")).lines, Lines{});
}

TEST(LogFile, UnpacksArchivesOfSeveralParts) {
  for (const auto& packed : {gzipped, zstandard}) {
    const Reading all = read_input(packed("a\nb") + packed("") + packed("c\nd\n"));
    EXPECT_EQ(all.lines, (Lines{"a", "bc", "d"}));
    EXPECT_EQ(all.error, "");
  }
}

TEST(LogFile, SaysThatAnArchiveIsCutOffAfterTheLinesBefore) {
  const std::string text = many_lines(100'000);
  const Lines lines = lines_of(text);
  for (const auto& packed : {gzipped, zstandard}) {
    const std::string whole = packed(text);
    for (const std::size_t left : {whole.size() - 1, whole.size() / 2, std::size_t{5}}) {
      const Reading part = read_input(whole.substr(0, left));
      EXPECT_EQ(part.error, "standard input is cut off: the archive ends before its time");
      ASSERT_LE(part.lines.size(), lines.size());
      EXPECT_TRUE(std::equal(part.lines.begin(), part.lines.end(), lines.begin()));
      EXPECT_GE(part.lines.size(), left > 5 ? 40'000U : 0U);
    }
  }
}

TEST(LogFile, SaysThatAnArchiveIsDamaged) {
  for (const auto& packed : {gzipped, zstandard}) {
    std::string bytes = packed("a\nb\n");
    const Reading followed = read_input(bytes + "something else");
    EXPECT_EQ(followed.lines, (Lines{"a", "b"}));
    EXPECT_TRUE(followed.error.starts_with("standard input is damaged: ")) << followed.error;
  }
  std::string bytes = gzipped("a\nb\n");
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  const Reading wrong = read_input(bytes);
  EXPECT_EQ(wrong.lines, (Lines{"a", "b"}));
  EXPECT_EQ(wrong.error, "standard input is damaged: incorrect data check");
}

class LogFileOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "poise-log-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file_with(const std::string& name, const std::string& bytes) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  static Reading read_file(const std::string& path) {
    std::istringstream none;
    return reading(LineSource::open(path, none).value());
  }

  fs::path folder_;
};

TEST_F(LogFileOnDisk, IsReadWhateverItsName) {
  const Lines lines = {"a", "b"};
  EXPECT_EQ(read_file(file_with("plain.jsonl", "a\nb\n")).lines, lines);
  EXPECT_EQ(read_file(file_with("log.jsonl.gz", gzipped("a\nb\n"))).lines, lines);
  EXPECT_EQ(read_file(file_with("log.jsonl.zst", zstandard("a\nb\n"))).lines, lines);
  EXPECT_EQ(read_file(file_with("packed.jsonl", gzipped("a\nb\n"))).lines, lines);
}

TEST_F(LogFileOnDisk, IsNamedInMessages) {
  std::istringstream none;
  const std::string missing = (folder_ / "missing").string();
  EXPECT_EQ(LineSource::open(missing, none).error().message,
            "cannot read `" + missing + "`: No such file or directory");
  EXPECT_EQ(LineSource::open(folder_.string(), none).error().message,
            "cannot read `" + folder_.string() + "`: it is a directory");
  const std::string cut = file_with("cut.gz", gzipped("a\n").substr(0, 12));
  EXPECT_EQ(read_file(cut).error, "`" + cut + "` is cut off: the archive ends before its time");
}

}  // namespace
}  // namespace poise::cli

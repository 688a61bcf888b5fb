#pragma once

// Whole numbers of any size. Nearly all of them fit a machine word and stay there; only what
// overflows moves to the heap (GMP, hidden in integer.cpp), so exactness costs nothing where it is
// not needed.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace poise {

class Integer {
 public:
  Integer() = default;
  Integer(std::int64_t value) : small_(value) {}  // NOLINT: a number is a number
  Integer(const Integer& other) : small_(other.small_) {
    if (!other.fits_int64()) big_ = copy_of(*other.big_);
  }
  Integer(Integer&&) noexcept = default;
  Integer& operator=(const Integer& other) {
    if (this != &other) *this = Integer(other);
    return *this;
  }
  Integer& operator=(Integer&&) noexcept = default;
  ~Integer() = default;

  // Decimal digits only, at least one.
  static Integer from_digits(std::string_view digits);
  static Integer power(std::uint32_t base, std::uint32_t exponent);

  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] int sign() const {
    return fits_int64() ? static_cast<int>(small_ > 0) - static_cast<int>(small_ < 0) : big_sign();
  }
  [[nodiscard]] bool fits_int64() const { return big_ == nullptr; }
  [[nodiscard]] std::int64_t to_int64() const;  // only if fits_int64()
  [[nodiscard]] std::size_t bits() const;       // of the magnitude; 0 for zero
  [[nodiscard]] std::size_t hash() const;

  Integer& operator+=(const Integer& other) { return *this = *this + other; }
  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b);
  friend Integer operator*(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a);
  friend bool operator==(const Integer& a, const Integer& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    return a.fits_int64() && b.fits_int64() ? a.small_ <=> b.small_ : compare_big(a, b);
  }

  friend Integer floor_divide(const Integer& a, const Integer& b);
  friend Integer gcd(const Integer& a, const Integer& b);

 private:
  struct Big;  // an mpz_t
  struct DeleteBig {
    void operator()(Big* big) const noexcept;
  };
  using BigPointer = std::unique_ptr<Big, DeleteBig>;
  struct Operations;
  [[nodiscard]] static BigPointer copy_of(const Big& big);
  [[nodiscard]] static std::strong_ordering compare_big(const Integer& a, const Integer& b);
  [[nodiscard]] int big_sign() const;

  std::int64_t small_ = 0;
  BigPointer big_;  // present exactly when the value does not fit 64 bits
};

// Rounded down; the divisor is positive.
[[nodiscard]] Integer floor_divide(const Integer& a, const Integer& b);
[[nodiscard]] Integer gcd(const Integer& a, const Integer& b);

}  // namespace poise

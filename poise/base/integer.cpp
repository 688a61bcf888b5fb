#include "poise/base/integer.h"

#include <functional>
#include <numeric>

#include <gmp.h>

#include "poise/base/check.h"

namespace poise {

struct Integer::Big {
  mpz_t value;
  Big() { mpz_init(value); }
  Big(const Big& other) { mpz_init_set(value, other.value); }
  Big& operator=(const Big&) = delete;
  ~Big() { mpz_clear(value); }
};

// The slow path: any operation through GMP, the result brought back to a word where it fits.
struct Integer::Operations {
  static_assert(sizeof(long) == sizeof(std::int64_t), "GMP's long interface carries an int64");

  // An mpz_t of either representation, valid while this object lives.
  struct Operand {
    explicit Operand(const Integer& number) {
      if (number.big_ == nullptr) {
        mpz_init_set_si(own, number.small_);
        view = own;
      } else {
        view = number.big_->value;
      }
    }
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;
    ~Operand() {
      if (view == own) mpz_clear(own);
    }
    mpz_t own;
    mpz_srcptr view;
  };

  static Integer normal(BigPointer big) {
    Integer result;
    if (mpz_fits_slong_p(big->value) != 0) {
      result.small_ = mpz_get_si(big->value);
    } else {
      result.big_ = std::move(big);
    }
    return result;
  }

  template <class Operation>
  static Integer apply(const Integer& a, const Integer& b, Operation operation) {
    const Operand left(a);
    const Operand right(b);
    BigPointer result(new Big);
    operation(result->value, left.view, right.view);
    return normal(std::move(result));
  }
};

void Integer::DeleteBig::operator()(Big* big) const noexcept { delete big; }

Integer::BigPointer Integer::copy_of(const Big& big) { return BigPointer(new Big(big)); }

Integer Integer::from_digits(std::string_view digits) {
  POISE_CHECK(!digits.empty());
  BigPointer big(new Big);
  POISE_CHECK(mpz_set_str(big->value, std::string(digits).c_str(), 10) == 0);
  return Operations::normal(std::move(big));
}

Integer Integer::power(std::uint32_t base, std::uint32_t exponent) {
  BigPointer big(new Big);
  mpz_ui_pow_ui(big->value, base, exponent);
  return Operations::normal(std::move(big));
}

std::string Integer::to_string() const {
  if (big_ == nullptr) return std::to_string(small_);
  std::string digits(mpz_sizeinbase(big_->value, 10) + 2, '\0');
  mpz_get_str(digits.data(), 10, big_->value);
  digits.resize(digits.find('\0'));
  return digits;
}

int Integer::big_sign() const { return mpz_sgn(big_->value); }

std::int64_t Integer::to_int64() const {
  POISE_CHECK(fits_int64());
  return small_;
}

std::size_t Integer::bits() const {
  if (sign() == 0) return 0;
  return mpz_sizeinbase(Operations::Operand(*this).view, 2);
}

std::size_t Integer::hash() const {
  if (big_ == nullptr) return std::hash<std::int64_t>{}(small_);
  std::size_t hash = mpz_size(big_->value);
  for (std::size_t i = 0; i < mpz_size(big_->value); ++i) {
    hash = hash * 1099511628211U + mpz_getlimbn(big_->value, static_cast<mp_size_t>(i));
  }
  return hash;
}

Integer operator+(const Integer& a, const Integer& b) {
  std::int64_t sum = 0;
  if (a.fits_int64() && b.fits_int64() && !__builtin_add_overflow(a.small_, b.small_, &sum)) {
    return sum;
  }
  return Integer::Operations::apply(a, b, mpz_add);
}

Integer operator-(const Integer& a, const Integer& b) {
  std::int64_t difference = 0;
  if (a.fits_int64() && b.fits_int64() &&
      !__builtin_sub_overflow(a.small_, b.small_, &difference)) {
    return difference;
  }
  return Integer::Operations::apply(a, b, mpz_sub);
}

Integer operator*(const Integer& a, const Integer& b) {
  std::int64_t product = 0;
  if (a.fits_int64() && b.fits_int64() && !__builtin_mul_overflow(a.small_, b.small_, &product)) {
    return product;
  }
  return Integer::Operations::apply(a, b, mpz_mul);
}

Integer operator-(const Integer& a) { return Integer(0) - a; }

std::strong_ordering Integer::compare_big(const Integer& a, const Integer& b) {
  const Operations::Operand left(a);
  const Operations::Operand right(b);
  return mpz_cmp(left.view, right.view) <=> 0;
}

Integer floor_divide(const Integer& a, const Integer& b) {
  POISE_CHECK(b.sign() > 0);
  if (a.fits_int64() && b.fits_int64()) {
    const std::int64_t quotient = a.small_ / b.small_;
    return a.small_ % b.small_ < 0 ? quotient - 1 : quotient;
  }
  return Integer::Operations::apply(a, b, mpz_fdiv_q);
}

Integer gcd(const Integer& a, const Integer& b) {
  // std::gcd takes magnitudes, and that of the smallest int64 does not fit.
  if (a.fits_int64() && b.fits_int64() && a.small_ != INT64_MIN && b.small_ != INT64_MIN) {
    return std::gcd(a.small_, b.small_);
  }
  return Integer::Operations::apply(a, b, mpz_gcd);
}

}  // namespace poise

//! Exact decimal numbers with Terraform's precision and spelling.

use bigdecimal::num_bigint::{BigInt, Sign};
use bigdecimal::{BigDecimal, RoundingMode, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;

/// A number: whole ones that fit take the fast path, all others are decimals without trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Repr);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Repr {
    Int(i64),
    Dec(Box<BigDecimal>),
}

/// Significant digits kept: what 512 bits hold, Terraform's precision.
const DIGITS: u32 = 155;

/// Digits of a quotient beyond those, so that `1 / 3 * 3` is 1 again.
const GUARD: u32 = 5;

/// Numbers beyond ten to this power, and fractions finer than its inverse, are refused: they could eat all memory.
const MAX_EXPONENT: i64 = 4096;

/// Longest mantissa that is read.
const MAX_TEXT: usize = 8192;

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The second operand of `/` or `%` is zero.
    DivisionByZero,
    /// Larger than ten to the power of 4096, or finer.
    OutOfRange,
}

impl NumberError {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::DivisionByZero => "division by zero",
            Self::OutOfRange => "the number is too large or too fine: the limit is 4096 digits",
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Repr::Int(value))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or_else(|_| Self::exact(&BigDecimal::from(value)), Self::from)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self::from(i64::from(value))
    }
}

impl Number {
    /// Reads a decimal: digits, with an optional sign, fraction and exponent. Nothing else is a number.
    pub fn parse(text: &str) -> Option<Result<Self, NumberError>> {
        if let Ok(int) = text.parse::<i64>() {
            return Some(Ok(int.into()));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return None;
                }
                // An exponent too long for i64 is out of range whatever it says.
                (mantissa, exponent.parse::<i64>().unwrap_or(i64::MAX))
            }
        };
        let digits = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) || whole.len() + fraction.len() == 0 {
            return None;
        }
        if exponent.abs() > MAX_EXPONENT || digits.len() > MAX_TEXT {
            return Some(Err(NumberError::OutOfRange));
        }
        let int: BigInt = format!("{whole}{fraction}").parse().ok()?;
        let int = if mantissa.starts_with('-') { -int } else { int };
        Some(Self::rounded(BigDecimal::new(int, count(fraction.len()) - exponent)))
    }

    /// A number that is known to be in range.
    fn exact(value: &BigDecimal) -> Self {
        let value = value.normalized();
        if value.fractional_digit_count() <= 0
            && let Some(int) = value.to_i64()
        {
            return Self(Repr::Int(int));
        }
        Self(Repr::Dec(Box::new(value)))
    }

    fn rounded(value: BigDecimal) -> Result<Self, NumberError> {
        Self::rounded_to(value, DIGITS)
    }

    fn rounded_to(value: BigDecimal, kept: u32) -> Result<Self, NumberError> {
        let value = match NonZeroU64::new(kept.into()) {
            Some(digits) if value.digits() > u64::from(kept) => {
                value.with_precision_round(digits, RoundingMode::HalfEven)
            }
            _ => value,
        }
        .normalized();
        let scale = value.fractional_digit_count();
        let top = i64::try_from(value.digits()).unwrap_or(i64::MAX).saturating_sub(scale);
        if !value.is_zero() && (top.abs() > MAX_EXPONENT || scale.abs() > 2 * MAX_EXPONENT) {
            return Err(NumberError::OutOfRange);
        }
        Ok(Self::exact(&value))
    }

    fn decimal(&self) -> BigDecimal {
        match &self.0 {
            Repr::Int(int) => BigDecimal::from(*int),
            Repr::Dec(value) => (**value).clone(),
        }
    }

    fn pair(&self, other: &Self) -> Option<(i64, i64)> {
        match (&self.0, &other.0) {
            (Repr::Int(a), Repr::Int(b)) => Some((*a, *b)),
            _ => None,
        }
    }

    /// `self + other`
    pub fn add(&self, other: &Self) -> Result<Self, NumberError> {
        if let Some(sum) = self.pair(other).and_then(|(a, b)| a.checked_add(b)) {
            return Ok(sum.into());
        }
        Self::rounded(self.decimal() + other.decimal())
    }

    /// `self - other`
    pub fn sub(&self, other: &Self) -> Result<Self, NumberError> {
        if let Some(difference) = self.pair(other).and_then(|(a, b)| a.checked_sub(b)) {
            return Ok(difference.into());
        }
        Self::rounded(self.decimal() - other.decimal())
    }

    /// `self * other`
    pub fn mul(&self, other: &Self) -> Result<Self, NumberError> {
        if let Some(product) = self.pair(other).and_then(|(a, b)| a.checked_mul(b)) {
            return Ok(product.into());
        }
        Self::rounded(self.decimal() * other.decimal())
    }

    /// `self / other`
    pub fn div(&self, other: &Self) -> Result<Self, NumberError> {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if let Some((a, b)) = self.pair(other)
            && a.checked_rem(b) == Some(0)
            && let Some(quotient) = a.checked_div(b)
        {
            return Ok(quotient.into());
        }
        let (a, b) = (self.decimal(), other.decimal());
        let (a, a_scale) = a.into_bigint_and_exponent();
        let (b, b_scale) = b.into_bigint_and_exponent();
        // Enough zeros behind the dividend that the whole-number quotient has all the digits that are kept.
        let digits = |n: &BigInt| i64::try_from(BigDecimal::new(n.clone(), 0).digits()).unwrap_or(i64::MAX);
        let zeros = (i64::from(DIGITS + GUARD) + 3 + digits(&b) - digits(&a)).max(0);
        let shifted = a * BigInt::from(10u8).pow(u32::try_from(zeros).unwrap_or(u32::MAX));
        let (quotient, rest) = (&shifted / &b, &shifted % &b);
        // A digit that stands for "and something more", so that the rounding of an exact half is right.
        let sticky = match rest.sign() {
            Sign::NoSign => 0,
            _ if (shifted.sign() == Sign::Minus) == (b.sign() == Sign::Minus) => 1,
            _ => -1,
        };
        Self::rounded_to(BigDecimal::new(quotient * 10 + sticky, a_scale + zeros - b_scale + 1), DIGITS + GUARD)
    }

    /// `self % other`: what is left of `self` after whole multiples of `other`, with the sign of `self`.
    pub fn rem(&self, other: &Self) -> Result<Self, NumberError> {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if let Some(rest) = self.pair(other).and_then(|(a, b)| a.checked_rem(b)) {
            return Ok(rest.into());
        }
        Self::rounded(self.decimal() % other.decimal())
    }

    /// `-self`
    #[must_use]
    pub fn neg(&self) -> Self {
        match &self.0 {
            Repr::Int(int) if int.checked_neg().is_some() => (-int).into(),
            _ => Self::exact(&-self.decimal()),
        }
    }

    /// The largest whole number that is not above `self`.
    #[must_use]
    pub fn floor(&self) -> Self {
        self.whole(RoundingMode::Floor)
    }

    /// The smallest whole number that is not below `self`.
    #[must_use]
    pub fn ceil(&self) -> Self {
        self.whole(RoundingMode::Ceiling)
    }

    /// Without its fraction.
    #[must_use]
    pub fn trunc(&self) -> Self {
        self.whole(RoundingMode::Down)
    }

    fn whole(&self, mode: RoundingMode) -> Self {
        match &self.0 {
            Repr::Int(_) => self.clone(),
            Repr::Dec(value) if value.fractional_digit_count() <= 0 => self.clone(),
            Repr::Dec(value) => Self::exact(&value.with_scale_round(0, mode)),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Int(0)
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Int(int) => *int < 0,
            Repr::Dec(value) => value.sign() == Sign::Minus,
        }
    }

    /// Whether it has no fraction.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Dec(value) => value.fractional_digit_count() <= 0,
        }
    }

    /// The same number, if it is whole and fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Int(int) => Some(*int),
            Repr::Dec(_) => None,
        }
    }

    /// The same number, if it is whole, not negative, and fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Int(int) => u64::try_from(*int).ok(),
            Repr::Dec(value) if self.is_whole() => value.to_u64(),
            Repr::Dec(_) => None,
        }
    }

    /// The same number as a big whole number, if it is one.
    pub fn to_bigint(&self) -> Option<BigInt> {
        self.is_whole().then(|| self.decimal().with_scale(0).into_bigint_and_exponent().0)
    }

    /// A big whole number.
    pub fn from_bigint(value: BigInt) -> Result<Self, NumberError> {
        Self::rounded(BigDecimal::new(value, 0))
    }

    /// With so many digits behind the point.
    pub(crate) fn fixed(&self, digits: usize) -> String {
        let scale = i64::try_from(digits).unwrap_or(i64::MAX).min(MAX_EXPONENT);
        self.decimal().with_scale_round(scale, RoundingMode::HalfEven).to_plain_string()
    }

    /// The significant digits, rounded to so many or all that are kept, and the power of ten of the first.
    pub(crate) fn scientific(&self, digits: Option<usize>) -> (String, i64) {
        let kept = NonZeroU64::new(digits.map_or(DIGITS.into(), |digits| digits as u64));
        let value = match kept {
            Some(kept) if digits.is_some() || self.decimal().digits() > u64::from(DIGITS) => {
                self.decimal().with_precision_round(kept, RoundingMode::HalfEven)
            }
            _ => self.decimal(),
        };
        let (int, scale) = value.into_bigint_and_exponent();
        let mut text = int.magnitude().to_string();
        let exponent = if self.is_zero() { 0 } else { count(text.len()) - 1 - scale };
        if let Some(digits) = digits {
            text.push_str(&"0".repeat(digits.saturating_sub(text.len())));
        }
        (text, exponent)
    }

    /// The nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

/// A length as the scale of a decimal.
fn count(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.pair(other) {
            Some((a, b)) => a.cmp(&b),
            None => self.decimal().cmp(&other.decimal()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Int(int) => write!(f, "{int}"),
            Repr::Dec(value) if value.digits() > u64::from(DIGITS) => {
                let kept = NonZeroU64::new(DIGITS.into())
                    .map(|digits| value.with_precision_round(digits, RoundingMode::HalfEven));
                f.write_str(&kept.map_or_else(String::new, |kept| kept.normalized().to_plain_string()))
            }
            Repr::Dec(value) => f.write_str(&value.to_plain_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap().unwrap()
    }

    #[test]
    fn decimals_are_exact_and_written_plainly() {
        assert_eq!(number("0.1").add(&number("0.2")).unwrap(), number("0.3"));
        assert_eq!(number("1.500").to_string(), "1.5");
        assert_eq!(number("1e3"), Number::from(1000i64));
        assert_eq!(number("9223372036854775807").add(&Number::from(1i64)).unwrap().to_string(), "9223372036854775808");
        assert_eq!(number("9223372036854775808").sub(&Number::from(1i64)).unwrap().to_i64(), Some(i64::MAX));
        assert_eq!(number("18446744073709551615").to_u64(), Some(u64::MAX));
        assert_eq!(number("-1").to_u64(), None);
        assert_eq!(number("-9223372036854775808").neg().to_string(), "9223372036854775808");
        assert_eq!(number("1e30").scientific(None), ("1".into(), 30));
        assert_eq!(number("2.25").fixed(1), "2.2");
    }

    #[test]
    fn what_is_no_number_or_too_large_is_told() {
        for text in ["", "-", ".", "1e", "1e+", "0x1", "1_0", " 1", "1 ", "inf", "nan", "--1", "1.2.3", "٣"] {
            assert_eq!(Number::parse(text), None, "{text:?}");
        }
        for text in ["1e5000", "1e-5000", "1e99999999999999999999", "-1e9999"] {
            assert_eq!(Number::parse(text), Some(Err(NumberError::OutOfRange)), "{text:?}");
        }
        let big = number("1e4000");
        assert_eq!(big.mul(&big), Err(NumberError::OutOfRange));
        assert_eq!(number("1e-4000").mul(&number("1e-4000")), Err(NumberError::OutOfRange));
        assert_eq!(big.div(&Number::from(0i64)), Err(NumberError::DivisionByZero));
        assert_eq!(big.rem(&number("1e-4000")).unwrap(), Number::from(0i64));
    }

    proptest! {
        #[test]
        fn whole_numbers_agree_with_i128(a in any::<i64>(), b in any::<i64>()) {
            let (x, y) = (Number::from(a), Number::from(b));
            let (a, b) = (i128::from(a), i128::from(b));
            prop_assert_eq!(x.add(&y).unwrap().to_string(), (a + b).to_string());
            prop_assert_eq!(x.sub(&y).unwrap().to_string(), (a - b).to_string());
            prop_assert_eq!(x.mul(&y).unwrap().to_string(), (a * b).to_string());
            if b != 0 {
                prop_assert_eq!(x.rem(&y).unwrap().to_string(), (a % b).to_string());
                prop_assert_eq!(x.div(&y).unwrap().trunc().to_string(), (a / b).to_string());
            }
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn a_quotient_times_the_divisor_is_the_dividend(a in -1_000_000i64..1_000_000, b in 1i64..1_000_000) {
            let quotient = Number::from(a).div(&Number::from(b)).unwrap();
            prop_assert_eq!(quotient.mul(&Number::from(b)).unwrap(), Number::from(a));
        }

        #[test]
        fn what_is_written_reads_back(whole in any::<i64>(), fraction in 0u32..1_000_000, exponent in -40i32..40) {
            let value = number(&format!("{whole}.{fraction:06}e{exponent}"));
            prop_assert_eq!(number(&value.to_string()), value.clone());
            prop_assert!(value.floor() <= value && value <= value.ceil());
            prop_assert_eq!(value.neg().neg(), value);
        }
    }
}

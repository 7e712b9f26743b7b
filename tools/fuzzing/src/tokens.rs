//! Tokens of expressions, for those who compute while they read.

/// A text of which tokens are taken, and the blanks behind them.
#[derive(Clone)]
pub struct Tokens<'a>(&'a [u8]);

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        let mut tokens = Self(text);
        tokens.skip_blanks();
        tokens
    }

    fn skip_blanks(&mut self) {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let count = self.0.iter().take_while(|byte| blank(byte)).count();
        self.0 = &self.0[count..];
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these bytes comes next, which stays.
    pub fn is_next(&self, bytes: &[u8]) -> bool {
        self.0.first().is_some_and(|first| bytes.contains(first))
    }

    /// Takes one of these bytes.
    pub fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        if !bytes.contains(&first) {
            return None;
        }
        self.0 = rest;
        self.skip_blanks();
        Some(first)
    }

    /// Takes a sign: whether it is a minus.
    pub fn sign(&mut self) -> Option<bool> {
        self.one_of(b"+-").map(|sign| sign == b'-')
    }

    /// Takes `0x` and the hexadecimal digits behind it, of which there is one at least, and which it gives.
    pub fn hexadecimal(&mut self) -> Option<&'a str> {
        let behind = self.0.strip_prefix(b"0x").or(self.0.strip_prefix(b"0X"))?;
        let count = behind.iter().take_while(|byte| byte.is_ascii_hexdigit());
        let (digits, rest) = behind.split_at(count.count());
        let digits = std::str::from_utf8(digits).ok();
        let digits = digits.filter(|digits| !digits.is_empty())?;
        self.0 = rest;
        self.skip_blanks();
        Some(digits)
    }

    /// Takes decimal digits, of which there is one at least.
    pub fn digits(&mut self) -> Option<&'a str> {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit());
        let (digits, rest) = self.0.split_at(count.count());
        self.0 = rest;
        self.skip_blanks();
        let digits = std::str::from_utf8(digits).ok();
        digits.filter(|digits| !digits.is_empty())
    }

    /// Decimal digits, those before a point and those behind it, with the blanks after them; none behind where there is no point.
    pub fn decimal(&mut self) -> Option<[&'a str; 2]> {
        let count = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole = count(self.0);
        let behind = match self.0.get(whole) {
            Some(b'.') => count(&self.0[whole + 1..]),
            _ => 0,
        };
        if behind == 0 {
            return self.digits().map(|digits| [digits, ""]);
        }
        let [before, behind] = [&self.0[..whole], &self.0[whole + 1..][..behind]]
            .map(|digits| std::str::from_utf8(digits).expect("digits are ASCII"));
        self.0 = &self.0[whole + 1 + behind.len()..];
        self.skip_blanks();
        (whole > 0).then_some([before, behind])
    }
}

//! Expressions in two variables, with rational coefficients: `1/2*x^2*y - 3y + (x+y)^3`.

use super::super::LineError;
use super::{stops, variable};
use sunzi_field::expression::syntax::{self, Dialect};
use sunzi_integer::{Multiplier, text::DecimalTables};
use sunzi_poly::text::TwoVariables;
use thiserror::Error;

/// The names of two variables: different, and each a letter with letters, digits and `_` behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    names: [String; 2],
}

/// What is wrong with the names of variables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariablesError {
    /// There are not two.
    #[error("two variables are named with a comma between them, as a,b")]
    NotTwo,
    /// One is no name.
    #[error(
        "`{0}` is no name of a variable: write a letter, and behind it letters, digits and _, at most 24 together"
    )]
    NoName(String),
    /// One would be taken for a part of numbers.
    #[error("`{0}` is an exponent of ten in numbers such as 1e5: give the variable another name")]
    Exponent(String),
    /// One is too long, where a length is set.
    #[error("`{0}` is a long name of a variable: 24 letters, digits and _ are the most")]
    Long(String),
    /// Both are the same.
    #[error("both variables are called {0}: give them two names")]
    Same(String),
}

impl Default for Variables {
    /// x and y.
    fn default() -> Self {
        Self {
            names: ["x", "y"].map(str::to_owned),
        }
    }
}

impl std::str::FromStr for Variables {
    type Err = VariablesError;

    /// Two names with a comma between them.
    fn from_str(text: &str) -> Result<Self, VariablesError> {
        let Some((first, second)) = text.split_once(',') else {
            return Err(VariablesError::NotTwo);
        };
        let names = [first, second].map(|name| name.trim().to_owned());
        for name in &names {
            variable::check(name)?;
        }
        match names {
            [first, second] if first == second => Err(VariablesError::Same(first)),
            names => Ok(Self { names }),
        }
    }
}

impl Variables {
    /// The two names.
    pub fn names(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// The polynomial that an expression in these variables stands for, of which there is room for all coefficients.
    ///
    /// # Errors
    /// Where the text is no such expression, or what it stands for exceeds the limits on degree, width and work.
    pub fn read(
        &self,
        content: &[u8],
        multiplier: &Multiplier,
        tables: &DecimalTables,
    ) -> Result<TwoVariables, LineError> {
        let tree = syntax::parse(content, Dialect::Quotients(&self.names()))
            .map_err(|offset| LineError::new(offset, self.problem_at(content, offset)))?;
        Ok(TwoVariables::expand(
            &tree,
            content.len(),
            multiplier,
            tables,
        )?)
    }

    /// What is wrong where a text stops to be an expression.
    fn problem_at(&self, content: &[u8], offset: usize) -> String {
        let [first, second] = self.names();
        stops::at(
            content,
            offset,
            first,
            &[first, second],
            &format!("the variables are {first} and {second}, and --vars names others"),
            format!("write a sum of terms such as 1/2*{first}^2*{second} - 3*{second} + 1"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_integer::Integer;

    fn read_with(names: &str, text: &str) -> Result<TwoVariables, LineError> {
        let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
        let variables: Variables = names.parse().unwrap();
        variables.read(text.as_bytes(), &multiplier, &tables)
    }

    /// Rows and denominator in words.
    fn shown(names: &str, text: &str) -> Result<(Vec<Vec<i64>>, i64), LineError> {
        let found = read_with(names, text)?;
        let small = |value: &Integer| i64::try_from(value.clone()).unwrap();
        let row = |row: &Vec<Integer>| row.iter().map(small).collect();
        Ok((
            found.rows.iter().map(row).collect(),
            small(&found.denominator),
        ))
    }

    #[test]
    fn expressions_are_expanded() {
        type Rows = &'static [&'static [i64]];
        let cases: [(&str, Rows, i64); 23] = [
            ("0", &[], 1),
            ("x - x", &[], 1),
            ("7", &[&[7]], 1),
            ("x", &[&[0, 1]], 1),
            ("y", &[&[], &[1]], 1),
            ("1/2", &[&[1]], 2),
            ("2/4*x", &[&[0, 1]], 2),
            ("x/2*2", &[&[0, 1]], 1),
            ("1/2x", &[&[0, 1]], 2),
            ("x/-3 + y/6", &[&[0, -2], &[1]], 6),
            ("x/(1/2)", &[&[0, 2]], 1),
            ("1/2/3", &[&[1]], 6),
            ("0.25x - 1.50*y", &[&[0, 1], &[-6]], 4),
            ("(x+y)/2 - (x+y)/2", &[], 1),
            (
                "1/2*x^2*y - 3y + (x+y)^3",
                &[&[0, 0, 0, 2], &[-6, 0, 7], &[0, 6], &[2]],
                2,
            ),
            ("2xy", &[&[], &[0, 2]], 1),
            ("xy^2x", &[&[], &[], &[0, 0, 1]], 1),
            ("(x/2)^3", &[&[0, 0, 0, 1]], 8),
            ("(x/2 + 1/3)^2", &[&[4, 12, 9]], 36),
            ("(-1/2)^2*y", &[&[], &[1]], 4),
            ("(-1/1)^99999999999999999999", &[&[-1]], 1),
            ("6/4*x + 9/6*y", &[&[0, 3], &[3]], 2),
            ("(x-x)/5", &[], 1),
        ];
        for (text, rows, denominator) in cases {
            let rows: Vec<Vec<i64>> = rows.iter().map(|row| row.to_vec()).collect();
            assert_eq!(shown("x,y", text), Ok((rows, denominator)), "{text}");
        }
    }

    #[test]
    fn variables_have_the_names_that_are_given() {
        let expected = Ok((vec![vec![0, 2], vec![1, 1]], 1));
        for (names, text) in [
            ("a,b", "2a + b + a*b"),
            ("y,x", "2y + x + yx"),
            ("t, t1", "2t + t1 + t1 t"),
            ("alpha,beta_2", "2alpha + beta_2 + alphabeta_2"),
        ] {
            assert_eq!(shown(names, text), expected, "{names}");
        }
        for (names, problem) in [
            ("x", VariablesError::NotTwo),
            ("x,y,z", VariablesError::NoName("y,z".to_owned())),
            ("x,", VariablesError::NoName(String::new())),
            ("x,2y", VariablesError::NoName("2y".to_owned())),
            ("x,x", VariablesError::Same("x".to_owned())),
        ] {
            assert_eq!(names.parse::<Variables>(), Err(problem));
        }
    }

    #[test]
    fn what_is_no_expression_is_refused_where_it_stops() {
        for (text, offset, word) in [
            ("x + z", 4, "no variable `z`"),
            ("2*zeta^2", 2, "no variable `zeta`"),
            ("X", 0, "no variable `X`"),
            ("x^-1", 2, "exponent"),
            ("x^y", 2, "exponent"),
            ("x^(2)", 2, "exponent"),
            ("x^", 2, "exponent"),
            ("x^2^3", 3, "exponent"),
            ("x^1.5", 3, "an exponent is an integer"),
            (".5*x", 0, "digits on both sides"),
            ("1.*x", 1, "digits on both sides"),
            ("1.5.2*x", 3, "digits on both sides"),
            ("1e3*x", 1, "no variable `e3`"),
            ("x = y = 1", 6, "one `=`"),
            ("x/y", 2, "no number"),
            ("x/(y-y)", 3, "zero"),
            ("1/0", 2, "zero"),
            ("x y 2", 4, "unexpected '2'"),
            ("(x+y", 4, "too early"),
            ("x*", 2, "too early"),
            ("", 0, "too early"),
            ("x+y)", 3, "unexpected ')'"),
            (
                &"(".repeat(70),
                65,
                "parentheses are nested more than 64 deep",
            ),
            (
                &("(".repeat(65) + "x"),
                65,
                "parentheses are nested more than 64 deep",
            ),
            ("x^70000", 0, "degree is above 65536"),
            ("(x^300*y)^300", 0, "degree is above 65536"),
            ("(x+y)^100000", 0, "degree is above 65536"),
            ("(x+y+1)^1000", 0, "too much"),
            ("2^100000000*x", 0, "too much"),
            ("x/2^100000000", 2, "too much"),
        ] {
            let error = read_with("x,y", text).expect_err(text);
            assert_eq!(error.offset, offset, "{text}: {}", error.problem);
            assert!(error.problem.contains(word), "{text}: {}", error.problem);
        }
    }

    #[test]
    fn hostile_quotients_are_refused_quickly() {
        let primes: Vec<String> = (0..20_000).map(|k| format!("x/{}", 2 * k + 1)).collect();
        let wide: Vec<String> = (0..3_000).map(|k| format!("3^9999*x^{k}")).collect();
        let texts = [
            primes.join("+"),
            format!("({})/(3^250000)", wide.join("+")),
            format!("({})/3^250000*7", vec!["3^250000*y"; 2_000].join("-")),
            "(x/2)^2".to_owned() + &"/7".repeat(300_000),
        ];
        for text in texts {
            let start = std::time::Instant::now();
            let found = read_with("x,y", &text);
            assert!(start.elapsed().as_secs() < 20, "{text:.40}");
            assert!(found.is_err(), "{text:.40}");
        }
    }

    #[test]
    fn dense_polynomials_with_many_denominators_are_read() {
        let mut terms = Vec::new();
        for i in 0..20 {
            for j in 0..20 {
                terms.push(format!(
                    "{}/{}*x^{i}*y^{j}",
                    i - j,
                    1009 * (i + 3) + 7919 * j
                ));
            }
        }
        let found = read_with("x,y", &terms.join(" + ")).unwrap();
        for i in 0..20i64 {
            for j in 0..20i64 {
                let row = &found.rows[j as usize];
                let coefficient = row.get(i as usize).cloned().unwrap_or_default();
                let below = Integer::from(1009 * (i + 3) + 7919 * j);
                assert_eq!(coefficient * below, &found.denominator * (i - j));
            }
        }
    }
}

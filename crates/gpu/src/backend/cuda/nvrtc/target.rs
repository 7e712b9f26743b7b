//! What is compiled for: an architecture's own code, or text that the driver compiles on.

/// What the compiler makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Code of this architecture.
    Cubin(u32),
    /// The intermediate language, as this architecture has it.
    Ptx(u32),
}

impl Target {
    /// The target for an architecture, where the compiler knows those of `supported` (all, if it does not say which).
    ///
    /// A compiler older than the device makes the intermediate language of the newest architecture that it knows: the
    /// driver compiles it for every later one.
    pub fn choose(architecture: &str, supported: &[u32], has_cubins: bool) -> Result<Self, String> {
        let number = number(architecture)?;
        let known = supported.is_empty() || supported.contains(&number);
        match known {
            true if has_cubins => Ok(Self::Cubin(number)),
            true => Ok(Self::Ptx(number)),
            false => {
                let below = supported.iter().filter(|&&known| known < number);
                below.max().copied().map(Self::Ptx).ok_or_else(|| {
                    let least = supported.iter().min().copied().unwrap_or_default();
                    format!("it compiles for sm_{least} and newer, not for {architecture}")
                })
            }
        }
    }

    /// How the compiler is told.
    pub fn option(self) -> String {
        match self {
            Self::Cubin(number) => format!("--gpu-architecture=sm_{number}"),
            Self::Ptx(number) => format!("--gpu-architecture=compute_{number}"),
        }
    }
}

/// 90 of `sm_90`.
fn number(architecture: &str) -> Result<u32, String> {
    let digits = architecture.strip_prefix("sm_").unwrap_or_default();
    digits
        .parse()
        .map_err(|_| format!("`{architecture}` is no architecture: they are named as sm_90 is"))
}

#[cfg(test)]
mod tests {
    use super::Target::{self, *};

    #[test]
    fn a_compiler_serves_what_it_knows_and_what_is_newer() {
        let supported = [75, 80, 90, 120];
        let choose = |architecture| Target::choose(architecture, &supported, true);
        assert_eq!(choose("sm_90"), Ok(Cubin(90)));
        assert_eq!(choose("sm_999"), Ok(Ptx(120)));
        assert_eq!(choose("sm_89"), Ok(Ptx(80)));
        let older = choose("sm_70").unwrap_err();
        assert!(older.contains("sm_75 and newer"), "{older}");
        assert_eq!(Target::choose("sm_90", &supported, false), Ok(Ptx(90)));
        assert_eq!(Target::choose("sm_90", &[], true), Ok(Cubin(90)));
        for wrong in ["", "90", "sm_", "sm_x", "sm_-1", "compute_90"] {
            assert!(choose(wrong).is_err(), "{wrong}");
        }
    }
}

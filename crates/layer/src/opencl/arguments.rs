//! Arguments of kernels, as the program sets them one by one.

/// What the compiler says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Signed,
    Unsigned,
    /// Numbers that are no integers, and vectors.
    Number,
    Pointer,
    /// Images, samplers, pipes, queues: handles of more than buffers.
    Opaque,
    /// A type of the program's own, or none that was kept.
    Unknown,
}

impl Kind {
    /// By the name of the type in OpenCL C.
    pub fn of(name: Option<&str>) -> Self {
        let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
            return Self::Unknown;
        };
        if name.ends_with('*') {
            return Self::Pointer;
        }
        let opaque = [
            "image",
            "sampler_t",
            "pipe",
            "queue_t",
            "event_t",
            "clk_event_t",
            "reserve_id_t",
        ];
        if opaque.iter().any(|begin| name.starts_with(begin)) {
            return Self::Opaque;
        }
        match name {
            "char" | "short" | "int" | "long" | "ptrdiff_t" | "intptr_t" => Self::Signed,
            "uchar" | "ushort" | "uint" | "ulong" | "bool" | "size_t" | "uintptr_t" => {
                Self::Unsigned
            }
            name if name.starts_with("unsigned ") => Self::Unsigned,
            "half" | "float" | "double" => Self::Number,
            name => {
                let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let is_vector = stem != name && Self::of(Some(stem)) != Self::Unknown;
                if is_vector {
                    Self::Number
                } else {
                    Self::Unknown
                }
            }
        }
    }
}

/// An argument.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    /// Local memory, of so many bytes.
    pub local: Option<usize>,
    /// Its bytes otherwise.
    pub bytes: Vec<u8>,
}

impl Argument {
    /// Its bytes as a number, if they are 1, 2, 4 or 8.
    pub fn word(&self) -> Option<u64> {
        let mut word = [0; 8];
        let is_word = self.local.is_none() && matches!(self.bytes.len(), 1 | 2 | 4 | 8);
        is_word.then(|| {
            word[..self.bytes.len()].copy_from_slice(&self.bytes);
            u64::from_le_bytes(word)
        })
    }

    /// The integer that it is. Where its type is not known, four bytes are one, and eight if no address and no double is so small.
    pub fn integer(&self, kind: Kind) -> Option<i64> {
        let word = self.word()?;
        let unused = 64 - 8 * self.bytes.len() as u32;
        let signed = ((word << unused) as i64) >> unused;
        match (kind, self.bytes.len()) {
            (Kind::Signed, _) | (Kind::Unknown, 4) => Some(signed),
            (Kind::Unsigned, _) => i64::try_from(word).ok(),
            (Kind::Unknown, 8) => i64::try_from(word).ok().filter(|&word| word < 1 << 32),
            _ => None,
        }
    }
}

/// The arguments of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    all: Vec<Option<Argument>>,
    /// Whether the kernel reaches memory that none of them names.
    pub reaches_unseen: bool,
}

impl Arguments {
    /// Takes an argument of so many bytes; without bytes it is local memory.
    pub fn set(&mut self, index: usize, size: usize, bytes: Option<&[u8]>) {
        if self.all.len() <= index {
            self.all.resize(index + 1, None);
        }
        let argument = self.all[index].get_or_insert_default();
        argument.local = bytes.is_none().then_some(size);
        argument.bytes.clear();
        argument.bytes.extend_from_slice(bytes.unwrap_or_default());
    }

    pub fn get(&self, index: usize) -> Option<&Argument> {
        self.all.get(index)?.as_ref()
    }

    pub fn has_local(&self) -> bool {
        self.all
            .iter()
            .flatten()
            .any(|argument| argument.local.is_some())
    }

    /// All that were set, with their places.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Argument)> {
        let all = self.all.iter().enumerate();
        all.filter_map(|(index, argument)| Some((index, argument.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_their_names() {
        for (name, kind) in [
            ("int", Kind::Signed),
            ("ulong", Kind::Unsigned),
            ("unsigned int", Kind::Unsigned),
            ("float*", Kind::Pointer),
            ("float", Kind::Number),
            ("float4", Kind::Number),
            ("image2d_t", Kind::Opaque),
            ("real", Kind::Unknown),
            ("vec3", Kind::Unknown),
            ("", Kind::Unknown),
        ] {
            assert_eq!(Kind::of(Some(name)), kind, "{name}");
        }
        assert_eq!(Kind::of(None), Kind::Unknown);
    }

    #[test]
    fn integers_are_read_by_their_type_or_by_their_length() {
        let mut arguments = Arguments::default();
        let mut integer = |bytes: &[u8], kind| {
            arguments.set(1, bytes.len(), Some(bytes));
            arguments.get(1).unwrap().integer(kind)
        };
        assert_eq!(integer(&[0xfe, 0xff, 0xff, 0xff], Kind::Signed), Some(-2));
        assert_eq!(
            integer(&[0xfe, 0xff, 0xff, 0xff], Kind::Unsigned),
            Some(0xffff_fffe)
        );
        assert_eq!(integer(&[0xff], Kind::Signed), Some(-1));
        assert_eq!(integer(&7_u64.to_le_bytes(), Kind::Unknown), Some(7));
        assert_eq!(
            integer(&0x7fff_0000_1000_u64.to_le_bytes(), Kind::Unknown),
            None
        );
        assert_eq!(integer(&1.0_f64.to_le_bytes(), Kind::Unknown), None);
        assert_eq!(integer(&1.0_f32.to_le_bytes(), Kind::Number), None);
        assert_eq!(integer(&[0; 16], Kind::Unknown), None);
        arguments.set(0, 64, None);
        assert!(arguments.has_local());
        assert_eq!(arguments.get(0).unwrap().integer(Kind::Unknown), None);
        assert_eq!(arguments.iter().count(), 2);
    }
}

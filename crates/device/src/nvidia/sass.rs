//! What a kernel's instructions are, on NVIDIA's GPUs from `sm_70` on.
//!
//! NVIDIA documents the instructions' names (*CUDA Binary Utilities*), but not their words. What is read here was found
//! by comparing the crate's own programs with NVIDIA's disassembler: an instruction has 128 bits; the lowest nine tell
//! the operation and the three above what its operands are; bits 12 to 15 are the predicate that it depends on, seven
//! for none. All figures count words as they stand: what is in a loop once, whatever its rounds.

/// Bytes of an instruction.
const BYTES: usize = 16;

/// Instructions of a kernel, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instructions {
    /// All that do something.
    pub all: u32,
    /// Products of words with all 64 bits (`IMAD.WIDE`) or the upper half of them (`IMAD.HI`).
    pub wide: u32,
    /// Those among them that take a carry in.
    pub with_carry: u32,
    /// Other products of words, and the moves and sums that are written as such (`IMAD`).
    pub narrow: u32,
    /// Operations on doubles.
    pub doubles: u32,
    /// Predicates, carries among them, that are kept in a register because there are only seven: `P2R`, and `LOP3` that
    /// sets a bit of a register if a predicate holds.
    pub kept_predicates: u32,
    /// Those among them that stand between products with carry: inside a chain of them, or between two.
    pub kept_in_chains: u32,
    /// Accesses to local memory, where spilled values are (`LDL`, `STL`).
    pub local: u32,
    /// Accesses to the memory that a group shares (`LDS`, `STS`).
    pub shared: u32,
    /// Accesses to the device's memory (`LDG`, `STG`).
    pub global: u32,
    /// Barriers of a group.
    pub barriers: u32,
}

impl Instructions {
    /// Counts those of a kernel's code, of which an incomplete last one is none.
    pub(super) fn count(code: &[u8]) -> Self {
        let mut counts = Self::default();
        // Kept since the last product with carry, or none yet.
        let mut since = None;
        for word in code.chunks_exact(BYTES) {
            let half = |range: std::ops::Range<usize>| {
                let add = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
                word[range].iter().rev().fold(0, add)
            };
            counts.add(half(0..8), half(8..16), &mut since);
        }
        counts
    }

    /// Counts an instruction of these two halves.
    fn add(&mut self, low: u64, high: u64, since: &mut Option<u32>) {
        self.all += 1;
        match low & 0x1ff {
            // `NOP` fills up the code's last lines.
            0x118 => self.all -= 1,
            0x025 => {
                self.wide += 1;
                if high & 1 << 10 != 0 {
                    self.with_carry += 1;
                    self.kept_in_chains += since.replace(0).unwrap_or(0);
                }
            }
            0x027 => self.wide += 1,
            0x024 => self.narrow += 1,
            // Product, sum, product with sum.
            0x028 | 0x029 | 0x02b => self.doubles += 1,
            0x183 | 0x187 => self.local += 1,
            0x184 | 0x188 => self.shared += 1,
            0x181 | 0x186 => self.global += 1,
            0x11d => self.barriers += 1,
            0x003 => self.keep(since),
            0x012 if sets_a_bit(low, high) => self.keep(since),
            _ => {}
        }
    }

    fn keep(&mut self, since: &mut Option<u32>) {
        self.kept_predicates += 1;
        if let Some(kept) = since {
            *kept += 1;
        }
    }
}

/// Whether a `LOP3` depends on a predicate, and is the union of its own register and one bit.
fn sets_a_bit(low: u64, high: u64) -> bool {
    let byte = |half: u64, at: u32| (half >> at) & 0xff;
    let (immediate, bit) = ((low >> 9) & 7 == 4, (low >> 32).is_power_of_two());
    let union = byte(high, 8) == 0xfc && byte(low, 16) == byte(low, 24);
    let depends = (low >> 12) & 7 != 7;
    immediate && bit && union && depends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of these instructions.
    fn code(words: &[(u64, u64)]) -> Vec<u8> {
        let halves = words.iter().flat_map(|&(low, high)| [low, high]);
        halves.flat_map(u64::to_le_bytes).collect()
    }

    // As NVIDIA's compiler makes them for `sm_90`, with the disassembler's words for them.
    /// `@!P4 IMAD.WIDE.U32 R16, R5, R19, R16`
    const WIDE: (u64, u64) = (0x0000_0013_0510_c225, 0x000f_ca00_078e_0010);
    /// `IMAD.WIDE.U32.X R4, P0, R68, R65, RZ, P0`
    const CARRY: (u64, u64) = (0x0000_0041_4404_7225, 0x004f_c800_0000_04ff);
    /// `P2R R51, PR, RZ, 0x2`
    const P2R: (u64, u64) = (0x0000_0002_ff33_7803, 0x000f_c400_0000_0000);
    /// `@P4 LOP3.LUT R0, R0, 0x100, RZ, 0xfc, !PT`
    const BIT: (u64, u64) = (0x0000_0100_0000_4812, 0x000f_e200_078e_fcff);
    /// `IMAD.HI.U32 R11, R11, R10, RZ`
    const HIGH: (u64, u64) = (0x0000_000a_0b0b_7227, 0x000f_c800_078e_00ff);
    /// `IMAD.MOV.U32 R63, RZ, RZ, RZ`
    const MOVE: (u64, u64) = (0x0000_00ff_ff3f_7224, 0x000f_c600_078e_00ff);
    /// `LDL R12, [R0]`
    const LDL: (u64, u64) = (0x0000_0000_000c_7983, 0x000e_a600_0010_0800);
    /// `STL [R6], R11`
    const STL: (u64, u64) = (0x0000_000b_0600_7387, 0x0205_e200_0010_0800);
    /// `LDS R68, [R17]`
    const LDS: (u64, u64) = (0x0000_0000_1144_7984, 0x000f_e800_0000_0800);
    /// `@!P1 STS [R31], R40`
    const STS: (u64, u64) = (0x0000_0028_1f00_9388, 0x0041_e200_0000_0800);
    /// `@!P2 LDG.E.CONSTANT R43, desc[UR8][R16.64+0x400]`
    const LDG: (u64, u64) = (0x0004_0008_102b_a981, 0x000f_2200_0c1e_9900);
    /// `@!P3 STG.E desc[UR8][R4.64+0x400], R3`
    const STG: (u64, u64) = (0x0004_0003_0400_b986, 0x004f_e200_0c10_1908);
    /// `BAR.SYNC.DEFER_BLOCKING 0x0`
    const BAR: (u64, u64) = (0x0000_0000_0000_7b1d, 0x000f_e200_0001_0000);
    /// `@P1 DFMA R20, R18, R14, 6.75539944105574400000e+15`
    const DFMA: (u64, u64) = (0x4338_0000_1214_142b, 0x002f_e400_0000_000e);
    /// `NOP`
    const NOP: (u64, u64) = (0x0000_0000_0000_7918, 0x000f_c000_0000_0000);

    #[test]
    fn instructions_are_told_apart() {
        let all = [
            WIDE, CARRY, P2R, BIT, CARRY, P2R, HIGH, MOVE, LDL, STL, LDS, STS, LDG, STG, BAR, DFMA,
            NOP, NOP,
        ];
        let expected = Instructions {
            all: 16,
            wide: 4,
            with_carry: 2,
            narrow: 1,
            doubles: 1,
            kept_predicates: 3,
            // The last one is behind the chain.
            kept_in_chains: 2,
            local: 2,
            shared: 2,
            global: 2,
            barriers: 1,
        };
        let mut code = code(&all);
        assert_eq!(Instructions::count(&code), expected);
        code.push(0);
        assert_eq!(Instructions::count(&code), expected);
        assert_eq!(Instructions::count(&[]), Instructions::default());
    }
}

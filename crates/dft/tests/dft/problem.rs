//! Lengths that there are.

use sunzi_dft::internals::checked_log;
use sunzi_dft::{Convolution, DftError};
use sunzi_field::Fp32;

#[test]
fn lengths_are_powers_of_two_up_to_the_two_adicity() {
    let field = Fp32::new(17).unwrap();
    let log = |len, convolution| checked_log(&field, len, convolution);
    assert_eq!(log(16, Convolution::Cyclic), Ok(4));
    assert_eq!(log(8, Convolution::Negacyclic), Ok(3));
    assert_eq!(log(1, Convolution::Plain), Ok(0));
    let too_long = |len, max| Err(DftError::TooLong { len, max });
    assert_eq!(log(17, Convolution::Cyclic), too_long(17, 16));
    assert_eq!(log(16, Convolution::Negacyclic), too_long(16, 8));
    assert_eq!(
        log(usize::MAX, Convolution::Plain),
        too_long(usize::MAX, 16)
    );
    let odd = |len, next| Err(DftError::NotPowerOfTwo { len, next });
    assert_eq!(log(0, Convolution::Cyclic), odd(0, 1));
    assert_eq!(log(12, Convolution::Cyclic), odd(12, 16));
}

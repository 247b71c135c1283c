//! The one place where values become bytes and bytes become values.
//!
//! bincode 2 with fixed-width little-endian integers. On its own it accepts trailing bytes and
//! more than one form of some values; here a value has exactly one encoding, and a claimed length
//! is refused before memory is taken for it.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::{Serialize, de::DeserializeOwned};

use super::limits::DECODE_BYTES_MAX;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<DECODE_BYTES_MAX>> =
    bincode::config::standard().with_fixed_int_encoding().with_limit::<DECODE_BYTES_MAX>();

/// Why bytes are not a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Too short, an unknown variant, a length over the limit, or a field out of range.
    #[error("it cannot be decoded")]
    Malformed,
    /// Bytes are left over.
    #[error("{0} bytes follow its end")]
    Trailing(usize),
    /// Encoding the value again gives other bytes.
    #[error("it is not in canonical form")]
    NotCanonical,
}

/// The canonical bytes of `value`. The result is empty only if `value` is over the limit, which
/// no value this program builds is.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, CONFIG).unwrap_or_default()
}

/// The value whose canonical bytes are exactly `bytes`.
///
/// # Errors
/// [`CodecError`] for anything else; no more than the decode limit is allocated.
pub fn decode<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let (value, read): (T, usize) =
        bincode::serde::decode_from_slice(bytes, CONFIG).map_err(|_| CodecError::Malformed)?;
    if read != bytes.len() {
        return Err(CodecError::Trailing(bytes.len() - read));
    }
    if encode(&value) != bytes {
        return Err(CodecError::NotCanonical);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_one_encoding_and_nothing_may_follow() {
        let bytes = encode(&(7u16, vec![1u8, 2], String::from("a")));
        // u16, u64 length + 2 bytes, u64 length + 1 byte: fixed widths, little-endian.
        assert_eq!(bytes, [7, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, b'a']);
        type Value = (u16, Vec<u8>, String);
        assert_eq!(decode::<Value>(&bytes), Ok((7, vec![1, 2], "a".into())));
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(decode::<Value>(&longer), Err(CodecError::Trailing(1)));
        for cut in 0..bytes.len() {
            assert_eq!(decode::<Value>(&bytes[..cut]), Err(CodecError::Malformed));
        }
    }

    #[test]
    fn a_claimed_length_takes_no_memory() {
        let mut bytes = (1u64 << 40).to_le_bytes().to_vec();
        bytes.extend([0; 16]);
        assert_eq!(decode::<Vec<u64>>(&bytes), Err(CodecError::Malformed));
        assert_eq!(decode::<String>(&bytes), Err(CodecError::Malformed));
    }
}

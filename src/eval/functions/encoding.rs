//! JSON, base64 and hashes.

use super::{ArgFault, Args, Function, failed, fault, function};
use crate::eval::json;
use crate::eval::value::Value;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write;

pub(super) const FUNCTIONS: [Function; 8] = [
    function("jsonencode", &["val"], jsonencode, "the value as JSON text").takes_null(),
    function("jsondecode", &["str"], jsondecode, "the value that JSON text holds"),
    function("base64encode", &["str"], |a| Ok(Value::string(STANDARD.encode(&*a.str(0)?))), "the text in base64"),
    function("base64decode", &["str"], base64decode, "the text that base64 holds"),
    function("urlencode", &["str"], urlencode, "the text as it stands in a URL's query"),
    function("sha256", &["str"], |a| Ok(hex(&Sha256::digest(a.str(0)?.as_bytes()))), "the SHA-256 hash in hexadecimal"),
    function("sha512", &["str"], |a| Ok(hex(&Sha512::digest(a.str(0)?.as_bytes()))), "the SHA-512 hash in hexadecimal"),
    function(
        "base64sha256",
        &["str"],
        |a| Ok(Value::string(STANDARD.encode(Sha256::digest(a.str(0)?.as_bytes())))),
        "the SHA-256 hash in base64",
    ),
];

fn jsonencode(args: &Args<'_>) -> Result<Value, ArgFault> {
    json::encode(&args.get(0)).map(Value::string).or_else(|why| fault(0, why))
}

fn jsondecode(args: &Args<'_>) -> Result<Value, ArgFault> {
    json::decode(&args.str(0)?).or_else(|why| fault(0, format!("not JSON: {why}")))
}

fn base64decode(args: &Args<'_>) -> Result<Value, ArgFault> {
    let Ok(bytes) = STANDARD.decode(&*args.str(0)?) else { return fault(0, "not base64") };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Value::string(text)),
        Err(_) => failed("what it holds is not UTF-8 text"),
    }
}

fn urlencode(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut out = String::new();
    for byte in args.str(0)?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            byte => drop(write!(out, "%{byte:02X}")),
        }
    }
    Ok(Value::string(out))
}

fn hex(bytes: &[u8]) -> Value {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    Value::string(out)
}

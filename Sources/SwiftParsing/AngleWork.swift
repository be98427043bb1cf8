/// The parser's work on `<`. At each `<`, the parser looks ahead for a list of generic arguments, up to the closing `>` or to a token that cannot be
/// part of a type.
struct AngleWork {
  /// The number of `<` that may still be open at the current position.
  var open = 0
  /// The number of tokens that were read, each counted once for every `<` that was open before it.
  var work = 0

  /// Updates `open` for the bytes of an operator. `+`, `*`, `/`, `%`, `|`, `^` and `=` cannot be part of a type, so they reset `open` to 0.
  mutating func note(operator bytes: UnsafeBufferPointer<UInt8>) {
    var before: UInt8 = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"): if index == 0 { open += 1 }
      case UInt8(ascii: ">"): if before != UInt8(ascii: "-") { open = max(0, open - 1) }
      case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "|"),
        UInt8(ascii: "^"), UInt8(ascii: "="):
        open = 0
      default: break
      }
      before = byte
    }
  }
}

/// The parser's work on `<`: at each it looks ahead for a list of generic arguments, up to its `>` or to what no type has.
struct AngleWork {
  /// `<` whose list may go on here.
  var open = 0
  /// Tokens, counted once for each `<` that was open before them.
  var work = 0

  /// Counts the angle brackets of an operator.
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

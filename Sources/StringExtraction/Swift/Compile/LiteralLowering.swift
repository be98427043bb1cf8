@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// A string literal with its escapes resolved, as the compiler reads it. One without an end is none: where it would end nobody knows.
  func literal(_ node: RawNode) -> Expression {
    let isSimple = node.kind == .simpleStringLiteralExpr
    guard node.child(isSimple ? 2 : 3)?.isMissingToken == false else { return .parts([]) }
    let pounds = isSimple ? 0 : node.child(0)?.bytes.count ?? 0
    let quote = node.child(isSimple ? 0 : 1)
    let isMultiline = (quote?.bytes.count ?? 1) == 3
    var segments: [LiteralSegment] = []
    var text: [UInt8] = []
    if let list = node.child(isSimple ? 1 : 2) {
      for segment in list.elements {
        if segment.kind == .stringSegment {
          Self.unescape(segment.child(0)?.bytes, pounds: pounds, isMultiline: isMultiline, into: &text)
        } else if segment.kind == .expressionSegment {
          if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
          text.removeAll(keepingCapacity: true)
          segments.append(.interpolation(arguments(segment.child(3))))
        }
      }
    }
    if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
    let place = quote.flatMap { self.place(of: pounds > 0 ? node : $0) } ?? SourcePlace(line: 1, column: 1)
    return .string(StringLiteral(segments: segments, place: place))
  }

  private static func unescape(
    _ bytes: UnsafeBufferPointer<UInt8>?, pounds: Int, isMultiline: Bool, into text: inout [UInt8]
  ) {
    guard let bytes else { return }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + pounds + 1 < bytes.count,
        bytes[(index + 1)..<(index + 1 + pounds)].allSatisfy({ $0 == UInt8(ascii: "#") })
      else {
        let isReturn = byte == UInt8(ascii: "\r") && isMultiline
        if isReturn, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") {
          index += 1
          continue
        }
        text.append(isReturn ? UInt8(ascii: "\n") : byte)
        index += 1
        continue
      }
      index += pounds + 1
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "0"): text.append(0)
      case UInt8(ascii: "u"): index = scalar(bytes, from: index, into: &text)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"):
        // A backslash at the end of a line joins it with the next.
        while index < bytes.count, bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") {
          index += 1
        }
      default: text.append(escape)
      }
    }
  }

  /// `{1F600}` after `\u`.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into text: inout [UInt8]) -> Int {
    var index = start
    guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return index }
    index += 1
    var value: UInt32 = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: "}") {
      guard let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue, value <= 0x10FFFF else { return index }
      value = value * 16 + UInt32(digit)
      index += 1
    }
    if let scalar = Unicode.Scalar(value) { text.append(contentsOf: Array(String(Character(scalar)).utf8)) }
    return min(index + 1, bytes.count)
  }
}

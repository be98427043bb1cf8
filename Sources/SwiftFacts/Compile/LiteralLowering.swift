@_spi(RawSyntax) import SwiftSyntax

extension FactCompiler {
  /// Lowers a string literal and resolves its escapes as the compiler does. Ignores an unclosed literal, because its end is unknown, a literal with
  /// an invalid escape, and a literal in unreachable code.
  func literal(_ node: RawNode) -> Expression {
    guard !isUnreachable else { return .parts([]) }
    let isSimple = node.kind == .simpleStringLiteralExpr
    guard
      (isSimple ? node[SimpleStringLiteralExpr.closingQuote] : node[StringLiteralExpr.closingQuote])?.isMissingToken
        == false
    else { return .parts([]) }
    let pounds = isSimple ? 0 : node[StringLiteralExpr.openingPounds]?.bytes.count ?? 0
    let quote = isSimple ? node[SimpleStringLiteralExpr.openingQuote] : node[StringLiteralExpr.openingQuote]
    let isMultiline = (quote?.bytes.count ?? 1) == 3
    var segments: [LiteralSegment] = []
    var text: [UInt8] = []
    var isWhole = true
    if let list = isSimple ? node[SimpleStringLiteralExpr.segments] : node[StringLiteralExpr.segments] {
      for segment in list.elements {
        if segment.kind == .stringSegment {
          isWhole =
            Self.unescape(segment[StringSegment.content]?.bytes, pounds: pounds, isMultiline: isMultiline, into: &text)
            && isWhole
        } else if segment.kind == .expressionSegment {
          if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
          text.removeAll(keepingCapacity: true)
          segments.append(.interpolation(arguments(segment[ExpressionSegment.expressions])))
        }
      }
    }
    guard isWhole else { return .parts([]) }
    if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
    let place = quote.flatMap { self.place(of: pounds > 0 ? node : $0) } ?? SourcePlace(line: 1, column: 1)
    let platforms = node.firstToken.flatMap { offset(of: $0) }.map { conditions.platforms(at: $0) } ?? .all
    return .string(StringLiteral(segments: segments, place: place, platforms: platforms))
  }

  /// Appends the bytes of a segment to `text`, with escapes resolved.
  /// - Returns: whether every escape is valid in Swift.
  private static func unescape(
    _ bytes: UnsafeBufferPointer<UInt8>?, pounds: Int, isMultiline: Bool, into text: inout [UInt8]
  ) -> Bool {
    guard let bytes else { return true }
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
      case UInt8(ascii: "u"):
        guard let end = scalar(bytes, from: index, into: &text) else { return false }
        index = end
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): text.append(escape)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"):
        // A backslash at the end of a line joins the line with the next line.
        guard isMultiline else { return false }
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
      default: return false
      }
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Reads `{1F600}` after `\u`.
  /// - Returns: the index after the closing brace; `nil` if a brace is missing, or if the number is not a Unicode scalar.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into text: inout [UInt8]) -> Int? {
    var index = start
    guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return nil }
    index += 1
    var value: UInt32 = 0
    while index < bytes.count, bytes[index] != UInt8(ascii: "}") {
      guard let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue, value <= 0x10FFFF else { return nil }
      value = value * 16 + UInt32(digit)
      index += 1
    }
    guard index < bytes.count, index > start + 1, let scalar = Unicode.Scalar(value) else { return nil }
    text.append(contentsOf: Array(String(Character(scalar)).utf8))
    return index + 1
  }
}

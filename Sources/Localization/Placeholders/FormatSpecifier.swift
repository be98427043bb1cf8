/// A specifier without its argument number: flags, width, precision, length and conversion (Apple, String Format Specifiers; IEEE printf).
package struct FormatSpecifier: Hashable, Sendable {
  /// A width or a precision.
  package enum Size: Hashable, Sendable {
    case digits(Int)
    /// `*`, which takes the size from the next argument, or from the argument with this number.
    case argument(Int?)
  }

  package private(set) var isLeftAligned = false
  package private(set) var showsPlus = false
  package private(set) var isZeroPadded = false
  package private(set) var isAlternate = false
  package private(set) var width: Size?
  /// The precision; `nil` without a dot. `%.f` has the precision 0.
  package private(set) var precision: Size?
  /// The length modifier, such as `ll` in `%lld`; may be empty.
  package private(set) var length = ""
  /// The conversion letter, such as `d` in `%lld`.
  package private(set) var conversion: UInt8 = 0

  /// Parses the rest of a `FormatString.Part.specifier`: `-08.2lf` of `%1$-08.2lf`. A size that does not fit into an integer becomes the
  /// largest integer.
  /// - Returns: `nil` if the text is not the rest of a specifier.
  package init?(_ rest: String) {
    var bytes = Array(rest.utf8)[...]
    while let byte = bytes.first, "-+0#'".utf8.contains(byte) {
      switch byte {
      case UInt8(ascii: "-"): isLeftAligned = true
      case UInt8(ascii: "+"): showsPlus = true
      case UInt8(ascii: "0"): isZeroPadded = true
      case UInt8(ascii: "#"): isAlternate = true
      default: break
      }
      bytes.removeFirst()
    }
    width = Self.size(&bytes)
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      precision = Self.size(&bytes) ?? .digits(0)
    }
    guard let last = bytes.popLast() else { return nil }
    conversion = last
    length = String(decoding: bytes, as: UTF8.self)
    guard ArgumentType(conversion: conversion, length: length) != nil,
      ["", "hh", "h", "ll", "l", "q", "j", "z", "t", "L"].contains(length)
    else { return nil }
  }

  private static func size(_ bytes: inout ArraySlice<UInt8>) -> Size? {
    if bytes.first == UInt8(ascii: "*") {
      bytes.removeFirst()
      let digits = bytes.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, bytes.dropFirst(digits.count).first == UInt8(ascii: "$") else { return .argument(nil) }
      bytes.removeFirst(digits.count + 1)
      return .argument(Int(String(decoding: digits, as: UTF8.self)))
    }
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    bytes.removeFirst(digits.count)
    return .digits(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
  }
}

/// The Swift symbol that Xcode 26 generates for a `manual` key of a String Catalog: `Text(.welcome)`, `String(localized: .Birds.seen(3))`.
///
/// The symbol is a static member of `LocalizedStringResource`. For any table except `Localizable`, it is in an enum with the table's name. The
/// symbol's name is the key without format specifiers, punctuation and spaces, in camel case: `welcome.title` becomes `welcomeTitle`, `%lld active`
/// becomes `active`, `Snap’s list` becomes `snapsList` (files that Xcode generated, in ten public repositories). Which capitals Xcode keeps is known
/// only from examples (`CKAsset` becomes `Ckasset`, `iCloud` becomes `ICloud`), so names are compared without case.
package struct GeneratedSymbol: Sendable {
  /// The beginning of the literal that represents a use of the symbol. The literal of a real key never begins with this character.
  package static let mark = "\u{0}"

  private let folded: String
  /// The tables that contain the key.
  private let tables: Set<String>

  /// - Returns: `nil` if the key has no characters for a name.
  package init?(key: String, tables: Set<String>) {
    let name = Self.folded(Self.withoutSpecifiers(key))
    guard !name.isEmpty else { return nil }
    folded = name
    self.tables = tables
  }

  func isNamed(_ name: String) -> Bool { Self.folded(name) == folded }

  /// Returns whether the symbol is generated for a table.
  /// - Parameter table: the table before the symbol's name; `nil` if there is none.
  func isOf(table: String?) -> Bool { tables.contains(table ?? "Localizable") }

  /// Returns the offset of each `.` before the symbol's name, ascending.
  package func offsets(in bytes: UnsafeBufferPointer<UInt8>) -> [Int32] {
    var found: [Int32] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: ".") else {
        index += 1
        continue
      }
      let dot = index
      index += 1
      let start = index
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      guard index > start else { continue }
      let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
      if isNamed(name) { found.append(Int32(truncatingIfNeeded: dot)) }
    }
    return found
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
      true
    default: false
    }
  }

  private static func folded(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber }.lowercased() }

  /// Returns a key without its specifiers, which stand for arguments and are not part of the symbol's name: `%lld`, `%1$@`, `%(name)@` and
  /// `%#@name@`.
  private static func withoutSpecifiers(_ key: String) -> String {
    var left = ""
    var rest = Substring(key)
    while let percent = rest.firstIndex(of: "%") {
      left += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      var ahead = rest.drop { $0.isNumber || $0 == "$" }
      if ahead.first == "(", let end = ahead.firstIndex(of: ")") { ahead = ahead[ahead.index(after: end)...] }
      if ahead.hasPrefix("#@"), let end = ahead.dropFirst(2).firstIndex(of: "@") {
        rest = ahead[ahead.index(after: end)...]
        continue
      }
      ahead = ahead.drop { "0123456789.+-# lhqLzjt".contains($0) }
      if let conversion = ahead.first, "@dDiuUxXoOfFeEgGaAcCsSp%".contains(conversion) { rest = ahead.dropFirst() }
      left += " "
    }
    return left + rest
  }
}

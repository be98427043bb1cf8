/// A parser for authors in git's notation, `Name <mail>`.
enum Author {
  /// Returns the name and the address of an author.
  /// - Returns: `nil` if one of them is missing, is malformed or contains characters that git cannot store.
  static func parse(_ text: String) -> (name: String, email: String)? {
    guard text.hasSuffix(">"), let open = text.firstIndex(of: "<") else { return nil }
    let name = text[..<open].split(separator: " ").joined(separator: " ")
    let email = text[text.index(after: open)...].dropLast()
    let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard isClean, !name.isEmpty, !name.contains(">") else { return nil }
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !email.contains(where: { " <>".contains($0) }) else {
      return nil
    }
    return (name, String(email))
  }
}

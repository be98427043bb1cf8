/// Finds web addresses that a translation changed or added, in links, in attributes of tags and in plain text.
package enum AddressCheck {
  /// Returns a message about the first address of the translation that the source text does not have; `nil` if there is none. The address of a
  /// localized version of the same page is allowed (`LinkTarget`).
  package static func change(of translation: String, against source: String) -> String? {
    guard translation.contains("://") else { return nil }
    let own = addresses(in: source)
    var open = own
    // Equal addresses are matched first, so a localized address cannot take the place of an address that the translation also has unchanged.
    let others = addresses(in: translation).filter { address in
      guard let index = open.firstIndex(where: { $0.isExactly(address) }) else { return true }
      open.remove(at: index)
      return false
    }
    var foreign: [String] = []
    for address in others {
      if let index = open.firstIndex(where: { LinkTarget.isLocalized(address, of: $0) }) {
        open.remove(at: index)
      } else if !own.contains(where: { $0.isExactly(address) || LinkTarget.isLocalized(address, of: $0) }) {
        // An address that is repeated is not foreign.
        foreign.append(address)
      }
    }
    guard let first = foreign.first else { return nil }
    return open.first.map { "the address \($0) is now \(first)" } ?? "the address \(first) is not in the source text"
  }

  /// Returns the addresses with `http` or `https`, without the sentence's punctuation after them.
  private static func addresses(in text: String) -> [String] {
    text.matches(of: /https?:\/\/[^\s"'<>()\[\]{}“”„«»]+/.ignoresCase()).map { match in
      var address = match.output
      while let last = address.last, ".,;:!?…。、，！？".contains(last) { address.removeLast() }
      return String(address)
    }
  }
}

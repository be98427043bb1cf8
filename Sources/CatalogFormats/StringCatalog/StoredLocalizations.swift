internal import Localization
internal import StructuredText

/// The document of a String Catalog, from which localizations are read on demand. Faults are not reported then, because a catalog with faults is
/// rejected when it is read.
final class LocalizationSource: Sendable {
  let document: JSONDocument
  let path: TreePath

  init(document: JSONDocument, path: TreePath) {
    self.document = document
    self.path = path
  }

  /// Returns the translation of a localization in any layout; `nil` if the localization contains no translation.
  fileprivate func translation(_ node: JSONNode) -> Translation? {
    if let plain = document.plainText(node) {
      return Translation(document.string(plain.value), state: document.translationState(plain.state))
    }
    var reader = CatalogReader(self)
    return reader.localization(node)
  }
}

/// The localizations of an entry, which are read from the document on demand.
final class StoredLocalizations: StoredTranslations {
  let source: LocalizationSource
  let localizations: JSONNode

  /// - Parameter localizations: an object with at least one translation.
  init(_ localizations: JSONNode, of source: LocalizationSource) {
    self.source = source
    self.localizations = localizations
  }

  func translation(in language: LocaleIdentifier) -> Translation? {
    let document = source.document
    var members = document.cursor(of: localizations)
    while let member = document.next(&members) {
      guard document.string(member.key, isExactly: language.rawValue) else { continue }
      return source.translation(member.value)
    }
    return nil
  }

  var approximateCount: Int { source.document.count(of: localizations) }

  func addLanguages(to count: inout LanguageCount) {
    let document = source.document
    var members = document.cursor(of: localizations)
    while let member = document.next(&members) {
      guard document.plainText(member.value) != nil || source.translation(member.value) != nil else { continue }
      if let expected = count.expected, document.string(member.key, isExactly: expected.rawValue) {
        count.stepOver()
      } else {
        count.insert(LocaleIdentifier(document.string(member.key)))
      }
    }
  }

  func forEach(_ body: (LocaleIdentifier, StoredTranslation) -> Void) {
    let document = source.document
    var members = document.cursor(of: localizations)
    while let member = document.next(&members) {
      if let plain = document.plainText(member.value) {
        let state = document.translationState(plain.state)
        body(LocaleIdentifier(document.string(member.key)), .plain(state, text: plain.value.index))
      } else if let translation = source.translation(member.value) {
        body(LocaleIdentifier(document.string(member.key)), .read(translation))
      }
    }
  }

  func text(at place: Int) -> String { source.document.string(JSONNode(index: place)) }

  func isUnusual(at place: Int) -> Bool {
    let node = JSONNode(index: place)
    return source.document.string(node, isEmptyOrHas: UInt8(ascii: "#")) || source.document.mayBeginWithSpace(node)
  }

  func isWritten(like other: any StoredTranslations) -> Bool {
    guard let other = other as? StoredLocalizations else { return false }
    return source.document.hasBytes(of: localizations, equalTo: other.localizations, in: other.source.document)
  }
}

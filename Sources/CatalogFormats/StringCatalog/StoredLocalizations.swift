internal import Localization
internal import StructuredText

/// The document of a String Catalog that was read without faults, from which localizations are read later.
final class LocalizationSource: Sendable {
  let document: JSONDocument
  let path: TreePath

  init(document: JSONDocument, path: TreePath) {
    self.document = document
    self.path = path
  }
}

/// The localizations of an entry, read from the document on demand.
final class StoredLocalizations: StoredTranslations {
  private let source: LocalizationSource
  private let localizations: JSONNode

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
      var reader = CatalogReader(source)
      return reader.localization(member.value)
    }
    return nil
  }

  func forEach(_ body: (LocaleIdentifier, StoredTranslation) -> Void) {
    let document = source.document
    var reader = CatalogReader(source)
    var members = document.cursor(of: localizations)
    while let member = document.next(&members) {
      if let plain = reader.plainText(member.value) {
        let state = reader.state(plain.state)
        body(LocaleIdentifier(document.string(member.key)), .plain(state, text: plain.value.index))
      } else if let translation = reader.localization(member.value) {
        body(LocaleIdentifier(document.string(member.key)), .read(translation))
      }
    }
  }

  func text(at place: Int) -> String { source.document.string(JSONNode(index: place)) }
}

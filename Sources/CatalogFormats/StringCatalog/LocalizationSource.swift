internal import Localization
internal import StructuredText

/// The localizations of a String Catalog that was read without a fault, where they stand in the file. An entry's number is that of its
/// `localizations`.
final class LocalizationSource: TranslationSource {
  let document: JSONDocument
  let path: TreePath

  init(document: JSONDocument, path: TreePath) {
    self.document = document
    self.path = path
  }

  func translation(in language: LocaleIdentifier, of entry: Int) -> Translation? {
    var members = document.cursor(of: JSONNode(index: entry))
    while let member = document.next(&members) {
      guard document.string(member.key, isExactly: language.rawValue) else { continue }
      var reader = CatalogReader(self)
      return reader.localization(member.value)
    }
    return nil
  }

  func forEachTranslation(of entry: Int, _ body: (LocaleIdentifier, StoredTranslation) -> Void) {
    var reader = CatalogReader(self)
    var members = document.cursor(of: JSONNode(index: entry))
    while let member = document.next(&members) {
      if let plain = reader.plainText(member.value) {
        let state = reader.state(plain.state)
        body(LocaleIdentifier(document.string(member.key)), .plain(state, text: plain.value.index))
      } else if let translation = reader.localization(member.value) {
        body(LocaleIdentifier(document.string(member.key)), .read(translation))
      }
    }
  }

  func text(at place: Int) -> String { document.string(JSONNode(index: place)) }
}

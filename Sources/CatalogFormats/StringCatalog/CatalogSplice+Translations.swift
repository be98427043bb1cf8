internal import Localization
internal import StructuredText

/// Writes entries in which only translations are added or changed, as in most imports.
extension CatalogSplice {
  /// The minimum number of entries for each thread.
  private static let entriesOfThread = 1000

  mutating func retranslate(_ entries: [ChangedEntries.Retranslated]) {
    let splice = self
    let shares = SharedWork.map(entries.count, atLeast: Self.entriesOfThread) { range in
      var share = splice
      share.edits = ByteEdits()
      for entry in entries[range] { share.retranslate(entry) }
      return share
    }
    for share in shares { add(share) }
  }

  private mutating func retranslate(_ entry: ChangedEntries.Retranslated) {
    let node = entry.localizations
    var object = JSONObjectEdit(node, of: document, style: style)
    for (language, change) in entry.translations {
      guard let translation = change else { continue }
      guard let member = localization(of: language, in: node) else {
        refuse(translation, at: document.keyNode(before: node) ?? node, key: entry.key.text, language)
        need(CatalogVersion.needed(by: translation))
        object.add(language.rawValue, CatalogValues.translation(translation))
        continue
      }
      guard !reader.isPlainly(member.value, translation) else { continue }
      let old = reader.localization(member.value)
      if old != translation { localization(member, from: old, to: translation, key: entry.key.text, language) }
    }
    object.apply(to: &edits, precedes: CatalogOrder.precedes)
  }

  private func localization(of language: LocaleIdentifier, in localizations: JSONNode) -> JSONMember? {
    var members = document.cursor(of: localizations)
    while let member = document.next(&members) {
      if document.string(member.key, isExactly: language.rawValue) { return member }
    }
    return nil
  }
}

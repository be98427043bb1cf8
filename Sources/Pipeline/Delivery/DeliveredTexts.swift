import Localization

/// Finds our translations among the texts of a branch by comparing these texts with the returned units. The authors of the commits are
/// ignored, because our commits may be copied, squashed and rebased.
struct DeliveredTexts {
  /// A translation on a branch.
  struct Text {
    var path: TreePath
    var key: UnitKey
    var language: LocaleIdentifier
    var translation: Translation

    /// - Parameter language: the language under which the catalog has the translation. For a file in an `.lproj` folder, `self.language` is
    ///   the language of the folder.
    /// - Returns: `nil` if there is no translation.
    init?(of key: UnitKey, _ language: LocaleIdentifier, in catalog: Catalog) {
      guard let translation = catalog.entries[key]?.translations[language] else { return nil }
      let path = catalog.path
      self.path = path
      self.key = key
      self.language =
        path.isInLanguageFolder ? LocaleIdentifier(String(path.parent.name.dropLast(".lproj".count))) : language
      self.translation = translation
    }
  }

  private let returned: [TranslationID: [ReturnedUnit]]
  private let renames: [TreePath: TreePath]
  private let context: PipelineContext

  /// - Parameter returned: the returned units that are neither settled nor passed over on the watched branch.
  init(returned: [ReturnedUnit], renames: [TreePath: TreePath], context: PipelineContext) {
    self.returned = Dictionary(grouping: returned) { TranslationID(key: $0.unit.key, language: $0.language) }
    self.renames = renames
    self.context = context
  }

  /// Returns whether the text equals a returned unit that is not settled.
  func isOpen(_ text: Text) -> Bool {
    let units = returned[TranslationID(key: text.key, language: text.language)] ?? []
    return units.contains { unit in
      guard isCatalog(unit.unit.catalog, of: text.path) else { return false }
      // The digest in the outcome of a held unit is that of the catalog's own translation, so only delivered units are compared by digest.
      let isDelivered = unit.outcome?.state == .delivered && unit.outcome?.translation == text.translation.digest
      return isDelivered || unit.isWordForWord(text.translation)
    }
  }

  /// Returns the indexes of the texts that a delivery once committed for a watched branch. A text need not be on that branch: its commit may not
  /// be merged yet, or a force-push may have dropped it later. In the second case, the ledger marks the text as settled until it is needed again.
  func settled(_ texts: [Text]) async throws -> Set<Int> {
    var found: Set<Int> = []
    for (language, places) in Dictionary(grouping: texts.indices, by: { texts[$0].language }) {
      let keys = Set(places.map { texts[$0].key })
      var sent: [SentUnitRecord] = []
      for vendor in context.vendors {
        sent += try await context.store.sentUnits(of: context.name, vendor: vendor.name, language: language, keys: keys)
      }
      let returns = try await context.store.returns(of: context.name, for: Set(sent.map(\.source)).sorted())
      var digests: [SourceID: Set<String>] = [:]
      for record in returns where record.language == language {
        for standing in record.outcomes.values where standing.state == .delivered || standing.state == .settled {
          if let digest = standing.translation { digests[record.source, default: []].insert(digest) }
        }
      }
      for place in places {
        let text = texts[place]
        let own = text.translation.deliveredDigests
        let isOurs = sent.contains { record in
          record.unit.key == text.key && isCatalog(record.unit.catalog, of: text.path)
            && !(digests[record.source] ?? []).isDisjoint(with: own)
        }
        if isOurs { found.insert(place) }
      }
    }
    return found
  }

  /// Returns whether a file belongs to the catalog with a path from the ledger. The file may contain only one language of the catalog. The
  /// file or the catalog may have been renamed.
  private func isCatalog(_ catalog: TreePath, of path: TreePath) -> Bool {
    let names = Set([path, renames.newest(of: path)].map(\.withoutLanguage))
    return names.contains(catalog.withoutLanguage) || names.contains(renames.newest(of: catalog).withoutLanguage)
  }
}

extension ReturnedUnit {
  /// Returns whether a translation has exactly the returned texts, in any state.
  func isWordForWord(_ translation: Translation) -> Bool {
    let came = units.filter { $0.target != nil }
    return !came.isEmpty
      && came.allSatisfy { unit in
        translation[unit.path].map { unit.brought($0.words, of: translation) } ?? false
      }
  }
}

extension Translation {
  /// The digests under which a delivery of this translation may be in the ledger: its current digest, and the digest that it had before its
  /// source text changed and it needed review.
  var deliveredDigests: Set<String> { [digest, inState(.translated).digest] }
}

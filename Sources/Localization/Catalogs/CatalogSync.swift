/// Updates a catalog from the strings of the code, like a build in Xcode (xcode-formats.md E, xcode-extraction.md E).
///
/// Where Xcode's behaviour is not known, sync preserves existing data:
/// - An entry that is no longer in code becomes stale if it has a text in a state other than `new`, a varied source text, or a text in a target
///   language that is not the source text. Otherwise it is removed.
/// - A source text that a person translated or varied is never replaced with the text from code.
/// - A comment is kept if code has none, even if it once came from code. A catalog does not record who wrote a comment, and Xcode kept such
///   comments for months in three projects (a dozen cases).
/// - `migrated` entries that are not in code are not changed.
/// - A stale entry of a key that only Debug builds contain is not changed: Xcode marked it in a Release build (xcode-extraction.md R21). Other keys
///   that only Debug builds contain are then not added, unless the catalog has such a key that is not stale (R22).
package enum CatalogSync {
  /// Returns the updated catalog and the changes.
  /// - Parameters:
  ///   - strings: all strings that were found for this catalog.
  ///   - kept: keys that occur in code, although it is unknown whether code localizes them. These keys are neither removed nor marked stale.
  ///   - mayRemove: whether all files were read that can contain strings for the catalog. Otherwise no entry is removed or marked stale, and comments
  ///   are only extended, except for generated comments, which are replaced.
  package static func sync(
    _ catalog: Catalog, with strings: [ExtractedString], keeping kept: Set<UnitKey> = [], mayRemove: Bool
  ) -> SyncResult {
    var result = SyncResult(catalog: catalog, changes: [])
    let found = Dictionary(strings.map { ($0.key, $0) }, uniquingKeysWith: joined)
    // Most entries do not change. Unchanged entries are not written, so the new catalog shares their memory with the old one.
    var steps: [EntrySync] = []
    var changed: [UnitKey: CatalogEntry?] = [:]
    for (key, present) in catalog.entries {
      var step = EntrySync(key: key, sourceLanguage: catalog.sourceLanguage, mayRemove: mayRemove)
      let entry =
        if let string = found[key] { step.updated(present, with: string) } else if kept.contains(key) {
          present
        } else { step.missing(present) }
      if entry != present { changed[key] = .some(entry) }
      if !step.changes.isEmpty { steps.append(step) }
    }
    let isOfRelease = isOfRelease(catalog, found)
    for (key, string) in found where catalog.entries[key] == nil {
      if isOfRelease, string.isOnlyForDebugging { continue }
      var step = EntrySync(key: key, sourceLanguage: catalog.sourceLanguage, mayRemove: mayRemove)
      changed[key] = .some(step.updated(nil, with: string))
      steps.append(step)
    }
    result.catalog.replace(changed)
    result.changes = steps.sorted { $0.key < $1.key }.flatMap(\.changes)
    return result
  }

  /// Returns whether Xcode last synced the catalog in a Release build (xcode-extraction.md R22): at least one entry of a key that only Debug builds
  /// contain is stale, and no such entry is current.
  private static func isOfRelease(_ catalog: Catalog, _ found: [UnitKey: ExtractedString]) -> Bool {
    var hasStale = false
    for (key, string) in found where string.isOnlyForDebugging {
      guard let entry = catalog.entries[key] else { continue }
      if entry.extractionState == nil || entry.extractionState == .extractedWithValue { return false }
      if entry.extractionState == .stale { hasStale = true }
    }
    return hasStale
  }

  /// Merges two strings that were found for one key. The value of `a` has precedence, and comments are joined.
  private static func joined(_ a: ExtractedString, _ b: ExtractedString) -> ExtractedString {
    var one = a
    one.value = a.value ?? b.value
    one.phrases = a.phrases ?? b.phrases
    one.hasInterpolation = a.hasInterpolation || b.hasInterpolation
    one.isOnlyForDebugging = a.isOnlyForDebugging && b.isOnlyForDebugging
    if let added = b.comment, let comment = a.comment {
      one.comment = comment.joiningLines(of: added)
    } else {
      one.comment = a.comment ?? b.comment
    }
    return one
  }
}

/// The sync of one entry, which collects its changes.
private struct EntrySync {
  let key: UnitKey
  let sourceLanguage: LocaleIdentifier
  let mayRemove: Bool
  var changes: [SyncChange] = []

  init(key: UnitKey, sourceLanguage: LocaleIdentifier, mayRemove: Bool) {
    self.key = key
    self.sourceLanguage = sourceLanguage
    self.mayRemove = mayRemove
  }

  private mutating func note(_ kind: SyncChange.Kind, old: String? = nil, new: String? = nil) {
    changes.append(SyncChange(key: key, kind: kind, old: old, new: new))
  }

  // MARK: Not in code (xcode-formats.md E1, E2)

  mutating func missing(_ entry: CatalogEntry?) -> CatalogEntry? {
    guard var entry, mayRemove, entry.extractionState == nil || entry.extractionState == .extractedWithValue else {
      return entry
    }
    guard saysSomething(entry) else {
      note(.removed)
      return nil
    }
    note(.becameStale)
    entry.extractionState = .stale
    return entry
  }

  /// Returns whether the entry contains a text or state that does not come from code but from a person or a translator.
  private func saysSomething(_ entry: CatalogEntry) -> Bool {
    let source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    return entry.translations.contains { language, translation in
      translation.leaves.contains { path, leaf in
        guard leaf.state == .new else { return true }
        guard language != sourceLanguage else { return !path.isRoot }
        return !leaf.words.isEmpty && !leaf.words.isExactly(source.leaf(at: path)?.words ?? .text(key.text))
      }
    }
  }

  // MARK: In code (xcode-formats.md E3-E6)

  mutating func updated(_ present: CatalogEntry?, with string: ExtractedString) -> CatalogEntry? {
    guard var entry = present else {
      note(.added)
      return created(from: string)
    }
    guard entry.extractionState != .manual, entry.extractionState != .stale || !string.isOnlyForDebugging else {
      return entry
    }
    updateState(&entry, with: string)
    updateSource(&entry, with: string)
    updateComment(&entry, with: string)
    return entry
  }

  private func created(from string: ExtractedString) -> CatalogEntry {
    var entry = CatalogEntry(comment: string.comment)
    if let words = given(by: string) {
      entry.extractionState = .extractedWithValue
      entry.translations[sourceLanguage] = Translation(leaf: VariedLeaf(words, state: .new))
    } else if let numbered = numberedKey(string) {
      entry.translations[sourceLanguage] = Translation(numbered, state: .new)
    }
    return entry
  }

  /// Returns the source text that code provides in addition to the key. If it has several arguments, they are numbered (xcode-formats.md E4).
  /// Returns `nil` if code provides no value, or if the value equals the key, because Xcode treats such an entry like one without a value
  /// (xcode-formats.md E3).
  private func given(by string: ExtractedString) -> ExchangeText? {
    if let phrases = string.phrases { return .phrases(phrases) }
    guard let value = string.value, !value.isExactly(key.text) else { return nil }
    return .text(string.origin.numbered(value) ?? value)
  }

  private func numberedKey(_ string: ExtractedString) -> String? { string.origin.numbered(key.text) }

  private mutating func updateState(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let old = entry.extractionState
    // If a person translated or varied the source text, the catalog is authoritative and code no longer changes it (xcode-formats.md A5).
    let givesText =
      given(by: string) != nil && (old == .extractedWithValue || isCodes(entry.translations[sourceLanguage]))
    let state: ExtractionState? = givesText ? .extractedWithValue : nil
    guard old != state else { return }
    entry.extractionState = state
    if old == .stale {
      note(.revived)
    } else {
      note(.extractionStateChanged, old: old?.rawValue, new: state?.rawValue)
    }
    // Code no longer provides a value, so the key is the text again.
    if old == .extractedWithValue, isCodes(entry.translations[sourceLanguage]) {
      let before = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
      entry.translations[sourceLanguage] = numberedKey(string).map { Translation($0, state: .new) }
      sourceBecame(of: &entry, before: before)
    }
  }

  /// Returns whether code may replace a source text. This is the case if there is none, or if it does not vary and has the state `new`. A text that a
  /// person wrote is `translated`.
  private func isCodes(_ translation: Translation?) -> Bool {
    guard let translation else { return true }
    return translation.substitutions.isEmpty && translation[.root]?.state == .new
  }

  private mutating func updateSource(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let present = entry.translations[sourceLanguage]
    guard isCodes(present) else { return }
    guard let words = given(by: string) else {
      // Xcode numbers the arguments of a new key. Xcode adds no source text to a key that is already translated (15 keys in 7 public projects,
      // without a counterexample).
      guard entry.translations.isEmpty, let numbered = numberedKey(string) else { return }
      entry.translations[sourceLanguage] = Translation(numbered, state: .new)
      note(.sourceAdded, new: numbered)
      return
    }
    guard !(present?[.root].map { $0.words.isExactly(words) } ?? false) else { return }
    let before = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
    entry.translations[sourceLanguage] = Translation(leaf: VariedLeaf(words, state: .new))
    sourceBecame(of: &entry, before: before)
  }

  /// Records a change of the source text and marks translations of the old text for review (xcode-formats.md E5). If only argument numbers changed,
  /// the translations remain valid.
  private mutating func sourceBecame(of entry: inout CatalogEntry, before: Translation) {
    let after = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    guard let old = before[.root], let new = after.translation[.root], !old.words.isExactly(new.words) else { return }
    note(.sourceChanged, old: old.texts.joined(separator: "\n"), new: new.texts.joined(separator: "\n"))
    let was = old.texts.map { UnitKey(FormatString($0).unnumbered) }
    guard was != new.texts.map({ UnitKey(FormatString($0).unnumbered) }) else { return }
    for (language, translation) in entry.translations where language != sourceLanguage {
      entry.translations[language] = translation.mapLeaves { _, leaf in
        var leaf = leaf
        if leaf.state == .translated || leaf.state == .machineTranslated { leaf.state = .needsReview }
        return leaf
      }
    }
  }

  private mutating func updateComment(_ entry: inout CatalogEntry, with string: ExtractedString) {
    let old = entry.comment
    guard var comment = string.comment else { return }
    // A line that is in none of the read sources may come from a source that was not read.
    if !mayRemove, let old, !entry.isCommentAutoGenerated { comment = old.joiningLines(of: comment) }
    guard !old.isExactly(comment) else { return }
    // Xcode's standard comment for an Info.plist key is not a developer's comment: an existing comment is kept.
    if string.origin == .infoPlist, old != nil { return }
    entry.comment = comment
    entry.isCommentAutoGenerated = false
    note(.commentChanged, old: old, new: comment)
  }
}

extension String {
  /// Returns the lines of both comments without duplicates, or this comment if the other adds no line. Xcode sorts several comments of a
  /// key (xcode-extraction.md E). If the lines are in another order, a person wrote them, so the order is kept and new lines are appended.
  fileprivate func joiningLines(of other: String) -> String {
    let lines = split(separator: "\n").map { UnitKey(String($0)) }
    let added = Set(other.split(separator: "\n").map { UnitKey(String($0)) }).subtracting(lines).sorted()
    guard !added.isEmpty else { return self }
    if lines == lines.sorted() { return (lines + added).sorted().map(\.text).joined(separator: "\n") }
    return self + "\n" + added.map(\.text).joined(separator: "\n")
  }
}

extension Translation {
  /// Creates a translation without variations.
  package init(leaf: VariedLeaf) {
    self.init(text: VariedText(leaf, at: []))
  }
}

import Localization

/// The content of a delivery branch's pull request at the time when the pull request's text was last written. If a person closes the pull
/// request, neither this content nor a part of it is proposed again.
package struct ProposedContent: Hashable, Sendable {
  /// The text in the pull request's body that identifies the whole content.
  package var mark: String
  /// The digests of the content's parts: translations, and catalog lines that sync changes.
  package var parts: Set<String>
  /// The number of the pull request; `nil` if an earlier version recorded the content without the number.
  package var number: Int?
  /// Whether the pipeline has stopped delivering to the branch since. The pull request may then have been closed only because nothing was
  /// delivered to the branch, so its closing does not count as a refusal until a pull request of the branch is open again.
  package var isRetired: Bool

  package init(mark: String, parts: Set<String>, number: Int? = nil, isRetired: Bool = false) {
    self.mark = mark
    self.parts = parts
    self.number = number
    self.isRetired = isRetired
  }
}

extension ProposedContent {
  /// Returns the beginning of the title of a pull request for a branch.
  static func titleBeginning(for branch: String) -> String { "Translations for \(branch):" }

  /// The same content after the pipeline stopped delivering to the branch.
  var retired: ProposedContent { ProposedContent(mark: mark, parts: parts, number: number, isRetired: true) }

  /// A translation, or a line of a catalog.
  struct Part: Hashable {
    var digest: String
    /// The part's digests under all names of its catalog.
    private(set) var all: Set<String>

    /// - Parameters:
    ///   - name: the name of the part within its catalog.
    ///   - catalogs: all names of the catalog, the current name first.
    init(_ name: [UInt8], in catalogs: [TreePath]) {
      let digests = catalogs.map { path in
        ContentDigest.hexadecimal(of: Array("\(path.text)\u{0}".utf8) + name, bytes: 8)
      }
      digest = digests[0]
      all = Set(digests)
    }
  }

  /// Returns whether the content has the part, under any name of its catalog.
  func contains(_ part: Part) -> Bool { !part.all.isDisjoint(with: parts) }

  /// Returns the name that identifies a translation in its catalog.
  /// - Parameter digest: the digest of the translation.
  static func name(of key: UnitKey, _ language: LocaleIdentifier, _ digest: String) -> String {
    [key.text, language.rawValue, digest].joined(separator: "\u{0}")
  }
}

extension ReturnedUnit {
  /// The name that identifies the delivered translation in its catalog.
  var proposedName: String { ProposedContent.name(of: unit.key, language, outcome?.translation ?? "") }
}

import FoundationEssentials
import Localization

/// Finds the authors of the conflicting values on a delivery branch. If we wrote a value, such as a source text or a comment from sync, or a
/// delivered translation, no person has to resolve the conflict.
struct AuthorSearch {
  /// A value in conflict.
  private struct Subject: Hashable {
    enum Part: Hashable {
      /// The existence of the entry.
      case entry
      case comment
      case translation(LocaleIdentifier)
    }

    var key: UnitKey
    var part: Part
    /// Whether the value comes from code: a source text, a comment, or the existence of the key.
    var isCodes = true
  }

  private enum Author {
    case us, somebodyElse
    /// Nobody wrote the value on the delivery branch: it is older than the point where the branches diverged.
    case nobody
  }

  /// The value of a subject in a commit; `unknown` if the file is missing or cannot be read.
  private enum Value: Equatable {
    case text(Translation?)
    case comment(String?)
    case entry(Bool)
    case unknown

    /// The value with all states of a translation set to `translated`, so that only texts are compared.
    var words: Value {
      guard case .text(let translation?) = self else { return self }
      return .text(translation.inState(.translated))
    }
  }

  /// A cache of the values of the subjects, by commit and by the content of the file.
  private struct KnownValues {
    var ofCommits: [CommitID: [Value]] = [:]
    var ofContents: [BlobID: [Value]] = [:]
  }

  private let deliveryBranch: CommitID
  private let dropped: Set<CommitID>
  /// The commits of the delivery branch that the watched head lacks.
  private let lacking: [CommitID: CommitInfo]
  private let texts: DeliveredTexts
  private let context: PipelineContext

  /// - Parameters:
  ///   - lacking: the commits of the delivery branch that the watched branch lacks.
  ///   - dropped: the commits that the watched branch dropped.
  init(
    deliveryBranch: CommitID, lacking: [CommitInfo], dropped: Set<CommitID>, texts: DeliveredTexts,
    context: PipelineContext
  ) {
    self.deliveryBranch = deliveryBranch
    self.dropped = dropped
    self.lacking = Dictionary(lacking.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.texts = texts
    self.context = context
  }

  /// Returns the conflicts that a person must resolve, because another person wrote a value or because its author cannot be determined.
  /// Commits are read only if the author cannot be determined from the texts.
  func others(
    _ conflicts: [(path: TreePath, conflict: MergeConflict)]
  ) async throws -> [(path: TreePath, conflict: MergeConflict)] {
    let tree = try await context.mirror.tree(of: deliveryBranch)
    var found: [(path: TreePath, conflict: MergeConflict)] = []
    var own: OwnCommits?
    for (path, conflicts) in Dictionary(grouping: conflicts, by: \.path).sorted(by: { $0.key < $1.key }) {
      guard let bytes = try tree.bytes(at: path), let tip = catalog(bytes, at: path) else {
        found += conflicts
        continue
      }
      let subjects = conflicts.map { Self.subjects(of: $0.conflict, in: tip) }
      var authors: [Subject: Author] = [:]
      var open: [Subject] = []
      var met: Set<Subject> = []
      for subject in subjects.joined() where met.insert(subject).inserted {
        if text(of: subject, in: tip).map(texts.isOpen) ?? false {
          authors[subject] = .us
        } else {
          open.append(subject)
        }
      }
      if !open.isEmpty {
        var known: OwnCommits
        if let own { known = own } else { known = try await OwnCommits(context) }
        authors.merge(try await self.authors(of: open, in: tip, own: &known)) { $1 }
        own = known
      }
      for (conflict, subjects) in zip(conflicts, subjects) {
        // If the watched branch removed the key, all changes to the key on the delivery branch must be ours. Values from before the point
        // where the branches diverged are ignored.
        let isOurs = subjects.allSatisfy {
          authors[$0] == .us || conflict.conflict.place.isEmpty && authors[$0] == .nobody
        }
        if subjects.isEmpty || !isOurs { found.append(conflict) }
      }
    }
    return found
  }

  /// Returns the translation of a subject; `nil` for values from code, or if there is no translation.
  private func text(of subject: Subject, in tip: Catalog) -> DeliveredTexts.Text? {
    guard !subject.isCodes, case .translation(let language) = subject.part else { return nil }
    return DeliveredTexts.Text(of: subject.key, language, in: tip)
  }

  /// Returns the values in conflict; an empty array if we never write such values.
  private static func subjects(of conflict: MergeConflict, in tip: Catalog) -> [Subject] {
    guard let key = conflict.key else { return [] }
    // In a file with a single language, every entry is a translation.
    guard tip.path.holdsAllLanguages else {
      return [Subject(key: key, part: .translation(tip.sourceLanguage), isCodes: false)]
    }
    func translation(_ language: LocaleIdentifier) -> Subject {
      Subject(key: key, part: .translation(language), isCodes: language == tip.sourceLanguage)
    }
    guard let field = conflict.place.first else {
      guard let entry = tip.entries[key] else {
        return conflict.theirs == nil ? [Subject(key: key, part: .entry)] : []
      }
      guard conflict.ours == nil else { return [] }
      return [Subject(key: key, part: .comment)] + entry.translations.keys.sorted().map(translation)
    }
    if field == "comment" { return [Subject(key: key, part: .comment)] }
    let language = LocaleIdentifier(field)
    return language == tip.sourceLanguage || tip.languages.contains(language) ? [translation(language)] : []
  }

  /// Returns the authors of the values. Walks back from the delivery branch while a parent has the same value: a commit without such a
  /// parent wrote the value. If a commit of ours only changed a translation's state, because the source text changed, that commit is not
  /// the author. A translation that a delivery once committed for a watched branch is ours, even if somebody else copied it.
  private func authors(
    of subjects: [Subject], in tip: Catalog, own: inout OwnCommits
  ) async throws -> [Subject: Author] {
    var known = KnownValues()
    var authors: [Subject: Author] = [:]
    var copied: [(subject: Subject, text: DeliveredTexts.Text)] = []
    let values = try await values(of: subjects, in: tip.path, at: deliveryBranch, &known)
    for (number, subject) in subjects.enumerated() {
      var value = values[number]
      var place = deliveryBranch
      var author = Author.nobody
      search: while let info = lacking[place] {
        var before: [(parent: CommitID, value: Value)] = []
        for parent in info.parents {
          before.append((parent, try await self.values(of: subjects, in: tip.path, at: parent, &known)[number]))
        }
        if let same = before.first(where: { $0.value == value }) {
          place = same.parent
          continue search
        }
        // A value from code counts as ours if the watched branch dropped the commit that wrote it. A translation does not.
        let isDropped = subject.isCodes && dropped.contains(place)
        let isOwn = try await own.contains(info)
        author = isOwn || isDropped ? .us : .somebodyElse
        guard isOwn, let former = before.first(where: { $0.value.words == value.words }) else { break }
        (place, value) = former
      }
      authors[subject] = author
      if author == .somebodyElse, let text = text(of: subject, in: tip) { copied.append((subject, text)) }
    }
    for place in try await texts.settled(copied.map(\.text)) { authors[copied[place].subject] = .us }
    return authors
  }

  private func values(
    of subjects: [Subject], in path: TreePath, at commit: CommitID, _ known: inout KnownValues
  ) async throws -> [Value] {
    if let values = known.ofCommits[commit] { return values }
    let tree = try await context.mirror.tree(of: commit)
    guard let blob = try tree.entry(at: path)?.blob else { return subjects.map { _ in .unknown } }
    if let values = known.ofContents[blob] {
      known.ofCommits[commit] = values
      return values
    }
    let catalog = catalog(try tree.read(path), at: path)
    let values = subjects.map { subject -> Value in
      guard let catalog else { return .unknown }
      let entry = catalog.entries[subject.key]
      return switch subject.part {
      case .entry: .entry(entry != nil)
      case .comment: .comment(entry?.comment)
      case .translation(let language): .text(entry?.translations[language])
      }
    }
    known.ofContents[blob] = values
    known.ofCommits[commit] = values
    return values
  }

  private func catalog(_ bytes: [UInt8], at path: TreePath) -> Catalog? {
    try? context.formats(path)?.read(CatalogFiles(bytes, at: path))
  }
}

extension SourceTree {
  /// Returns the bytes of a file; `nil` if the file does not exist.
  func bytes(at path: TreePath) throws -> [UInt8]? {
    guard try entry(at: path) != nil else { return nil }
    return try read(path)
  }
}

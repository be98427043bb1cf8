import FoundationEssentials
import Localization

/// Finds whose commit of a delivery branch wrote what conflicts: a source text that sync brought, or a translation that was delivered, is
/// no conflict with a person.
struct AuthorSearch {
  /// Something that a conflict is about.
  private struct Subject {
    enum Part: Hashable {
      /// Whether there is an entry at all.
      case entry
      case comment
      case translation(LocaleIdentifier)
    }

    var key: UnitKey
    var part: Part
    /// Whether code says it: a source text, a comment or that the key is there.
    var isCodes = true
  }

  private enum Author {
    case us, somebodyElse
    /// It stood there before the branches parted.
    case nobody
  }

  /// What a commit says of a subject; `unknown` where the file is not there or cannot be read.
  private enum Value: Equatable {
    case text(Translation?)
    case comment(String?)
    case entry(Bool)
    case unknown
  }

  private let deliveryBranch: CommitID
  private let own: Set<CommitID>
  private let dropped: Set<CommitID>
  /// The commits that the watched head lacks.
  private let lacking: [CommitID: CommitInfo]
  private let context: PipelineContext

  init(deliveryBranch: CommitID, head: CommitID, dropped: Set<CommitID>, context: PipelineContext) async throws {
    self.deliveryBranch = deliveryBranch
    self.dropped = dropped
    self.context = context
    // Also what was delivered to another branch, and came here by the watched one.
    own = Set(try await context.store.deliveries(of: context.name, since: .distantPast).flatMap(\.commits))
    let commits = try await context.mirror.history(of: deliveryBranch, excluding: head, limit: 1000)
    lacking = Dictionary(commits.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The conflicts that are with somebody else.
  func others(_ conflicts: [MergeConflict], in path: TreePath) async throws -> [MergeConflict] {
    guard !conflicts.isEmpty else { return [] }
    let tree = try await context.mirror.tree(of: deliveryBranch)
    guard let bytes = try tree.bytes(at: path), let tip = catalog(bytes, at: path) else { return conflicts }
    let subjects = conflicts.map { Self.subjects(of: $0, in: tip) }
    let all = subjects.flatMap(\.self)
    let authors = try await authors(of: all, in: path)
    var place = 0
    var found: [MergeConflict] = []
    for (conflict, subjects) in zip(conflicts, subjects) {
      let own = authors[place..<(place + subjects.count)]
      place += subjects.count
      // Of a key that the watched branch removed, everything that the delivery branch added must be ours.
      let isOurs = conflict.place.isEmpty ? !own.contains(.somebodyElse) : own.allSatisfy { $0 == .us }
      if subjects.isEmpty || !isOurs { found.append(conflict) }
    }
    return found
  }

  /// Empty where a conflict is about what we never write.
  private static func subjects(of conflict: MergeConflict, in tip: Catalog) -> [Subject] {
    guard let key = conflict.key else { return [] }
    // The file of one language says everything in it.
    guard tip.path.ending == "xcstrings" else {
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

  /// Goes back from the delivery branch as long as a parent says the same: the commit whose parents do not has written it.
  private func authors(of subjects: [Subject], in path: TreePath) async throws -> [Author] {
    // Of each content of the file that was met, what it says.
    var known: [BlobID: [Value]] = [:]
    var authors: [Author] = []
    for number in subjects.indices {
      let tip = try await values(of: subjects, in: path, at: deliveryBranch, &known)[number]
      var place = deliveryBranch
      var author = tip == .unknown ? Author.somebodyElse : .nobody
      search: while tip != .unknown, let info = lacking[place] {
        for parent in info.parents
        where try await values(of: subjects, in: path, at: parent, &known)[number] == tip {
          place = parent
          continue search
        }
        // What code said in a commit that the watched branch dropped is nobody's any more; a person's translation stays one.
        let isDropped = subjects[number].isCodes && dropped.contains(place)
        author = own.contains(place) || isDropped ? .us : .somebodyElse
        break
      }
      authors.append(author)
    }
    return authors
  }

  private func values(
    of subjects: [Subject], in path: TreePath, at commit: CommitID, _ known: inout [BlobID: [Value]]
  ) async throws -> [Value] {
    let tree = try await context.mirror.tree(of: commit)
    guard let blob = try tree.entry(at: path)?.blob else { return subjects.map { _ in .unknown } }
    if let values = known[blob] { return values }
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
    known[blob] = values
    return values
  }

  private func catalog(_ bytes: [UInt8], at path: TreePath) -> Catalog? {
    try? context.formats(path)?.read(CatalogFiles(bytes, at: path))
  }
}

extension SourceTree {
  /// The bytes of a file; `nil` where there is none.
  func bytes(at path: TreePath) throws -> [UInt8]? {
    guard try entry(at: path) != nil else { return nil }
    return try read(path)
  }
}

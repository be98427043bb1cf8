import Localization

/// Merges a watched head into a delivery branch that holds commits of others: catalogs by key, language and variation, everything else as
/// git does.
///
/// Where both sides wrote another translation, the watched branch's stays if the delivery branch's is one of ours; a person's is never
/// decided about by us.
struct BranchMerge {
  let deliveryBranch: CommitID
  let head: CommitID
  /// The names of the two branches.
  let names: (String, String)
  /// The units that stand on the delivery branch by open deliveries of ours.
  let delivered: [ReturnedUnit]
  let context: PipelineContext

  /// Begins the writer with the merge commit.
  /// - Returns: conflicts that a person must decide; the writer is as it was then.
  func write(to writer: inout CommitWriter) async throws -> [Diagnostic] {
    let (resolved, conflicts) = try await catalogs()
    guard conflicts.isEmpty else { return conflicts }
    switch try await writer.merge(deliveryBranch, head, named: names, resolving: resolved) {
    case .merged: return []
    case .conflicts(let paths): return paths.sorted().map { conflict($0.text, "the file changed on both branches") }
    }
  }

  /// The localization files that both sides changed, merged.
  private func catalogs() async throws -> (resolved: [TreePath: [UInt8]?], conflicts: [Diagnostic]) {
    let mirror = context.mirror
    let base = try await mirror.mergeBase(deliveryBranch, head)
    let theirs = Set(try await mirror.changes(from: base, to: deliveryBranch).map(\.path))
    let ours = Set(try await mirror.changes(from: base, to: head).map(\.path))
    var resolved: [TreePath: [UInt8]?] = [:]
    var conflicts: [Diagnostic] = []
    let both = theirs.intersection(ours).filter { context.formats($0) != nil }.sorted()
    guard !both.isEmpty else { return ([:], []) }
    var baseTree: (any SourceTree)?
    if let base { baseTree = try await mirror.tree(of: base) }
    let (headTree, branchTree) = (try await mirror.tree(of: head), try await mirror.tree(of: deliveryBranch))
    let ownTexts = try await ownTexts()
    let authors = try await AuthorSearch(deliveryBranch: deliveryBranch, head: head, target: names.0, context: context)
    for path in both {
      // A side that removed the file is git's business.
      guard let old = try headTree.bytes(at: path), let new = try branchTree.bytes(at: path) else { continue }
      do {
        let merged = try context.merger.merge(base: try baseTree?.bytes(at: path), ours: old, theirs: new, at: path)
        let open = merged.conflicts.filter { !isOurs($0, in: path, ownTexts) }
        conflicts += try await authors.others(open, in: path).map { conflict(path.text, text(of: $0)) }
        resolved[path] = merged.bytes
      } catch let fault as InputFault {
        conflicts += fault.diagnostics
      }
    }
    return (resolved, conflicts)
  }

  /// What of the delivery branch is still as we delivered it, whoever copied our commit there.
  private func ownTexts() async throws -> Set<TranslationID> {
    guard !delivered.isEmpty else { return [] }
    let snapshot = try await context.snapshots.snapshot(of: deliveryBranch)
    return Set(
      delivered.filter { unit in
        let present = snapshot.synced[unit.unit.catalog]?.entries[unit.unit.key]?.translations[unit.language]
        return present != nil && present?.digest == unit.outcome?.translation
      }.map { TranslationID(key: $0.unit.key, language: $0.language) })
  }

  private func isOurs(_ conflict: MergeConflict, in path: TreePath, _ own: Set<TranslationID>) -> Bool {
    guard let key = conflict.key else { return false }
    // In a String Catalog the place begins with the language; a file of one language is in that language's folder.
    let folder = path.isInLanguageFolder ? LocaleIdentifier(String(path.parent.name.dropLast(".lproj".count))) : nil
    let language = folder ?? conflict.place.first.map { LocaleIdentifier($0) }
    return language.map { own.contains(TranslationID(key: key, language: $0)) } ?? false
  }

  /// The head is the merge's "ours".
  private func text(of conflict: MergeConflict) -> String {
    conflict.text(ours: "\(names.1) has", theirs: "\(names.0) has")
  }

  private func conflict(_ path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      path: path, severity: .error, message: "\(names.0) and \(names.1) conflict: \(what)")
  }
}

/// Finds whose commit of a delivery branch wrote what conflicts: a source text that sync brought, or a translation that was delivered, is
/// no conflict with a person.
private struct AuthorSearch {
  /// Something that a conflict is about.
  private struct Subject {
    var key: UnitKey
    /// `nil`: the comment.
    var language: LocaleIdentifier?
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
    case unknown
  }

  private let deliveryBranch: CommitID
  private let own: Set<CommitID>
  /// The commits that the watched head lacks.
  private let lacking: [CommitID: CommitInfo]
  private let context: PipelineContext

  init(deliveryBranch: CommitID, head: CommitID, target: String, context: PipelineContext) async throws {
    self.deliveryBranch = deliveryBranch
    self.context = context
    own = try await context.store.ownCommits(of: context.name, target: target)
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
    guard tip.path.ending == "xcstrings" else { return [Subject(key: key, language: tip.sourceLanguage)] }
    guard let field = conflict.place.first else {
      guard conflict.ours == nil, let entry = tip.entries[key] else { return [] }
      return [Subject(key: key)] + entry.translations.keys.sorted().map { Subject(key: key, language: $0) }
    }
    if field == "comment" { return [Subject(key: key)] }
    let language = LocaleIdentifier(field)
    return tip.languages.contains(language) ? [Subject(key: key, language: language)] : []
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
        author = own.contains(place) ? .us : .somebodyElse
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
      return subject.language.map { .text(entry?.translations[$0]) } ?? .comment(entry?.comment)
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
  fileprivate func bytes(at path: TreePath) throws -> [UInt8]? {
    guard try entry(at: path) != nil else { return nil }
    return try read(path)
  }
}

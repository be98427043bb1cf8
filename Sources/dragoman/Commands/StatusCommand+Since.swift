import Daemon
import GitSource
import Localization
import Pipeline
import Workspace

extension StatusCommand {
  /// Restricts the snapshot to the strings that are new or changed since a revision, or have lost translations since. If a catalog is unreadable at
  /// that revision, all its strings count as new.
  /// - Parameter languages: the languages that are judged. If all languages are judged, languages that have lost translations since the revision are
  ///   added.
  /// - Returns: the reasons why a gate cannot judge the changes, and the faults of the revision's files.
  /// - Throws: `InputFault` with these faults, if there is no gate.
  func restrict(
    _ snapshot: inout ProjectSnapshot, toChangesSince revision: String, excluding excluded: [String], isGate: Bool,
    in languages: inout [LocaleIdentifier], _ console: Console
  ) throws -> (obstacles: [String], faults: [Diagnostic]) {
    let base = try SinceBase(revision, path: tree.path, head: tree.revision)
    if let doubt = base.doubt { console.failure(doubt) }
    var old = try ProjectSnapshot(base.tree, for: .comparison, with: .standard(), excluding: excluded)
    old.findUsageDescriptions()
    old.addUsageDescriptions()
    let unreadable = Self.unreadable(in: old, comparedWith: snapshot, languages)
    let faults = unreadable.flatMap(\.fault.diagnostics).map {
      RevisionFault.make(
        $0, at: base.name,
        hint: message(
          "compare with a revision whose files can be read", comment: "A hint of status about the option --since."))
    }
    guard isGate || faults.isEmpty else { throw InputFault(faults) }
    if language.languages.isEmpty {
      languages = Set(languages).union(snapshot.languagesLost(since: old)).sorted()
    }
    snapshot.restrict(toChangesSince: old, in: languages)
    let count = snapshot.catalogs.values.reduce(0) { $0 + $1.entries.values.count(where: \.isCounted) }
    console.say(
      counted(
        count,
        one: message("1 string is new or changed since %@.", base.name, comment: "A line of status: a revision."),
        other: message(
          "%1$lld strings are new or changed since %2$@.", count, base.name, comment: "A line of status: a revision.")))
    let obstacles = unreadable.map { path, fault in
      message(
        "unreadable at %1$@: %2$@", base.name, fault.placeAndMessage ?? path.text,
        comment: "Why status cannot judge: a revision, and a place in a file there.")
    }
    return (obstacles, faults)
  }

  /// Returns the reasons why the revision cannot be compared: an unreadable project, catalog, or file of a judged language.
  private static func unreadable(
    in old: ProjectSnapshot, comparedWith new: ProjectSnapshot, _ languages: [LocaleIdentifier]
  ) -> [(path: TreePath, fault: InputFault)] {
    let known = { (path: TreePath) in new.catalogs[path] != nil }
    let ofLanguages = old.catalogs.filter { known($0.key) }.sorted { $0.key < $1.key }.flatMap { path, catalog in
      catalog.unread.filter { languages.contains($0.key) }.sorted { $0.key < $1.key }.map { (path, $0.value) }
    }
    let ofProject = old.project.diagnostics.filter { $0.severity == .error }.map { fault in
      (TreePath(checking: fault.path) ?? .root, InputFault(fault))
    }
    return ofProject + old.unreadable.filter { known($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      + ofLanguages
  }
}

/// The commit that `--since` compares with: the merge base of the given revision and the judged revision, or the given revision if there is no merge
/// base. Changes that are only in the given revision do not count.
private struct SinceBase {
  let tree: any SourceTree
  let name: String
  /// The reason why the revision itself is used although it may be the wrong base; `nil` if there is no doubt.
  let doubt: String?

  /// Finds the commit to compare with, and opens its tree.
  /// - Parameter head: the revision that is judged; `nil` for the files of a directory, for which HEAD is used.
  init(_ revision: String, path: String, head: String?) throws {
    let opened = try openTree(path: path, revision: revision, allowingNew: true)
    guard let repository = opened.repository, let theirs = opened.commit,
      let ours = (try? repository.resolve(head ?? "HEAD"))?.commit
    else {
      (tree, name, doubt) = (opened.tree, revision, nil)
      return
    }
    let base = try repository.mergeBase(theirs, ours)
    guard let base, base != theirs else {
      (tree, name) = (opened.tree, revision)
      doubt = base == nil ? Self.doubt(revision, head ?? "HEAD", isShallow: repository.isShallow) : nil
      return
    }
    let folder = revision.firstIndex(of: ":").map { String(revision[$0...]) } ?? ""
    tree = try openTree(path: path, revision: base.rawValue + folder, allowingNew: true).tree
    name = message(
      "the merge base of %1$@ and %2$@ (%3$@)", revision, head ?? "HEAD", base.short,
      comment: "In a sentence of status, after “since”: two revisions and a commit.")
    doubt = nil
  }

  private static func doubt(_ revision: String, _ head: String, isShallow: Bool) -> String {
    isShallow
      ? message(
        """
        warning: the clone is shallow and lacks the merge base of %1$@ and %2$@, so strings that changed only in the former \
        count, too; fetch more history (git fetch --unshallow)
        """, revision, head, comment: "A warning of status: two revisions; keep the command in brackets.")
      : message(
        "warning: %1$@ and %2$@ have no common history, so they are compared with each other", revision, head,
        comment: "A warning of status: two revisions.")
  }
}

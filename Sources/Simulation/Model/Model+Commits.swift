import Localization
import Pipeline
internal import Synchronization

/// The checks of the pushes of pipelines.
extension Model {
  /// Checks a push by a pipeline.
  /// - Parameters:
  ///   - author: the name under which the pipeline commits.
  ///   - bringsCatalogs: whether the pipeline also updates the catalogs from the code.
  ///   - watched: the watched branches whose translations are delivered to the branch that moved.
  func check(
    _ move: RemoteRepository.Move, author: String, bringsCatalogs: Bool, branches: [BranchHead], watched: [String]
  ) {
    guard let new = move.new else {
      violate(.onlyUnits, "\(move.branch) was deleted by a pipeline")
      return
    }
    if let old = move.old, !history.isAncestor(old, of: new) {
      // The delivery branch need not keep commits of the watched branch, or commits that people dropped from the watched branch.
      let foreign = state.withLock { $0.foreignCommits }
      let watched = commits(everOn: watched, of: move.repository)
      for lost in history.history(of: old, excluding: new)
      where foreign.contains(lost.id) && !watched.contains(lost.id) {
        violate(.onlyUnits, "\(move.branch) lost commit \(lost.id.short) of \(lost.info.committer.name)")
      }
    }
    // Commits that were on a branch before have already been checked.
    let known = commits(everOn: self.branches(everIn: move.repository), of: move.repository)
    // An existing commit may be pushed again as an ancestor of a commit of the pipeline. Such a commit may even have the pipeline as its
    // author, if a person rebased a commit of the pipeline.
    let foreign = state.withLock { $0.foreignCommits }
    for commit in history.history(of: new, excluding: nil) where !known.contains(commit.id) {
      guard commit.info.author.name == author, !foreign.contains(commit.id) else { continue }
      check(commit, branch: move.branch, bringsCatalogs: bringsCatalogs)
    }
  }

  private func check(_ commit: SimulatedCommit, branch: String, bringsCatalogs: Bool) {
    let parents = commit.info.parents.compactMap { history[$0] }
    let place = "commit \(commit.id.short) on \(branch)"
    if parents.count == 2 {
      checkMerge(commit, parents[0], parents[1], place)
    } else if let parent = parents.first {
      checkEdit(commit, parent, place, bringsCatalogs: bringsCatalogs)
    }
  }

  // MARK: A commit with one parent

  private func checkEdit(
    _ commit: SimulatedCommit, _ parent: SimulatedCommit, _ place: String, bringsCatalogs: Bool
  ) {
    for change in commit.tree.changes(from: parent.tree) {
      guard change.kind == .modified, change.path.isStringCatalog,
        let before = parent.tree.catalog(at: change.path), let after = commit.tree.catalog(at: change.path)
      else {
        violate(.onlyUnits, "\(place) changes \(change.path), which is not a catalog or cannot be read")
        continue
      }
      let touched = checkTexts(change.path, before, after, on: parent.id, place)
      guard !bringsCatalogs else { continue }
      let old = EntryBlocks(parent.tree[change.path] ?? [])
      let new = EntryBlocks(commit.tree[change.path] ?? [])
      if old.frame != new.frame { violate(.onlyUnits, "\(place) changes \(change.path) around its entries") }
      for (key, text) in new.entries where old.entries[key] != text && !touched.contains(key) {
        if bringsSource(of: UnitKey(key), before, after) { continue }
        violate(.onlyUnits, "\(place) changes entry \(key) of \(change.path), for which nothing was returned")
      }
      for key in old.entries.keys where new.entries[key] == nil {
        violate(.onlyUnits, "\(place) removes entry \(key) of \(change.path)")
      }
    }
  }

  /// Returns whether the commit adds a returned translation together with its source text, which the catalog did not have before.
  private func bringsSource(of key: UnitKey, _ before: Catalog, _ after: Catalog) -> Bool {
    let source = after.sourceText(of: key)
    guard source != before.sourceText(of: key) else { return false }
    return after.languages.subtracting([after.sourceLanguage]).contains { language in
      guard let text = after.text(of: key, in: language), [.translated, .needsReview].contains(text.state)
      else { return false }
      return returns(saying: text.value, key: key, language: language).contains { $0.sent.source == source }
    }
  }

  /// Checks all changed translations of a catalog, and records the returns that the commit contains.
  /// - Returns: the keys with a changed translation.
  private func checkTexts(
    _ path: TreePath, _ before: Catalog, _ after: Catalog, on parent: CommitID, _ place: String
  ) -> Set<String> {
    var touched: Set<String> = []
    for key in Set(before.entries.keys).union(after.entries.keys).sorted() {
      let languages = Set(before.entries[key]?.translations.keys ?? [])
        .union(after.entries[key]?.translations.keys ?? []).subtracting([before.sourceLanguage])
      for language in languages.sorted() {
        let old = before.text(of: key, in: language)
        let new = after.text(of: key, in: language)
        guard old != new else { continue }
        touched.insert(key.text)
        if let new, new.state == .translated {
          took(returns(saying: new.value, key: key, language: language))
          let text = DroppedText(
            key: key, language: language, text: new.value, source: after.sourceText(of: key) ?? "")
          let isEmptied = old.map { $0.value.isEmpty || $0.value == new.value } ?? true
          if isEmptied, wasDropped(text, from: path, before: parent) {
            violate(
              .peopleAreRespected,
              "\(place) restores “\(new.value)” (\(key) of \(path), \(language)), which a person dropped")
          }
        }
        guard old?.value != new?.value else { continue }
        checkText(
          old?.value, new?.value, UnitID(catalog: path, key: key), language, source: after.sourceText(of: key), place)
      }
    }
    return touched
  }

  private func checkText(
    _ old: String?, _ new: String?, _ unit: UnitID, _ language: LocaleIdentifier, source: String?, _ place: String
  ) {
    let isPersons = old.map(isPersons) ?? false
    guard let new, !new.isEmpty else {
      if isPersons { violate(.peopleAreRespected, "\(place) removes “\(old ?? "")” (\(unit), \(language))") }
      return
    }
    let returns = returns(saying: new, key: unit.key, language: language)
    if returns.isEmpty {
      violate(.onlyUnits, "\(place) writes “\(new)” (\(unit), \(language)), which nobody returned")
    } else if !returns.contains(where: { $0.sent.source == source }) {
      violate(.onlyUnits, "\(place) writes “\(new)” (\(unit), \(language)) for another source, “\(source ?? "")”")
    } else if !returns.contains(where: { may($0, replace: old) }) {
      violate(
        .onlyUnits,
        "\(place) writes “\(new)” (\(unit), \(language)), which the vendor was not asked for, over “\(old ?? "")”")
    }
    if let old, returns.allSatisfy({ isDraft($0) }) {
      let better = self.returns(saying: old, key: unit.key, language: language).contains { text in
        text.sent.source == source && !isDraft(text)
      }
      if better, !returns.isEmpty {
        violate(.returnsArrive, "\(place) replaces “\(old)” with the draft “\(new)” (\(unit), \(language))")
      }
    }
    if isPersons, !returns.contains(where: { $0.sent.baseline == old }) {
      violate(.peopleAreRespected, "\(place) replaces “\(old ?? "")” with “\(new)” (\(unit), \(language))")
    }
  }

  // MARK: A merge

  private func checkMerge(
    _ commit: SimulatedCommit, _ one: SimulatedCommit, _ other: SimulatedCommit, _ place: String
  ) {
    let base = history.mergeBase(one.id, other.id).flatMap { history[$0]?.tree } ?? FileTree()
    let (ours, theirs) = (one.tree, other.tree)
    for path in Set(ours.paths).union(theirs.paths).union(commit.tree.paths).sorted() {
      let ids = (base.blobs[path], ours.blobs[path], theirs.blobs[path], commit.tree.blobs[path])
      let expected = ids.1 == ids.0 ? ids.2 : ids.1
      if ids.3 == expected, ids.1 == ids.2 || ids.1 == ids.0 || ids.2 == ids.0 { continue }
      guard path.isStringCatalog else {
        if ids.3 != ids.1 && ids.3 != ids.2, path.ending != "txt" {
          violate(.onlyUnits, "\(place) merges \(path) into something that neither side has")
        }
        continue
      }
      guard let merged = commit.tree.catalog(at: path) else {
        // One side may remove or rename a catalog.
        if ids.1 != nil, ids.2 != nil { violate(.onlyUnits, "\(place) loses \(path)") }
        continue
      }
      let sides = [base, ours, theirs].map { $0.catalog(at: path) ?? formerCatalog(of: merged, in: $0, commit.tree) }
      checkMerge(merged, base: sides[0], ours: sides[1], theirs: sides[2], place)
    }
  }

  /// Returns a side's version of a merged catalog that has another path on this side, because the other side moved it; `nil` if there is none.
  private func formerCatalog(of merged: Catalog, in side: FileTree, _ tree: FileTree) -> Catalog? {
    let keys = Set(merged.entries.keys)
    let found = side.catalogs.filter { tree.blobs[$0] == nil }.compactMap { side.catalog(at: $0) }
      .map { (catalog: $0, shared: keys.intersection($0.entries.keys).count) }
    return found.filter { $0.shared > 0 }.max { $0.shared < $1.shared }?.catalog
  }

  private func checkMerge(_ merged: Catalog, base: Catalog?, ours: Catalog?, theirs: Catalog?, _ place: String) {
    let sides = [ours, theirs].compactMap { $0 }
    for key in Set(sides.flatMap(\.entries.keys)).sorted() {
      for language in Set(sides.flatMap(\.languages)).subtracting([merged.sourceLanguage]).sorted() {
        func text(_ catalog: Catalog?) -> String? { catalog?.text(of: key, in: language)?.value }
        let (old, one, other, new) = (text(base), text(ours), text(theirs), text(merged))
        let unit = UnitID(catalog: merged.path, key: key)
        for side in Set([one, other].compactMap { $0 }) where side != new && side != old && isPersons(side) {
          // If the other side changed the same text and a person made that change, it may win.
          if let new, new != old, isPersons(new) { continue }
          let knows = new.map { returns(saying: $0, key: key, language: language) } ?? []
          guard !knows.contains(where: { $0.sent.baseline == side }) else { continue }
          violate(.peopleAreRespected, "\(place) merges away “\(side)” (\(unit), \(language)), now “\(new ?? "")”")
        }
        if let new, new != one, new != other, returns(saying: new, key: key, language: language).isEmpty {
          violate(.onlyUnits, "\(place) merges \(unit) (\(language)) into “\(new)”, which nobody wrote")
        }
      }
    }
  }
}

/// The text of a String Catalog, split into entries by the layout of its lines, without parsing.
struct EntryBlocks {
  var entries: [String: String] = [:]
  /// All lines outside the entries, except empty lines.
  var frame: [String] = []

  init(_ bytes: [UInt8]) {
    var key: String?
    var block: [Substring] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      if let name = key {
        block.append(line.hasSuffix("},") && line.hasPrefix("    }") ? line.dropLast() : line)
        guard line == "    }" || line == "    }," else { continue }
        entries[name] = block.joined(separator: "\n")
        key = nil
        block = []
      } else if line.hasPrefix("    \""), line.hasSuffix(" : {") {
        key = String(line.dropFirst(5).dropLast(5))
        block = [line]
      } else if !line.isEmpty {
        frame.append(String(line))
      }
    }
  }
}

import FoundationEssentials
import Localization
import Pipeline
internal import Synchronization

/// The people who work on one repository.
struct People {
  let world: World
  let pipeline: SimulatedPipeline
  var random: SeededRandom

  private var remote: RemoteRepository { pipeline.remote }

  init(world: World, pipeline: SimulatedPipeline, salt: UInt64) {
    self.world = world
    self.pipeline = pipeline
    random = SeededRandom(seed: salt)
  }

  // MARK: Commits

  /// Makes a commit as a person, and moves the branch to the commit.
  @discardableResult
  private func commit(
    _ tree: FileTree, to branch: String, parents: [CommitID], message: String
  ) -> CommitID {
    let commit = make(tree, parents: parents, message: message)
    remote.move(branch, to: commit)
    return commit
  }

  /// Makes a commit as a person, without moving a branch.
  /// - Parameter author: in a rebase, the author of the original commit; `nil` for the committer.
  func make(
    _ tree: FileTree, parents: [CommitID], message: String, as author: CommitSignature? = nil
  ) -> CommitID {
    let seconds = Int64(world.time.now.timeIntervalSince1970)
    let person = CommitSignature(name: "Ada", email: "ada@example.com", seconds: seconds)
    let commit = world.history.commit(
      tree, parents: parents, message: message, author: author ?? person, committer: person)
    world.model.personCommitted(commit.id)
    return commit.id
  }

  /// Changes the files of a branch. Commits only if something changed.
  private func edit(_ branch: String, _ message: String, _ change: (inout FileTree) -> Void) -> String? {
    guard let head = remote.head(of: branch), var tree = world.history[head]?.tree else { return nil }
    let before = tree
    change(&tree)
    guard tree != before else { return nil }
    commit(tree, to: branch, parents: [head], message: message)
    return "\(message) on \(branch)"
  }

  /// Makes the repository's first commit.
  mutating func begin() {
    var tree = FileTree(["README.md": Array("An app.\n".utf8)])
    tree[ProjectPlaces.catalog("Localizable", of: "App")] = FileTree.emptyCatalog
    let lines = (0..<pipeline.setup.strings).map { number in
      SourceLine(table: "Localizable", key: "Key \(number)", value: number % 2 == 0 ? "Text \(number)" : "")
    }
    tree.setLines(lines, of: "App")
    commit(tree, to: "main", parents: [], message: "Begin")
  }

  private mutating func watchedBranch() -> String? {
    random.pick(pipeline.watched.map(\.name))
  }

  // MARK: Code

  mutating func addKeys(_ count: Int) -> String? {
    guard let branch = watchedBranch() else { return nil }
    var random = random
    return edit(branch, "Add \(count) strings") { tree in
      guard let catalog = random.pick(tree.catalogs), let target = ProjectPlaces.target(of: catalog) else { return }
      var lines = tree.lines(of: target)
      for _ in 0..<count {
        let name = random.below(100_000)
        guard !lines.contains(where: { $0.key == "Key \(name)" }) else { continue }
        lines.append(
          SourceLine(
            table: catalog.stem, key: "Key \(name)", value: random.chance(50) ? "Text \(name)" : "",
            comment: random.chance(30) ? "Comment \(name)" : ""))
      }
      tree.setLines(lines, of: target)
      if random.chance(40) { tree.build() }
    }
  }

  /// Changes one line of the sources, or removes it if `change` returns `nil`.
  private mutating func changeLine(_ message: String, _ change: (inout SeededRandom, SourceLine) -> SourceLine?)
    -> String?
  {
    guard let branch = watchedBranch() else { return nil }
    var random = random
    return edit(branch, message) { tree in
      guard let target = random.pick(tree.targets) else { return }
      var lines = tree.lines(of: target)
      guard let place = random.pick(lines.indices) else { return }
      let changed = change(&random, lines[place])
      lines.remove(at: place)
      if let changed { lines.append(changed) }
      tree.setLines(lines, of: target)
      if random.chance(40) { tree.build() }
    }
  }

  mutating func changeSource() -> String? {
    changeLine("Change a source text") { random, line in
      var line = line
      // Sometimes the key becomes the source text.
      line.value = line.value.isEmpty || random.chance(70) ? "Text \(random.below(100_000))" : ""
      return line
    }
  }

  mutating func changeComment() -> String? {
    changeLine("Change a comment") { random, line in
      var line = line
      line.comment = "Comment \(random.below(100_000))"
      return line
    }
  }

  mutating func removeKey() -> String? { changeLine("Remove a string") { _, _ in nil } }

  mutating func buildProject() -> String? {
    guard let branch = watchedBranch() else { return nil }
    return edit(branch, "Bring catalogs in step in Xcode") { $0.build() }
  }

  mutating func cleanCatalogs() -> String? {
    guard let branch = watchedBranch() else { return nil }
    return edit(branch, "Delete stale strings") { tree in
      tree.build()
      for path in tree.catalogs {
        guard var catalog = tree.catalog(at: path) else { continue }
        let wanted = catalog.entries.filter { $0.value.extractionState != .stale }
        guard wanted.count < catalog.entries.count else { continue }
        catalog.entries = wanted
        tree.write(catalog)
      }
    }
  }

  mutating func renameCatalog() -> String? {
    guard let branch = watchedBranch() else { return nil }
    var random = random
    var names: (old: TreePath, new: TreePath)?
    let done = edit(branch, "Rename a catalog") { tree in
      guard let old = random.pick(tree.catalogs), let target = ProjectPlaces.target(of: old) else { return }
      let table = "Table\(random.below(100_000))"
      let new = ProjectPlaces.catalog(table, of: target)
      tree[new] = tree[old]
      tree[old] = nil
      names = (old, new)
      let lines = tree.lines(of: target).map { line in
        var line = line
        if line.table == old.stem { line.table = table }
        return line
      }
      tree.setLines(lines, of: target)
    }
    guard let done, let names, let commit = remote.head(of: branch) else { return nil }
    world.model.personRenamed(Model.Rename(old: names.old, new: names.new, commit: commit))
    return done
  }

  mutating func addCatalog() -> String? {
    guard let branch = watchedBranch() else { return nil }
    var random = random
    return edit(branch, "Add a catalog") { tree in
      let target = random.chance(50) ? "App" : "Kit"
      let name = random.below(100_000)
      tree[ProjectPlaces.catalog("More\(name)", of: target)] = FileTree.emptyCatalog
      tree.setLines(
        tree.lines(of: target) + [SourceLine(table: "More\(name)", key: "Key \(name)", value: "Text \(name)")],
        of: target)
    }
  }

  // MARK: Translations

  mutating func translate(_ place: StoryEvent.PlaceForEdit) -> String? {
    guard let watched = watchedBranch() else { return nil }
    let branch = place == .watchedBranch ? watched : pipeline.target(for: watched)
    var random = random
    let languages = pipeline.file.withLock { $0.languages }
    var written: String?
    let done = edit(branch, "Correct a translation") { tree in
      guard let path = random.pick(tree.catalogs), var catalog = tree.catalog(at: path),
        let key = random.pick(catalog.entries.keys.sorted()), let language = random.pick(languages)
      else { return }
      let text = "Person \(random.below(1_000_000)) \(language) for \(catalog.sourceText(of: key) ?? "")"
      catalog.entries[key]?.translations[language] = Translation(text)
      tree.write(catalog)
      written = text
      world.model.personWrote(text)
    }
    return done.map { "\($0): “\(written ?? "")”" }
  }

  /// Removes a translation that the pipeline has read on the branch, or marks it as needing review. A text that appears and disappears between two
  /// polls is delivered again, so texts that the pipeline has not read are not dropped.
  mutating func dropTranslation() -> String? {
    guard let branch = watchedBranch(),
      let seen = world.merged.withLock({ $0[WatchedName(pipeline: pipeline.name, branch: branch)] }),
      let tree = world.history[seen]?.tree
    else { return nil }
    var random = random
    var dropped: (text: Model.DroppedText, catalog: TreePath)?
    let done = edit(branch, "Drop a translation") { files in
      guard let path = random.pick(files.catalogs), var catalog = files.catalog(at: path) else { return }
      var texts: [(key: UnitKey, language: LocaleIdentifier, text: StringUnit)] = []
      for key in catalog.entries.keys.sorted() {
        for language in catalog.languages.sorted() where language != catalog.sourceLanguage {
          guard let text = catalog.text(of: key, in: language), text.state == .translated, !text.value.isEmpty,
            !world.model.isPersons(text.value),
            tree.translation(of: UnitID(catalog: path, key: key), in: language) == text
          else { continue }
          texts.append((key, language, text))
        }
      }
      guard let (key, language, text) = random.pick(texts) else { return }
      catalog.entries[key]?.translations[language] =
        random.chance(50) ? nil : Translation(text.value).inState(.needsReview)
      files.write(catalog)
      let source = catalog.sourceText(of: key) ?? ""
      dropped = (Model.DroppedText(key: key, language: language, text: text.value, source: source), path)
    }
    guard let done, let dropped, let commit = remote.head(of: branch) else { return nil }
    world.model.personDropped(dropped.text, Model.Drop(commit: commit, catalog: dropped.catalog))
    return "\(done): “\(dropped.text.text)” of \(dropped.catalog)"
  }

  mutating func commitOnDelivery() -> String? {
    guard let watched = watchedBranch() else { return nil }
    var random = random
    return edit(pipeline.target(for: watched), "Change the notes") { tree in
      tree[TreePath(trusted: "NOTES-\(random.below(3)).md")] = Array("Note \(random.below(100_000))\n".utf8)
    }
  }
}

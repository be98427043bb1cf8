package import Localization
package import Pipeline
internal import Synchronization

/// The state of a watched branch that is visible from outside: its own files, and those of its delivery branch.
package struct BranchView: Sendable {
  package var name: String
  package var head: FileTree
  /// The files of the delivery branch; `nil` if the branch does not exist, or if the pipeline delivers to the watched branch itself.
  package var delivery: FileTree?
  /// The files of the merge base of the two branches. If the head is merged into the delivery branch, these are the files of the head.
  /// Empty if there is no delivery branch.
  package var base: FileTree
  /// Whether the delivery branch contains commits that people dropped from the watched branch.
  package var deliveryHoldsDropped: Bool

  package init(
    name: String, head: FileTree, delivery: FileTree?, base: FileTree, deliveryHoldsDropped: Bool
  ) {
    self.name = name
    self.head = head
    self.delivery = delivery
    self.base = base
    self.deliveryHoldsDropped = deliveryHoldsDropped
  }
}

/// The state of a pipeline's repository and vendors, and the state that the pipeline's ledger reports.
package struct PipelineView: Sendable {
  package var name: String
  package var branches: [BranchView]
  /// The route of each language.
  package var routes: [LocaleIdentifier: VendorRoute]
  package var rounds: [Round]
  package var held: [HeldUnit]
  /// The texts that each vendor has and that are neither returned, withdrawn nor refused.
  package var open: [String: [SentText]]
  /// The texts of `open` that the books may count as returned.
  package var doubtful: [String: [SentText]]
  /// Bundles at vendors that were not acknowledged.
  package var unacknowledged: [String]

  package init(
    name: String, branches: [BranchView], routes: [LocaleIdentifier: VendorRoute], rounds: [Round], held: [HeldUnit],
    open: [String: [SentText]], doubtful: [String: [SentText]], unacknowledged: [String]
  ) {
    self.name = name
    self.branches = branches
    self.routes = routes
    self.rounds = rounds
    self.held = held
    self.open = open
    self.doubtful = doubtful
    self.unacknowledged = unacknowledged
  }
}

extension Model {
  /// Checks the books of a pipeline, which must balance at any time.
  package func checkBooks(_ rounds: [Round], of pipeline: String) {
    for round in rounds {
      for books in round.books where !books.isBalanced {
        violate(.booksBalance, "\(pipeline), round \(round.number): \(books)")
      }
      for books in round.books
      where min(books.sent, books.returned, books.outstanding, books.withdrawn, books.superseded) < 0 {
        violate(.booksBalance, "\(pipeline), round \(round.number): negative \(books)")
      }
    }
  }

  /// Checks the rules that must hold when no event has happened for a while.
  package func checkQuiet(_ pipeline: PipelineView) {
    checkBooks(pipeline.rounds, of: pipeline.name)
    for bundle in pipeline.unacknowledged {
      violate(.nothingOwed, "\(pipeline.name): bundle \(bundle) was not acknowledged")
    }
    for branch in pipeline.branches {
      checkReturns(pipeline, on: branch)
      checkCorrections(pipeline, on: branch)
      checkOwed(pipeline, on: branch)
    }
    checkOutstanding(pipeline)
  }

  // MARK: Rule 1

  private func checkReturns(_ pipeline: PipelineView, on branch: BranchView) {
    let strings = branch.head.strings
    let trees = [branch.head, branch.delivery].compactMap { $0 }
    var latest: [TextName: ReturnedText] = [:]
    for text in state.withLock({ $0.returns[pipeline.name] ?? [] }) where text.isExpected {
      let name = TextName(unit: text.sent.unit, language: text.sent.language, text: text.sent.source)
      let route = pipeline.routes[text.sent.language]
      if let other = latest[name], route?.prefers(other.vendor, to: text.vendor) == true { continue }
      latest[name] = text
    }
    var catalogs: [TreePath: [Catalog]] = [:]
    let sorted = latest.values.sorted { ($0.sent.unit, $0.sent.language) < ($1.sent.unit, $1.sent.language) }
    for text in sorted {
      let unit = text.sent.unit
      // Skips units that were removed from the branch or have another source text now, and languages without a vendor.
      guard let line = strings[unit], line.sourceText == text.sent.source,
        pipeline.routes[text.sent.language] != nil
      else { continue }
      if catalogs[unit.catalog] == nil { catalogs[unit.catalog] = trees.compactMap { $0.catalog(at: unit.catalog) } }
      let standing = (catalogs[unit.catalog] ?? []).compactMap { $0.text(of: unit.key, in: text.sent.language)?.value }
      if standing.contains(text.text) || standing.contains(where: isPersons) { continue }
      // People's commits on the delivery branch may have changed or removed the source text there, and a merge keeps their change. Commits
      // that a force-push dropped from the watched branch remain on the delivery branch, because the pipeline never pushes over foreign
      // commits. The translation then waits until that branch is merged or deleted.
      if let there = branch.delivery?.strings, there[unit]?.sourceText != text.sent.source,
        there[unit]?.sourceText != branch.base.strings[unit]?.sourceText
      {
        continue
      }
      // If the delivery branch has such commits, people may have renamed the catalog there.
      if branch.deliveryHoldsDropped, let delivery = branch.delivery,
        delivery.catalogs.contains(where: { path in
          delivery.translation(of: UnitID(catalog: path, key: unit.key), in: text.sent.language)?.value == text.text
        })
      {
        continue
      }
      let isHeld = pipeline.held.contains {
        $0.branch == branch.name && $0.unit == unit && $0.language == text.sent.language && $0.text == text.text
          && ($0.reason.map { isGood($0, for: text) } ?? false)
      }
      if isHeld { continue }
      // Another return for the same source may have replaced the text, such as a repeated return. A person may since have removed that
      // return.
      let removed = pipeline.held.filter {
        $0.branch == branch.name && $0.unit == unit && $0.language == text.sent.language && $0.reason?.removal != nil
      }.map(\.text)
      let isOvertaken = (standing + removed).contains { words in
        returns(saying: words, key: unit.key, language: text.sent.language)
          .contains { $0.sent.source == text.sent.source }
      }
      if isOvertaken { continue }
      let reasons = pipeline.held.filter {
        $0.branch == branch.name && $0.unit == unit && $0.language == text.sent.language
      }.map { "“\($0.text)” is held: \($0.reason.map(String.init(describing:)) ?? "for no reason")" }
      violate(
        .returnsArrive,
        "\(pipeline.name), \(branch.name): “\(text.text)” (\(unit), \(text.sent.language)) is neither delivered nor held; there is “\(standing.joined(separator: "”, “"))”; \(reasons.joined(separator: ", "))"
      )
    }
  }

  /// Returns whether a reason to hold a text is possible for a text that answers the current source text on the branch. The key, catalog, language
  /// and source of such a text cannot be unknown, and the text can count as removed only if a person dropped it.
  private func isGood(_ reason: HoldReason, for text: ReturnedText) -> Bool {
    switch reason {
    case .removed:
      !drops(
        of: DroppedText(
          key: text.sent.unit.key, language: text.sent.language, text: text.text, source: text.sent.source)
      ).isEmpty
    case .unknownCatalog, .catalogOutsidePaths, .ambiguousCatalog, .unknownKey, .unknownLanguage, .sourceChanged,
      .sourceMissing, .noTarget, .emptyTarget, .unfinishedState,
      .formDoesNotFit, .doNotTranslate, .sourceLanguage:
      false
    default: true
    }
  }

  /// Checks a request for a person to merge. There must be a conflict that only a person can resolve.
  package func checkConflict(base: FileTree, delivery: FileTree, head: FileTree, _ place: String) {
    var resolved: [TreePath: [UInt8]?] = [:]
    for path in Set(delivery.paths).intersection(head.paths) where path.isStringCatalog {
      resolved[path] = head[path]
      guard let ours = delivery.catalog(at: path), let theirs = head.catalog(at: path) else { return }
      let old = base.catalog(at: path)
      for key in ours.entries.keys {
        for language in Set(ours.entries[key]?.translations.keys ?? []) {
          let (one, other) = (ours.text(of: key, in: language)?.value, theirs.text(of: key, in: language)?.value)
          let former = old?.text(of: key, in: language)?.value
          // If the watched branch has the key without this translation, the translation was removed there only if the base has it. Otherwise, the
          // delivery branch added it, which is no conflict.
          guard let one, one != other, theirs.entries[key] == nil || other != nil || former != nil else { continue }
          // A person changed the translation on the delivery branch, and it also changed on the watched branch.
          if isPersons(one), one != former { return }
        }
      }
    }
    if case .conflicts = TreeMerge.merge(base: base, ours: delivery, theirs: head, resolving: resolved) { return }
    violate(.returnsArrive, "\(place): a person is asked to merge, although only our own texts differ")
  }

  // MARK: Rule 5

  private func checkOwed(_ pipeline: PipelineView, on branch: BranchView) {
    let head = branch.head
    let strings = head.strings
    // Vendors identify a catalog by its name at the time of sending. A text that the code no longer has in that catalog may be in any
    // existing catalog. A merge can restore the file of a renamed catalog, and only the code shows that the file must have no strings.
    var known: Set<TextName> = []
    var moved: Set<TextName> = []
    for text in Array(pipeline.open.values.joined())
      + state.withLock({ state in
        // A draft does not count, because it must be sent to the next vendor.
        (state.returns[pipeline.name] ?? []).filter { text in
          (text.isAnswer || state.taken.contains(Asked(text.sent, vendor: text.vendor)))
            && pipeline.routes[text.sent.language]?.isDraft(from: text.vendor) != true
        }.map(\.sent)
      })
    {
      known.insert(TextName(unit: text.unit, language: text.language, text: text.source))
      guard strings[text.unit] == nil else { continue }
      let anywhere = UnitID(catalog: .root, key: text.unit.key)
      moved.insert(TextName(unit: anywhere, language: text.language, text: text.source))
    }
    for (unit, line) in strings.sorted(by: { $0.key < $1.key }) {
      for language in pipeline.routes.keys.sorted() {
        let isTranslated = [head, branch.delivery].compactMap { $0 }.contains { tree in
          guard let catalog = tree.catalog(at: unit.catalog), catalog.sourceText(of: unit.key) == line.sourceText,
            let text = catalog.text(of: unit.key, in: language)
          else { return false }
          return text.state == .translated && !text.value.isEmpty
        }
        let name = TextName(unit: unit, language: language, text: line.sourceText)
        let anywhere = TextName(unit: UnitID(catalog: .root, key: unit.key), language: language, text: name.text)
        // A unit whose text a person dropped is not sent again, even if the text did not come from the vendor.
        guard !isTranslated, !known.contains(name), !moved.contains(anywhere),
          !isDropped(unit.key, language, source: line.sourceText)
        else { continue }
        let there = [head, branch.delivery].compactMap { $0?.translation(of: unit, in: language) }
          .map { "“\($0.value)” (\($0.state))" }
        violate(
          .nothingOwed,
          "\(pipeline.name), \(branch.name): \(unit) (\(language), “\(line.sourceText)”) is not translated and was not sent; there is \(there.isEmpty ? "nothing" : there.joined(separator: ", "))"
        )
      }
    }
  }

  /// Checks that the outstanding units in the books equal the texts at the vendors. Doubtful texts may be missing in the books.
  private func checkOutstanding(_ pipeline: PipelineView) {
    for vendor in pipeline.open.keys.sorted() {
      var books: [LocaleIdentifier: Int] = [:]
      for account in pipeline.rounds.flatMap(\.books) where account.vendor == vendor && account.outstanding > 0 {
        books[account.language, default: 0] += account.outstanding
      }
      let open = Dictionary(grouping: pipeline.open[vendor] ?? [], by: \.language).mapValues(\.count)
      let doubtful = Dictionary(grouping: pipeline.doubtful[vendor] ?? [], by: \.language).mapValues(\.count)
      let wrong = Set(books.keys).union(open.keys).filter { language in
        let most = open[language] ?? 0
        return !((most - (doubtful[language] ?? 0))...most).contains(books[language] ?? 0)
      }
      guard !wrong.isEmpty else { continue }
      let both = wrong.sorted().map {
        "\($0): \(books[$0] ?? 0) outstanding in the books, \(open[$0] ?? 0) at the vendor"
      }
      violate(.nothingOwed, "\(pipeline.name), \(vendor): \(both.joined(separator: "; "))")
    }
  }
}

import Localization

/// The contents of a pull request, and its text for people. All texts from a repository or a vendor are shown as code, so markup, mentions
/// and links in them have no effect.
struct Proposal {
  /// One returned unit on the branch, or another text of the branch (`UnrecordedTexts`).
  struct Item {
    var unit: UnitID
    var language: LocaleIdentifier
    /// The vendor's name; empty if the ledger does not have it.
    var vendor: String
    var source: String
    var target: String
    /// The reason why the unit is held; `nil` if the unit is delivered.
    var reason: String?
    /// The translators; empty if the vendor does not report them, or the pipeline does not name translators.
    var translators: Set<Translator> = []
  }

  var pipeline: String
  var branch: String
  var delivered: [Item]
  var held: [Item]
  var bringsCatalogs: Bool
  /// The languages with outstanding units.
  var waiting: Set<LocaleIdentifier>
  /// A digest that identifies the content. It covers the translations and the bytes of synced catalogs.
  var content: String
  /// The translations, and the lines that sync adds to catalogs or removes from them.
  var parts: Set<ProposedContent.Part> = []

  static func load(
    for head: Run, deliveries: [Delivery], unrecorded: UnrecordedTexts = UnrecordedTexts(), tip: CommitID,
    _ context: PipelineContext
  ) async throws -> Proposal {
    let units = try await context.store.returnedUnits(of: context.name, branch: head.branch)
    let brings = deliveries.contains(where: \.bringsCatalogs) || unrecorded.bringsCatalogs
    let deliveredUnits = units.filter { $0.outcome?.state == .delivered }
    let renames = try await context.store.renames(of: context.name)
    let texts = try await texts(of: deliveredUnits, in: tip, on: head, renames, context)
    let delivered = deliveredUnits.filter { !texts.merged.contains($0.id) }
    // A unit of `unrecorded` has the name that its catalog has on the delivery branch.
    let proposed = unrecorded.texts.isEmpty ? nil : try await context.snapshots.readable(tip)
    let listed = Set(
      deliveredUnits.map { unit in
        let name = proposed.map { renames.name(of: unit.unit, in: $0) } ?? unit.unit
        return UnitInLanguage(unit: name, language: unit.language)
      })
    let others = unrecorded.texts.filter { !listed.contains(UnitInLanguage(unit: $0.unit, language: $0.language)) }
    let names =
      delivered.map { ($0.unit.catalog, $0.proposedName) }
      + others.map { ($0.unit.catalog, ProposedContent.name(of: $0.unit.key, $0.language, $0.translation.digest)) }
    var content = names.map { "\($0.text)\u{0}\($1)" }.sorted()
    var parts = Set(
      names.map { ProposedContent.Part(Array($1.utf8), in: renames.allNames(of: $0)) })
    if brings {
      let (before, after) = (try await context.mirror.tree(of: head.commit), try await context.mirror.tree(of: tip))
      for change in try await context.mirror.changes(from: head.commit, to: tip) {
        let bytes = change.kind == .removed ? [] : (try? after.read(change.path)) ?? []
        content.append("\(change.path.text)\u{0}\(ContentDigest.hexadecimal(of: bytes, bytes: 16))")
        let names = renames.allNames(of: change.path)
        for line in changedLines(from: (try? before.read(change.path)) ?? [], to: bytes) {
          parts.insert(ProposedContent.Part(line, in: names))
        }
      }
    }
    let named = context.definition.deliver.namesTranslators
    let items = delivered.map { unit in
      var item = Item(unit, named: named)
      if let text = texts.corrected[unit.id] { item.target = text }
      return item
    }
    return Proposal(
      pipeline: context.name, branch: head.branch,
      delivered: (items + others.map { Item($0) }).sorted { $0.precedes($1) },
      held: units.filter { $0.outcome?.state == .held }.map { Item($0) }.sorted { $0.precedes($1) },
      bringsCatalogs: brings, waiting: try await context.store.outstandingLanguages(of: context.name),
      content: ContentDigest.hexadecimal(of: Array(content.joined(separator: "\u{1}").utf8), bytes: 8),
      parts: parts)
  }

  /// The delivered texts that were corrected or merged.
  private struct Texts {
    /// The first forms of the texts with which people replaced the delivered texts on the delivery branch.
    var corrected: [ReturnedUnitID: String] = [:]
    /// The returned units whose texts the watched branch already has, for example if the delivery branch was not deleted after a squash.
    var merged: Set<ReturnedUnitID> = []
  }

  /// Returns the delivered texts that were corrected or merged; none if the delivery branch cannot be read.
  private static func texts(
    of delivered: [ReturnedUnit], in tip: CommitID, on head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Texts {
    var found = Texts()
    guard !delivered.isEmpty, let proposed = try await context.snapshots.readable(tip) else { return found }
    let watched = try await context.snapshots.readable(head.commit)
    func text(_ unit: ReturnedUnit, _ snapshot: Snapshot) -> Translation? {
      let name = renames.name(of: unit.unit, in: snapshot)
      return snapshot.committed[name.catalog]?.entries[name.key]?.translations[unit.language]
    }
    for unit in delivered {
      guard let present = text(unit, proposed) else { continue }
      if let watched, text(unit, watched) == present { found.merged.insert(unit.id) }
      if present.digest != unit.outcome?.translation {
        found.corrected[unit.id] = present.leaves.first?.leaf.texts.first
      }
    }
    return found
  }

  /// Returns the lines that only one version of a file has, each with a sign before it. White space at both ends is removed, and so are
  /// commas at the end, because they depend on the next line. Lines that contain only braces, quotation marks and other punctuation that
  /// precedes the digits in ASCII are left out.
  private static func changedLines(from old: [UInt8], to new: [UInt8]) -> [[UInt8]] {
    func lines(_ bytes: [UInt8]) -> Set<ArraySlice<UInt8>> {
      let trimmed = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { line in
        line.drop { $0 <= 0x20 }.prefix(
          through: line.lastIndex { $0 > 0x20 && $0 != UInt8(ascii: ",") } ?? line.startIndex)
      }
      return Set(trimmed.filter { $0.contains { $0 >= 0x30 && $0 != 0x7B && $0 != 0x7D } })
    }
    let (before, after) = (lines(old), lines(new))
    let sides = [("-", before.subtracting(after)), ("+", after.subtracting(before))]
    return sides.flatMap { sign, lines in lines.map { Array(sign.utf8) + $0 } }
  }

  /// Returns the content to record for a pull request. It is needed if a person closes the pull request.
  func record(of found: PullRequest) -> ProposedContent {
    ProposedContent(mark: mark, parts: Set(parts.map(\.digest)), number: found.number)
  }

  /// Returns whether a person closed a pull request with all of this content while the pipeline delivered to its branch.
  /// - Parameter known: the last content of the pull request.
  func isRefused(by found: PullRequest, _ known: ProposedContent?) -> Bool {
    guard found.state == .closed, known?.retires(found) != true else { return false }
    if found.bears(mark) { return true }
    return known.map { found.has($0) && parts.allSatisfy($0.contains) } ?? false
  }

  /// The fixed beginning and end of the body.
  static let beginning = "Dragoman proposes these translations for "
  static let ending = "Dragoman updates this text; comments are for people."
  /// The beginning of the line that ends with `ending`. No earlier line begins with this text: the rows of tables begin with a bar.
  static let lastLine = "Pipeline "

  /// The text in the body that identifies the content. Closed pull requests are searched for this text.
  var mark: String { "content `\(content)`" }

  /// The title, such as `Translations for main: de, fr`. The part before the colon is the same for each pull request of the branch.
  var title: String {
    let languages = Set(delivered.map(\.language)).sorted()
    let what =
      languages.isEmpty
      ? Self.inStep
      : languages.count > 6 ? "\(languages.count) languages" : languages.map(\.rawValue).joined(separator: ", ")
    return ProposedContent.titleBeginning(for: branch) + " \(what)"
  }

  /// Returns the text of the pull request, in Markdown.
  /// - Parameter limit: the maximum length, in UTF-16 code units. Rows that do not fit are left out, and their number is added.
  func body(limit: Int) -> String {
    let end = "\n---\n\(Self.lastLine)`\(pipeline)`, \(mark). \(Self.ending)\n"
    var text = MarkdownText(limit: limit - end.utf16.count)
    text.add("\(Self.beginning)\(MarkdownText.code(branch: branch)).\n")
    if bringsCatalogs { text.add("\nOne commit brings catalogs in step with the code, without translations.\n") }
    addCounts(to: &text)
    addTranslators(to: &text)
    if !held.isEmpty {
      text.add(
        "\n### Held\n\nThese translations were returned, but are not in the commits. "
          + "A person must decide about each.\n\n")
      text.add(
        header: "| string | language | why |\n| --- | --- | --- |\n",
        rows: held.lazy.map {
          "| \(MarkdownText.code($0.unit.key.text)) | \(MarkdownText.language($0.language)) "
            + "| \(MarkdownText.code($0.reason ?? "", limit: 200)) |\n"
        },
        atMost: 50)
    }
    if !delivered.isEmpty {
      text.add("\n### Texts\n\n")
      text.add(
        header: "| string | language | source | translation |\n| --- | --- | --- | --- |\n",
        rows: delivered.lazy.map {
          "| \(MarkdownText.code($0.unit.key.text)) | \(MarkdownText.language($0.language)) "
            + "| \(MarkdownText.code($0.source)) | \(MarkdownText.code($0.target)) |\n"
        }, atMost: 100)
    }
    return text.text + end
  }

  private func addCounts(to text: inout MarkdownText) {
    let languages = Set((delivered + held).map(\.language)).union(waiting).sorted()
    guard !languages.isEmpty else { return }
    text.add("\n")
    text.add(
      header: "| language | strings | held | not returned yet | from |\n| --- | ---: | ---: | --- | --- |\n",
      rows: languages.lazy.map { language in
        let own = delivered.filter { $0.language == language }
        let vendors = Set(own.map(\.vendor)).subtracting([""]).sorted().map { MarkdownText.code($0) }.joined(
          separator: ", ")
        return "| \(MarkdownText.language(language)) | \(Set(own.map(\.unit)).count) "
          + "| \(held.count { $0.language == language }) "
          + "| \(waiting.contains(language) ? "some" : "") | \(vendors) |\n"
      }, atMost: 400)
  }

  private func addTranslators(to text: inout MarkdownText) {
    var people: [String: (strings: Int, languages: Set<LocaleIdentifier>)] = [:]
    for item in delivered {
      for name in Set(item.translators.map(\.name)) {
        people[name, default: (0, [])].strings += 1
        people[name]?.languages.insert(item.language)
      }
    }
    guard !people.isEmpty else { return }
    text.add("\n### Translated by\n\n")
    text.add(
      header: "| name | languages | translations |\n| --- | --- | ---: |\n",
      rows: people.sorted { ($1.value.strings, $0.key) < ($0.value.strings, $1.key) }.map { name, work in
        let languages = work.languages.sorted()
        let names = languages.map { MarkdownText.language($0) }
        let shown = names.count > 6 ? "\(names.count) languages" : names.joined(separator: ", ")
        return "| \(MarkdownText.code(name)) | \(shown) | \(work.strings) |\n"
      }, atMost: 50)
  }
}

extension Proposal.Item {
  init(_ unit: ReturnedUnit, named: Bool = false) {
    self.init(
      unit: unit.unit, language: unit.language, vendor: unit.vendor,
      source: unit.units.first?.source?.plain ?? "", target: unit.units.first?.target?.text.plain ?? "",
      reason: unit.outcome?.state == .held ? unit.outcome?.reason?.sentence ?? "" : nil,
      translators: named ? unit.translators : [])
  }

  init(_ text: UnrecordedTexts.Text) {
    self.init(
      unit: text.unit, language: text.language, vendor: "", source: text.source,
      target: text.translation.leaves.first?.leaf.texts.first ?? "")
  }

  func precedes(_ other: Proposal.Item) -> Bool {
    (unit.catalog, unit.key.text, language) < (other.unit.catalog, other.unit.key.text, other.language)
  }
}

extension ProposedContent {
  /// Returns whether a pull request is this retired pull request.
  func retires(_ found: PullRequest) -> Bool {
    isRetired && (number.map { $0 == found.number } ?? found.bears(mark))
  }
}

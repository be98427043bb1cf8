internal import Daemon
internal import Dashboard
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import NIOCore
internal import Pipeline
internal import ReadModel
internal import TranslationVendors

/// Responses to the dashboard's requests that change nothing: pages, screenshots and events.
extension DashboardResponder {
  private var model: ReadModel { daemon.model }
  private static var page: Int { 50 }

  func read(
    _ request: Request, _ parts: [String], _ pages: DashboardPages, _ viewer: DashboardViewer
  ) async throws -> Response {
    let query = try Query(request)
    let html: String?
    switch (parts.first, parts.count) {
    case (nil, _): html = try await portfolio(query, pages)
    case ("pipelines", 2): html = try await pipeline(parts[1], pages)
    case ("pipelines", 3) where parts[2] == "release": html = try await release(parts[1], query, pages)
    case ("pipelines", 3) where parts[2] == "preview": html = try await preview(parts[1], query, pages)
    case ("pipelines", 3) where parts[2] == "history": html = try await history(parts[1], query, pages)
    case ("pipelines", 4) where parts[2] == "commits": html = try await commit(parts[3], of: parts[1], pages)
    case ("rounds", 1): html = try await rounds(query, pages)
    case ("rounds", 2): html = try await round(parts[1], query, pages)
    case ("held", 1): html = pages.held(try await model.held(of: query["pipeline"]), of: query["pipeline"])
    case ("held", 2): html = try await held(parts[1], query, pages)
    case ("strings", 1): html = try await string(query, pages)
    case ("screenshots", 2):
      if let response = try await screenshot(of: parts[1], query, request) { return response }
      html = nil
    case ("search", 1):
      let text = query["text"] ?? ""
      html = pages.search(
        text, text.isEmpty ? [] : try await model.search(text, in: query["pipeline"], limit: 100))
    case ("audit", 1):
      guard viewer.role >= .operator else { return Self.html(.forbidden, pages.forbidden()) }
      let before = query["before"].flatMap { Int64($0) }.map(AuditID.init(rawValue:))
      let entries = try await model.audit(of: nil, before: before, limit: Self.page + 1)
      html = pages.audit(
        Array(entries.prefix(Self.page)), older: entries.count > Self.page ? entries[Self.page - 1].id : nil)
    case ("events", 1):
      return try EventStream(feed: daemon.events).response(to: request, pipeline: query["pipeline"]) {
        do { return try await self.viewer(of: request, isUse: false) != nil } catch { return true }
      }
    default: html = nil
    }
    return html.map { Self.html(.ok, $0) } ?? Self.html(.notFound, pages.notFound())
  }

  /// The maximum number of pipelines on a page of the list.
  private static var mostPipelines: Int { 100 }

  private func portfolio(_ query: Query, _ pages: DashboardPages) async throws -> String {
    let portfolio = try await model.portfolio(after: query["after"], limit: Self.mostPipelines)
    return pages.portfolio(
      portfolio, running: Set(portfolio.pipelines.map(\.name).filter { daemon.definition(of: $0) != nil }),
      fileProblems: query["after"] == nil ? try await daemon.fileProblems() : [])
  }

  private func pipeline(_ name: String, _ pages: DashboardPages) async throws -> String? {
    guard let summary = try await model.pipeline(name) else { return nil }
    let now = daemon.now()
    let completion = try await model.completion(of: name)
    let history =
      if let first = completion.first {
        try await model.completionHistory(of: name, branch: first.branch, days: 180, now: now)
      } else {
        [BranchCompletion]()
      }
    let counted = Set(completion.map { [$0.branch, $0.commit.rawValue] })
    return pages.pipeline(
      PipelineView(
        summary: summary, isRunning: daemon.definition(of: name) != nil,
        repository: daemon.definition(of: name).map { Self.withoutUser($0.repository.url) },
        completion: completion, history: history,
        uncounted: try await daemon.store.heads(of: name)
          .filter { !counted.contains([$0.branch, $0.commit.rawValue]) }.map(\.branch),
        // The page shows pauses separately, so they are not listed as problems.
        problems: try await daemon.problems(of: name).filter { $0.stage != .watch || $0.severity != .note },
        rounds: try await model.rounds(of: name, before: nil, limit: DashboardPages.latestRounds),
        deliveries: try await model.deliveries(of: name, since: now.addingTimeInterval(-90 * 86_400)), now: now))
  }

  /// Returns the URL of a repository without the user name and the password before its host.
  private static func withoutUser(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let host = url[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return url }
    return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
  }

  private func release(_ name: String, _ query: Query, _ pages: DashboardPages) async throws -> String? {
    guard try await model.pipeline(name) != nil else { return nil }
    guard let definition = daemon.definition(of: name) else {
      throw APIProblem(
        .notFound, "pipeline", "\(name) does not run now, so its commits cannot be read; see its problems")
    }
    let heads = try await daemon.store.heads(of: name)
    guard let branch = query["branch"] ?? heads.first?.branch else {
      throw APIProblem(.notFound, "branch", "no branch of \(name) has been read yet; see its problems")
    }
    guard let snapshot = try await snapshot(of: name, branch: branch) else {
      let names = heads.map(\.branch)
      throw APIProblem(
        .notFound, "branch",
        "\(name) does not watch \(branch), only \(names.joined(separator: ", "))" + NearestName.suffix(branch, names))
    }
    let language = query["language"].map { LocaleIdentifier($0) }
    let missing = try await model.missing(
      in: snapshot, of: definition, branch: branch, languages: Set(language.map { [$0] } ?? []), limit: 300)
    return pages.release(
      missing, branches: heads.map(\.branch), language: language,
      languages: definition.fallbacks.chains.keys.reduce(into: Set(snapshot.languages)) { $0.insert($1) }.sorted())
  }

  private func history(_ name: String, _ query: Query, _ pages: DashboardPages) async throws -> String? {
    let heads = try await daemon.store.heads(of: name)
    guard let head = query["branch"].map({ branch in heads.first { $0.branch == branch } }) ?? heads.first else {
      return nil
    }
    let records =
      if let start = query["from"] {
        try await daemon.history.history(of: name, from: CommitID(rawValue: start), limit: Self.page + 1)
      } else {
        try await daemon.history.history(of: name, branch: head.branch, head: head.commit, limit: Self.page + 1)
      }
    let isBehind = query["from"] == nil && records.first.map { $0.commit != head.commit } ?? false
    return pages.history(
      Array(records.prefix(Self.page)), of: name, branch: head.branch, branches: heads.map(\.branch),
      unrecorded: isBehind ? head.commit : nil,
      older: records.count > Self.page ? records[Self.page].commit : nil)
  }

  private func commit(_ id: String, of name: String, _ pages: DashboardPages) async throws -> String? {
    let commit = CommitID(rawValue: id)
    return try await daemon.history.history(of: name, from: commit, limit: 1).first.map { pages.commit($0, of: name) }
  }

  /// The maximum number of texts in the preview.
  private static var mostPreviews: Int { 200 }

  private func preview(_ name: String, _ query: Query, _ pages: DashboardPages) async throws -> String? {
    let heads = try await daemon.store.heads(of: name)
    guard let branch = query["branch"] ?? heads.first?.branch,
      let snapshot = try await snapshot(of: name, branch: branch)
    else { return nil }
    let style = query["style"].flatMap(PreviewStyle.init(rawValue:)) ?? .accented
    var count = 0
    var texts: [PreviewedText] = []
    for (path, catalog) in snapshot.committed.sorted(by: { $0.key < $1.key }) {
      for (key, entry) in catalog.entries.sorted(by: { $0.key.text < $1.key.text }) {
        let leaves = entry.translations[catalog.sourceLanguage]?.leaves.map(\.leaf.words.plain) ?? [key.text]
        count += 1
        guard texts.count < Self.mostPreviews else { continue }
        texts.append(
          PreviewedText(
            unit: UnitID(catalog: path, key: key), source: leaves.joined(separator: "\n"),
            shown: leaves.map { PseudoStyle.apply(style.styles, to: $0) }.joined(separator: "\n")))
      }
    }
    return pages.preview(texts, of: count, in: name, branch: branch, branches: heads.map(\.branch), style: style)
  }

  /// Returns the content of the newest commit of a branch; `nil` if the pipeline does not run, or does not watch the branch.
  /// - Throws: `APIProblem` if the newest commit of the branch cannot be read.
  func snapshot(of pipeline: String, branch: String) async throws -> Snapshot? {
    do { return try await daemon.snapshot(of: pipeline, branch: branch) } catch is InputFault {
      throw APIProblem(.conflict, "unreadable", "the newest commit of the branch cannot be read")
    }
  }

  private func rounds(_ query: Query, _ pages: DashboardPages) async throws -> String {
    let before = query["before"].flatMap { Int64($0) }.map(RoundID.init(rawValue:))
    let shown = try await model.rounds(of: query["pipeline"], before: before, limit: Self.page + 1)
    return pages.rounds(
      Array(shown.prefix(Self.page)), of: query["pipeline"],
      older: shown.count > Self.page ? shown[Self.page - 1].id : nil)
  }

  private func round(_ id: String, _ query: Query, _ pages: DashboardPages) async throws -> String? {
    guard let number = Int64(id) else { return nil }
    let round = try await model.round(RoundID(rawValue: number))
    let start = query["from"].flatMap { Int($0) }.map { min(max(0, $0), Int(Int32.max)) } ?? 0
    return pages.round(
      round, held: try await model.held(in: round),
      units: try await model.units(of: round.id, from: start, limit: Self.page), from: start,
      origins: try await model.origins(of: round.id))
  }

  private func held(_ id: String, _ query: Query, _ pages: DashboardPages) async throws -> String? {
    guard let number = Int64(id) else { return nil }
    return pages.held(try await model.held(ReturnedUnitID(rawValue: number), on: query["branch"]))
  }
}

extension PreviewStyle {
  /// The styles of the generated texts. For text from right to left, the page sets the direction, so the texts need no direction marks.
  fileprivate var styles: Set<PseudoStyle> {
    switch self {
    case .accented: [.accented, .bounded]
    case .longer: [.accented, .lengthened, .bounded]
    case .doubled: [.doubleLength, .bounded]
    case .rightToLeft: []
    }
  }
}

/// The query of a request. If a name is repeated, its first value is used.
struct Query: Sendable {
  private let values: FormBody

  /// - Throws: `APIProblem` if the query is not percent-encoded correctly.
  init(_ request: Request) throws {
    guard let values = FormBody(query: request.uri.query ?? "") else { throw APIProblem.badQuery }
    self.values = values
  }

  /// Returns a value even if it is empty, as a key can be. The subscript returns `nil` for an empty value, because forms send one for each field that
  /// is not filled in.
  func exactly(_ name: String) -> String? { values[name] }

  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}

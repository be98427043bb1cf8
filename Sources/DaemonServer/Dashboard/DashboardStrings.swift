internal import Daemon
internal import Dashboard
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import NIOCore
internal import Pipeline
internal import TranslationVendors

/// The page of a string, and the screenshots on it.
extension DashboardResponder {
  func string(_ query: Query, _ pages: DashboardPages) async throws -> String? {
    guard let key = try await key(query) else { return nil }
    var strings: [StringView] = []
    let histories = try await daemon.people.histories(of: UnitKey(key), in: query["pipeline"], languages: [])
    for history in histories.prefix(20) { strings.append(try await view(of: history)) }
    // A string that was never sent has no history, but a branch may contain it.
    if strings.isEmpty, let pipeline = query["pipeline"] { strings = try await unsent(key, in: pipeline) }
    return strings.isEmpty ? nil : pages.string(key, strings)
  }

  /// Returns the key from a link. For a long key, the link contains only a digest, and the key with this digest is searched for on the branches, and
  /// then in the ledger.
  /// - Returns: `nil` if the link contains neither a key nor the digest of a known key.
  private func key(_ query: Query) async throws -> String? {
    guard let digest = query["digest"] else { return query.exactly("key") }
    guard let pipeline = query["pipeline"] else { return nil }
    for head in try await daemon.store.heads(of: pipeline) {
      // If a branch cannot be read, only its texts are missing here.
      guard let snapshot = try? await daemon.snapshot(of: pipeline, branch: head.branch) else { continue }
      for catalog in snapshot.committed.values {
        if let key = catalog.entries.keys.first(where: { DashboardPages.digest(ofLong: $0.text) == digest }) {
          return key.text
        }
      }
    }
    return try await daemon.people.someKeys(of: pipeline, limit: 20_000).first {
      DashboardPages.digest(ofLong: $0) == digest
    }
  }

  private func view(of history: UnitHistory) async throws -> StringView {
    var view = StringView(history: history, entry: nil, sourceLanguage: "en", languages: [], sites: [])
    for head in try await daemon.store.heads(of: history.pipeline).prefix(3) where view.entry == nil {
      // If a branch cannot be read, only its texts are missing here.
      guard let snapshot = try? await daemon.snapshot(of: history.pipeline, branch: head.branch) else { continue }
      try await fill(&view, from: snapshot, branch: head.branch)
    }
    return view
  }

  /// The maximum number of places in the code that are shown with their source lines.
  private static var mostExcerpts: Int { 5 }

  private func fill(_ view: inout StringView, from snapshot: Snapshot, branch: String) async throws {
    let unit = view.history.unit
    guard let catalog = snapshot.committed[unit.catalog], let entry = catalog.entries[unit.key] else { return }
    (view.entry, view.sourceLanguage, view.languages) = (entry, catalog.sourceLanguage, snapshot.languages)
    let found = snapshot.found.first(where: { $0.catalog == unit.catalog && $0.key == unit.key })
    view.sites = found?.sites.map { "\($0.path):\($0.line)" } ?? []
    for site in found?.sites.prefix(Self.mostExcerpts) ?? [] {
      guard let (first, lines) = try await daemon.excerpt(of: site.path, line: site.line, context: 2, in: snapshot)
      else {
        continue
      }
      view.excerpts.append(
        SourceExcerpt(site: "\(site.path):\(site.line)", line: site.line, first: first, lines: lines))
    }
    do {
      view.screenshots = try await daemon.screenshots(of: unit, of: view.history.pipeline, in: snapshot).map {
        StringScreenshot(branch: branch, folder: $0.folder, path: $0.path.text)
      }
    } catch let error where !(error is CancellationError) {
      view.screenshotFault = "\(error)"
    }
  }

  /// Returns the response with an unchanged picture file, or with status 304 if the browser has the file; `nil` if there is no such picture. The
  /// response's headers prevent browsers from interpreting the file as anything else.
  func screenshot(of pipeline: String, _ query: Query, _ request: Request) async throws -> Response? {
    guard let branch = query["branch"], let folder = query["folder"].flatMap({ Int($0) }),
      let path = query["path"].flatMap(TreePath.init(checking:)), !path.isRoot,
      let picture = try await daemon.screenshot(
        FoundScreenshot(folder: folder, path: path), of: pipeline, branch: branch)
    else { return nil }
    let tag = "\"\(ContentDigest.hexadecimal(of: picture.bytes, bytes: 8))\""
    var headers: HTTPFields = [
      .contentType: picture.format.mediaType, .eTag: tag, .cacheControl: "private, no-cache",
      .xContentTypeOptions: "nosniff",
    ]
    for (name, value) in [
      ("Content-Security-Policy", "default-src 'none'; sandbox"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ] {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
  }

  private func unsent(_ key: String, in pipeline: String) async throws -> [StringView] {
    for head in try await daemon.store.heads(of: pipeline).prefix(3) {
      guard let snapshot = try await snapshot(of: pipeline, branch: head.branch) else { continue }
      let catalogs = snapshot.committed.filter { $0.value.entries[UnitKey(key)] != nil }.keys.sorted()
      guard !catalogs.isEmpty else { continue }
      var views: [StringView] = []
      for path in catalogs {
        var view = StringView(
          history: UnitHistory(pipeline: pipeline, unit: UnitID(catalog: path, key: UnitKey(key))), entry: nil,
          sourceLanguage: "en", languages: [], sites: [])
        try await fill(&view, from: snapshot, branch: head.branch)
        views.append(view)
      }
      return views
    }
    return []
  }
}

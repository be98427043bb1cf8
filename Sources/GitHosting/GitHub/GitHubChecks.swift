// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization
internal import Pipeline
internal import TranslationVendors

extension GitHubForge {
  /// The maximum number of annotations in one request to GitHub. Further requests add more annotations.
  private static let annotationsAtOnce = 50

  /// Sets a status as a check run with annotations. The digest of the content is the run's external id, by which a run with equal content is
  /// recognized. Such a run is not created again.
  func setCheck(_ status: CommitStatus, of commit: CommitID) async throws {
    let digest = Self.digest(of: status)
    let known = try await api.json(
      VendorHTTP.Request(
        "GET", path("commits", commit.rawValue, "check-runs"),
        query: [("check_name", status.name), ("filter", "latest"), ("per_page", "100")], headers: Self.headers),
      as: GitHubCheckRun.List.self
    ).check_runs.max { $0.id < $1.id }
    var sent = 0
    var number: Int?
    if let known, known.external_id == digest {
      guard known.status != "completed" else { return }
      // An earlier attempt was interrupted between two requests, so the remaining annotations are sent.
      number = known.id
      sent = known.output?.annotations_count ?? 0
    }
    repeat {
      let next = status.annotations.dropFirst(sent).prefix(Self.annotationsAtOnce)
      sent += next.count
      let isLast = sent >= status.annotations.count
      let run = GitHubNewCheckRun(
        status, of: number == nil ? commit : nil, digest: digest, annotations: Array(next), isLast: isLast)
      let request =
        if let number {
          try VendorHTTP.Request("PATCH", path("check-runs", String(number)), headers: Self.headers, json: run)
        } else { try VendorHTTP.Request("POST", path("check-runs"), headers: Self.headers, json: run) }
      number = try await api.json(request, as: GitHubCheckRun.self).id
      if isLast { return }
    } while true
  }

  private static func digest(of status: CommitStatus) -> String {
    var digest = ContentDigest()
    for text in [status.isGood ? "good" : "bad", status.text] { digest.update(text: text) }
    for place in status.annotations {
      for text in [place.path.text, String(place.line), place.text] { digest.update(text: text) }
    }
    return String(digest.finishHexadecimal().prefix(32))
  }
}

struct GitHubCheckRun: Decodable {
  struct List: Decodable {
    var check_runs: [GitHubCheckRun]
  }

  struct Output: Decodable {
    var annotations_count: Int?
  }

  var id: Int
  var external_id: String?
  /// The status: `queued`, `in_progress` or `completed`.
  var status: String?
  var output: Output?
}

struct GitHubNewCheckRun: Encodable {
  struct Output: Encodable {
    struct Annotation: Encodable {
      var path: String
      var start_line: Int
      var end_line: Int
      var annotation_level: String
      var message: String
    }

    var title: String
    var summary: String
    var annotations: [Annotation]?
  }

  var name: String
  /// The commit of a new run; `nil` in a change of an existing run.
  var head_sha: String?
  var external_id: String
  var status: String
  var conclusion: String?
  var output: Output

  /// - Parameter isLast: whether the run is complete with these annotations.
  init(
    _ status: CommitStatus, of commit: CommitID?, digest: String, annotations: [StatusAnnotation], isLast: Bool
  ) {
    name = status.name
    head_sha = commit?.rawValue
    external_id = digest
    self.status = isLast ? "completed" : "in_progress"
    conclusion = isLast ? (status.isGood ? "success" : "failure") : nil
    output = Output(
      // GitHub renders the summary as Markdown. The text may contain keys from source code.
      title: status.text, summary: MarkdownText.code(status.text, limit: CommitStatus.textLimit, isCell: false),
      annotations: annotations.isEmpty
        ? nil
        : annotations.map {
          Output.Annotation(
            path: $0.path.text, start_line: $0.line, end_line: $0.line,
            annotation_level: status.isGood ? "notice" : "failure", message: $0.text)
        })
  }
}

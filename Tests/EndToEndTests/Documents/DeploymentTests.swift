import Foundation
import TestSupport
import Testing
import Yams

/// Checks of the files in deploy/ with the program, and comparisons of these files with each other.
@Suite("Deployment", .timeLimit(.minutes(10))) struct DeploymentTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the names of the metrics that the server writes, each also with the suffixes of a histogram, and `up`.
  private static func metrics() throws -> Set<String> {
    var names: Set<String> = ["up"]
    let folder = "Sources/DaemonServer/Metrics"
    for file in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path) {
      for match in try text("\(folder)/\(file)").matches(of: #/"((?:dragoman|process)_[a-z_]+)"/#) {
        let name = String(match.output.1)
        names.formUnion([name, name + "_bucket", name + "_sum", name + "_count"])
      }
    }
    return names
  }

  @Test(
    "all metrics used in alerts, the dashboard and operating.md exist",
    arguments: [
      "deploy/prometheus-rules.yml", "deploy/grafana-dashboard.json", "docs/operating.md",
    ])
  func metrics(file: String) throws {
    let known = try Self.metrics()
    #expect(known.count > 40)
    let text = try Self.text(file)
    let used = Set(text.matches(of: #/\b(?:dragoman|process)_[a-z_]+\b/#).map { String($0.output) })
    #expect(used.count > 5)
    // Names of services and packages have no underscore, and variables of the dashboard begin with a dollar sign.
    #expect(used.subtracting(known).isEmpty, "\(file): \(used.subtracting(known).sorted())")
  }

  @Test("the dashboard is valid JSON, and each panel has a query and its own position")
  func board() throws {
    let object = try JSONSerialization.jsonObject(with: Data(Self.text("deploy/grafana-dashboard.json").utf8))
    let panels = try #require((object as? [String: Any])?["panels"] as? [[String: Any]])
    #expect(panels.count > 5)
    for panel in panels where panel["type"] as? String != "row" {
      let targets = try #require(panel["targets"] as? [[String: Any]])
      #expect(!targets.isEmpty && targets.allSatisfy { ($0["expr"] as? String)?.isEmpty == false })
    }
    #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    let places = panels.compactMap { $0["gridPos"] as? [String: Int] }.map { [$0["x"], $0["y"]] }
    #expect(places.count == panels.count && Set(places).count == panels.count)
    let queries = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
    for shown in ["by (language) (dragoman_completion_ratio", "by (pipeline, language) (dragoman_units_missing"] {
      #expect(queries.contains { $0.contains(shown) }, "\(shown)")
    }
  }

  @Test(
    "the YAML files in deploy/ can be parsed",
    arguments: [
      "deploy/prometheus-rules.yml", "deploy/docker/compose.yaml", "deploy/docker/compose-postgresql.yaml",
      "deploy/kubernetes/dragoman.yaml", "deploy/kubernetes/fleet.yaml",
      "deploy/ci/gitlab.yml",
      "action.yml", ".pre-commit-hooks.yaml",
    ])
  func yaml(file: String) throws {
    let documents = try Array(Yams.load_all(yaml: Self.text(file)))
    #expect(!documents.isEmpty && documents.allSatisfy { $0 is [String: Any] || $0 is [Any] })
  }

  /// Checks the pipeline file in the ConfigMap, whose lines are indented in the manifest, and the paths that the manifest shares with the image.
  @Test(
    "the pipelines in the Kubernetes manifests are valid, and their paths match the image",
    arguments: ["deploy/kubernetes/dragoman.yaml", "deploy/kubernetes/fleet.yaml"])
  func kubernetes(file: String) throws {
    let manifest = try Self.text(file)
    let lines = manifest.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasSuffix("birds.yaml: |") })
    let pipeline = lines[(start + 1)...].prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    let folder = try TemporaryFolder()
    try folder.write(pipeline.joined(separator: "\n") + "\n", to: "birds.yaml")
    let end = try dragoman(["pipelines", "check", "."], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    let image = try Self.text("deploy/docker/Dockerfile")
    for path in ["/var/lib/dragoman", "/etc/dragoman/pipelines", "/usr/lib/dragoman/probe", "10001", "8080"] {
      #expect(manifest.contains(path) && image.contains(path), "\(path)")
    }
    #expect(try Self.text("deploy/debian/build.sh").contains("/usr/lib/dragoman/probe"))
  }

  @Test(
    "the pages and templates contain the program's version",
    arguments: [
      "docs/install.md", "docs/ci.md", "deploy/ci/gitlab.yml", "deploy/kubernetes/dragoman.yaml",
      "deploy/kubernetes/fleet.yaml",
    ])
  func version(file: String) throws {
    let version = try dragoman(["--version"], in: NSTemporaryDirectory()).output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    let named = try Self.text(file).matches(of: #/(?:dragoman[_@:]v?|rev: v)([0-9]+\.[0-9]+\.[0-9]+)/#)
    #expect(!named.isEmpty && named.allSatisfy { $0.output.1 == version }, "\(named.map { $0.output.0 })")
  }

  /// Returns the `serve` commands of the containers in a document, at any depth.
  private static func commands(in node: Any) -> [[String]] {
    if let list = node as? [Any] { return list.flatMap(commands) }
    guard let members = node as? [String: Any] else { return [] }
    let words = (members["command"] ?? members["args"]) as? [String] ?? []
    return (words.first == "serve" ? [words] : []) + members.values.flatMap(commands)
  }

  @Test(
    "the program accepts the workers' commands in containers until it needs the database",
    arguments: ["deploy/docker/compose-postgresql.yaml", "deploy/kubernetes/fleet.yaml"])
  func workers(file: String) throws {
    let documents = try Yams.load_all(yaml: Self.text(file))
    let commands = documents.flatMap(Self.commands)
    #expect(!commands.isEmpty)
    let folder = try TemporaryFolder()
    try folder.write("pipeline: a\nrepository: { url: /nonexistent }\nvendors: [{ vendor: pseudo }]\n", to: "a.yaml")
    try folder.write("hunter2\n", to: "database-password")
    chmod(folder.file("database-password"), 0o600)
    for command in commands {
      let store = try #require(command.last { $0.hasPrefix("postgresql://") })
      let secret = try #require(store.firstMatch(of: #/file:[^&]*\/database-password/#))
      let address = try #require(store.firstMatch(of: #/@[^\/]+/#))
      let words = command.map { word in
        word == store
          ? store.replacing(secret.output, with: "file:" + folder.file("database-password"))
            .replacing(address.output, with: "@127.0.0.1:1")
          : word.replacing("/etc/dragoman/pipelines", with: folder.path)
            .replacing("127.0.0.1:8080", with: "127.0.0.1:0")
      }
      let end = try dragoman(words, in: folder.path)
      #expect(end.status == 69 && end.errors.contains("127.0.0.1"), "\(end)")
      #expect(!end.errors.contains("hunter2"))
    }
  }

  @Test("the image installs every package that a build needs")
  func packages() throws {
    let line = try #require(
      try Self.text("Makefile").components(separatedBy: "\n").first { $0.hasPrefix("BUILD_PACKAGES := ") })
    let image = try Self.text("deploy/docker/Dockerfile").components(separatedBy: "FROM debian:")[0]
      .split(whereSeparator: \.isWhitespace)
    let missing = line.split(separator: " ").dropFirst(2).filter { !image.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("the program accepts the image's command")
  func image() throws {
    let lines = try Self.text("deploy/docker/Dockerfile").components(separatedBy: "\n")
    let line = try #require(lines.last { $0.hasPrefix("CMD [") })
    let words = try #require(try JSONSerialization.jsonObject(with: Data(line.dropFirst(4).utf8)) as? [String])
    // The folder of pipelines does not exist here, which is reported only after the arguments are parsed.
    let end = try dragoman(
      words.map { $0.replacing("/etc/dragoman", with: "/nonexistent") }, in: NSTemporaryDirectory())
    #expect(end.status == 66 && end.errors.contains("no folder /nonexistent/pipelines"), "\(end)")
  }

  @Test("the problem matcher finds file, line, column, severity and message in the program's output")
  func problemMatcher() throws {
    let object = try JSONSerialization.jsonObject(with: Data(Self.text("deploy/ci/problem-matcher.json").utf8))
    let matchers = try #require((object as? [String: Any])?["problemMatcher"] as? [[String: Any]])
    let folder = try TemporaryFolder()
    try folder.write(
      "{ \"sourceLanguage\" : \"en\",\n\"strings\" : { \"a %lld\" : { \"extractionState\" : \"manual\", \"localizations\" : {\n\"de\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"x %@\" } } } },\n\"b\" : { \"extractionState\" : \"manual\" } },\n\"version\" : \"1.0\" }",
      to: "App/Localizable.xcstrings")
    try folder.write("import Foundation\n", to: "App/App.swift")
    func found(_ arguments: [String]) throws -> [(owner: String, parts: [String: String])] {
      let end = try dragoman(arguments, in: folder.path)
      var found: [(String, [String: String])] = []
      for line in (end.output + end.errors).components(separatedBy: "\n") {
        for matcher in matchers {
          let pattern = try #require((matcher["pattern"] as? [[String: Any]])?.first)
          let expression = try NSRegularExpression(pattern: try #require(pattern["regexp"] as? String))
          guard let match = expression.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) else {
            continue
          }
          var parts: [String: String] = [:]
          for (name, group) in pattern where name != "regexp" {
            let number = try #require(group as? Int)
            #expect(number < match.numberOfRanges)
            if let range = Range(match.range(at: number), in: line) { parts[name] = String(line[range]) }
          }
          found.append((try #require(matcher["owner"] as? String), parts))
        }
      }
      return found
    }
    let advice = try found(["check"])
    let error = try #require(advice.first { $0.parts["severity"] == "error" }, "\(advice)")
    #expect(error.owner == "dragoman" && error.parts["file"] == "App/Localizable.xcstrings")
    #expect(
      error.parts["line"] == "3" && Int(error.parts["column"] ?? "") != nil && error.parts["message"]?.isEmpty == false)
    let gate = try found(["status", "--require", "100", "--details"])
    let missing = try #require(gate.first { $0.owner == "dragoman-missing" }, "\(gate)")
    #expect(missing.parts["file"] == "App/Localizable.xcstrings" && missing.parts["line"] == "4")
    #expect(missing.parts["message"] == "de: new: \"b\"")
    #expect(gate.count { $0.owner == "dragoman-missing" } == 1)
    try folder.write("<<<<<<< HEAD\n", to: "App/Localizable.xcstrings")
    let broken = try found(["status"])
    #expect(broken.contains { $0.parts["line"] == "1" && $0.parts["severity"] == "error" }, "\(broken)")
  }

  @Test(
    "the systemd unit has an exposure score of at most 2.0",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze")))
  func unit() throws {
    let end = try ProgramEnd.of(
      "/usr/bin/systemd-analyze",
      [
        "security", "--offline=true", "--threshold=20", "--no-pager",
        Self.root.appending(path: "deploy/systemd/dragoman.service").path,
      ])
    #expect(end.status == 0, "\(end.output.suffix(300))\(end.errors)")
  }

  @Test("the GitLab jobs set no variable that an including file can also set, because the jobs would override the file")
  func gitlabVariables() throws {
    let file = "deploy/ci/gitlab.yml"
    let jobs = try #require(try Yams.load(yaml: Self.text(file)) as? [String: Any])
    let own = jobs.values.compactMap { ($0 as? [String: Any])?["variables"] as? [String: Any] }.flatMap(\.keys)
    #expect(Set(own) == ["GIT_DEPTH"])
    let shared = try #require(jobs[".dragoman"] as? [String: Any])
    let script = try #require((shared["before_script"] as? [String])?.first)
    let folder = try TemporaryFolder()
    // If the program and its address are not set, the job reports which variable to set.
    let end = try ProgramEnd.of(
      "/bin/sh", ["-c", script], in: folder.path, environment: ["PATH": folder.path])
    #expect(end.status != 0 && end.errors.contains("DRAGOMAN_PACKAGE: set it to the address"), "\(end)")
    let gate = try #require((jobs["localization-complete"] as? [String: Any])?["script"] as? [String])
    #expect(gate.contains { $0.contains("--require \"${DRAGOMAN_REQUIRE:-100}\"") })
  }
}

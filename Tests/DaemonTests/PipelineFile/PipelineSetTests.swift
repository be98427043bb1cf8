import Foundation
import Localization
import Pipeline
import TestSupport
import Testing
import TranslationVendors

@testable import Daemon

/// Names, folders and branches that two pipelines or vendors must not share, and credentials over unencrypted connections.
@Suite struct PipelineSetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(
    _ name: String, url: String = "https://example.com/app.git", branches: String = "[main]", drop: String? = nil,
    more: String = ""
  ) -> String {
    """
    pipeline: \(name)
    repository:
      url: \(url)
      branches: \(branches)
    vendors:
      - vendor: folder
        path: \(drop ?? "/srv/\(name)")
    \(more)
    """
  }

  /// Returns the faults of a folder with these files, which are named `a.yaml`, `b.yaml` and so on. Each fault is `b.yaml:7:11 message`.
  private func faults(_ files: String...) throws -> [String] {
    for (text, name) in zip(files, ["a", "b", "c"]) { try folder.write(text, to: "\(name).yaml") }
    do throws(InputFault) {
      _ = try PipelineFolder.read(folder.path)
      return []
    } catch {
      return error.diagnostics.map {
        "\($0.path):\($0.line ?? 0):\($0.column ?? 0) \($0.message)".replacing(folder.path + "/", with: "")
      }
    }
  }

  @Test(
    "two pipelines with the same drop folder are reported with both locations, even if their paths are written differently"
  )
  func folders() throws {
    let words = "is also the location of a vendor in a.yaml:7:11, so each vendor would take the other's translations"
    let own = "deliver: { branch: \"b/{branch}\" }"
    try folder.write("", to: "drop/x")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("drop"))
    #expect(
      try faults(file("a", drop: folder.file("drop")), file("b", drop: folder.file("link/../link/"), more: own))
        == [
          #"b.yaml:7:11 vendors[0].path: "\#(String(folder.file("link/../link/").prefix(60)))…" \#(words)"#
            .replacing(folder.path + "/", with: "")
        ])
    #expect(
      try faults(file("a", drop: "davs://Example.com:443/x/"), file("b", drop: "davs://example.com/x", more: own))
        == [#"b.yaml:7:11 vendors[0].path: "davs://example.com/x" \#(words)"#])
    #expect(try faults(file("a", drop: "/srv/x"), file("b", drop: "/srv/x/y", more: own)) == [])
  }

  @Test(
    "a drop folder inside a folder that another vendor empties is reported, whatever the order of the files",
    arguments: ["/srv/x/translated", "/srv/x/done/b", "/srv/x/to-translate/translated/c"])
  func nested(_ inside: String) throws {
    let own = "deliver: { branch: \"b/{branch}\" }"
    #expect(
      try faults(file("a", drop: "/srv/x"), file("b", drop: inside, more: own)) == [
        #"b.yaml:7:11 vendors[0].path: "\#(inside)" is in a folder of the vendor in a.yaml:7:11, which would take its files"#
      ])
    #expect(
      try faults(file("a", drop: inside), file("b", drop: "/srv/x", more: own)) == [
        #"b.yaml:7:11 vendors[0].path: "/srv/x" contains the location of the vendor in a.yaml:7:11, and would take its files"#
      ])
  }

  @Test(
    "two pipelines that can deliver to the same branch of a repository are reported",
    arguments: [
      ("[main]", "l10n/{branch}", "[main]", "l10n/{branch}", true),
      ("[main, \"release/*\"]", "l10n/{branch}", "[\"release/2.*\"]", "l10n/{branch}", true),
      ("[main]", "l10n/{branch}", "[\"release/*\"]", "l10n/{branch}", false),
      ("[main]", "l10n/{branch}", "[main]", "l10n/b/{branch}", false),
      ("[\"**\"]", "l10n/{branch}", "[main]", "l10n/b/{branch}", true),
      ("[main]", "translations", "[master]", "translations", true),
      ("[main]", "translations", "[\"*\"]", "{branch}s", true),
      ("[main]", "translations", "[\"release/*\"]", "{branch}s", false),
    ])
  func branches(_ one: String, _ first: String, _ two: String, _ second: String, _ isShared: Bool) throws {
    let found = try faults(
      file("a", branches: one, more: "deliver: { branch: \"\(first)\" }"),
      file("b", url: "https://EXAMPLE.com/app", branches: two, more: "deliver: { branch: \"\(second)\" }"))
    #expect(found.isEmpty != isShared, "\(found)")
    if isShared {
      #expect(found[0].hasPrefix("b.yaml:8:20 deliver.branch: delivers to the same branch of the same repository"))
      #expect(found[0].contains("a.yaml:8:20"))
    }
    let other = file("b", url: "https://example.com/other", branches: two, more: "deliver: { branch: \"\(second)\" }")
    #expect(try faults(file("a", branches: one, more: "deliver: { branch: \"\(first)\" }"), other) == [])
    let push = file("b", branches: two, more: "deliver: { mode: push }")
    #expect(try faults(file("a", branches: one, more: "deliver: { branch: \"\(first)\" }"), push) == [])
  }

  @Test(
    "two pipelines whose delivery branches git cannot both have are reported",
    arguments: [
      ("[main]", "l10n/{branch}", "[main]", "l10n/{branch}/kit", "l10n/main/kit and l10n/main"),
      ("[main]", "l10n/{branch}/kit", "[main, dev]", "l10n/{branch}", "l10n/main and l10n/main/kit"),
      ("[\"release/*\"]", "t/{branch}", "[\"release/*\"]", "t/{branch}/kit", "t/release/*/kit and t/release/*"),
      ("[\"*\"]", "t/{branch}", "[main]", "t/{branch}/kit", "t/main/kit and t/main"),
      ("[main]", "t/{branch}", "[\"release/*\"]", "t/main/{branch}", "t/main/release/* and t/main"),
      ("[main]", "l10n/{branch}", "[main]", "l10n/kit/{branch}", ""),
      ("[\"*\"]", "l10n/{branch}", "[main]", "l10n/kit/{branch}", ""),
      ("[\"*\"]", "l10n/{branch}", "[\"*/x\"]", "l10n/{branch}", ""),
      ("[main]", "l10n/{branch}", "[dev]", "l10n/{branch}/kit", ""),
    ])
  func nestedBranches(_ one: String, _ first: String, _ two: String, _ second: String, _ pair: String) throws {
    let found = try faults(
      file("a", branches: one, more: "deliver: { branch: \"\(first)\" }"),
      file("b", branches: two, more: "deliver: { branch: \"\(second)\" }"))
    let message =
      "b.yaml:8:20 deliver.branch: git cannot have both \(pair), to which the pipeline in a.yaml:8:20 delivers"
    #expect(found == (pair.isEmpty ? [] : ["\(message) in the same repository"]))
  }

  @Test("a former name that is another pipeline's current or former name is reported with both locations")
  func formerly() throws {
    let own = "\ndeliver: { branch: \"b/{branch}\" }"
    #expect(
      try faults(file("a"), file("b", more: "formerly: A" + own))
        == [#"b.yaml:8:11 formerly: the former name "A" is in use: it is the name in a.yaml:1:11"#])
    #expect(
      try faults(file("a", more: "formerly: [x, b]"), file("b", more: own))
        == [
          #"b.yaml:1:11 pipeline: the name "b" is in use as a former name in a.yaml:8:15"#
        ])
    #expect(
      try faults(file("a", more: "formerly: x"), file("b", more: "formerly: [x]" + own))
        == [#"b.yaml:8:12 formerly[0]: "x" is also a former name in a.yaml:8:11"#])
    #expect(try faults(file("a", more: "formerly: a")).count == 1)
    #expect(try faults(file("a", more: "formerly: [x, y]"), file("b", more: "formerly: z" + own)) == [])
    #expect(try PipelineFolder.read(folder.path).map(\.definition.formerly) == [["x", "y"], ["z"]])
  }

  @Test("names, former names and settings of vendors are read, and duplicate names are refused")
  func vendors() throws {
    let head = "pipeline: a\nrepository: { url: a }\nvendors:\n"
    let definition = try read(
      head + "  - { vendor: folder, path: b, name: Agency, formerly: [\"folder:/srv/x y\", old], unchanged: hold }\n")
    #expect(definition.vendors[0].name == "Agency")
    #expect(definition.vendors[0].formerly == ["folder:/srv/x y", "old"])
    #expect(definition.vendors[0].unchanged == .hold)
    #expect(
      places(
        head + "  - { vendor: folder, path: b, name: x }\n  - { vendor: pseudo, languages: [de], name: X }\n")
        == [#"5:46 vendors[1].name: vendors[0] has the name "X" too"#])
    #expect(
      places(
        head + "  - { vendor: folder, path: b, name: x-4.1 }\n  - { vendor: pseudo, languages: [de], name: x-4_1 }\n")
        == [
          #"5:46 vendors[1].name: "x-4_1" and the name of vendors[0] differ only in punctuation, so both vendors would "#
            + "use the same state files"
        ])
    #expect(
      places(
        head + "  - { vendor: folder, path: b, name: x }\n  - { vendor: pseudo, languages: [de], formerly: x }\n")
        == [#"5:50 vendors[1].formerly: the former name "x" is in use: it is the name of vendors[0]"#])
    #expect(places(head + "  - { vendor: pseudo, unchanged: keep }\n").count == 1)
    let returned = try read(
      head + "  - { vendor: folder, path: b, languages: [de], other_language: report, repair: [spaces, marks] }\n"
        + "  - { vendor: folder, path: c, languages: [fr] }\n  - { vendor: pseudo }\n"
    ).vendors
    #expect(returned.map(\.otherLanguage) == [.report, .hold, .take])
    #expect(returned.map(\.repair) == [[.spaces, .marks], [], []])
    #expect(places(head + "  - { vendor: pseudo, repair: [spaces, space] }\n").count == 1)
    #expect(places(head + "  - { vendor: pseudo, repair: spaces }\n").count == 1)
  }

  @Test("credentials are sent unencrypted only to this machine")
  func clearText() {
    let words = "repository.credentials: the credentials would be sent unencrypted over http"
    let file = { (url: String) in
      leastFile.replacing("/srv/birds.git", with: "\(url)\n  credentials: env:A")
    }
    #expect(places(file("http://example.com/a")) == ["4:16 \(words)"])
    for url in ["https://example.com/a", "http://localhost:80/a", "http://127.0.0.1/a", "http://[::1]:8/a", "/srv/a"] {
      #expect(places(file(url)) == [], "\(url)")
    }
  }

  @Test("different paths to the same folder are recognized as one folder")
  func spelling() throws {
    try folder.write("", to: "real/x")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "real")
    #expect(CanonicalPlace.path("./link//new/../other/", in: folder.path) == folder.file("real/other"))
    #expect(CanonicalPlace.path("/../a/./b") == "/a/b")
    #expect(CanonicalPlace.address("DAVS://Files.Example.com:443//a/b/") == "davs://files.example.com/a/b")
    #expect(CanonicalPlace.address("dav://h:8080/A") == "dav://h:8080/A")
  }

  @Test("different addresses of a repository are recognized as one repository")
  func repositories() throws {
    for address in [
      "https://H/a/b", "https://h:443/a/b.git/", "http://h/a/b", "https://token@h/%61/b", "ssh://git@h/a/b.git",
      "ssh://ann@h:22/a/b", "git+ssh://h:22/a/b", "git@h:a/b.git", "ann@H:/a/b",
    ] { #expect(CanonicalPlace.repository(address) == "h/a/b", "\(address)") }
    // These paths are relative to the home folder of an account.
    #expect(CanonicalPlace.repository("ann@h:a/b") != CanonicalPlace.repository("bob@h:a/b"))
    for address in ["https://h:8443/a/b", "https://h/A/b", "https://h/a/b/c", "ssh://git@h:2222/a/b", "git://h/a/b"] {
      #expect(CanonicalPlace.repository(address) != "h/a/b", "\(address)")
    }
    try folder.write("", to: "app.git/HEAD")
    let bare = folder.file("app.git")
    #expect(CanonicalPlace.repository(folder.file("app")) == CanonicalPlace.repository(bare))
    #expect(CanonicalPlace.repository("file://\(bare)/") == CanonicalPlace.repository(bare))
    try folder.write("", to: "app/.git/HEAD")
    #expect(CanonicalPlace.repository(folder.file("app")) != CanonicalPlace.repository(bare))
  }
}

import Foundation
import TestSupport
import Testing

/// Commands with unusual output paths and repositories.
@Suite struct HostilePlaceTests {
  private static let catalog = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "One" : {
          "localizations" : {
            "de" : { "stringUnit" : { "state" : "translated", "value" : "Eins" } },
            "fr" : { "stringUnit" : { "state" : "translated", "value" : "Un" } }
          }
        }
      },
      "version" : "1.0"
    }
    """

  @Test("compile refuses catalogs with the same name, because their files would overwrite each other")
  func compileTwice() throws {
    let folder = try TemporaryFolder()
    for place in ["A", "B"] {
      try folder.write("{\"sourceLanguage\":\"en\",\"strings\":{},\"version\":\"1.0\"}", to: "\(place)/L.xcstrings")
    }
    let end = try dragoman(["compile", "A/L.xcstrings", "B/L.xcstrings", "--output", "out"], in: folder.path)
    #expect(end.status == 64 && end.errors.contains("A/L.xcstrings and B/L.xcstrings have the same name"), "\(end)")
    #expect(!folder.names(in: ".").contains("out"))
  }

  @Test("compile does not write through a symbolic link, and checks every path before it writes the first file")
  func compileThroughLink() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalog, to: "A.xcstrings")
    try folder.write("kept", to: "victim/Localizable.strings")
    try folder.write("", to: "out/aa.lproj/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("out/fr.lproj"), withDestinationPath: folder.file("victim"))
    let end = try dragoman(["compile", "A.xcstrings", "--output", "out"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("fr.lproj is a symbolic link, which is not followed"))
    #expect(end.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/de.lproj")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("victim")) == ["Localizable.strings"])
    let plain = try dragoman(["compile", "A.xcstrings", "--output", "new/deep"], in: folder.path)
    #expect(plain.status == 0 && plain.output.contains("new/deep/de.lproj/A.strings"))
  }

  @Test("reprint does not replace a symbolic link")
  func reprintLink() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalog, to: "elsewhere.xcstrings")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("B.xcstrings"), withDestinationPath: folder.file("elsewhere.xcstrings"))
    let end = try dragoman(["reprint", "B.xcstrings"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("is a symbolic link; give the path of the file that it points to"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("B.xcstrings")).hasSuffix(
        "elsewhere.xcstrings"))
  }

  @Test("for a path that cannot be written, the command exits with 74 and lists the files that it wrote before")
  func noPermission() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalog, to: "A.xcstrings")
    try folder.write("", to: "out/fr.lproj/x")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.file("out/fr.lproj"))
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("out/fr.lproj"))
    }
    // The superuser can write anywhere, so the failure cannot be tested.
    guard !FileManager.default.isWritableFile(atPath: folder.file("out/fr.lproj")) else { return }
    let end = try dragoman(["compile", "A.xcstrings", "--output", "out"], in: folder.path)
    #expect(end.status == 74 && end.errors.contains("cannot be written"))
    #expect(end.output.contains("de.lproj/A.strings"))
  }

  private func git(_ arguments: [String], in folder: String, input: String = "") throws -> String {
    let arguments = ["-c", "user.name=a", "-c", "user.email=b@c"] + arguments
    return try run("/usr/bin/git", arguments, in: folder, input: input)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func repository(_ arguments: [String] = []) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try git(["init", "-q", "-b", "main"] + arguments, in: folder.path)
    try folder.write("import SwiftUI\nlet a = Text(\"One\")\n", to: "A.swift")
    try folder.write(Self.catalog, to: "Localizable.xcstrings")
    _ = try git(["add", "-A"], in: folder.path)
    return folder
  }

  @Test(
    "the tree of a commit is read even if other lines of the commit are invalid",
    arguments: [
      "author a <b> 99999999999999999999999 +0000\ncommitter a <b> abc +0000\n", "author a <b> 1 +0000\n", "",
    ])
  func oddCommit(lines: String) throws {
    let folder = try repository()
    let tree = try git(["write-tree"], in: folder.path)
    let commit = try git(
      ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], in: folder.path,
      input: "tree \(tree)\n\(lines)\nodd\n")
    _ = try git(["update-ref", "refs/heads/main", commit], in: folder.path)
    let end = try dragoman(["extract", folder.path, "--revision", "main"], in: folder.path)
    #expect(end.status == 0 && end.output.contains("\"One\""), "\(end.errors)")
    let child = try git(
      ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], in: folder.path,
      input: "tree \(tree)\nparent \(commit)\nauthor a <b> 1 +0000\ncommitter a <b> 1 +0000\n\nchild\n")
    let before = try dragoman(["extract", folder.path, "--revision", child + "~1"], in: folder.path)
    #expect(before.status == 0 && before.output.contains("\"One\""), "\(before.errors)")
  }

  @Test("a SHA-256 repository is refused, and the message names the reason")
  func otherHash() throws {
    let folder = try repository(["--object-format=sha256"])
    _ = try git(["commit", "-q", "-m", "x"], in: folder.path)
    let end = try dragoman(["extract", folder.path, "--revision", "HEAD"], in: folder.path)
    #expect(end.status == 65, "\(end.status) \(end.errors)")
  }

  @Test(
    "a named pipe in a repository is refused without waiting for it",
    arguments: ["packed-refs", "config", "objects/info/alternates"])
  func pipes(name: String) throws {
    let folder = try repository()
    _ = try git(["commit", "-q", "-m", "x"], in: folder.path)
    let path = folder.file(".git/" + name)
    try? FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    let end = try dragoman(["extract", folder.path, "--revision", "HEAD"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("\(name) is not a regular file"), "\(end.errors)")
  }

  @Test("a long table cell is truncated and does not widen the other rows")
  func longCells() throws {
    let folder = try repository()
    _ = try git(["commit", "-q", "-m", "x"], in: folder.path)
    let drop = "drop-" + String(repeating: "x", count: 200)
    try folder.write(
      "pipeline: one\nrepository: { url: \(folder.path) }\nlanguages: [it]\nvendors: [{ vendor: folder, path: \(drop) }]\n",
      to: "one.yaml")
    let end = try dragoman(["run", "one.yaml", "--once", "--progress", "none"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    let row = try #require(end.output.split(separator: "\n").first { $0.hasPrefix("one#1") })
    #expect(row.contains("…") && row.count < 250, "\(row)")
    #expect(end.output.split(separator: "\n").allSatisfy { $0.count < 250 })
  }

  @Test("every command stops with one message at a tree of 10^10 paths that is made of ten tree objects")
  func manyPaths() throws {
    let folder = try repository()
    _ = try git(["commit", "-q", "-m", "x"], in: folder.path)
    var tree = try git(["write-tree"], in: folder.path)
    for _ in 0..<10 {
      tree = try git(["mktree"], in: folder.path, input: (0..<10).map { "040000 tree \(tree)\td\($0)\n" }.joined())
    }
    let commits = try ["one", "two"].map { try git(["commit-tree", tree, "-m", $0], in: folder.path) }
    for arguments in [
      ["extract"], ["extract", "--why", "One"], ["status"], ["status", "--require", "0"],
      ["export", "--output", "out"],
    ] {
      let end = try dragoman(arguments + ["--revision", commits[0]], in: folder.path)
      #expect(end.status == 65, "\(arguments): \(end)")
      let words = end.errors.components(separatedBy: "the tree has more than 1000000 files and folders").count - 1
      #expect(words == 1, "\(arguments): \(end.errors)")
    }
    let diff = try dragoman(["diff", commits[0], commits[1]], in: folder.path)
    #expect(diff.status == 65, "\(diff)")
  }

  @Test("an export that fails lists the files that it has already written")
  func exportBeforeError() throws {
    let folder = try repository()
    try folder.write("a file", to: "out/fr.xcloc")
    let end = try dragoman(
      ["export", "--output", "out", "--language", "de", "--language", "fr"], in: folder.path)
    #expect(end.status != 0)
    #expect(end.output.contains("de.xcloc"))
    try FileManager.default.removeItem(atPath: folder.file("out/fr.xcloc"))
    try folder.write("", to: "out/fr.xcloc/Source Contents/x")
    try FileManager.default.removeItem(atPath: folder.file("out/fr.xcloc/Source Contents/x"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: folder.file("out/fr.xcloc/Source Contents"))
    // The superuser can write anywhere, so the failure cannot be tested.
    guard !FileManager.default.isWritableFile(atPath: folder.file("out/fr.xcloc/Source Contents")) else { return }
    let cut = try dragoman(["export", "--output", "out", "--language", "fr"], in: folder.path)
    #expect(cut.status == 74 && cut.errors.contains("Changed before the error: fr.xcloc/"), "\(cut)")
  }

  @Test("exporting to a path that is a file exits with 74 and does not show a library's own error")
  func exportOverFile() throws {
    let folder = try repository()
    try folder.write("a file", to: "out")
    let end = try dragoman(["export", "--output", "out"], in: folder.path)
    #expect(end.status == 74 && end.errors.contains("cannot create the folder "), "\(end)")
    #expect(!end.errors.contains("NSCocoaErrorDomain"))
  }

  @Test("a failed write to standard output exits with 74", arguments: ["text", "json", "html"])
  func fullOutput(format: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalog, to: "A.xcstrings")
    let line = "exec '\(dragomanPath())' status --format \(format) > /dev/full"
    let end = try ProgramEnd.of("/bin/sh", ["-c", line], in: folder.path)
    #expect(end.status == 74, "\(end.errors)")
    #expect(end.errors.contains("error: cannot write to standard output: No space left on device"))
    let closed = try ProgramEnd.of(
      "/bin/bash", ["-c", "'\(dragomanPath())' status --format \(format) | true; exit ${PIPESTATUS[0]}"],
      in: folder.path)
    #expect(closed.status == 0, "a closed pipe is not an error: \(closed.errors)")
  }

  @Test("check does not replace a named pipe with a baseline")
  func deviceAsBaseline() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalog, to: "App/A.xcstrings")
    try folder.write("let x = 1\n", to: "App/a.swift")
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let end = try dragoman(["check", "--write-baseline", "pipe"], in: folder.path)
    #expect(
      end.status == 65 && end.errors.contains("pipe is not a regular file, so it is not replaced"), "\(end.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["App", "pipe"])
  }

  @Test("a line break in a path cannot add a line that looks like a GitHub command")
  func lineBreakInPath() throws {
    let repository = try TemporaryRepository()
    let code = "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n"
    try repository.commit([
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])

      """,
      "Sources/Kit/a\n::error::x.swift": code, "Sources/Kit/b\n::error::y.xcstrings": "{",
      "Sources/Kit/Localizable.xcstrings": "{\"sourceLanguage\":\"en\",\"strings\":{},\"version\":\"1.0\"}",
    ])
    for arguments in [
      ["extract"], ["extract", "--why", "Hello"], ["status"], ["status", "--details"], ["status", "--require", "100"],
      ["sync", "--check"], ["check"], ["diff", "HEAD"], ["init"], ["export", "--language", "de", "--output", "out"],
    ] {
      let end = try dragoman(arguments, in: repository.path)
      let lines = (end.output + end.errors).split(separator: "\n")
      #expect(lines.allSatisfy { !$0.hasPrefix("::error::") }, "\(arguments): \(end.output)\(end.errors)")
      #expect(!lines.isEmpty, "\(arguments)")
    }
  }
}

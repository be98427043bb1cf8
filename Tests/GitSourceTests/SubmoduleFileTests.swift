import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

@Suite("Reading of .gitmodules")
struct SubmoduleFileTests {
  static let files = [
    "[submodule \"a\"]\n\tpath = a\n\turl = https://h/a.git\n",
    "[submodule \"a\"]\r\n\tpath = a\r\n\turl = ../a.git\r\n",
    "# c\n; c\n[submodule \"x y\"] path=\"a b\"\n url = ../a\\\\b.git # comment\n",
    "[SubModule \"a\"]\nPATH = a\nUrl = \"../a;b\" ; comment\n",
    "[submodule \"a\"]\n path = a\n url = ../a\\\n.git\n active\n shallow = true\n",
    "[core]\n url = no\n[submodule \"a\\\"b\\\\\"]\n path = p/q\n url = x  y\t\n",
    "[submodule \"a\"]\n path = a\n url = one\n[submodule \"a\"]\n url = two\n",
    "[submodule \"a\"]\n url = one\n",
    "",
  ]

  @Test(".gitmodules files are read as git reads them", arguments: files)
  func asGit(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "modules")
    func git(_ key: String) throws -> [String: String] {
      var values: [String: String] = [:]
      let output =
        (try? TemporaryRepository.git(
          ["config", "-z", "-f", "modules", "--get-regexp", "^submodule\\..*\\.\(key)$"], in: folder.path)) ?? ""
      for line in output.split(separator: "\0") {
        let parts = line.split(separator: "\n", maxSplits: 1).map(String.init)
        values[String(parts[0].dropLast(key.count + 1))] = parts.count > 1 ? parts[1] : ""
      }
      return values
    }
    let (paths, urls) = (try git("path"), try git("url"))
    let wanted = Dictionary(
      paths.compactMap { name, path in urls[name].map { (TreePath(trusted: path), $0) } }, uniquingKeysWith: { $1 })
    #expect(try SubmoduleFile(Array(text.utf8)).urls == wanted)
  }

  @Test(
    "an error is reported with its line",
    arguments: [
      ("[submodule \"a\"]\n[", 2), ("[submodule \"a\n\"]", 1), ("a b\n", 1), ("[submodule \"a\"]\n\nurl = \"x\ny\"", 3),
      ("[submodule \"a\"]\nurl = \\q", 2), ("= x", 1), ("[]", 1), ("[submodule \"a\"", 1),
    ])
  func faults(text: String, line: Int) {
    #expect(throws: SubmoduleFile.Fault(detail: "line \(line) of .gitmodules is not valid")) {
      try SubmoduleFile(Array(text.utf8))
    }
  }

  @Test("paths outside the tree are ignored, and a .gitmodules file that is too large is refused")
  func hostile() throws {
    let text = ["../up", "/etc", "a/../../b", "."].map { "[submodule \"\($0)\"]\npath = \($0)\nurl = x\n" }.joined()
    #expect(try SubmoduleFile(Array(text.utf8)).urls.isEmpty)
    #expect(throws: SubmoduleFile.Fault.self) { try SubmoduleFile([UInt8](repeating: 0x0A, count: 1_048_577)) }
  }
}

@Suite("The URL of a submodule")
struct SubmoduleURLTests {
  @Test(
    "a relative URL is resolved as git resolves it",
    arguments: [
      ("https://h/a/app.git", "../kit.git", "https://h/a/kit.git"),
      ("https://h/a/app.git/", "../kit.git", "https://h/a/kit.git"),
      ("https://h/a/app.git", "../../b/kit.git", "https://h/b/kit.git"),
      ("https://h/a/app.git", "./kit", "https://h/a/app.git/kit"),
      ("ssh://git@h:22/a/app.git", "../kit.git", "ssh://git@h:22/a/kit.git"),
      ("git@h:a/app.git", "../kit.git", "git@h:a/kit.git"),
      ("git@h:app.git", "../kit.git", "git@h:kit.git"),
      ("git@h:/srv/app.git", "../kit.git", "git@h:/srv/kit.git"),
      ("/srv/app.git", "../kit.git", "/srv/kit.git"),
      ("app.git", "../kit.git", "kit.git"),
      ("file:///srv/app.git", "../kit.git", "file:///srv/kit.git"),
      ("https://h/a/app.git", "https://other/kit.git", "https://other/kit.git"),
    ])
  func relative(container: String, url: String, resolved: String) throws {
    #expect(try SubmoduleURL.resolved(url, in: container) == resolved)
  }

  private func location(
    _ declared: String?, repository: String = "https://h/a/app.git", url: String? = nil,
    credentials: CredentialReference = .none
  ) throws -> SubmoduleLocation {
    try SubmoduleRules(repository: RemoteURL(repository)).location(
      of: SubmoduleSettings(path: "Kit", url: url, credentials: credentials), declared: declared,
      in: SubmoduleLocation(url: repository, access: .asRepository))
  }

  @Test(
    "a URL on another server, a local path and an invalid URL are refused",
    arguments: [
      "../../../kit.git", "https://other/kit.git", "http://h/a/kit.git", "https://h:8443/kit.git",
      "ssh://git@h/kit.git",
      "git@h:kit.git", "file:///srv/kit.git", "/srv/kit.git", "kit.git", "ext::sh -c id", "ftp://h/kit.git", "",
      "-u./payload", "--upload-pack=x", "https://h\n/kit.git", "https://h@other/kit.git",
      "https://user:secret@h/kit.git",
      "../a/../../kit.git", "ssh://-oProxyCommand=id/x", "https://", "file:/srv/kit.git",
      "https://h/" + String(repeating: "a", count: 2048),
    ])
  func hostile(url: String) {
    let fault = #expect(throws: SubmoduleURL.Fault.self) { try location(url) }
    #expect(fault?.detail.contains("secret") == false, "\(fault?.detail ?? "")")
  }

  @Test(
    "a submodule on the repository's server gets its credentials; on another server, only those in the pipeline file")
  func credentials() throws {
    let own = CredentialReference.environment("KIT")
    #expect(try location("../kit.git") == SubmoduleLocation(url: "https://h/a/kit.git", access: .asRepository))
    #expect(try location("https://H/kit.git").access == .asRepository)
    #expect(
      try location("https://evil/x", url: "https://other/kit.git", credentials: own)
        == SubmoduleLocation(url: "https://other/kit.git", access: .with(own)))
    #expect(try location(nil, url: "https://other/kit.git").access == .with(.none))
    #expect(try location(nil, url: "https://h/kit.git").access == .asNamed)
    #expect(try location("/srv/kit.git", repository: "/srv/app.git").access == .asRepository)
    #expect(throws: SubmoduleURL.Fault.self) { try location("https://h/kit.git", repository: "/srv/app.git") }
    #expect(throws: SubmoduleURL.Fault.self) { try location(nil) }
  }
}

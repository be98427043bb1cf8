import Foundation
import TestSupport
import Testing

/// The program when an unprivileged account runs it. Only root can run programs as another account.
@Suite(.timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "only root can run a program as another account"))
final class OtherAccountTests {
  /// A folder that an unprivileged account can read.
  private let place = "/tmp/dragoman-account-\(UUID().uuidString)"
  private let files = FileManager.default
  private static let account: uid_t = 12345

  init() throws {
    for name in ["", "/state", "/bin"] {
      try files.createDirectory(atPath: place + name, withIntermediateDirectories: false)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place + name)
    }
    try files.copyItem(atPath: dragomanPath(), toPath: place + "/bin/dragoman")
  }

  deinit { try? files.removeItem(atPath: place) }

  private func run(_ arguments: [String]) throws -> ProgramEnd {
    let account = "\(Self.account)"
    return try ProgramEnd.of(
      "setpriv", ["--reuid", account, "--regid", account, "--clear-groups", place + "/bin/dragoman"] + arguments,
      in: place, environment: ["PATH": "/usr/bin:/bin", "LANG": "C"])
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(place)/\(name)"))
  }

  @Test("a folder that the account can write only through its group, such as a Kubernetes volume, can be the store")
  func groupFolder() throws {
    #expect(chown(place + "/state", 0, Self.account) == 0)
    try files.setAttributes([.posixPermissions: 0o2775], ofItemAtPath: place + "/state")
    try write("pipeline: a\nrepository: { url: \(place)/none }\nvendors: [{ vendor: pseudo }]\n", to: "a.yaml")
    let end = try run(["run", "a.yaml", "--once", "--store", "sqlite:\(place)/state"])
    #expect(!end.errors.contains("permissions cannot be restricted"), "\(end)")
    #expect(try files.attributesOfItem(atPath: place + "/state/ledger.sqlite")[.posixPermissions] as? Int == 0o600)
    #expect(
      try run(["doctor", "--store", "sqlite:\(place)/state"]).output.contains("\(place)/state through its group"))
    // The store is refused if other accounts can replace its files.
    try files.setAttributes([.posixPermissions: 0o2777], ofItemAtPath: place + "/state")
    #expect(try run(["run", "a.yaml", "--once", "--store", "sqlite:\(place)/state"]).status == 74)
  }

  @Test("doctor reports a ledger, a drop folder and a secret that the account cannot use, each with the next step")
  func unusable() throws {
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place + "/state")
    #expect(chown(place + "/state", Self.account, Self.account) == 0)
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", place + "/origin.git"], in: place)
    let vendors = """
      [{ vendor: folder, path: "\(place)/drop", languages: [fr] }, { vendor: deepl, credentials: "file:\(place)/key" }]
      """
    try write(
      "pipeline: a\nrepository: { url: \(place)/origin.git }\nlanguages: [de, fr]\nvendors: \(vendors)\n", to: "a.yaml")
    let doctor = ["doctor", "--pipelines", place, "--store", "sqlite:\(place)/state"]
    let impossible = "\(place)/drop does not exist, and this account cannot create it in \(place) (Permission denied)"
    #expect(try run(doctor).output.contains(impossible))
    for name in ["drop", "drop/to-translate"] {
      try files.createDirectory(atPath: "\(place)/\(name)", withIntermediateDirectories: false)
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(place)/\(name)")
    }
    #expect(chown(place + "/drop", Self.account, Self.account) == 0)
    let secret = "cannot get the credentials for vendor deepl: \(place)/key"
    var end = try run(doctor)
    #expect(
      end.output.contains("this account cannot write to \(place)/drop/to-translate (Permission denied). Correct the"),
      "\(end)")
    #expect(end.output.contains("\(secret) does not exist. Create it"), "\(end)")
    try write("key\n", to: "key")
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place + "/key")
    try write(String(repeating: "x", count: 10_000), to: "state/ledger.sqlite")
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place + "/state/ledger.sqlite")
    end = try run(doctor)
    #expect(end.output.contains("\(secret) cannot be read. Give this account the permission"), "\(end)")
    #expect(
      end.output.contains("PROBLEM ledger: this account cannot read and write \(place)/state/ledger.sqlite"), "\(end)")
    #expect(!end.output.contains("A damaged ledger"), "\(end)")
    try write(String(repeating: "x", count: 70_000), to: "key")
    #expect(try run(doctor).output.contains("\(secret) has more than 64 KiB"))
    try files.removeItem(atPath: place + "/key")
    try files.createDirectory(atPath: place + "/key", withIntermediateDirectories: false)
    #expect(try run(doctor).output.contains("\(secret) is not a file. Correct the path"))
  }
}

import ChildPrograms
import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

/// Servers that refuse a fetch, send wrong data, or close the connection during a fetch. One test fills the disk.
@Suite("Hostile git servers", .enabled(if: networkReasonToSkip == nil))
struct HostileServerTests {
  private let repository: TemporaryRepository
  private let server: FaultyGitServer

  init() throws {
    repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    server = try FaultyGitServer(repository.bareCopy())
  }

  private func mirror(program: String = networkProgram) throws -> GitMirror {
    try GitMirror(
      url: server.url, folder: repository.folder.file("mirror.git"),
      networkChild: GitNetworkChild(executable: program, deadline: .seconds(60), stallLimit: .seconds(60)))
  }

  private func error(_ body: () async throws -> Void) async -> GitError? {
    do { try await body() } catch { return error as? GitError }
    return nil
  }

  /// Commits files and pushes them to the server.
  @discardableResult
  private func push(_ files: [String: String], to branch: String = "main") throws -> CommitID {
    let id = try repository.commit(files)
    try repository.git("push", "-q", "-f", "file://" + server.repository, "HEAD:refs/heads/\(branch)")
    return CommitID(rawValue: id)
  }

  /// Returns a packet for a channel of the side band.
  private static func packet(_ channel: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    let length = String(bytes.count + 5, radix: 16)
    return Array((String(repeating: "0", count: 4 - length.count) + length).utf8) + [channel] + bytes
  }

  /// A text that compression hardly makes smaller.
  private static let noise =
    (0..<3000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "\n")
  private static let nak = PacketLines.line("NAK\n")

  private static let faults: [(name: String, change: FaultyGitServer.Change, words: String, kind: GitError.Kind)] = [
    (
      "an ERR packet in place of the pack",
      { _ in FaultyGitServer.response(.transfer, PacketLines.line("ERR storage \u{1b}[1mis moved\n")) },
      "the transfer failed; the server said: \"storage  [1mis moved\"", .unreachable
    ),
    (
      "an ERR packet after an acknowledgement, which refuses",
      { _ in FaultyGitServer.response(.transfer, nak + PacketLines.line("ERR access denied: trial ended")) },
      "the server said: \"access denied: trial ended\"", .refused
    ),
    (
      "a fatal message in the middle of the pack",
      { response in
        FaultyGitServer.response(
          .transfer,
          nak + packet(1, Array(packContent(response).prefix(4000)))
            + packet(3, Array("out of memory on node 7\n".utf8))
            + Array("0000".utf8))
      }, "the server said: \"out of memory on node 7\"", .unreachable
    ),
    (
      "a fatal message at once",
      { _ in
        FaultyGitServer.response(
          .transfer,
          nak + packet(2, Array("Counting objects: 1\rhelp at help.example.com\n".utf8))
            + packet(3, Array("repository is being moved\n".utf8)) + Array("0000".utf8))
      }, "the transfer failed; the server said: \"repository is being moved; help at help.example.com\"", .unreachable
    ),
    (
      "a pack that is cut off", { FaultyGitServer.response(.transfer, Array($0.prefix($0.count / 2))) },
      "damaged or cut off", .unreachable
    ),
    (
      "a pack that ends too early, with an end",
      { response in
        FaultyGitServer.response(
          .transfer, nak + packet(1, Array(packContent(response).dropLast(400))) + Array("0000".utf8))
      }, "damaged or cut off", .unreachable
    ),
    (
      "a pack with a changed byte",
      { response in
        var pack = packContent(response)
        pack[pack.count / 2] ^= 0x10
        return FaultyGitServer.response(.transfer, nak + packet(1, pack) + Array("0000".utf8))
      }, "damaged or cut off", .unreachable
    ),
    (
      "a pack that has fewer objects than it says",
      { response in
        var pack = packContent(response)
        pack[10] = 1
        return FaultyGitServer.response(.transfer, nak + packet(1, pack) + Array("0000".utf8))
      }, "damaged or cut off", .unreachable
    ),
    (
      "a response that is shorter than its length",
      { .raw(FaultyGitServer.head(.transfer, length: $0.count + 100_000) + $0.prefix(3000)) }, "", .unreachable
    ),
    (
      "a packet longer than any", { _ in FaultyGitServer.response(.transfer, Array("fffetoo long".utf8)) },
      "damaged or cut off", .unreachable
    ),
    (
      "no packets at all", { _ in FaultyGitServer.response(.transfer, Array("<html>".utf8)) }, "damaged or cut off",
      .unreachable
    ),
    ("an empty response", { _ in FaultyGitServer.response(.transfer, []) }, "damaged or cut off", .unreachable),
    ("a connection that ends", { _ in .close }, "", .unreachable),
  ]

  /// Returns the content of the pack in a response, without packet lines.
  private static func packContent(_ response: [UInt8]) -> [UInt8] {
    var lines = PacketLines(response)
    var pack: [UInt8] = []
    var position = 0
    while let line = try? lines.next("read"), position < response.count {
      guard let length = Int(String(decoding: response[position..<(position + 4)], as: UTF8.self), radix: 16) else {
        break
      }
      if case .data(let content) = line, content.first == 1 {
        pack += response[(position + 5)..<(position + length)]
      }
      position += max(4, length)
    }
    return pack
  }

  @Test(
    "a fetch that fails midway reports the reason, leaves no files and keeps the branches, and the next fetch succeeds",
    arguments: faults.indices)
  func fault(_ index: Int) async throws {
    let fault = Self.faults[index]
    let mirror = try mirror()
    let before = try await mirror.refresh()
    let next = try push(["a": "2", "noise": Self.noise])
    server.change(.transfer, fault.change)
    let error = await error { _ = try await mirror.refresh() }
    #expect(error?.kind == fault.kind, "\(fault.name): \(error as Any)")
    #expect(error?.disposition == (fault.kind == .refused ? .askPerson : .retry))
    #expect(fault.words.isEmpty || error?.detail.contains(fault.words) == true, "\(fault.name): \(error as Any)")
    #expect(try await mirror.branches() == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects/pack")
    #expect(files.allSatisfy { $0.hasPrefix("pack-") }, "\(files)")
    server.change(.transfer, nil)
    #expect(try await mirror.refresh().map(\.commit) == [next])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test("the message of a server that refuses a fetch after listing its branches is quoted, even over ssh")
  func refusal() async throws {
    let list = try ProgramEnd.of(
      "git", ["-c", "safe.directory=*", "upload-pack", "--advertise-refs", server.repository]
    ).output
    try repository.folder.write(list, to: "list")
    for (name, start) in [("list", ""), ("fetch", "cat '\(repository.folder.file("list"))'; ")] {
      try repository.folder.write(
        "#!/bin/sh\n\(start)printf '0027ERR quota of this month is used up\\n'; cat > /dev/null\n", to: "script")
      let program = repository.folder.file("ssh-\(name)")
      try run("install", ["-m", "755", repository.folder.file("script"), program], in: repository.path)
      let mirror = try GitMirror(
        url: "git@host:x.git", folder: repository.folder.file("\(name).git"),
        networkChild: GitNetworkChild(executable: networkProgram, deadline: .seconds(60), stallLimit: .seconds(60)),
        ssh: SSHSettings(program: program))
      let error = await error { _ = try await mirror.refresh() }
      #expect(error?.detail.contains("the server said: \"quota of this month is used up\"") == true, "\(error as Any)")
      #expect(error?.kind == (name == "list" ? .refused : .unreachable), "\(error as Any)")
    }
  }

  @Test("branches whose names look like options or are invalid in git are refused")
  func names() async throws {
    let head = try push(["a": "2"])
    for name in ["-x", "--upload-pack=touch x", "--exec=/bin/false", "a..b", "c~1", "d@{1}", "e.lock", "f/.g", "h."] {
      // git itself refuses to create most of these branches.
      try repository.folder.write(head.rawValue + "\n", to: "bare.git/refs/heads/" + name)
    }
    try repository.folder.write("ref: refs/heads/main\n", to: "bare.git/HEAD")
    server.change(.list) { response in
      let one = Array(response.dropLast(4))
      let bad = ["a..b", "c~1", "d@{1}", "e.lock", "f/.g", "h.", "--upload-pack=touch x", "../../config"]
      return FaultyGitServer.response(
        .list, one + bad.flatMap { PacketLines.line("\(head.rawValue) refs/heads/\($0)\n") } + Array("0000".utf8))
    }
    let mirror = try mirror()
    let names = try await mirror.refresh().map(\.name)
    #expect(names == ["--exec=/bin/false", "-x", "main"])
    for name in names { #expect(try await mirror.branches().contains { $0.name == name && $0.commit == head }) }
    #expect(try await mirror.refresh().map(\.name) == names)
  }

  @Test("a full disk is reported as a problem for a person, and the mirror stays unchanged")
  func disk() async throws {
    let before = try await mirror().refresh()
    let words = (0..<250_000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
    let next = try push(["noise": words.joined(separator: "\n")])
    // A limit of 1 MiB on the size of files has the same effect as a full disk. ThreadSanitizer itself needs files of 512 KiB.
    let script = "#!/bin/sh\ntrap '' XFSZ\nulimit -f 2048\nexec '\(networkProgram)' \"$@\"\n"
    try repository.folder.write(script, to: "script")
    let program = repository.folder.file("small")
    try run("install", ["-m", "755", repository.folder.file("script"), program], in: repository.path)
    let small = try mirror(program: program)
    let error = await error { _ = try await small.refresh() }
    #expect(error?.kind == .disk && error?.disposition == .askPerson, "\(error as Any)")
    #expect(try await small.branches() == before)
    #expect(try await mirror().refresh().map(\.commit) == [next])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: small.folder) == "")
  }

  @Test("reading an endless list of references stops at the limit")
  func endless() {
    var responses = ServerResponses()
    responses.begin()
    let packet = Array("fff0".utf8) + [UInt8](repeating: 0x30, count: 65_516)
    let piece = (0..<16).flatMap { _ in packet }
    var count = 0
    while responses.admit(piece), count < 100 { count += 1 }
    #expect(count == 64 << 20 / piece.count)
    #expect(responses.limitFault("list")?.disposition == .askPerson)
    var pack = ServerResponses()
    pack.isInPack = true
    for _ in 0..<70 where !pack.admit(piece) { Issue.record("a pack has a limit of its own") }
  }

  @Test("server errors are detected however packets are split, and other output is not treated as an error")
  func packets() {
    let bytes =
      Self.nak + Self.packet(1, Array("ERR in a pack".utf8)) + Self.packet(2, Array("ERR progress".utf8))
      + PacketLines.line("ERR one\n") + Array("0000".utf8) + Self.packet(3, Array("two".utf8)) + PacketLines.line("ER")
      + PacketLines.line("ERRATA 3") + PacketLines.line("")
      + PacketLines.line("ERR " + String(repeating: "x", count: 9000))
    for size in [1, 2, 3, 5, 64, bytes.count] {
      var packets = ErrorPackets()
      for start in stride(from: 0, to: bytes.count, by: size) {
        packets.add(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(packets.summary.hasPrefix("one; two; xxx"), "\(size): \(packets.summary.prefix(40))")
    }
    var plain = ErrorPackets()
    plain.add(Array("PACK0009ERR x".utf8))
    #expect(plain.summary == "")
    var shallow = ErrorPackets()
    let line = PacketLines.line("shallow " + String(repeating: "a", count: 40))
    for byte in PacketLines.line("shallo") + line { shallow.add([byte]) }
    #expect(shallow.isShallow && !shallow.isFound)
  }
}

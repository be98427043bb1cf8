import Foundation
import Glibc
import TestSupport
import Testing

@testable import ChildPrograms

/// The descriptors that child programs inherit, and the program files that are written for them. The sockets in these tests do not have
/// close-on-exec, like those of SwiftNIO's servers.
struct ChildProgramTests {
  /// Returns whether `end` reaches the end of the data after its peer is closed in this process, although the child still runs.
  private func seesEnd(_ end: Int32) -> Bool {
    var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    // A child that another test is starting keeps a copy of the peer until the child executes its program.
    guard poll(&request, 1, 60_000) == 1 else { return false }
    var byte: UInt8 = 0
    return recv(end, &byte, 1, 0) == 0
  }

  private func sockets() throws -> (here: Int32, peer: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("a connection without close-on-exec ends when it is closed, even while a child program runs")
  func programs() throws {
    let (here, peer) = try sockets()
    defer { close(here) }
    let child = try ChildProgram(executable: "/bin/cat", arguments: [], environment: [])
    defer { child.end() }
    close(peer)
    #expect(seesEnd(here))
    #expect(!child.reap())
  }

  @Test("a child program has the three standard streams and no other open files")
  func descriptors() throws {
    let (here, peer) = try sockets()
    defer { for end in [here, peer] { close(end) } }
    let child = try ChildProgram(executable: "/bin/ls", arguments: ["/proc/self/fd"], environment: [])
    defer { child.end() }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(child.channel, &buffer, buffer.count, 0), count > 0 { output += buffer[..<count] }
    // Descriptor 3 is the folder that ls reads.
    #expect(String(decoding: output, as: UTF8.self) == "0\n1\n2\n3\n")
  }

  @Test("servers started by tests do not keep other tests' connections open")
  func servers() throws {
    let (here, peer) = try sockets()
    defer { close(here) }
    let child = try ChildProcess("cat", [], input: .pipe, output: .null)
    defer {
      try? child.pipe?.close()
      child.waitUntilExit()
    }
    close(peer)
    #expect(seesEnd(here))
  }

  @Test("a program file counts as open for writing until its last writing descriptor is closed")
  func writers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/program"
    let first = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    try #require(first >= 0)
    let copy = dup(first)
    let reader = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    close(first)
    #expect(AskPassProgram.isOpenForWriting(path))
    close(copy)
    // A child that another test is starting keeps a copy of the descriptor until the child executes its program.
    var checks = 0
    while AskPassProgram.isOpenForWriting(path), checks < 1_000_000 {
      sched_yield()
      checks += 1
    }
    #expect(!AskPassProgram.isOpenForWriting(path))
  }

  @Test("the password program is executable and is removed when it is no longer needed")
  func passwordProgram() throws {
    var program: AskPassProgram? = try AskPassProgram()
    let path = try #require(program?.path)
    #expect(access(path, X_OK) == 0)
    program = nil
    #expect(access(path, F_OK) != 0)
  }
}

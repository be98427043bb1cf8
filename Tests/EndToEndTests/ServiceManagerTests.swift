import Foundation
import TestSupport
import Testing

/// The program under a service manager.
@Suite(.timeLimit(.minutes(10))) struct ServiceManagerTests {
  @Test("the daemon notifies systemd when it is ready, while it works, and when it reloads its files or stops")
  func life() throws {
    let socket = try NotifySocket()
    let folder = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    try folder.write(
      "pipeline: idle\nrepository:\n  url: \(folder.file("origin.git"))\nvendors:\n  - vendor: pseudo\n",
      to: "pipelines/idle.yaml")
    let process = try ChildProcess(
      dragomanPath(), ["serve"], in: folder.path,
      environment: [
        "PATH": "/usr/bin:/bin", "LANG": "C", "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "2000000",
      ], output: .null, errors: .null)
    /// Returns the next wanted notification. Watchdog notifications are skipped.
    func next(_ isWanted: (String) -> Bool) -> String? {
      while let message = socket.next() { if isWanted(message) { return message } }
      return nil
    }
    #expect(next { $0 != "WATCHDOG=1" } == "READY=1\nSTATUS=1 pipeline runs")
    #expect(next { $0 == "WATCHDOG=1" } != nil)
    kill(process.processIdentifier, SIGHUP)
    let reload = next { $0 != "WATCHDOG=1" } ?? ""
    #expect(reload.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(next { $0 != "WATCHDOG=1" } == "READY=1\nSTATUS=1 pipeline runs")
    kill(process.processIdentifier, SIGTERM)
    #expect(next { $0 != "WATCHDOG=1" } == "STOPPING=1\nSTATUS=waiting for running stages")
    #expect(process.waitUntilExit() == 0)
  }
}

import Foundation
import Pipeline
import Synchronization
import Testing

@testable import Daemon

/// Workers of a fleet with different files of the same pipeline.
struct DifferingFilesTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func member(_ name: String, _ shared: String?) -> FleetMember {
    FleetMember(name: name + "#1234", started: now, until: now, pipelines: 0, fileFaults: shared)
  }

  private func shared(_ digests: [String: String]) throws -> String {
    String(decoding: try JSONEncoder().encode(SharedFiles(faults: [], digests: digests)), as: UTF8.self)
  }

  @Test("pipelines whose files differ between workers, or from the database, are found")
  func differences() throws {
    let text = "pipeline: birds"
    let same = SharedFiles.digest(of: text.utf8)
    let stored = [StoredPipelineFile(name: "birds", path: "birds.yaml", text: text)]
    let workers = [
      member("a:/x", try shared(["birds": same, "cats": "1"])),
      member("b:/y", try shared(["birds": same, "cats": "2"])),
      member("c:/z", nil), member("d:/z", "[]"),
    ]
    let found = SharedFiles.differences(of: workers, stored, since: now)
    #expect(found.map(\.path) == ["cats"] && found.map(\.findings) == [["a:/x", "b:/y"]])
    let other = [StoredPipelineFile(name: "cats", path: "cats.yaml", text: text)]
    #expect(SharedFiles.differences(of: [workers[0]], other, since: now).map(\.findings) == [["a:/x", "the database"]])
  }

  @Test("differing files are logged once, and so is the end of the difference")
  func logged() throws {
    let lines = Mutex<[String]>([])
    let log = ServiceLog(now: { [now] in now }, showsStages: true) { line in lines.withLock { $0.append(line) } }
    let fault = FileFault(path: "birds", pipeline: "birds", effect: .differs, findings: ["a:/x", "b:/y"], since: now)
    for faults in [[fault], [fault], [], []] { log.note(differingFiles: faults) }
    let all = lines.withLock { $0 }
    #expect(all.count == 2, "\(all)")
    #expect(
      all.first?.hasSuffix("Give all workers the same file") == true && all[0].contains("on a:/x, b:/y"), "\(all)")
    #expect(all.last?.hasSuffix("birds: all workers have the same pipeline file again") == true, "\(all)")
  }
}

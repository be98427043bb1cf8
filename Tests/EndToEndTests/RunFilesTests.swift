import Foundation
import TestSupport
import Testing

/// The pipeline files that are passed to `run`.
@Suite("Pipeline files passed to run") struct RunFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["README.md": "no strings"])
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, folder.file("origin.git")], in: folder.path)
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(folder.file("origin.git"))" }
      languages: [de]
      vendors: [{ vendor: pseudo }]

      """, to: "birds.yaml")
  }

  private func run(_ files: String...) throws -> ProgramEnd {
    try dragoman(["run"] + files + ["--once"], in: folder.path)
  }

  @Test("a file that is passed twice, even by different paths, is one pipeline")
  func twice() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file("link.yaml"), withDestinationPath: "birds.yaml")
    let end = try run("birds.yaml", "./birds.yaml", "link.yaml", folder.file("birds.yaml"))
    #expect(end.status == 0 && end.output == "birds: nothing to do.\n", "\(end)")
  }

  @Test("run exits with 66 if the only fault is a missing file, and with 65 if another file has a fault")
  func missing() throws {
    var end = try run("birds.yaml", "none.yaml")
    #expect(end.status == 66 && end.output == "birds: nothing to do.\n", "\(end)")
    #expect(end.errors.components(separatedBy: "none.yaml: error: no such file").count == 2, "\(end)")
    end = try run("none.yaml", "nowhere.yaml")
    #expect(end.status == 66 && end.errors.contains("nowhere.yaml: error: no such file"), "\(end)")
    try folder.write("# later\n", to: "empty.yaml")
    end = try run("birds.yaml", "none.yaml", "empty.yaml")
    #expect(end.status == 65 && end.errors.contains("empty.yaml:1:1: error: the file: contains no pipeline"), "\(end)")
  }
}

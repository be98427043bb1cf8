import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import Daemon

@Suite struct PipelineFolderTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func faults(_ folder: String) -> [Diagnostic] {
    do throws(InputFault) {
      _ = try PipelineFolder.read(folder)
      return []
    } catch {
      return error.diagnostics
    }
  }

  @Test("every complete example of a pipeline file in the docs can be read")
  func examples() throws {
    let folder = Self.repository + "/pipelines"
    let found = try PipelineFolder.read(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
    #expect(found.map(\.path) == names.map { "\(folder)/\($0)" })
    #expect(found.map(\.definition.name) == names.map { String($0.dropLast(5)) })
    let own = try #require(found.first { $0.definition.name == "self" }).definition
    #expect(own.repository.url == ".dragoman/origin.git")
    #expect(own.extract.macros == ["message"])
    #expect(own.catalogs == .commit)
    #expect(own.vendors.map(\.kind) == ["pseudo", "folder"])
    #expect(own.vendors[1].options.text("path") == ".dragoman/translators")
  }

  @Test(".yaml and .yml files are read in order of their names; hidden files, subfolders and other files are ignored")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write(leastFile.replacing("birds", with: "b"), to: "b.yml")
    try folder.write(leastFile.replacing("birds", with: "a"), to: "a.yaml")
    for other in ["notes.txt", ".a.yaml", "below/c.yaml"] { try folder.write("neither", to: other) }
    try FileManager.default.createSymbolicLink(atPath: folder.file("z.yaml"), withDestinationPath: "below/z")
    try folder.write(leastFile.replacing("birds", with: "z"), to: "below/z")
    let found = try PipelineFolder.read(folder.path)
    #expect(found.map(\.path) == ["a.yaml", "b.yml", "z.yaml"].map(folder.file))
    #expect(found.map(\.definition.name) == ["a", "b", "z"])
    #expect(try PipelineFolder.read(folder.path + "/").count == 3)
  }

  @Test("the faults of all files are reported at once, including a name that two files have")
  func allFaults() throws {
    let folder = try TemporaryFolder()
    try folder.write(leastFile + "catalogs: keep\n", to: "a.yaml")
    try folder.write("x: [\n", to: "b.yaml")
    try folder.write("# another\n" + leastFile.replacing("birds", with: "Birds"), to: "c.yaml")
    try FileManager.default.createDirectory(atPath: folder.file("d.yaml"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.file("e.yaml"), withDestinationPath: "nowhere")
    try folder.write([UInt8](repeating: 0x20, count: FileLimits.bytes + 1), to: "f.yaml")
    let found = faults(folder.path)
    #expect(found.map { String($0.path.suffix(6)) } == ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml"])
    #expect(found.map(\.line) == [6, 2, 2, nil, nil, nil])
    #expect(found[2].message == "pipeline: \"Birds\" is also the name of the pipeline in \(folder.file("a.yaml")):1:11")
    #expect(found[5].message == "the file has 1048577 bytes; the limit for a pipeline file is 1048576")
  }

  @Test("a missing folder is a fault; an empty folder is accepted")
  func folders() throws {
    let folder = try TemporaryFolder()
    #expect(try PipelineFolder.read(folder.path).isEmpty)
    #expect(faults(folder.file("none")).map(\.message) == ["the folder is unreadable"])
  }
}

import Foundation
import TestSupport
import Testing

/// A bundle that a translator returns as it was sent.
struct UntouchedBundleTests {
  @Test("a returned bundle without any translation is reported, and its strings stay outstanding")
  func untouched() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings":
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Close\" : { }, \"Open\" : { } }, \"version\" : \"1.0\" }"
    ])
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(try repository.bareCopy())" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0s }]

      """, to: "app.yaml")
    let run = { try dragoman(["run", "app.yaml", "--once"], in: folder.path) }
    #expect(try run().status == 0)
    let name = try #require(folder.names(in: "drop/to-translate").first { $0.hasSuffix(".zip") })
    try FileManager.default.createDirectory(
      atPath: folder.file("drop/translated"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: folder.file("drop/to-translate/\(name)"), toPath: folder.file("drop/translated/\(name)"))
    let end = try run()
    #expect(end.errors.contains("\(name): warning: none of its 2 units has a translation"), "\(end)")
    #expect(end.output.contains("2 units outstanding") || end.errors.contains("2 units outstanding"), "\(end)")
  }
}

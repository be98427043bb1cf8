import Foundation
import Localization
import TestSupport
import Testing
import VendorServers
import ZipArchive

/// Rounds with screenshots from the repository and from a folder.
struct ScreenshotRoundTests {
  /// Bytes that begin as in a JPEG file.
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 7]
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  @Test("a bundle has the screenshots of its strings, and a missing folder is reported")
  func round() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    let catalog = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "%lld birds" : {

          },
          "Open" : {

          }
        },
        "version" : "1.0"
      }
      """
    let shots = URL(filePath: repository.path + "/Shots/deep")
    try FileManager.default.createDirectory(at: shots, withIntermediateDirectories: true)
    try Data(Self.jpeg).write(to: shots.appending(path: "open.jpg"))
    try Data(Self.jpeg).write(to: shots.appending(path: "other.jpg"))
    try repository.commit(["App/Localizable.xcstrings": catalog])
    let origin = try repository.bareCopy()
    try folder.write(Self.jpeg, to: "ci/list.jpg")
    try folder.write("{\"elements\": [{\"label\": \"12 birds\"}]}", to: "ci/list.json")
    func write(_ screenshots: String, drop: String = "drop") throws {
      try folder.write(
        """
        pipeline: app
        repository: { url: "\(origin)" }
        languages: [de]
        screenshots: \(screenshots)
        vendors:
          - { vendor: folder, path: \(drop) }

        """, to: "app.yaml")
    }
    try write("{ repository: Shots, folder: ci }")
    let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    let files = try ZipArchive.read(try folder.read("drop/to-translate/app-1-de.xcloc.zip"))
    let notes = files.filter { $0.key.text.hasPrefix("de.xcloc/Notes/") }
    #expect(
      notes.keys.map(\.name).sorted() == ["Screenshots.txt", "deep-open.jpg", "list.jpg"], "\(files.keys.sorted())")
    #expect(notes["de.xcloc/Notes/Screenshots/deep-open.jpg"] == Self.jpeg)
    #expect(
      notes["de.xcloc/Notes/Screenshots.txt"].map { String(decoding: $0, as: UTF8.self) } == """
        The strings that each picture in the folder Screenshots shows:

        deep-open.jpg
          App/Localizable.xcstrings: Open

        list.jpg
          App/Localizable.xcstrings: %lld birds

        """)

    // If the folder of screenshots is missing, strings are sent without screenshots.
    try write("{ repository: Missing, folder: nowhere }", drop: "other")
    let missing = try dragoman(["run", "app.yaml", "--once", "--store", "sqlite:again"], in: folder.path)
    #expect(try ZipArchive.read(try folder.read("other/to-translate/app-1-de.xcloc.zip")).count == 3)
    #expect(missing.errors.contains("Missing: warning: the folder of screenshots does not exist"), "\(missing)")
    #expect(missing.errors.contains("nowhere: warning: the folder of screenshots does not exist"), "\(missing)")
  }

  @Test("a new screenshot of outstanding or translated strings is sent to the vendor once")
  func later() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "Close" : {

          },
          "Open" : {

          }
        },
        "version" : "1.0"
      }
      """
    ])
    let origin = try repository.bareCopy()
    let system = LokaliseServer()
    let server = try LoopbackHTTPServer { request, _ in system.respond(to: request) }
    try folder.write("secret-token", to: "token")
    try folder.write(Self.jpeg, to: "ci/other.jpg")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      screenshots: { folder: ci }
      vendors:
        - { vendor: lokalise, url: "\(server.url)", project: p1, credentials: "file:\(folder.file("token"))" }

      """, to: "app.yaml")
    func run() throws {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    try run()
    #expect(system.content.contains("Open") && system.screenshots.isEmpty)
    try folder.write(Self.png + [1], to: "ci/open.png")
    try run()
    #expect(system.screenshots.values.map { $0 } == [["App/Localizable.xcstrings::Open"]])
    system.translate("de")
    try run()
    try folder.write(Self.png + [2], to: "ci/close.png")
    try run()
    let there = system.screenshots
    #expect(there.count == 2 && there.values.contains(["App/Localizable.xcstrings::Close"]))
    try run()
    #expect(system.screenshots == there)
  }
}

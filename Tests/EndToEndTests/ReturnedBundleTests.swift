import Foundation
import TestSupport
import Testing

/// Bundles that are returned untranslated or twice.
struct ReturnedBundleTests {
  private static let catalog = "App/Localizable.xcstrings"
  private let folder: TemporaryFolder
  /// The repository from which `origin` is copied. Stored only because releasing the repository deletes its folder.
  private let repository: TemporaryRepository
  private let origin: String

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit([
      Self.catalog:
        "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"Close\" : { }, \"Open\" : { } }, \"version\" : \"1.0\" }"
    ])
    origin = try repository.bareCopy()
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(origin)" }
      languages: [de]
      vendors: [{ vendor: folder, path: drop, settle: 0s }]

      """, to: "app.yaml")
  }

  private func run() throws -> ProgramEnd { try dragoman(["run", "app.yaml", "--once"], in: folder.path) }

  @Test("a returned bundle without any translation is reported, and its strings stay outstanding")
  func untouched() throws {
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

  @Test("a bundle that is returned again after a later bundle changes no text and is reported")
  func repeated() throws {
    #expect(try run().status == 0)
    /// Puts a returned bundle into the drop folder and runs the pipeline.
    /// - Returns: the errors of the run.
    func give(_ name: String, _ target: String) throws -> String {
      try folder.write(
        """
        <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
          <file original="\(Self.catalog)" source-language="en" target-language="de" datatype="plaintext">
            <body>
              <trans-unit id="Close"><source>Close</source><target>\(target)</target></trans-unit>
            </body>
          </file>
        </xliff>
        """, to: "drop/translated/\(name).xliff")
      let end = try run()
      #expect(end.status == 0, "\(end)")
      return end.errors
    }
    let notice = "again.xliff: warning: the same bundle was read before"
    #expect(try !give("first", "Zu").contains(notice))
    #expect(try !give("second", "Schließen").contains(notice))
    let delivered = try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin)
    #expect(try give("again", "Zu").contains(notice))
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: origin) == delivered)
    #expect(
      try TemporaryRepository.git(["show", "l10n/main:\(Self.catalog)"], in: origin).contains("\"Schließen\""))
  }
}

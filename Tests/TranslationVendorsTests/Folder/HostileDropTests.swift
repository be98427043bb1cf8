import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors
import ZipArchive

@Suite struct HostileDropTests {
  private func vendor(_ folder: TemporaryFolder) -> FolderVendor {
    FolderVendor(storage: DirectoryStorage(root: folder.path), settle: .zero)
  }

  @Test(
    "unreadable files are moved to held with a review that gives the reason, and the others are accepted",
    arguments: [
      ("notes.txt", Array("hello".utf8), "neither a zip nor an XLIFF file"),
      ("empty.zip", [], "neither a zip nor an XLIFF file"),
      ("cut.zip", Array("PK\u{3}\u{4}".utf8), "cut off"),
      ("cut.xliff", Array("<?xml version=\"1.0\"?>\n<xliff version=\"1.2\"><file".utf8), "the file ends within"),
      (
        "bomb.xliff",
        Array("<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><xliff version=\"1.2\">&b;</xliff>".utf8),
        "can declare entities"
      ),
      ("page.html", Array("<html></html>".utf8), "not <xliff>"),
    ])
  func unreadable(_ name: String, _ bytes: [UInt8], _ words: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "translated/\(name)")
    _ = try await vendor(folder).push(VendorConformance.shipment())
    let good = try Translator.answer(try folder.read("to-translate/birds-7-uk.xcloc.zip"))
    try folder.write(good, to: "translated/zz.zip")
    let found = try await vendor(folder).pull().bundles
    try #require(found.count == 2)
    // The good bundle comes first, whatever its name is.
    #expect(found[0].files.count == 1 && found[1].files.isEmpty)
    let diagnostic = try #require(found[1].diagnostics.first)
    #expect(diagnostic.path == "translated/\(name)" && diagnostic.severity == .error)
    #expect(diagnostic.message.contains(words), "\(diagnostic)")
    try await vendor(folder).acknowledge(found[1], verdict: .held(review: "unreadable"))
    #expect(folder.names(in: "held") == [name, name + ".review.txt"])
    #expect(folder.names(in: "done") == [name])
    #expect(folder.names(in: "translated") == ["zz.zip"])
  }

  @Test("a zip that has paths outside its folder or expands a thousandfold is refused, and the message names the entry")
  func hostileZips() async throws {
    let folder = try TemporaryFolder()
    let script = """
      import sys,zipfile
      with zipfile.ZipFile(sys.argv[1]+'/escape.zip','w') as z: z.writestr('../../evil.xliff','x')
      with zipfile.ZipFile(sys.argv[1]+'/ratio.zip','w',zipfile.ZIP_DEFLATED) as z: z.writestr('uk.xcloc/bomb.xliff',b' '*20_000_000)
      """
    try FileManager.default.createDirectory(atPath: folder.file("translated"), withIntermediateDirectories: true)
    try run("python3", ["-c", script, folder.file("translated")])
    let found = try await vendor(folder).pull().bundles
    try #require(found.map(\.reference) == ["translated/escape.zip", "translated/ratio.zip"])
    #expect(found.allSatisfy { $0.files.isEmpty })
    #expect(found[0].diagnostics[0].message.contains("../../evil.xliff"))
    #expect(found[1].diagnostics[0].message.contains("bomb.xliff"))
  }

  @Test("symbolic links are reported, archived as links, and never followed")
  func links() async throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    _ = try await vendor(folder).pull()
    try outside.write("secret", to: "secret.xliff")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.file("translated/a.xliff"), withDestinationPath: outside.file("secret.xliff"))
    try manager.createSymbolicLink(atPath: folder.file("translated/b.xcloc"), withDestinationPath: outside.path)
    try folder.write("x", to: "translated/c.xcloc/contents.json")
    try manager.createSymbolicLink(
      atPath: folder.file("translated/c.xcloc/Localized Contents"), withDestinationPath: outside.path)
    let found = try await vendor(folder).pull().bundles
    #expect(found.map(\.reference) == ["translated/a.xliff", "translated/b.xcloc", "translated/c.xcloc"])
    #expect(found.allSatisfy { $0.files.isEmpty && "\($0.diagnostics)".contains("symbolic link") })
    for bundle in found { try await vendor(folder).acknowledge(bundle, verdict: .held(review: "links")) }
    #expect(folder.names(in: "translated").isEmpty)
    #expect(outside.names() == ["secret.xliff"])
    #expect(!folder.names(in: "held/c.xcloc").contains("Localized Contents"))
  }

  @Test("no file is written through a link that replaces one of the folders")
  func linkedFolder() async throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.file("to-translate"), withDestinationPath: outside.path)
    let error = try await #require(throws: VendorError.self) {
      try await vendor(folder).push(VendorConformance.shipment())
    }
    #expect(error.kind == .notAFile && "\(error)".contains("symbolic link"))
    #expect(outside.names().isEmpty)
  }
}

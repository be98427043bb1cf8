import Foundation
import TestSupport
import Testing

/// Dragoman's own String Catalog against its own code, by its own command.
@Suite("The program's own catalog")
struct OwnCatalogTests {
  @Test("has the messages of the code, as sync writes them")
  func inStep() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let end = try dragoman(["sync", ".", "--macro", "message", "--target", "dragoman", "--check"], in: root.path)
    #expect(
      end.status == 0,
      "\(end.output)\(end.errors)\nRun `.build/debug/dragoman sync . --macro message --target dragoman` and commit the catalog."
    )
  }
}

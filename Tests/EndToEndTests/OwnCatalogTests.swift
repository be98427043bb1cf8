import Foundation
import TestSupport
import Testing

/// Comparisons of Dragoman's own String Catalogs with its code, made with `dragoman sync`.
@Suite("Dragoman's own catalogs")
struct OwnCatalogTests {
  @Test("Dragoman's catalogs equal the catalogs that sync writes from its code", arguments: ["dragoman", "Dashboard"])
  func inStep(target: String) throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let end = try dragoman(["sync", ".", "--macro", "message", "--target", target, "--check"], in: root.path)
    #expect(
      end.status == 0,
      "\(end.output)\(end.errors)\nRun `.build/debug/dragoman sync . --macro message --target \(target)` and commit the catalog."
    )
  }
}

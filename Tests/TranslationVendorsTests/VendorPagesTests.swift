import Foundation
import Testing
import TranslationVendors

/// The pages in docs/vendors: there is a page for each kind of vendor, and the page lists every option.
struct VendorPagesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/vendors").standardizedFileURL

  @Test("each kind of vendor has a documentation page that lists exactly its options", arguments: VendorRegistry.names)
  func pages(_ name: String) throws {
    let kind = try #require(VendorRegistry.kind(named: name))
    let text = try #require(
      try? String(contentsOf: Self.folder.appending(path: "\(name).md"), encoding: .utf8),
      "docs/vendors/\(name).md does not exist")
    let index = try String(contentsOf: Self.folder.appending(path: "../README.md"), encoding: .utf8)
    #expect(index.contains("(vendors/\(name).md)"), "docs/README.md does not link the page")
    #expect(text.hasPrefix("# The vendor `\(name)`\n"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    // A page may have several tables. The table of options begins with this header.
    let options = text.components(separatedBy: "| option | meaning |").dropFirst().first?.components(
      separatedBy: "\n\n"
    )
    .first?.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = (options ?? rows).flatMap { row in
      row.split(separator: "|").first?.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) } ?? []
    }
    let known = Set(kind.options.map(\.name))
    #expect(known.subtracting(named).isEmpty, "docs/vendors/\(name).md has no row for these options")
    #expect(Set(named).subtracting(known).isEmpty, "docs/vendors/\(name).md has rows for unknown options")
  }
}

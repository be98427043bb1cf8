import Localization
import Testing

@testable import StringExtraction

/// Macros whose expansion localizes their first argument (xcode-extraction.md B: Swift macros, through their expansion).
@Suite struct LocalizingMacroTests {
  private static let use = #"""
    import Strings
    let a = #localized("one", bundle: .main) // 🔑 one
    let b = #localized("two %@", comment: "why", "no") // 🔑 two %@
    let c = #identifier("no")
    """#

  private static let declarations = #"""
    @freestanding(expression)
    public macro localized<each T>(_ key: StaticString, bundle: Bundle? = nil, comment: String = "", _ arguments: repeat each T) -> String =
      #externalMacro(module: "StringMacros", type: "LocalizedMacro")
    @freestanding(expression)
    public macro identifier(_ key: StaticString) -> String = #externalMacro(module: "StringMacros", type: "IdentifierMacro")
    """#

  private static let implementations = #"""
    import SwiftSyntaxMacros
    public struct LocalizedMacro: ExpressionMacro {
      public static func expansion(of node: some FreestandingMacroExpansionSyntax) throws -> ExprSyntax {
        let key = try key(of: node)
        return "String(localized: \(key), bundle: \(bundle(of: node)))"
      }
    }
    public struct IdentifierMacro: ExpressionMacro {
      public static func expansion(of node: some FreestandingMacroExpansionSyntax) throws -> ExprSyntax {
        return "Identifier(\(try key(of: node)))"
      }
    }
    """#

  @Test("a macro's first argument is a key if the macro's implementation puts it into a localizing call")
  func expansion() throws {
    var fixture = ExtractionFixture([
      "App/A.swift": Self.use, "Strings/B.swift": Self.declarations, "StringMacros/C.swift": Self.implementations,
    ])
    fixture.splitByFolder(["App": ["Strings"], "Strings": ["StringMacros"], "StringMacros": []], catalogs: ["App"])
    let extraction = try fixture.extract()
    let found = extraction.strings.flatMap { string in string.sites.map { "\($0.line): \(string.key.text)" } }
    #expect(found.sorted() == ExtractionFixture.expected(in: Self.use))
    #expect(extraction.strings.first { $0.key == UnitKey("two %@") }?.comment == "why")
  }

  @Test("a macro without an implementation localizes nothing")
  func withoutImplementation() throws {
    var fixture = ExtractionFixture(["App/A.swift": Self.use, "Strings/B.swift": Self.declarations])
    fixture.splitByFolder(["App": ["Strings"], "Strings": []], catalogs: ["App"])
    #expect(try fixture.extract().strings.isEmpty)
  }
}

extension ExtractionFixture {
  /// Makes each top-level folder a separate target.
  mutating func splitByFolder(_ dependencies: [String: [String]], catalogs: Set<String>) {
    let sources = project.targets.flatMap(\.swiftSources)
    project.targets = dependencies.keys.sorted().map { name in
      ProjectTarget(
        id: TargetID(rawValue: name), name: name, kind: .folder, folder: TreePath(trusted: name),
        swiftSources: sources.filter { $0.path.text.hasPrefix(name + "/") },
        dependencies: (dependencies[name] ?? []).map { TargetID(rawValue: $0) },
        resourceFolder: TreePath(trusted: name), feedsCatalogs: catalogs.contains(name),
        catalogs: catalogs.contains(name) ? ["Localizable": TreePath(trusted: "\(name)/Localizable.xcstrings")] : [:])
    }
  }
}

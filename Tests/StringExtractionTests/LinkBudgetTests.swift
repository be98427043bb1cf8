import Localization
import SwiftParsing
import Testing

@testable import SDKDeclarations
@testable import StringExtraction
@testable import SwiftFacts
@testable import SwiftLinking

@Suite("Limits on the work of linking")
struct LinkBudgetTests {
  private static let id = TargetID(rawValue: ".")

  /// Links one file.
  /// - Returns: the number of steps, whether the budget was exceeded, and the number of literals that are certainly localizable.
  private func link(
    _ source: String, mostSteps: Int = ResolvingProgress.mostSteps
  ) throws -> (steps: Int, isOverBudget: Bool, literals: Int) {
    try ParsingThreads.run {
      let facts = FactCompiler.compile(SourceParsing.parseUnchecked(Array(source.utf8)))
      let target = ExtractionFixture(["A.swift": source]).project.targets[0]
      let unit = TargetLinker.Unit(target: target, interfaces: [facts.interface], imports: Set(facts.imports))
      let linker = TargetLinker(
        [unit], sdk: SDKFacts.modules, imported: Set(facts.imports), macros: [], mostSteps: mostSteps)
      let literals = linker.literals(in: facts, file: 0, of: Self.id)
      return (linker.steps, linker.isOverBudget, literals.count { !$0.isUncertain })
    }
  }

  /// Returns a file whose function has `count` statements, each made from its number, and at the end a text with the variable of the last one.
  private func function(_ count: Int, _ statement: (Int) -> String) -> String {
    "import SwiftUI\nfunc d<T>(_ t: T) -> (T, T) { (t, t) }\nfunc f() {\nlet a0 = 1\n"
      + (0..<count).map { statement($0) + "\n" }.joined()
      + "_ = Text(\"end \\(a\(count))\")\n}\n"
  }

  @Test(
    "types that double at every step take work proportional to the source",
    arguments: [
      { "let a\($0 + 1) = (a\($0), a\($0))" }, { "let a\($0 + 1) = { (a\($0), a\($0)) }" },
      { "let a\($0 + 1) = { a\($0) }" }, { "let a\($0 + 1) = [a\($0): a\($0)]" }, { "let a\($0 + 1) = d(a\($0))" },
    ] as [@Sendable (Int) -> String])
  func doubling(_ statement: @Sendable (Int) -> String) throws {
    let small = try link(function(200, statement))
    let large = try link(function(400, statement))
    #expect(small.literals == 1 && large.literals == 1)
    #expect(!large.isOverBudget)
    #expect(Double(large.steps) <= 2.2 * Double(small.steps), "\(small.steps) and \(large.steps)")
  }

  @Test("nested generic calls are followed only within the budget")
  func nested() throws {
    func nested(_ depth: Int) throws -> (steps: Int, isOverBudget: Bool, literals: Int) {
      let call = String(repeating: "d(", count: depth) + "1" + String(repeating: ")", count: depth)
      return try link(
        "import SwiftUI\nfunc d<T>(_ t: T) -> (T, T) { (t, t) }\nfunc g() { let x = \(call)\n_ = Text(\"a \\(x)\") }\n",
        mostSteps: 100_000)
    }
    let real = try nested(6)
    #expect(real.literals == 1 && !real.isOverBudget)
    // The Swift parser itself fails at about 20 levels.
    let deep = try nested(18)
    #expect(deep.steps <= 101_000)
    #expect(deep.literals == 1 || deep.isOverBudget)
  }

  @Test("the members of each class in a long chain are looked up within the budget")
  func inheritance() throws {
    func source(_ count: Int) -> String {
      "import SwiftUI\n" + (0..<count).map { "class C\($0): C\($0 + 1) {}\n" }.joined() + "class C\(count) {}\n"
        + (0..<count).map { "func f\($0)(e: C\($0)) { _ = Text(\"x \\(e.missing)\") }\n" }.joined()
    }
    let real = try link(source(30))
    #expect(real.literals == 30 && !real.isOverBudget)
    let small = try link(source(300), mostSteps: 20_000)
    let large = try link(source(600), mostSteps: 20_000)
    #expect(small.isOverBudget && large.isOverBudget)
    #expect(Double(large.steps) <= 2.2 * Double(small.steps), "\(small.steps) and \(large.steps)")
  }

  @Test("resolving many overloads with many calls stops at the budget")
  func overloads() throws {
    func source(_ count: Int) -> String {
      "import SwiftUI\n" + (0..<count).map { "func f(_ a: T\($0)) {}\n" }.joined() + "func g() {\n"
        + String(repeating: "f(\"x\")\n", count: count) + "}\n"
    }
    let small = try link(source(300), mostSteps: 100_000)
    let large = try link(source(600), mostSteps: 100_000)
    #expect(small.isOverBudget && large.isOverBudget)
    #expect(Double(large.steps) <= 2.2 * Double(small.steps), "\(small.steps) and \(large.steps)")
  }

  @Test(
    "a file with endless types counts as unread and is reported once, and other files are read",
    arguments: [
      "typealias A<T> = B<A<T>, A<T>, A<T>>\nstruct B<X, Y, Z> {}",
      "typealias A0<T> = (T, T)\n"
        + (1..<30).map { "typealias A\($0)<T> = (A\($0 - 1)<T>, A\($0 - 1)<T>)\n" }.joined()
        + "typealias A<T> = A29<T>",
    ])
  func unread(_ declarations: String) throws {
    let hostile = "import SwiftUI\n\(declarations)\nfunc f(_ a: A<Int>) { _ = Text(\"in\") }\n"
    let fixture = ExtractionFixture(["Bad.swift": hostile, "Good.swift": "import SwiftUI\nlet t = Text(\"good\")\n"])
    for cache in [nil, MemoryFactCache()] {
      let extraction = try fixture.extract(cache: cache)
      #expect(extraction.strings.contains { $0.key == "good" })
      let reported = extraction.diagnostics.filter { $0.severity == .error }
      #expect(reported.map(\.path) == ["Bad.swift"])
      #expect(reported.first?.message.contains("steps") == true)
      #expect(extraction.incompleteCatalogs["Localizable.xcstrings"]?.contains { $0.path == "Bad.swift" } == true)
    }
  }

  @Test(
    "resolving cyclic bounds of generic parameters terminates",
    arguments: [
      "func f<T: U, U: T>(_ a: T) { a.b(\"no\"); _ = Text(\"\\(a.c) end\") }\nfunc f<T: U, U: T>(_ a: T, _ b: Int = 0) {}\n"
        + "func g() { f(\"no\"); f(1) }",
      "class P<T> {}\nfunc f<T: P<T>>(_ a: T) {}\nfunc f<T: P<T>>(_ a: T, _ b: Int = 0) {}\n"
        + "func g<A: P<A>>(_ a: A) { f(a); _ = Text(\"end\") }",
    ])
  func circularBounds(_ source: String) throws {
    #expect(try link("import SwiftUI\n" + source).literals == 1)
  }
}

import Foundation
import Localization
import SwiftParsing
import Testing

@testable import SDKDeclarations
@testable import StringExtraction
@testable import SwiftFacts

/// Functions for tests that encode and decode facts.
enum FactsProbe {
  static func encoded(_ source: String) -> [UInt8]? {
    try? ParsingThreads.run {
      FactsEncoding.encode(FactCompiler.compile(SourceParsing.parseUnchecked(Array(source.utf8))))
    }
  }

  static func decodes(_ bytes: [UInt8]) -> Bool {
    (try? ParsingThreads.run { FactsEncoding.decode(bytes) != nil }) ?? false
  }
}

@Suite struct SDKFactsTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/SDKDeclarations").standardizedFileURL

  @Test("the committed table equals the table generated from the stubs")
  func fresh() throws {
    let stubs = try ["Stubs", "Stubs/Packages"].flatMap {
      try FileManager.default.contentsOfDirectory(
        at: Self.folder.appendingPathComponent($0), includingPropertiesForKeys: nil)
    }.filter { $0.lastPathComponent.hasSuffix(".swift.txt") }
    let sources = try stubs.map { (name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    let table = try ParsingThreads.run { try SDKFacts.table(of: sources) }
    let committed = try String(
      contentsOf: Self.folder.appendingPathComponent("SDKFacts.generated.swift"), encoding: .utf8)
    // The tables are compared outside the expectation, which would print both tables.
    let isCurrent = SDKFacts.generatedSource(of: table) == committed
    #expect(isCurrent, "SDKFacts.generated.swift is out of date. Run `make sdk-facts` and commit the file.")
  }

  @Test("the committed table contains every stub module")
  func modules() {
    let names = Set(SDKFacts.modules.map(\.name))
    #expect(names.isSuperset(of: ["Swift", "Foundation", "SwiftUI", "AppIntents", "WidgetKit", "TipKit", "Charts"]))
  }

  @Test("facts are the same after they are encoded, decoded and encoded again")
  func roundTrip() throws {
    for mechanism in MechanismTests.extracted + MechanismTests.ignored + [InterpolationTests.specifiers] {
      let bytes = try #require(FactsProbe.encoded(mechanism.source))
      let again = try ParsingThreads.run { FactsEncoding.decode(bytes).map(FactsEncoding.encode) }
      #expect(again == bytes)
    }
  }
}

@Suite struct StubCandidatesTests {
  @Test("a package's public declarations with a localizable type are listed with the types around them")
  func candidates() {
    let source = """
      public struct Row { public init(_ key: LocalizedStringKey, name: String) {}; init(hidden: LocalizedStringKey) {} }
      public extension View { func a(_ text: LocalizedStringResource?,
        id: Int) -> some View { self }; private func b(_ text: LocalizedStringKey) {} }
      public enum E { public static let c: String.LocalizationValue = "no" }
      public protocol P { var d: LocalizedStringResource { get } }
      """
    #expect(
      StubCandidates.candidates(in: Array(source.utf8)) == [
        "Row: init(_ key: LocalizedStringKey, name: String)",
        "extension View: func a(_ text: LocalizedStringResource?, id: Int) -> some View",
        "E: let c: String.LocalizationValue", "P: var d: LocalizedStringResource",
      ])
  }
}

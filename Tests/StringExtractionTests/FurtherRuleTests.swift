import Localization
import StringExtraction
import SwiftLinking
import Testing

/// The rules "Found on 54 further projects" of xcode-extraction.md R, by their numbers.
@Suite struct FurtherRuleTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "3: a function of the name of a type does not hide its initialisers",
      #"""
      import SwiftUI
      func Label(_ text: String, privateSystemImage: String) -> some View { EmptyView() }
      let a = Label("a", systemImage: "no") // 🔑 a
      let b = Label("no", privateSystemImage: "no")
      """#),
    Mechanism(
      "5: implicit raw values",
      #"""
      import SwiftUI
      enum SortOrder: LocalizedStringResource {
        case title, author // 🔑 title 🔑 author
        case date = "By date" // 🔑 By date
        #if os(iOS)
        case `default` // 🔑 default
        #endif
      }
      enum Plain: String { case no }
      enum Payload: Error { case no }
      """#),
    Mechanism(
      "6, 11 and 19: .init calls an initialiser, and init(stringLiteral:) takes a whole literal",
      #"""
      import SwiftUI
      func f(_ key: LocalizedStringKey) {}
      func g(_ key: LocalizedStringResource) {}
      func h(_ name: String?) {
        f(.init("no"))
        f(LocalizedStringKey("a")) // 🔑 a
        g(.init("b")) // 🔑 b
        f(.init(stringLiteral: name ?? "no"))
        g(.init(stringLiteral: name ?? "no"))
        g(.init(stringLiteral: "c")) // 🔑 c
        _ = Text(unknown?.id ?? "no")
      }
      """#),
    Mechanism(
      "20: .init() is a string, so a literal beside it is no key",
      #"""
      import SwiftUI
      func show(_ key: LocalizedStringKey, isOn: Bool) -> some View {
        Button(isOn ? .init() : "no") {}.help(isOn ? "no" : .init())
        Text(isOn ? .init() : "no")
        Text(isOn ? .init("no") : "a") // 🔑 a
        Button(isOn ? "b" : key) {} // 🔑 b
      }
      """#),
    Mechanism(
      "7: what is compiled for debugging",
      #"""
      import SwiftUI
      #if DEBUG
      let a = Text("a") // 🔑 a
      #else
      let b = Text("no")
      #endif
      #if !DEBUG
      let c = Text("no")
      #elseif FLAG
      let d = Text("d") // 🔑 d
      #endif
      #if DEBUG && os(iOS)
      let e = Text("e") // 🔑 e
      #else
      let f = Text("f") // 🔑 f
      #endif
      """#),
    Mechanism(
      "8: a closure that is called at once",
      #"""
      import SwiftUI
      struct V: View {
        var flag: Bool
        var name: String
        var body: some View {
          Text({
            if flag {
              flag ? "a" : "b" // 🔑 a 🔑 b
            } else {
              "c \(name)" // 🔑 c %@
            }
          }())
          Text({
            switch flag {
            case true: "d" // 🔑 d
            case false: name.isEmpty ? "e" : "f" // 🔑 e 🔑 f
            }
          }())
          Text({ name }())
          Text({
            switch flag {
            case true: return "g" // 🔑 g
            case false: return "h" // 🔑 h
            }
          }())
          Text({
            let count = name.count
            if flag { return "i" } // 🔑 i
            return "j \(count)" // 🔑 j %lld
          }())
          Text({ return "k" }()) // 🔑 k
          Text({
            if flag { return name } else { return "no" }
          }())
          Text({
            if flag { return name }
            return "no"
          }())
          Text({
            let title = name.uppercased()
            guard flag else { return title }
            return "no"
          }())
        }
      }
      """#),
    Mechanism(
      "9: a type of which no initialiser fits is that type all the same",
      #"""
      import WidgetKit
      import SwiftUI
      struct W: Widget {
        var body: some WidgetConfiguration {
          AppIntentConfiguration(kind: "no", provider: Provider()) { entry in EmptyView() }
            .configurationDisplayName("a") // 🔑 a
          StaticConfiguration(kind: "no", provider: Provider(), new: "no") { entry in EmptyView() }
            .configurationDisplayName("b") // 🔑 b
        }
      }
      """#),
    Mechanism(
      "10: a result that is confirmed",
      #"""
      import AppIntents
      struct I: AppIntent {
        static let title: LocalizedStringResource = "a" // 🔑 a
        func perform() async throws -> some IntentResult {
          let n = 3
          try await requestConfirmation(result: .result(dialog: "b \(n)")) // 🔑 b %lld
          return .result()
        }
      }
      """#),
    Mechanism(
      "RawValue of a struct is the type of its rawValue",
      #"""
      import StoreKit
      import SwiftUI
      struct Flags: RawRepresentable { let rawValue: UInt32 }
      typealias State = StoreKit.Product.SubscriptionInfo.RenewalState
      func f(_ flags: Flags.RawValue, _ state: State.RawValue) {
        _ = Text("a \(flags)") // 🔑 a %u
        _ = Text("b \(state)") // 🔑 b %lld
      }
      """#),
    Mechanism(
      "LabeledContent's value is no default value",
      #"""
      import SwiftUI
      func f(_ n: Int) { _ = LabeledContent("a", value: "\(n)") } // 🔑 a
      """#),
  ]

  @Test("exactly the keys marked with 🔑 are extracted by the numbered rules", arguments: mechanisms)
  func verify(_ mechanism: Mechanism) throws { try mechanism.verify() }

  @Test(
    "1: for a table that is not a literal, the default table is used, except with NSLocalizedString")
  func computedTable() throws {
    let source = #"""
      import SwiftUI
      let table = "Birds"
      let a = String(localized: "a", table: table)
      let b = Text("b", tableName: table)
      let c = String(localized: "c", table: "Birds")
      """#
    let extraction = try ExtractionFixture(["A.swift": source]).extract()
    #expect(
      extraction.strings.map { "\($0.catalog) \($0.key.text)" }
        == ["Birds.xcstrings c", "Localizable.xcstrings a", "Localizable.xcstrings b"])
    #expect(extraction.incompleteCatalogs.isEmpty)
    let macro = try ExtractionFixture(["A.swift": #"let a = NSLocalizedString("a", tableName: table, comment: "")"#])
      .extract()
    #expect(macro.strings.isEmpty && macro.incompleteCatalogs.count == 2)
  }

  @Test("the branches of a conditional expression do not get the comment of the call")
  func commentOfBranches() throws {
    let source = #"""
      import SwiftUI
      func f(_ flag: Bool) {
        _ = Text("direct", comment: "said")
        _ = Text(flag ? "then" : "else", comment: "said of none")
      }
      """#
    let strings = try ExtractionFixture(["A.swift": source]).extract().strings
    #expect(strings.map { "\($0.key.text): \($0.comment ?? "-")" } == ["direct: said", "else: -", "then: -"])
  }

  func setting(_ value: String) -> BuildSetting {
    BuildSetting(value: value, path: "A.xcodeproj/project.pbxproj", line: 1, column: 1)
  }

  static let searched = #"""
    import SwiftUI
    struct V: View {
      var flag: Bool
      var count: Int
      var body: some View {
        Text("direct", comment: "said")
        Text("\(count) items")
        Text("\(count, specifier: "%ld") of \(count)")
        Text("")
        Text(flag ? "then" : "else")
        Button("button") {}
        let title = String(localized: "localized")
        Text(NSLocalizedString("named", comment: ""))
      }
    }
    """#

  @Test(
    "2: without SWIFT_EMIT_LOC_STRINGS only direct texts and known functions are extracted, with %@ for arguments without specifier:"
  )
  func textSearch() throws {
    var fixture = ExtractionFixture(["A.swift": Self.searched])
    fixture.project.targets[0].configurations = [BuildConfiguration(name: "Debug", settings: [:])]
    let extraction = try fixture.extract()
    #expect(extraction.strings.map(\.key.text) == ["%@ items", "%ld of %@", "direct", "named"])
    #expect(extraction.strings.first { $0.key == "direct" }?.comment == "said")
    #expect(extraction.incompleteCatalogs.isEmpty)

    fixture.project.targets[0].configurations = [
      BuildConfiguration(
        name: "Debug",
        settings: ["SWIFT_EMIT_LOC_STRINGS": setting("NO"), "LOCALIZED_STRING_SWIFTUI_SUPPORT": setting("NO")])
    ]
    let none = try fixture.extract()
    #expect(none.strings.isEmpty)
    #expect(none.incompleteCatalogs.count == 2)

    fixture.project.targets[0].configurations = []
    fixture.project.targets[0].codeStringsOfGenerator = .searched
    #expect(try fixture.extract().strings.count == 4)
    fixture.project.targets[0].codeStringsOfGenerator = nil
    let typed = try fixture.extract().strings.map(\.key.text)
    #expect(typed.contains("button") && typed.contains("%ld of %lld"), "\(typed)")
  }

  @Test("a hint explains how to write a literal so that it is extracted, except for texts that users do not see")
  func advice() throws {
    let source = #"""
      import SwiftUI
      func show(_ title: String) {}
      func f() -> String {
        show("declared")
        _ = Text(verbatim: "verbatim")
        label.text = unknown("undeclared")
        print("printed")
        _ = Image(systemName: "star")
        let s: String = "variable"
        return "returned"
      }
      enum E: String { case a = "raw" }
      """#
    let fixture = ExtractionFixture(["A.swift": source])
    let found = try SourceStringExtractor().explain(
      nil, in: fixture.project, from: fixture.tree, options: fixture.options, cache: nil)
    let advice = Dictionary(uniqueKeysWithValues: found.map { ($0.explanation.text, $0.explanation.advice) })
    let wrapped = #"write String(localized: "…")"#
    #expect(
      advice == [
        "declared": "declare the parameter as LocalizedStringResource, or " + wrapped, "verbatim": #"write Text("…")"#,
        "undeclared": wrapped, "printed": nil, "star": nil,
        "variable": "declare it as LocalizedStringResource, or " + wrapped,
        "returned": "let it return LocalizedStringResource, or " + wrapped,
        "raw": "give the enum the raw type LocalizedStringResource",
      ])
  }
}

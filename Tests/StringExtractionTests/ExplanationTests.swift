import Localization
import StringExtraction
import Testing

@testable import SwiftLinking

@Suite struct ExplanationTests {
  private func explanations(_ files: [String: String], key: String? = "key") throws -> [LiteralExplanation] {
    let fixture = ExtractionFixture(files)
    return try SourceStringExtractor().explain(
      key, in: fixture.project, from: fixture.tree, options: fixture.options, cache: nil
    ).map(\.explanation)
  }

  @Test(
    "the explanation names the rule that extracted a literal, or the reason why the literal was not extracted",
    arguments: [
      (
        #"let a = Text("key")"#, true,
        "argument 1 of `Text.init(_:tableName:bundle:comment:)` of SwiftUI, which is LocalizedStringKey"
      ),
      (
        #"let a = Text(verbatim: "key")"#, false,
        "argument `verbatim:` of `Text.init(verbatim:)` of SwiftUI, which is String"
      ),
      (
        #"let a = NSLocalizedString("key", comment: "")"#, true,
        "the key of `NSLocalizedString`, matched by name"
      ),
      (
        #"struct Row { let title: LocalizedStringKey }; let a = Row(title: "key")"#, true,
        "argument `title:` of the memberwise initializer `Row.init(title:)`, declared in A.swift, which is LocalizedStringKey"
      ),
      (
        #"enum E { struct Kit { func show(_ text: String) {} } }; func f(_ k: E.Kit) { k.show("key") }"#, false,
        "argument 1 of `E.Kit.show(_:)`, declared in A.swift, which is String"
      ),
      (
        #"let a = elsewhere("key")"#, false,
        "an argument of `elsewhere`, which has no known declaration, so the type is unknown"
      ),
      (
        #"func f(a: Int) {}; func g() { f(b: "key") }"#, false,
        "an argument of `f`: the one known declaration does not take these arguments"
      ),
      (
        #"let a = String(localized: "no", defaultValue: "key")"#, false,
        "argument `defaultValue:` of `String.init(localized:defaultValue:table:bundle:locale:comment:)` of Foundation, "
          + "a default value, not a key"
      ),
      (
        #"import AppIntents; let a = IntentDialog(stringLiteral: "key")"#, true,
        "argument `stringLiteral:` of `IntentDialog.init(stringLiteral:)` of AppIntents, which is String; Xcode extracts it "
          + "if the whole argument is a literal without interpolation"
      ),
      (
        #"import AppIntents; func f(_ s: String?) { _ = IntentDialog(stringLiteral: s ?? "key") }"#, false,
        "argument `stringLiteral:` of `IntentDialog.init(stringLiteral:)` of AppIntents, which is String; Xcode extracts it "
          + "if the whole argument is a literal without interpolation"
      ),
      (#"let a: String = "key""#, false, "the value of a variable or property, which is String"),
      (#"let a = "key""#, false, "the value of a variable or property, of unknown type"),
      (
        #"func f() -> LocalizedStringKey { "key" }"#, true,
        "the result of a function or property, which is LocalizedStringKey"
      ),
      (#"#Preview { Text("key") }"#, false, "in a preview, which Xcode does not extract"),
      (
        #"struct P: PreviewProvider { static var previews: some View { Text("key") } }"#, false,
        "in a PreviewProvider, which Xcode does not extract"
      ),
      (#"func f() { if false { g("key") } else { h() } }"#, false, "in `if false`, which Xcode does not extract"),
      (
        #"import SwiftUI; func f() { if false { g { Text("key") } } }"#, true,
        "argument 1 of `Text.init(_:tableName:bundle:comment:)` of SwiftUI, which is LocalizedStringKey"
      ),
      (
        "#if os(Linux)\nlet a = Text(\"key\")\n#endif", false,
        "in an #if clause that no debug build for Apple platforms compiles"
      ),
    ])
  func rule(_ source: String, _ isTaken: Bool, _ rule: String) throws {
    let found = try explanations(["A.swift": source])
    #expect(found.map(\.isTaken) == [isTaken])
    #expect(found.map(\.rule) == [rule])
  }

  @Test("every literal of a project is explained exactly once, with its location")
  func every() throws {
    let source = "let a = Text(\"one\")\n#Preview { Text(\"two\") }\nlet b = [Text(\"three\"), .init(\"four\")]"
    let found = try explanations(["A.swift": source], key: nil).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    #expect(found.map(\.text) == ["one", "two", "three", "four"])
    #expect(found.map(\.line) == [1, 2, 3, 3])
    #expect(found.map(\.column) == [14, 17, 15, 31])
  }
}

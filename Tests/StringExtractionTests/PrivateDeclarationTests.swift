import Localization
import StringExtraction
import Testing

/// The visibility of `private` and `fileprivate` declarations (The Swift Programming Language, "Access Control").
@Suite struct PrivateDeclarationTests {
  private func keys(_ files: [String: String]) throws -> [String] {
    try ExtractionFixture(files).extract().strings.map(\.key.text).sorted()
  }

  @Test("a private type does not hide the SDK's type in other files")
  func hiding() throws {
    let found = try keys([
      "Layout.swift": """
      import SwiftUI
      private struct Section<Content: View>: View {
        init(_ id: String, @ViewBuilder content: () -> Content) {}
        var body: some View { EmptyView() }
      }
      struct Layout: View { var body: some View { Section("no") { Text("layout") } } }
      """,
      "List.swift": """
      import SwiftUI
      struct List: View { var body: some View { Section("title") { Text("row") } } }
      """,
    ])
    #expect(found == ["layout", "row", "title"])
  }

  @Test("private types with the same name in two files are different types", arguments: ["private", "fileprivate"])
  func types(access: String) throws {
    let found = try keys([
      "A.swift": """
      import SwiftUI
      \(access) struct Row { let title: LocalizedStringKey; let detail: String }
      \(access) class Card { init(_ title: LocalizedStringKey) {} }
      \(access) enum Names { static let first: LocalizedStringResource = "a4" }
      \(access) typealias Title = LocalizedStringKey
      \(access) protocol Shown { func show(_ title: LocalizedStringKey) }
      extension Row { static func make(_ title: LocalizedStringKey) -> Row { Row(title: title, detail: "no") } }
      struct A {
        private let rows = [Row(title: "a1", detail: "no"), .make("a2")]
        private let card = Card("a3")
        let title: Title = "a5"
        fileprivate func use(shown: Shown) { shown.show("a6") }
      }
      """,
      "B.swift": """
      import SwiftUI
      \(access) struct Row { let title: String; let detail: LocalizedStringKey }
      \(access) class Card { init(_ title: String) {} }
      \(access) enum Names { static let first = "no" }
      \(access) typealias Title = String
      \(access) protocol Shown { func show(_ title: String) }
      extension Row { static func make(_ title: String) -> Row { Row(title: title, detail: "b1") } }
      struct B {
        private let rows = [Row(title: "no", detail: "b2"), .make("no")]
        private let card = Card("no")
        let title: Title = "no"
        fileprivate func use(shown: Shown) { shown.show("no") }
      }
      """,
    ])
    #expect(found == ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2"])
  }

  @Test("private functions and variables are used only in their file")
  func functions() throws {
    let found = try keys([
      "A.swift": """
      import SwiftUI
      private func show(_ title: String) {}
      private let count = 1
      func a() { show("no"); _ = Text("a \\(count)") }
      """,
      "B.swift": """
      import SwiftUI
      private func show(_ title: LocalizedStringKey) {}
      private let count = 1.5
      func b() { show("b"); _ = Text("b \\(count)") }
      """,
    ])
    #expect(found == ["a %lld", "b", "b %lf"])
  }

  @Test("members of a private extension, and private members, are used only in their file")
  func members() throws {
    let found = try keys([
      "A.swift": """
      import SwiftUI
      private extension View { func mark(_ text: String) -> some View { self } }
      struct A: View { var body: some View { Text("a1").mark("no") } }
      """,
      "B.swift": """
      import SwiftUI
      extension View { fileprivate func mark(_ key: LocalizedStringKey) -> some View { self } }
      struct B: View { var body: some View { Text("b1").mark("b2") } }
      """,
    ])
    #expect(found == ["a1", "b1", "b2"])
  }

  @Test("a type whose setter alone is private is visible in all files")
  func setters() throws {
    let found = try keys([
      "A.swift": "struct Model { private(set) var count = 1 }",
      "B.swift": "import SwiftUI\nfunc show(_ model: Model) { _ = Text(\"\\(model.count) birds\") }",
    ])
    #expect(found == ["%lld birds"])
  }
}

/// Changes of values without written types, and changes that involve declarations of the SDK.
extension DeclarationChange {
  static let values: [DeclarationChange] = [
    DeclarationChange(
      "a value without a written type", "let text = Text(\"n \\(count)\")", more: "let count = make()",
      from: "func make() -> Int { 1 }", to: "func make() -> Double { 1 }"),
    DeclarationChange(
      "a property without a written type", "func use(model: Model) { _ = Text(\"n \\(model.count)\") }",
      more: "class Model { var count = Source.shared.value }\nclass Source { static let shared = Source() }",
      from: "extension Source { var value: Int { 1 } }", to: "extension Source { var value: Double { 1 } }"),
    DeclarationChange(
      "an initialiser that may fail", "func use() { _ = Text(\"n \\(shared ?? 1)\") }",
      more: "let shared = Count().value",
      from: "struct Count { var value: Int? }", to: "struct Count { var value: String? }"),
    DeclarationChange(
      "a parameter of a closure", "func use() { each { $0.title = \"a\" } }",
      more: "func each(_ body: (Model) -> Void) {}", from: "class Model { var title: LocalizedStringKey }",
      to: "class Model { var title: String }"),
    DeclarationChange(
      "a value of function type", "func use(model: Model) { model.show(\"a\") }",
      from: "class Model { var show: (LocalizedStringKey) -> Void }", to: "class Model { var show: (String) -> Void }"),
    DeclarationChange(
      "dynamic members", "func use(lens: Lens<Model>) { _ = Text(\"n \\(lens.count)\") }",
      more:
        "@dynamicMemberLookup struct Lens<T> { subscript<U>(dynamicMember path: KeyPath<T, U>) -> U { fatalError() } }",
      from: "struct Model { var count: Int }", to: "struct Model { var count: Double }"),
    DeclarationChange(
      "a macro", "func use() { _ = #words(\"a\") }",
      from:
        "@freestanding(expression) macro words(_ key: LocalizedStringKey) -> String = #externalMacro(module: \"M\", type: \"T\")",
      to: "@freestanding(expression) macro words(_ text: String) -> String = #externalMacro(module: \"M\", type: \"T\")"
    ),
    DeclarationChange(
      "the raw type of an enumeration", "enum Kind: Raw { case one = \"a\" }",
      from: "typealias Raw = LocalizedStringKey",
      to: "typealias Raw = String"),
    DeclarationChange(
      "a type that shadows one of the SDK", "let text = Text(\"a\")", from: "",
      to: "struct Text { init(_ text: String) {} }"),
    DeclarationChange(
      "a type that shadows what an extension extends", "func use() { \"text\".count.hint(\"a\") }",
      more: "extension Int { func hint(_ key: LocalizedStringKey) {} }", from: "", to: "enum Int {}"),
    DeclarationChange(
      "the protocol that rules look up", "func use() { Unknown().navigationTitle(\"a\") }", from: "",
      to: "protocol View {}"),
    DeclarationChange(
      "an extension of the SDK's types", "func use() { _ = Color.red.hint(\"a\") }",
      from: "extension View { func hint(_ key: LocalizedStringKey) -> Int { 1 } }",
      to: "extension View { func hint(_ text: String) -> Int { 1 } }"),
    DeclarationChange(
      "a conformance of the SDK's types", "func use() { show(Text(verbatim: \"\"), \"a\") }",
      more:
        "protocol Shown {}\nfunc show(_ item: Shown, _ text: LocalizedStringKey) {}\nfunc show(_ item: Other, _ text: String) {}\nprotocol Other {}",
      from: "", to: "extension Text: Shown {}"),
    DeclarationChange(
      "what the SDK's types conform to conforms to", "func use() { Text(verbatim: \"\").show(\"a\") }",
      more: "extension Text: Lower {}\nprotocol Shown {}\nextension Shown { func show(_ key: LocalizedStringKey) {} }",
      from: "protocol Lower {}", to: "protocol Lower: Shown {}"),
    DeclarationChange(
      "an initialiser of the SDK's types that is named nowhere", "func use() { take(.init(words: \"a\")) }",
      more: "func take(_ color: Color) {}", from: "extension Color { init(words: LocalizedStringKey) {} }",
      to: "extension Color { init(words: String) {} }"),
    DeclarationChange(
      "what an initialiser of the SDK's types takes", "func use() { take(.init(line: .some2(\"a\"))) }",
      more: "func take(_ color: Color) {}\nextension Color { init(line: Line) {} }",
      from: "enum Line { case some2(LocalizedStringKey) }", to: "enum Line { case some2(String) }"),
    DeclarationChange(
      "a subscript of the SDK's types", "func use(colors: Color) { _ = colors[\"a\"] }",
      from: "extension Color { subscript(key: LocalizedStringKey) -> Int { 0 } }",
      to: "extension Color { subscript(text: String) -> Int { 0 } }"),
    DeclarationChange(
      "what a member of a subclass hides", "func use(sub: Sub) { _ = Text(\"n \\(sub.count)\") }",
      more: "class Base { var count: Int { 1 } }\nclass Sub: Base {}", from: "",
      to: "extension Sub { var count: Double { 1 } }"),
    DeclarationChange(
      "a function of the type before one of the module", "extension Row2 { func use() { show(\"a\") } }",
      more: "struct Row2 {}\nfunc show(_ key: LocalizedStringKey) {}", from: "",
      to: "extension Row2 { func show(_ text: String) {} }"),
    DeclarationChange(
      "a type of the same name in two files",
      [
        "Use.swift": "func use() { _ = Text(\"n \\(Page().count)\") }",
        "M.swift": "struct Page { var count = 1 }",
      ],
      from: [:], to: ["A.swift": "struct Page { var count: Double { 1 } }"]),
    DeclarationChange(
      "a new type and what makes use of it",
      [
        "Use.swift": "func use(model: Model) { model.page.show(\"a\") }",
        "Model.swift": "class Model { var page: Page }",
      ],
      from: [:], to: ["Page.swift": "struct Page { func show(_ key: LocalizedStringKey) {} }"]),
    DeclarationChange(
      "a default argument", "func use() { show(\"a\") }", from: "func show(_ key: LocalizedStringKey, _ a: Int) {}",
      to: "func show(_ key: LocalizedStringKey, _ a: Int = 1) {}"),
    DeclarationChange(
      "a requirement of a protocol", "func use(item: Shown) { item.show(\"a\") }",
      from: "protocol Shown { func show(_ key: LocalizedStringKey) }",
      to: "protocol Shown { func show(_ text: String) }"),
    DeclarationChange(
      "a function of another name", "func use() { show(\"a\") }", from: "func show(_ key: LocalizedStringKey) {}",
      to: "func display(_ key: LocalizedStringKey) {}"),
    DeclarationChange(
      "what stands at the end of more steps than are followed", "func use() { _ = Text(\"n \\(a0)\") }",
      more: (0..<300).map { "let a\($0) = a\($0 + 1)" }.joined(separator: "\n"), from: "let a300 = 1",
      to: "let a300 = 2.5"),
    DeclarationChange(
      "a name outside of ASCII", "func use() { zeige(größe: \"a\") }",
      more: "func zeige(größe: Größe) {}", from: "typealias Größe = LocalizedStringKey", to: "typealias Größe = String"),
  ]
}

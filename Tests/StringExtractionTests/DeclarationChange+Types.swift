/// Changes of aliases, conformances, nested types, operators and result builders.
extension DeclarationChange {
  static let types: [DeclarationChange] = [
    DeclarationChange(
      "an alias", "let text: Words = \"a\"", from: "typealias Words = LocalizedStringKey",
      to: "typealias Words = String"),
    DeclarationChange(
      "an alias of an alias", "let text: Words = \"a\"", more: "typealias Words = Inner",
      from: "typealias Inner = LocalizedStringKey", to: "typealias Inner = String"),
    DeclarationChange(
      "an extension of an alias", showing, more: row + "\ntypealias Short = Row", from: "",
      to: "extension Short { func show(_ text: String) {} }"),
    DeclarationChange(
      "an alias that an extension extends", showing,
      more: row + "\nstruct Other {}\nextension Short { func show(_ text: String) {} }",
      from: "typealias Short = Other",
      to: "typealias Short = Row"),
    DeclarationChange(
      "a nested alias that an extension extends", showing,
      more: row + "\nstruct Other {}\nextension Space.Short { func show(_ text: String) {} }",
      from: "enum Space { typealias Short = Other }", to: "enum Space { typealias Short = Row }"),
    DeclarationChange(
      "a type that an extension waits for", "func use() { Space.Row().show(\"a\") }",
      more: "extension Space.Row { func show(_ key: LocalizedStringKey) {} }\nenum Space {}", from: "",
      to: "extension Space { struct Row {} }"),
    DeclarationChange(
      "a conformance", showing, more: row + "\nprotocol Shown {}\nextension Shown { func show(_ text: String) {} }",
      from: "", to: "extension Row: Shown {}"),
    DeclarationChange(
      "a conformance of the declaration", showing,
      more: "protocol Shown {}\nextension Shown { func show(_ text: String) {} }", from: row,
      to: "struct Row: Shown { func show(_ key: LocalizedStringKey) {} }"),
    DeclarationChange(
      "a conformance of a protocol", showing,
      more:
        "struct Row: Lower { func show(_ key: LocalizedStringKey) {} }\nprotocol Shown {}\nextension Shown { func show(_ text: String) {} }",
      from: "protocol Lower {}", to: "protocol Lower: Shown {}"),
    DeclarationChange(
      "a conformance that decides between overloads", "func use(item: Item) { show(item, \"a\") }",
      more:
        "class Item {}\nprotocol Shown {}\nfunc show(_ item: Shown, _ text: LocalizedStringKey) {}\nfunc show(_ item: Other, _ text: String) {}\nprotocol Other {}",
      from: "extension Item: Shown {}", to: "extension Item: Hashable {}"),
    DeclarationChange(
      "a member of a protocol's extension", showing,
      more: "protocol Shown {}\nstruct Row: Shown { func show(_ key: LocalizedStringKey) {} }", from: "",
      to: "extension Shown { func show(_ text: String) {} }"),
    DeclarationChange(
      "a member of a superclass", "func use(sub: Sub) { sub.show(\"a\") }",
      more: "class Sub: Base { func show(_ key: LocalizedStringKey) {} }", from: "class Base {}",
      to: "class Base { func show(_ text: String) {} }"),
    DeclarationChange(
      "another superclass", "func use(sub: Sub) { sub.show(\"a\") }",
      more: "class One { func show(_ key: LocalizedStringKey) {} }\nclass Two { func show(_ text: String) {} }",
      from: "class Sub: One {}", to: "class Sub: Two {}"),
    DeclarationChange(
      "a literal type of the project", "func use() { show(\"a\") }",
      more: "func show(_ own: Own) {}\nfunc show(_ key: LocalizedStringKey) {}\nstruct Own {}", from: "",
      to: "extension Own: ExpressibleByStringLiteral {}"),
    DeclarationChange(
      "a case that an implicit member means", "func use() { take(.some(\"a\")); take(.other(\"b\")) }",
      more: "func take(_ kind: Kind) {}", from: "enum Kind { case other(LocalizedStringKey) }",
      to: "enum Kind { case other(String) }"),
    DeclarationChange(
      "a static member that an implicit member means", "func use() { take(.other(\"b\")) }",
      more:
        "func take(_ kind: Kind) {}\nstruct Kind { static func other(_ key: LocalizedStringKey) -> Kind { Kind() } }",
      from: "", to: "extension Kind { static func other(_ text: String) -> Kind { Kind() } }"),
    DeclarationChange(
      "the payload of a case", "func use(kind: Kind) { if case .other(let n) = kind { _ = Text(\"n \\(n)\") } }",
      from: "enum Kind { case other(Int) }", to: "enum Kind { case other(Double) }"),
    DeclarationChange(
      "an alias nested in a type", "extension Row { func use() { let text: Words = \"a\"; _ = text } }",
      more: "struct Row {}\ntypealias Words = String", from: "",
      to: "extension Row { typealias Words = LocalizedStringKey }"),
    DeclarationChange(
      "an alias nested in a superclass", "class Sub: Base { func use() { let text: Words = \"a\"; _ = text } }",
      more: "typealias Words = String", from: "class Base {}",
      to: "class Base { typealias Words = LocalizedStringKey }"),
    DeclarationChange(
      "an associated type", "func use(store: Store) { store.add(\"a\") }",
      more: "protocol Adding { associatedtype Item }\nextension Adding { func add(_ item: Item) {} }",
      from: "struct Store: Adding { typealias Item = LocalizedStringKey }",
      to: "struct Store: Adding { typealias Item = String }"),
    DeclarationChange(
      "an element that the SDK asks for", "func use(list: List2) { for item in list { _ = Text(\"n \\(item)\") } }",
      from: "struct List2: Sequence { typealias Element = Int }",
      to: "struct List2: Sequence { typealias Element = Double }"),
    DeclarationChange(
      "generic parameters", "func use(box: Box<LocalizedStringKey>) { box.put(\"a\") }",
      from: "class Box<T> { func put(_ value: T) {} }", to: "class Box<U, T> { func put(_ value: T) {} }"),
    DeclarationChange(
      "a generic function", "func use(n: Int) { _ = Text(\"n \\(same(n))\") }",
      from: "func same<T>(_ value: T) -> T { value }", to: "func same<T>(_ value: T) -> String { \"\" }"),
    DeclarationChange(
      "the elements of an array literal", "func use() { list([.named(\"a\")]) }",
      more:
        "func list(_ rows: Rows3) {}\nstruct One3 { static func named(_ key: LocalizedStringKey) -> One3 { One3() } }\nstruct Two3 { static func named(_ text: String) -> Two3 { Two3() } }",
      from: "struct Rows3: ExpressibleByArrayLiteral { init(arrayLiteral rows: One3...) {} }",
      to: "struct Rows3: ExpressibleByArrayLiteral { init(arrayLiteral rows: Two3...) {} }"),
    DeclarationChange(
      "a private type that other files can see afterwards", "func use() { _ = Label(\"a\", systemImage: \"no\") }",
      from: "private struct Label { init(_ title: String, systemImage: String) {} }",
      to: "struct Label { init(_ title: String, systemImage: String) {} }"),
    DeclarationChange(
      "a private member that other files can see afterwards", "func use(row: Row) { row.show(\"a\") }",
      more: "struct Row {}\nextension Row { func show(_ key: LocalizedStringKey, size: Int = 0) {} }",
      from: "private extension Row { func show(_ text: String) {} }",
      to: "extension Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "an operator", "func use(row: Row) { _ = row <+> \"a\" }", more: row,
      from: "func <+> (row: Row, key: LocalizedStringKey) -> Row { row }",
      to: "func <+> (row: Row, text: String) -> Row { row }"),
    DeclarationChange(
      "an operator in a type", "func use(row: Row) { _ = row + \"a\" }", more: row,
      from: "extension Row { static func + (row: Row, key: LocalizedStringKey) -> Row { row } }", to: ""),
    DeclarationChange(
      "what an operator's type inherits", "func use(row: Row) { _ = row + \"a\" }",
      more:
        "extension Row { static func + (row: Row, words: Words) -> Row { row } }\nclass One { typealias Words = LocalizedStringKey }\nclass Two { typealias Words = String }",
      from: "class Row: One {}", to: "class Row: Two {}"),
    DeclarationChange(
      "a result builder's buildExpression", "@Rows func rows() -> Row { \"a\" }", more: row,
      from: "@resultBuilder struct Rows { static func buildExpression(_ key: LocalizedStringKey) -> Row { Row() } }",
      to: "@resultBuilder struct Rows { static func buildExpression(_ text: String) -> Row { Row() } }"),
    DeclarationChange(
      "a result builder of a parameter", "func use() { list { \"a\" } }",
      more: row + "\nfunc list(@Rows _ content: () -> Row) {}",
      from: "@resultBuilder struct Rows { static func buildBlock(_ keys: LocalizedStringKey...) -> Row { Row() } }",
      to: "@resultBuilder struct Rows { static func buildBlock(_ texts: String...) -> Row { Row() } }"),
    DeclarationChange(
      "what a property wrapper wraps", "struct Use { @Wrapped var text = \"a\" }",
      from: "@propertyWrapper struct Wrapped { var wrappedValue: LocalizedStringKey }",
      to: "@propertyWrapper struct Wrapped { var wrappedValue: String }"),
    DeclarationChange(
      "how a property wrapper is made", "struct Use { @Wrapped(\"a\") var text: Int }",
      from: "@propertyWrapper struct Wrapped { var wrappedValue: Int; init(_ key: LocalizedStringKey) {} }",
      to: "@propertyWrapper struct Wrapped { var wrappedValue: Int; init(_ text: String) {} }"),
    DeclarationChange(
      "the initialiser of a wrapper in another structure", "let holder = Holder(text: \"a\")",
      more: "struct Holder { @Wrapped var text: LocalizedStringKey }",
      from:
        "@propertyWrapper struct Wrapped { var wrappedValue: LocalizedStringKey; init(wrappedValue: LocalizedStringKey) {} }",
      to: "@propertyWrapper struct Wrapped { var wrappedValue: LocalizedStringKey; init() {} }"),
    DeclarationChange(
      "the projected value", "func use(holder: Holder) { holder.$text.show(\"a\") }",
      more:
        "class Holder { @Wrapped var text: Int }\nstruct One { func show(_ key: LocalizedStringKey) {} }\nstruct Two { func show(_ text: String) {} }",
      from: "@propertyWrapper struct Wrapped { var wrappedValue: Int; var projectedValue: One }",
      to: "@propertyWrapper struct Wrapped { var wrappedValue: Int; var projectedValue: Two }"),
    DeclarationChange(
      "a subscript", "func use(row: Line) { _ = row[\"a\"] }",
      from: "struct Line { subscript(key: LocalizedStringKey) -> Int { 0 } }",
      to: "struct Line { subscript(text: String) -> Int { 0 } }"),
    DeclarationChange(
      "a subscript whose type is named nowhere", "func use() { _ = lines.first[\"a\"] }",
      more: "let lines = Lines()\nclass Lines { var first: Line }",
      from: "struct Line { subscript(key: LocalizedStringKey) -> Int { 0 } }",
      to: "struct Line { subscript(text: String) -> Int { 0 } }"),
  ]
}

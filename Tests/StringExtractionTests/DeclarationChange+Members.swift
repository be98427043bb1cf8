/// Changes of overloads, members and initializers.
extension DeclarationChange {
  static let members: [DeclarationChange] = [
    DeclarationChange(
      "an overload in another file", "func use() { show(\"a\") }", more: "func show(_ key: LocalizedStringKey) {}",
      from: "", to: "func show(_ text: String) {}"),
    DeclarationChange(
      "an overload in another module", ["Use.swift": "func use() { show(\"a\") }", "Kit/Kit.swift": ""],
      from: ["Kit/More.swift": "func show(_ key: LocalizedStringKey) {}"],
      to: ["Kit/More.swift": "func show(_ key: LocalizedStringKey) {}; func show(_ text: String) {}"]),
    DeclarationChange(
      "an own function before that of another module",
      ["Use.swift": "func use() { show(\"a\") }", "Kit/Kit.swift": "func show(_ key: LocalizedStringKey) {}"],
      from: [:], to: ["New.swift": "func show(_ text: String) {}"]),
    DeclarationChange(
      "a file taken away",
      ["Use.swift": "func use() { show(\"a\") }", "A.swift": "func show(_ key: LocalizedStringKey) {}"],
      from: ["B.swift": "func show(_ text: String) {}"], to: [:]),
    DeclarationChange(
      "the order of files", ["Use.swift": "let text = Text(\"n \\(count)\")", "M.swift": "let count = 1"],
      from: ["N.swift": "let count = 2.5"], to: ["A.swift": "let count = 2.5"]),
    DeclarationChange(
      "the order within a file", "let text = Text(\"n \\(count)\")", from: "let count = 1; let count = 2.5",
      to: "let count = 2.5; let count = 1"),
    DeclarationChange(
      "the order of extensions that name their type otherwise",
      [
        "Use.swift": "func use(row: Row) { _ = Text(\"n \\(row.count)\") }",
        "M.swift": "struct Row {}\ntypealias Short = Row\nextension Row { var count: Double { 1 } }",
      ], from: ["N.swift": "extension Short { var count: Int { 1 } }"],
      to: ["A.swift": "extension Short { var count: Int { 1 } }"]),
    DeclarationChange(
      "the order of extensions of an alias within a file", "func use(row: Row) { _ = Text(\"n \\(row.count)\") }",
      more: "struct Row {}\ntypealias Short = Row",
      from: "extension Short { var count: Int { 1 } }; extension Row { var count: Double { 1 } }",
      to: "extension Row { var count: Double { 1 } }; extension Short { var count: Int { 1 } }"),
    DeclarationChange(
      "the order of a type and an alias", "func use(holder: Holder) { holder.row.show(\"a\") }",
      more: "struct Holder { var row: Inner.Row }\nstruct Other { func show(_ text: String) {} }",
      from: "enum Inner { typealias Row = Other; struct Row { func show(_ key: LocalizedStringKey) {} } }",
      to: "enum Inner { struct Row { func show(_ key: LocalizedStringKey) {} }; typealias Row = Other }"),
    DeclarationChange(
      "a member overload in an extension", showing, more: row, from: "",
      to: "extension Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "a member of a type that the file does not name", "func use(holder: Holder) { holder.row.show(\"a\") }",
      more: "struct Holder { var row: Row }", from: row, to: "struct Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "a member at the end of a chain without written types", "func use() { holder.row.show(\"a\") }",
      more: "let holder = Holder()\nclass Holder { lazy var row = make() }\nfunc make() -> Row { Row() }", from: row,
      to: "struct Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "the type of a property", "func use(model: Model) { model.title = \"a\" }",
      from: "class Model { var title: LocalizedStringKey }", to: "class Model { var title: String }"),
    DeclarationChange(
      "a stored property of a structure", "let row = Line(title: \"a\")",
      from: "struct Line { var title: LocalizedStringKey }", to: "struct Line { var title: String }"),
    DeclarationChange(
      "an initialiser that is added", "let row = Line(title: \"a\")",
      more: "struct Line { init(title: LocalizedStringKey) {} }", from: "",
      to: "extension Line { init(title: String) {} }"),
    DeclarationChange(
      "an initialiser in the place of the structure's own", "let row = Line(title: \"a\")",
      from: "struct Line { var title: LocalizedStringKey }",
      to: "struct Line { var title: LocalizedStringKey; init(title: String) {} }"),
    DeclarationChange(
      "an initialiser whose type is named nowhere", "func use() { place(.init(title: \"a\")) }",
      more: "func place(_ row: Line) {}", from: "struct Line { var title: LocalizedStringKey }",
      to: "struct Line { var title: String }"),
    DeclarationChange(
      "an initialiser of what a call gives", "func use() { _ = (kinds[0])(title: \"a\"); _ = kinds[0](title: \"b\") }",
      more: "let kinds: [Line.Type] = []", from: "class Line { init(title: LocalizedStringKey) {} }",
      to: "class Line { init(title: String) {} }"),
    DeclarationChange(
      "an initialiser of a superclass", "let row = Sub(title: \"a\")", more: "class Sub: Base {}",
      from: "class Base { init(title: LocalizedStringKey) {} }", to: "class Base { init(title: String) {} }"),
    DeclarationChange(
      "super.init", "class Sub: Base { init() { super.init(title: \"a\") } }",
      from: "class Base { init(title: LocalizedStringKey) {} }", to: "class Base { init(title: String) {} }"),
    DeclarationChange(
      "an initialiser through an alias", "let row = Short(title: \"a\")", more: "typealias Short = Line",
      from: "struct Line { var title: LocalizedStringKey }", to: "struct Line { var title: String }"),
    DeclarationChange(
      "an initialiser of a protocol",
      "func use<T>(_ box: Box<T>) { box.add() }\nextension Box { func add() { _ = T(title: \"a\") } }",
      more: "struct Box<T: Made> {}", from: "protocol Made { init(title: LocalizedStringKey) }",
      to: "protocol Made { init(title: String) }"),
    DeclarationChange(
      "an initialiser of a protocol's extension, beside the type's own", "let row = Line(title: \"a\")",
      more: "protocol Made {}\nstruct Line: Made { init(name: String) {} }",
      from: "extension Made { init(title: LocalizedStringKey) {} }", to: "extension Made { init(title: String) {} }"),
  ]
}

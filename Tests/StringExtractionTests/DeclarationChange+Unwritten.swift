extension DeclarationChange {
  /// Changes whose effect depends on rules of the linker and not on names in the source.
  static let unwritten: [DeclarationChange] = [
    DeclarationChange(
      "an extension of a nested type that the SDK asks for, after a body changed",
      [
        "Trip.swift": "struct Trip: ActivityAttributes { struct ContentState { var count: Int } }",
        "Extension.swift": "extension Trip.ContentState { func show(_ key: LocalizedStringKey) {} }",
      ].merging((0..<16).map { ("Other\($0).swift", "struct Other\($0) {}") }) { $1 },
      from: ["Use.swift": "func use(c: ActivityViewContext<Trip>) { c.state.show(\"a\") }"],
      to: ["Use.swift": "func use(c: ActivityViewContext<Trip>) { c.state.show(\"a\"); c.state.show(\"b\") }"]),
    DeclarationChange(
      "a member of a nested type that the SDK asks for",
      "func use(c: ActivityViewContext<Trip>) { _ = Text(\"n \\(c.state.count)\") }",
      from: "struct Trip: ActivityAttributes { struct ContentState { var count: Int } }",
      to: "struct Trip: ActivityAttributes { struct ContentState { var count: Double } }"),
    DeclarationChange(
      "a member of the element that the SDK asks for",
      "func use(list: List2) { for item in list { item.show(\"a\") } }",
      more: "struct List2: Sequence { typealias Element = Row }", from: row,
      to: "struct Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "a member of the element that an extension gives",
      "func use(list: List2) { for item in list { item.show(\"a\") } }",
      more: "struct List2: Sequence {}\nextension List2 { typealias Element = Row }", from: row,
      to: "struct Row { func show(_ text: String) {} }"),
    DeclarationChange(
      "an initialiser of an SDK type's superclass", "func use() { _ = UILabel(words: \"a\") }",
      from: "extension UIView { convenience init(words: LocalizedStringKey) {} }",
      to: "extension UIView { convenience init(words: String) {} }"),
    DeclarationChange(
      "an initialiser of the superclass of the superclass", "func use() { _ = Sub(words: \"a\") }",
      more: "class Sub: UILabel {}", from: "extension UIView { convenience init(words: LocalizedStringKey) {} }",
      to: "extension UIView { convenience init(words: String) {} }"),
    DeclarationChange(
      "an initialiser of an attributed string's superclass",
      "func use() { _ = NSMutableAttributedString(words: \"a\") }",
      from: "extension NSAttributedString { convenience init(words: LocalizedStringKey) {} }",
      to: "extension NSAttributedString { convenience init(words: String) {} }"),
    DeclarationChange(
      "an initialiser of what an alias of the SDK names", "func use() { _ = TimeInterval(words: \"a\") }",
      from: "extension Double { init(words: LocalizedStringKey) {} }", to: "extension Double { init(words: String) {} }"
    ),
    DeclarationChange(
      "what an initialiser of an SDK type's superclass takes", "func use() { _ = UILabel(line: .some2(\"a\")) }",
      more: "extension UIView { convenience init(line: Line) {} }",
      from: "enum Line { case some2(LocalizedStringKey) }",
      to: "enum Line { case some2(String) }"),
    DeclarationChange(
      "an initialiser of what identifies a type", "func use() { _ = Row2.ID(\"a\") }",
      more: "struct Row2: Identifiable { var id: Key2 }", from: "struct Key2 { init(_ key: LocalizedStringKey) {} }",
      to: "struct Key2 { init(_ text: String) {} }"),
    DeclarationChange(
      "what the project's own View inherits", "func use() { Unknown().hint2(\"a\") }", more: "protocol View: Lower2 {}",
      from: "protocol Lower2 { func hint2(_ key: LocalizedStringKey) }",
      to: "protocol Lower2 { func hint2(_ text: String) }"),
    DeclarationChange(
      "the order of operators of two types",
      "func use(n: Int) { _ = Text(\"n \\(n <+> n)\") }",
      from:
        "struct One { static func <+> (a: Int, b: Int) -> Int { 1 } }; struct Two { static func <+> (a: Int, b: Int) -> Double { 1 } }",
      to:
        "struct Two { static func <+> (a: Int, b: Int) -> Double { 1 } }; struct One { static func <+> (a: Int, b: Int) -> Int { 1 } }"
    ),
    DeclarationChange(
      "the order of extensions of what an extension declares",
      [
        "Use.swift": "func use(inner: Outer.Inner) { _ = Text(\"n \\(inner.count)\") }", "Outer.swift": "enum Outer {}",
        "N.swift": "extension Outer.Inner { var count: Int { 1 } }",
        "P.swift": "typealias Short = Outer\nextension Short.Inner { var count: Double { 1 } }",
      ], from: ["A.swift": "extension Outer { struct Inner {} }"],
      to: ["O.swift": "extension Outer { struct Inner {} }"]),
    DeclarationChange(
      "an extension of Self by another name", "func use() { _ = Row2(title: \"a\") }",
      more: "struct Row2 { typealias Me = Self; init(title: LocalizedStringKey) {} }",
      from: "extension Row2.Me { init(words: String) {} }", to: "extension Row2.Me { init(title: String) {} }"),
    DeclarationChange(
      "an extension of what a generic alias is given", "func use(row: Row) { row.show(\"a\") }",
      more: row + "\ntypealias Same<Given> = Given", from: "",
      to: "extension Same<Row> { func show(_ text: String) {} }"),
    DeclarationChange(
      "an extension of what a generic alias is given, after a body changed",
      [
        "Row.swift": "struct Row {}\ntypealias Same<T> = T\nenum Kind: Row3 {}\nstruct Row3 {}",
        "Extension.swift": "extension Same<Row> { func show(_ key: LocalizedStringKey) {} }",
        "Raw.swift": "extension Kind.RawValue { func show(_ key: LocalizedStringKey) {} }",
        "Me.swift": "extension Row2.Me { func show(_ key: LocalizedStringKey) {} }",
        "Row2.swift": "struct Row2 { typealias Me = Self }",
      ].merging((0..<16).map { ("Other\($0).swift", "struct Other\($0) {}") }) { $1 },
      from: ["Use.swift": "func use(row: Row, row2: Row2, row3: Row3) { row.show(\"a\") }"],
      to: [
        "Use.swift":
          "func use(row: Row, row2: Row2, row3: Row3) { row.show(\"a\"); row2.show(\"b\"); row3.show(\"c\") }"
      ]),
    DeclarationChange(
      "an extension of more aliases than are followed", "func use(row: Row) { row.show(\"a\") }",
      more: row + "\n" + (0..<1_100).map { "typealias A\($0) = A\($0 + 1)" }.joined(separator: "\n")
        + "\ntypealias A1100 = Row\nextension Short { func show(_ text: String) {} }",
      from: "typealias Short = Other", to: "typealias Short = Row"),
    DeclarationChange(
      "what an extension with a long head asks for", "func use(row: Row) { row.show(.some2(\"a\")) }",
      more: "struct Row {}\nextension Row where "
        + (0..<60).map { "Self: P\($0)" }.joined(separator: ", ") + " { func show(_ line: Line) {} }",
      from: "enum Line { case some2(LocalizedStringKey) }", to: "enum Line { case some2(String) }"),
    DeclarationChange(
      "a case that serves as buildExpression", "@Rows func rows() -> Rows { \"a\" }",
      from: "@resultBuilder enum Rows { case buildExpression(LocalizedStringKey) }",
      to: "@resultBuilder enum Rows { case buildExpression(String) }"),
    DeclarationChange(
      "a name that is written with another sign of the same letter", "func use() { show\u{212A}(\"a\") }",
      from: "func showK(_ key: LocalizedStringKey) {}", to: "func showK(_ text: String) {}"),
    DeclarationChange(
      "a member that moves to another type of the same name", "func use(row: A2.Inner) { row.show(\"a\") }",
      from:
        "enum A2 { struct Inner { func show(_ key: LocalizedStringKey) {} } }; enum B2 { struct Inner {} }",
      to: "enum A2 { struct Inner {} }; enum B2 { struct Inner { func show(_ key: LocalizedStringKey) {} } }"),
  ]
}

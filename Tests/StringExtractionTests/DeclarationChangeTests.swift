import Localization
import StringExtraction
import Testing

/// A change of declarations that changes what literals of another file resolve to.
struct DeclarationChange: Sendable, CustomTestStringConvertible {
  var name: String
  /// What stays, by file: `Kit/…` is a module that the others see.
  var files: [String: String]
  /// What is there before, and after. A file that is missing is not there.
  var before: [String: String]
  var after: [String: String]
  var testDescription: String { name }

  init(_ name: String, _ files: [String: String], from before: [String: String], to after: [String: String]) {
    self.name = name
    self.files = files
    self.before = before
    self.after = after
  }

  /// A change of `Changed.swift`, seen by `Use.swift`; what else is declared stands in `More.swift`.
  init(_ name: String, _ use: String, more: String = "", from before: String, to after: String) {
    self.init(
      name, ["Use.swift": use, "More.swift": more], from: ["Changed.swift": before], to: ["Changed.swift": after])
  }

  func files(isAfter: Bool) -> [String: String] { files.merging(isAfter ? after : before) { $1 } }

  /// A project of two targets whose files have the blobs that their bytes tell.
  static func fixture(_ files: [String: String]) -> ExtractionFixture {
    var fixture = ExtractionFixture(files)
    let target = fixture.project.targets[0]
    let entries = target.swiftSources.map { entry in
      var digest = ContentDigest()
      digest.update(text: files[entry.path.text] ?? "")
      return TreeEntry(
        path: entry.path, kind: .file, blob: BlobID(rawValue: String(digest.finishHexadecimal().prefix(40))))
    }
    fixture.project.targets = ["App", "Kit"].map { name in
      var own = target
      own.id = TargetID(rawValue: name)
      own.name = name
      own.swiftSources = entries.filter { $0.path.isWithin("Kit") == (name == "Kit") }
      own.dependencies = name == "App" ? [TargetID(rawValue: "Kit")] : []
      return own
    }
    return fixture
  }

  private static let row = "struct Row { func show(_ key: LocalizedStringKey) {} }"
  private static let showing = "func use(row: Row) { row.show(\"a\") }"

  static let all: [DeclarationChange] = [
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
        "M.swift": "private struct Page { var count = 1 }",
      ],
      from: [:], to: ["A.swift": "private struct Page { var count: Double { 1 } }"]),
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

  /// Chains that lead by rules of the linker, and not by names that are written.
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

@Suite struct DeclarationChangeTests {
  @Test(
    "a change of declarations is seen wherever it can count",
    arguments: DeclarationChange.all + DeclarationChange.unwritten)
  func isSeen(_ change: DeclarationChange) throws {
    let before = DeclarationChange.fixture(change.files(isAfter: false))
    let after = DeclarationChange.fixture(change.files(isAfter: true))
    let cache = MemoryFactCache()
    let first = try before.extract(cache: cache)
    let cold = try after.extract()
    let warm = try after.extract(cache: cache)
    #expect(warm.strings == cold.strings)
    // And back, where the record of the first is not there any more.
    let other = MemoryFactCache()
    #expect(try after.extract(cache: other).strings == cold.strings)
    #expect(try before.extract(cache: other).strings == first.strings)
    #expect(first.strings != cold.strings, "the change changes nothing, and so tells nothing")
  }

  @Test(
    "whatever declarations change, what comes with the cache is what comes without",
    arguments: 1...6 as ClosedRange<UInt64>)
  func sameAsCold(_ seed: UInt64) throws {
    var random = TestRandom(state: seed)
    // Most share names: what one declares is seen by the others.
    let changes = (DeclarationChange.all + DeclarationChange.unwritten).filter { _ in
      Int.random(in: 0..<3, using: &random) > 0
    }
    var isAfter = changes.map { _ in Bool.random(using: &random) }
    let cache = MemoryFactCache()
    for step in 0..<25 {
      var files: [String: String] = [:]
      for (index, change) in changes.enumerated() {
        for (path, text) in change.files(isAfter: isAfter[index]) {
          files[path.hasPrefix("Kit/") ? "Kit/\(index)\(path.dropFirst(4))" : "\(index)\(path)"] = text
        }
      }
      var fixture = DeclarationChange.fixture(files)
      fixture.options.threads = 1 + step % 3
      let cold = try fixture.extract()
      let warm = try fixture.extract(cache: cache)
      #expect(warm.strings == cold.strings, "seed \(seed), step \(step)")
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        isAfter[Int.random(in: isAfter.indices, using: &random)].toggle()
      }
    }
  }
}

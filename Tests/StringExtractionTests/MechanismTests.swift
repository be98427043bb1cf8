import Localization
import StringExtraction
import Testing

@Suite struct MechanismTests {
  static let extracted: [Mechanism] = [
    Mechanism(
      "Text and other SwiftUI views",
      #"""
      struct A: View {
        @State private var on = false
        var body: some View {
          VStack {
            Text("one") // 🔑 one
            Button("two") { print("no") } // 🔑 two
            Label("three", systemImage: "no") // 🔑 three
            Toggle("four", isOn: $on) // 🔑 four
            Section("five") { Text(verbatim: "no") } // 🔑 five
            LabeledContent("six", value: "no") // 🔑 six
            Text("") // 🔑
            Image("no")
          }
          .navigationTitle("seven") // 🔑 seven
          .help(on ? "eight" : "nine") // 🔑 eight 🔑 nine
          .alert("ten", isPresented: $on) { Button("eleven", role: .cancel) {} } // 🔑 ten 🔑 eleven
          .searchable(text: .constant("no"), prompt: "twelve") // 🔑 twelve
          #if os(macOS)
            .accessibilityLabel("mac") // 🔑 mac
          #endif
        }
      }
      """#),
    Mechanism(
      "Foundation",
      #"""
      let a = String(localized: "one") // 🔑 one
      let b = String(localized: "key", defaultValue: "no") // 🔑 key
      let c = NSLocalizedString("two", comment: "no") // 🔑 two
      let d = LocalizedStringResource("three") // 🔑 three
      let e = LocalizedStringKey("four") // 🔑 four
      let f = AttributedString(localized: "five") // 🔑 five
      let g: LocalizedStringResource = .init("six", comment: "no") // 🔑 six
      let h = String.LocalizationValue("seven") // 🔑 seven
      let i = "eight" as LocalizedStringKey // 🔑 eight
      let j = String(localized: LocalizedStringResource(stringLiteral: "nine")) // 🔑 nine
      func k(_ name: String) -> LocalizedStringResource { .init(stringLiteral: name) }
      func l(_ name: String) -> LocalizedStringResource { .init(stringLiteral: "no \(name)") }
      var m: LocalizedStringResource { .init(stringLiteral: "ten") } // 🔑 ten
      """#),
    Mechanism(
      "the project's own declarations",
      #"""
      struct Row: View { let title: LocalizedStringKey; var detail: String = "no"; var body: some View { Text(title) } }
      struct Card { init(_ key: LocalizedStringResource, name: String) {} }
      struct Boxed<Content: View>: View {
        let title: LocalizedStringKey
        @Namespace private var space
        @ViewBuilder var content: () -> Content
        var body: some View { content() }
      }
      enum Field { case plain(String); case named(LocalizedStringKey, id: String) }
      func show(_ text: LocalizedStringResource, id: String) {}
      extension View { func badge2(_ key: LocalizedStringKey) -> some View { self } }
      func use() {
        _ = Row(title: "one", detail: "no") // 🔑 one
        _ = Card("two", name: "no") // 🔑 two
        _ = Boxed(title: "three") { Text("four") } // 🔑 three 🔑 four
        _ = Field.named("five", id: "no") // 🔑 five
        let field: Field = .named("six", id: "no") // 🔑 six
        show("seven", id: "no") // 🔑 seven
        _ = Text(verbatim: "no").badge2("eight") // 🔑 eight
        _ = Field.plain("no")
        _ = field
      }
      """#),
    Mechanism(
      "typed contexts",
      #"""
      enum Kind: LocalizedStringKey { case a = "one" } // 🔑 one
      struct S {
        var title: LocalizedStringKey = "two" // 🔑 two
        var name: String = "no"
        var label: LocalizedStringResource { "three" } // 🔑 three
        var short: LocalizedStringKey {
          switch name {
          case "no": "four" // 🔑 four
          default: return "five" // 🔑 five
          }
        }
        func text(_ flag: Bool) -> LocalizedStringKey {
          if flag { return "six" } // 🔑 six
          return flag ? "seven" : "eight" // 🔑 seven 🔑 eight
        }
        mutating func set() {
          title = "nine" // 🔑 nine
          self.title = "ten" // 🔑 ten
          name = "no"
        }
        static let list: [LocalizedStringKey] = ["eleven", "twelve"] // 🔑 eleven 🔑 twelve
        static let map: [String: LocalizedStringResource] = ["no": "thirteen"] // 🔑 thirteen
        static let pair: (LocalizedStringKey, String) = ("fourteen", "no") // 🔑 fourteen
        let made: LocalizedStringKey = { "fifteen" }() // 🔑 fifteen
        func by(_ key: LocalizedStringKey = "sixteen") {} // 🔑 sixteen
        var chosen: LocalizedStringKey? { nil ?? "seventeen" } // 🔑 seventeen
        let closure: () -> LocalizedStringKey = { "eighteen" } // 🔑 eighteen
        let value: LocalizedStringKey = if true { "nineteen" } else { "twenty" } // 🔑 nineteen 🔑 twenty
      }
      """#),
    Mechanism(
      "App Intents",
      #"""
      import AppIntents
      struct Open: AppIntent {
        static var title: LocalizedStringResource = "one" // 🔑 one
        static var description = IntentDescription("two", categoryName: "three") // 🔑 two 🔑 three
        @Parameter(title: "four", requestValueDialog: "five") var bird: String // 🔑 four 🔑 five
        static var parameterSummary: some ParameterSummary {
          Summary("Open \(\.$bird)") // 🔑 Open ${bird}
        }
        func perform() async throws -> some IntentResult & ProvidesDialog {
          guard bird != "no" else { throw $bird.needsValueError("six") } // 🔑 six
          return .result(dialog: "seven") // 🔑 seven
        }
      }
      enum Size: String, AppEnum {
        case small = "no"
        static var typeDisplayRepresentation: TypeDisplayRepresentation = "eight" // 🔑 eight
        static var caseDisplayRepresentations: [Size: DisplayRepresentation] = [
          .small: "nine", // 🔑 nine
        ]
      }
      struct Bird: AppEntity {
        var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "ten", subtitle: "eleven") } // 🔑 ten 🔑 eleven
      }
      """#),
    Mechanism(
      "implicit members and generics",
      #"""
      struct Item { let title: LocalizedStringResource; init(label: LocalizedStringResource, id: String) { title = label } }
      func add(_ items: [Item]) {}
      func run<T>(_ value: T, then: (T) -> Void) {}
      func use() {
        add([.init(label: "one", id: "no"), Item(label: "two", id: "no")]) // 🔑 one 🔑 two
        run(Item(label: "three", id: "no")) { item in _ = item } // 🔑 three
        let names = ["no", "no"].map { Item(label: "four", id: $0) } // 🔑 four
        _ = names
      }
      """#),
  ]

  static let ignored: [Mechanism] = [
    Mechanism(
      "strings of other types",
      #"""
      let a = "no"
      let b: String = "no"
      enum E: String { case x = "no" }
      func name() -> String { "no" }
      func own(_ text: String) {}
      func use(_ other: String?) {
        own("no")
        print("no", "no")
        fatalError("no")
        _ = Text(other ?? "no")
        _ = Text("no" + (other ?? "no"))
        _ = Text(verbatim: "no")
        _ = String(format: "no", 1)
        _ = Image(systemName: "no")
        _ = Bundle.main.localizedString(forKey: "no", value: "no", table: "no")
      }
      struct V { @AppStorage("no") var x = "no"; var title: String { "no" } }
      """#),
    Mechanism(
      "code that no build compiles, and previews",
      #"""
      #if false
        let a = Text("no")
      #endif
      #if os(Linux)
        let b = Text("no")
      #elseif canImport(SwiftUI)
        let c = Text("yes") // 🔑 yes
      #else
        let d = Text("no")
      #endif
      #if DEBUG
        let e = Text("debug") // 🔑 debug
      #endif
      #Preview("no") { Text("no") }
      func f() { if false { _ = Text("no") } else if (true) { _ = Text("else") } } // 🔑 else
      struct Q: View {
        var body: some View {
          if false {
            Text("no")
            Section("no") { Toggle("in a closure", isOn: .constant(true)) } // 🔑 in a closure
          }
        }
      }
      struct P: PreviewProvider { static var previews: some View { Text("no") } }
      """#),
    Mechanism(
      "overloads that take String as the literal's own type",
      #"""
      struct Both { init(_ text: String) {}; init(_ key: LocalizedStringKey) {} }
      struct Shy { @_disfavoredOverload init(_ text: String) {}; init(_ key: LocalizedStringKey) {} }
      struct Generic { init<S: StringProtocol>(_ text: S) {} }
      let a = Both("no")
      let b = Shy("yes") // 🔑 yes
      let c = Generic("no")
      let d = Text(Both("no").hashValue, format: .number)
      """#),
  ]

  @Test("a key with two default values is reported with the value that is used")
  func defaultValues() throws {
    let call = { (key: String, value: String) in "String(localized: \"\(key)\", defaultValue: \"\(value)\")" }
    let fixture = ExtractionFixture([
      "A.swift": "let a = \(call("k", "A"))\nlet b = \(call("same", "S"))\n",
      "B.swift": "let c = \(call("k", "B"))\nlet d = \(call("same", "S"))\n",
    ])
    let extraction = try fixture.extract()
    #expect(extraction.strings.first { $0.key == "k" }?.value == "A")
    #expect(
      extraction.diagnostics.map(\.message) == [
        #"the key "k" has the default value "B" here, but "A" in A.swift:1, which is used"#
      ])
    #expect(extraction.diagnostics.map(\.path) == ["B.swift"] && extraction.diagnostics.map(\.line) == [1])
    var synced = fixture
    synced.existing["Localizable.xcstrings"] = Catalog(
      path: "Localizable.xcstrings", sourceLanguage: "en",
      entries: ["k": CatalogEntry(translations: ["en": Translation("B", state: .new)])])
    let kept = try synced.extract()
    #expect(kept.strings.first { $0.key == "k" }?.value == "B" && kept.diagnostics.map(\.path) == ["A.swift"])
  }

  @Test("a reason that affects a target in the root of the tree has a file as its location")
  func placeOfRoot() throws {
    var fixture = ExtractionFixture(["A.swift": "let a = 1\n"])
    fixture.project.targets[0].kind = .xcode(project: "App.xcodeproj/project.pbxproj")
    let no = BuildSetting(value: "NO", path: "App.xcodeproj/project.pbxproj", line: 1, column: 1)
    fixture.project.targets[0].configurations = [
      BuildConfiguration(
        name: "Release", settings: ["SWIFT_EMIT_LOC_STRINGS": no, "LOCALIZED_STRING_SWIFTUI_SUPPORT": no])
    ]
    let reasons = try fixture.extract().incompleteCatalogs["Localizable.xcstrings"] ?? []
    #expect(reasons.first { $0.message.hasPrefix("SWIFT_EMIT") }?.path == "App.xcodeproj/project.pbxproj", "\(reasons)")
  }

  @Test("the same strings as in Xcode are extracted", arguments: extracted)
  func takes(_ mechanism: Mechanism) throws { try mechanism.verify() }

  @Test("code that Xcode ignores is ignored", arguments: ignored)
  func leaves(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

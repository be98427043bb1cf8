import Testing

/// Literals whose type comes from the project's declarations.
@Suite struct DeclaredTypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "protocols, classes, enums, generics, wrappers, builders, operators, overloads",
      #"""
      import SwiftUI
      protocol Titled { var title: LocalizedStringKey { get } ; func describe(_ k: LocalizedStringResource) -> String }
      extension Titled { var title: LocalizedStringKey { "proto" } } // 🔑 proto
      struct T1: Titled { let title: LocalizedStringKey = "t1"; func describe(_ k: LocalizedStringResource) -> String { "no" } } // 🔑 t1
      struct T2 { let title: LocalizedStringKey; init(title: LocalizedStringKey) { self.title = title }
        init(_ n: Int) { self.init(title: "conv") } // 🔑 conv
        init() { title = "inner" } // 🔑 inner
      }
      class Base { var label: LocalizedStringKey; init(label: LocalizedStringKey) { self.label = label } ; func set(_ key: LocalizedStringKey) {}; class var kind: LocalizedStringKey { "kind" } } // 🔑 kind
      class Sub: Base { init() { super.init(label: "sub") } // 🔑 sub
        override func set(_ key: LocalizedStringKey) { super.set("super") } // 🔑 super
        func go() { set("go"); self.set("self"); label = "own" } // 🔑 go 🔑 self 🔑 own
        override class var kind: LocalizedStringKey { "subkind" } // 🔑 subkind
      }
      class Sub2: Base {}
      let s2 = Sub2(label: "inherited init") // 🔑 inherited init
      enum Err: LocalizedError { case a(LocalizedStringResource), b(reason: LocalizedStringKey = "dflt") // 🔑 dflt
        var errorDescription: String? { "no" } }
      func thrower() throws { throw Err.a("thrown") } // 🔑 thrown
      let ee: Err = .b(reason: "reason") // 🔑 reason
      struct G<T> { let v: T; let key: LocalizedStringKey; init(_ v: T, key: LocalizedStringKey) { self.v = v; self.key = key } }
      let g1 = G(1, key: "g1") // 🔑 g1
      let g2 = G<LocalizedStringKey>("g2", key: "g3") // 🔑 g2 🔑 g3
      let g4: G<LocalizedStringResource> = .init("g4", key: "g5") // 🔑 g4 🔑 g5
      let g6 = G("no", key: "g6") // 🔑 g6
      func generic<T>(_ t: T, _ k: LocalizedStringKey) -> T { t }
      let gk: LocalizedStringKey = generic("gk1", "gk2") // 🔑 gk1 🔑 gk2
      typealias Key = LocalizedStringKey
      typealias Pair = (title: Key, detail: LocalizedStringResource)
      let alias: Key = "alias" // 🔑 alias
      let pair: Pair = ("pair1", detail: "pair2") // 🔑 pair1 🔑 pair2
      typealias Make = (Key) -> Void
      let make: Make = { _ in }
      func callMake() { make("make") } // 🔑 make
      struct Sub3 { subscript(key: LocalizedStringKey) -> Int { 1 }; subscript(named name: LocalizedStringResource, or other: String) -> Int { 1 }; static subscript(_ k: LocalizedStringKey) -> Int { 1 } }
      let q = Sub3()["s1"] + Sub3()[named: "s2", or: "no"] + Sub3["s3"] // 🔑 s1 🔑 s2 🔑 s3
      struct Op { static func + (a: Op, b: LocalizedStringKey) -> Op { a }; static func == (a: Op, b: LocalizedStringKey) -> Bool { true } }
      let op = Op() + "op" // 🔑 op
      infix operator <~>
      func <~> (a: Int, b: LocalizedStringKey) {}
      func opuse() { 1 <~> "cust" } // 🔑 cust
      enum Raw: LocalizedStringKey { case one = "raw1"; case two = "raw2" } // 🔑 raw1 🔑 raw2
      enum RawS: String { case one = "no" }
      struct Wrapper { var wrappedValue: Int; init(wrappedValue: Int, title: LocalizedStringKey) { self.wrappedValue = wrappedValue } }
      @propertyWrapper struct Titled2 { var wrappedValue: Int; init(wrappedValue: Int, title: LocalizedStringKey, id: String) { self.wrappedValue = wrappedValue } }
      struct UsesW { @Titled2(title: "wrap", id: "no") var x = 1 } // 🔑 wrap
      @propertyWrapper struct Loc { var wrappedValue: LocalizedStringKey }
      struct UsesL { @Loc var x = "lw" } // 🔑 lw
      @resultBuilder struct KB { static func buildBlock(_ c: LocalizedStringKey...) -> [LocalizedStringKey] { c } ; static func buildExpression(_ e: LocalizedStringKey) -> LocalizedStringKey { e } }
      func build(@KB _ c: () -> [LocalizedStringKey]) {}
      func useB() { build { "b1"; "b2" } ; build { // 🔑 b1 🔑 b2
        "b3" // 🔑 b3
        "b4" // 🔑 b4
       } }
      struct Outer { struct Inner { let k: LocalizedStringKey }; let inner = Inner(k: "in"); static func make() -> Inner { .init(k: "make2") } } // 🔑 in 🔑 make2
      extension Outer.Inner { static let std = Outer.Inner(k: "std"); static let std2: Self = .init(k: "std2"); static func m(_ k: LocalizedStringKey) -> Self { Self(k: k) } } // 🔑 std 🔑 std2
      let oi: Outer.Inner = .m("oi") // 🔑 oi
      let oi2: Outer.Inner? = .m("oi2") // 🔑 oi2
      let oi3: [Outer.Inner] = [.m("oi3"), .init(k: "oi4")] // 🔑 oi3 🔑 oi4
      func takes(_ i: Outer.Inner) {}; func takes2(_ i: Outer.Inner...) {}
      func tk() { takes(.m("tk")); takes2(.m("tk2"), .init(k: "tk3")) } // 🔑 tk 🔑 tk2 🔑 tk3
      actor Act { let k: LocalizedStringKey; init(k: LocalizedStringKey) { self.k = k } }
      let act = Act(k: "act") // 🔑 act
      func opt(_ k: LocalizedStringKey?, _ f: ((LocalizedStringKey) -> Void)? = nil) {}
      func useOpt() { opt("opt"); opt(nil) { _ in } ; let cb: ((LocalizedStringKey) -> Void)? = nil; cb?("cb") } // 🔑 opt 🔑 cb
      struct Lit: ExpressibleByStringLiteral { init(stringLiteral value: LocalizedStringKey.StringLiteralType) {} }
      let lit: Lit = "no"
      struct MyKey: ExpressibleByStringLiteral { typealias StringLiteralType = String; init(stringLiteral value: String) {} }
      func takesMine(_ k: MyKey) {}
      func um() { takesMine("no") }
      func two(_ a: String) {}
      func two(_ a: LocalizedStringKey, b: Int = 0) {}
      func useTwo() { two("no"); two("two", b: 1) } // 🔑 two
      func three(_ a: LocalizedStringKey) {}
      @_disfavoredOverload func three(_ a: String) {}
      func useThree() { three("three") } // 🔑 three
      func four<S: StringProtocol>(_ a: S) {}
      func four(_ a: LocalizedStringKey) {}
      func useFour() { four("no") }
      func five(_ a: some StringProtocol) {}
      func five(_ a: LocalizedStringResource) {}
      func useFive() { five("no") }
      @_disfavoredOverload func six(_ a: some StringProtocol) {}
      func six(_ a: LocalizedStringResource) {}
      func useSix(_ f: Bool) { six("six"); six(f ? "six2" : "six3"); six(f ? "no" : f.description); six("no" + f.description) } // 🔑 six 🔑 six2 🔑 six3
      """#),
    Mechanism(
      "types that collection literals create",
      #"""
      import SwiftUI
      struct Row { static func named(_ key: LocalizedStringKey, id: String) -> Row { Row() } }
      struct Rows { var all: [Row] }
      extension Rows: ExpressibleByArrayLiteral { init(arrayLiteral elements: Row...) { all = elements } }
      struct Names: ExpressibleByDictionaryLiteral { init(dictionaryLiteral elements: (String, LocalizedStringKey)...) {} }
      struct Titles: ExpressibleByArrayLiteral { init(arrayLiteral elements: LocalizedStringResource...) {} }
      struct Texts: ExpressibleByArrayLiteral { init(arrayLiteral elements: String...) {} }
      func show(rows: Rows, names: Names? = nil) {}
      func use() {
        show(rows: [.named("a1", id: "no"), .named("a2", id: "no")], names: ["no": "a3"]) // 🔑 a1 🔑 a2 🔑 a3
        let titles: Titles = ["a4", "a5"] // 🔑 a4 🔑 a5
        let texts: Texts = ["no"]
      }
      """#),
    Mechanism(
      "prefix operators",
      #"""
      import SwiftUI
      prefix operator %
      prefix operator ^
      prefix func % (expression: String.LocalizationValue) -> String { String(localized: expression) }
      @_disfavoredOverload prefix func % (text: String) -> String { text }
      prefix func ^ (name: String) -> Image { Image(name) }
      prefix func ~ (key: LocalizedStringResource) -> String { String(localized: key) }
      struct Vector { static prefix func - (vector: Vector) -> Vector { vector } }
      func alert(title: String, message: String?) {}
      func use(_ count: Int, _ name: String, _ flag: Bool) {
        alert(title: %"a1", message: %"a2 \(count)") // 🔑 a1 🔑 a2 %lld
        let title = flag ? %"a3" : %"a4" // 🔑 a3 🔑 a4
        let joined = %"a5" + ": " + %"a6" // 🔑 a5 🔑 a6
        _ = Text(%"a7") // 🔑 a7
        unknown(%"a8", ^"no", ~"a9") // 🔑 a8 🔑 a9
        _ = [title, joined, %name, ^name, !flag ? "no" : "no"]
        _ = Text("b \(-count) \(^name)") // 🔑 b %lld %@
      }
      """#),
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted if the project's declarations determine a literal's type",
    arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

import Testing

/// State, bindings, environment, collections and closures of localizable types.
@Suite struct StateTypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "state, bindings, environment, collections and closures",
      #"""
      import SwiftUI
      struct Pill: ButtonStyle { let t: LocalizedStringKey; func makeBody(configuration: Configuration) -> some View { configuration.label } }
      extension ButtonStyle where Self == Pill { static func titled(_ k: LocalizedStringKey) -> Pill { Pill(t: k) } ; static var std: Pill { .init(t: "a") } } // 🔑 a
      struct Entry { let t: LocalizedStringKey; static let all = [Entry(t: "b"), .init(t: "c")]; static func make(_ k: LocalizedStringKey) -> Entry { .init(t: k) } } // 🔑 b 🔑 c
      struct V: View {
        @State private var t: LocalizedStringKey = "d"; @State private var u = LocalizedStringKey("e"); @State var o: LocalizedStringKey?; @Binding var b: LocalizedStringKey // 🔑 d 🔑 e
        init(title: LocalizedStringKey = "f", b: Binding<LocalizedStringKey> = .constant("g")) { _t = State(initialValue: "h"); _u = .init(wrappedValue: "i"); self._b = b; o = "j" } // 🔑 f 🔑 g 🔑 h 🔑 i 🔑 j
        var body: some View {
          Text("k" as LocalizedStringKey) // 🔑 k
          Button("m") { t = "n"; b = "o"; o = o ?? "p"; self.u = .init("no") } // 🔑 m 🔑 n 🔑 o 🔑 p
          Text("\("no")") // 🔑 %@
          Group { ForEach(Entry.all, id: \.t.hashValue) { e in Text(e.t) } } .navigationTitle(String(localized: "r")) // 🔑 r
          picker(for: .make("s"), items: [.make("t"), Entry(t: "u")]) // 🔑 s 🔑 t 🔑 u
          Child(b: .constant("v"), n: .constant(1)) // 🔑 v
          Child(b: $t, n: .constant(1)).id("no").tag("no").overlay(alignment: .top) { Text("w") } // 🔑 w
          Text(flag ? "x" : o ?? "y") // 🔑 x 🔑 y
          Text([LocalizedStringKey("z"), "aa"][0]) // 🔑 z 🔑 aa
          Text({ () -> LocalizedStringKey in "ad" }()) // 🔑 ad
          Label { Text("ae") } icon: { Image("no") } // 🔑 ae
          Label(title: { Text("af") }, icon: { }) // 🔑 af
          EmptyView().accessibilityLabel(flag ? Text("ag") : Text("ah")).help(flag ? "ai" : "aj") // 🔑 ag 🔑 ah 🔑 ai 🔑 aj
          let local: LocalizedStringKey = "ak" // 🔑 ak
          let n = 3
          Text(local); Text("al \(n)") // 🔑 al %lld
          if let k = key(n) { Text(k) } else if flag, let z = o { Text(z) } else { Text("am") } // 🔑 am
          VStack { content }.environment(\.title, "an") // 🔑 an
          Text("ao \(n, specifier: "%03d") \(Double(n), specifier: "%.1f")%") // 🔑 ao %03d %.1f%%
        }
        var flag: Bool { true }
        func key(_ n: Int) -> LocalizedStringKey? { [1: "aq", 2: "ar"][n] } // 🔑 aq 🔑 ar
        func picker(for e: Entry, items: [Entry]) -> some View { EmptyView() }
        @ViewBuilder private var content: some View { switch t { default: Text("as") } } // 🔑 as
      }
      struct Child: View { @Binding var b: LocalizedStringKey; @Binding var n: Int; var body: some View { Text("at \(n)") } } // 🔑 at %lld
      extension EnvironmentValues { @Entry var title: LocalizedStringKey = "au" } // 🔑 au
      struct TitleKey: EnvironmentKey { static let defaultValue: LocalizedStringKey = "av"; static var other: LocalizedStringKey { "aw" } } // 🔑 av 🔑 aw
      struct PrefKey: PreferenceKey { static var defaultValue: [LocalizedStringKey] = ["ax"]; static func reduce(value: inout [LocalizedStringKey], nextValue: () -> [LocalizedStringKey]) { value += nextValue() + ["ay"] } } // 🔑 ax 🔑 ay
      func pairs() { let kv: KeyValuePairs<LocalizedStringKey, Int> = ["az": 1]; for (k, v) in kv { _ = Text("ba \(v)") } } // 🔑 az 🔑 ba %lld
      func asy() async { async let k: LocalizedStringKey = "bb"; _ = await k } // 🔑 bb
      func esc(_ b: @escaping @MainActor @Sendable () -> LocalizedStringKey, c: (@Sendable (Int) -> LocalizedStringResource)? = nil) { esc { "bc" } ; esc({ "bd" }) { n in "be \(n)" } } // 🔑 bc 🔑 bd 🔑 be %lld
      func io(_ k: inout LocalizedStringKey) { k = "bf" } // 🔑 bf
      enum Cases { case a(LocalizedStringKey, Int = 1), b(title: LocalizedStringKey?), c([LocalizedStringKey]); static let all: [Cases] = [.a("bg"), .b(title: "bh"), .c(["bi"]), .a("bj", 2)] } // 🔑 bg 🔑 bh 🔑 bi 🔑 bj
      let x1 = Optional<LocalizedStringKey>.some("bk"), x2: LocalizedStringKey! = "bl" // 🔑 bk 🔑 bl
      class Sup { func t() -> LocalizedStringKey { "bm" } ; var v: LocalizedStringResource { get { "bn" } } ; static var s: LocalizedStringKey = { return "bo" }() } // 🔑 bm 🔑 bn 🔑 bo
      protocol HasDefault { associatedtype T; var label: T { get } } 
      struct Impl: HasDefault { var label: LocalizedStringKey { "bp" } } // 🔑 bp
      struct W<Label: View> { init(_ k: LocalizedStringKey) where Label == Text {}; init(@ViewBuilder l: () -> Label) {} }
      let w1 = W("bq"), w2 = W { Text("br") } // 🔑 bq 🔑 br
      func rethrow(_ f: () throws -> LocalizedStringKey) rethrows {}
      func useR() { rethrow { "bs" } ; try? rethrow { throw E1.x("bt") } } // 🔑 bs 🔑 bt
      enum E1: Error { case x(LocalizedStringResource) }
      let comp = ["bu", "bv"].map(LocalizedStringKey.init)
      let fmt = String(format: String(localized: "bw %@"), "no") // 🔑 bw %@
      let t3: (a: LocalizedStringKey, b: (c: LocalizedStringResource, d: Int)) = ("bx", ("by", 1)) // 🔑 bx 🔑 by
      var cc: LocalizedStringKey { if #available(iOS 17, *) { return "bz" } ; return "ca" } // 🔑 bz 🔑 ca
      """#)
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted from state, bindings, collections and closures", arguments: mechanisms
  )
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

import Testing

/// Literals whose type comes from their context.
@Suite struct ContextTypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "returns, annotations, assignments, collections, closures",
      #"""
      import SwiftUI
      enum Level: CaseIterable, Identifiable { case low, high
        var id: Self { self }
        var title: LocalizedStringKey { switch self { case .low: "low"; case .high: return "high" } } // 🔑 low 🔑 high
        var res: LocalizedStringResource {
          switch self {
          case .low: "rlow" // 🔑 rlow
          case .high:
            return "rhigh" // 🔑 rhigh
          }
        }
        var val: String.LocalizationValue { if self == .low { "vlow" } else { "vhigh" } } // 🔑 vlow 🔑 vhigh
        var maybe: LocalizedStringKey? { self == .low ? "mlow" : nil } // 🔑 mlow
        static let names: [Level: LocalizedStringKey] = [.low: "nlow", .high: "nhigh"] // 🔑 nlow 🔑 nhigh
        static var list: [LocalizedStringKey] { ["l1", "l2"] } // 🔑 l1 🔑 l2
        var tuple: (LocalizedStringKey, String) { ("t1", "no") } // 🔑 t1
        var labeled: (title: LocalizedStringKey, icon: String) { switch self { case .low: (title: "t2", icon: "no"); case .high: ("t3", "no") } } // 🔑 t2 🔑 t3
        func name(_ on: Bool) -> LocalizedStringKey { on ? "on" : "off" } // 🔑 on 🔑 off
        func nested() -> LocalizedStringKey {
          let x: LocalizedStringKey
          if self == .low { x = "assigned" } else { x = "assigned2" } // 🔑 assigned 🔑 assigned2
          return x
        }
        func expr() -> LocalizedStringKey {
          let x: LocalizedStringKey = if self == .low { "ifx" } else { "elsex" } // 🔑 ifx 🔑 elsex
          let y: LocalizedStringResource = switch self { case .low: "sx"; case .high: "sy" } // 🔑 sx 🔑 sy
          _ = y
          return x
        }
        func guarded(_ a: Int?) -> LocalizedStringKey {
          guard let a else { return "guarded" } // 🔑 guarded
          defer { print("no") }
          do { return try foo() } catch { return "caught \(error.localizedDescription)" } // 🔑 caught %@
        }
        func foo() throws -> LocalizedStringKey { "foo" } // 🔑 foo
      }
      struct P { var key: LocalizedStringKey = "default"; var res: LocalizedStringResource; var s = "no" // 🔑 default
        static let shared = P(res: "shared") // 🔑 shared
        var lazyOne: LocalizedStringKey = { "lazy" }() // 🔑 lazy
        lazy var lazyTwo: LocalizedStringResource = { let a = 1; return "lazy2" }() // 🔑 lazy2
      }
      func defaults(_ a: LocalizedStringKey = "d1", b: LocalizedStringResource? = "d2", c: String = "no") {} // 🔑 d1 🔑 d2
      func variadic(_ a: LocalizedStringKey..., b: Int = 1) {}
      func use(_ p: inout P, _ maybe: LocalizedStringKey?, _ flag: Bool) {
        p.key = "assign" // 🔑 assign
        p.key = flag ? "tern1" : "tern2" // 🔑 tern1 🔑 tern2
        p.s = "no"
        variadic("v1", "v2", b: 3) // 🔑 v1 🔑 v2
        let k: LocalizedStringKey = maybe ?? "nil" // 🔑 nil
        let a: [LocalizedStringKey] = flag ? ["a1"] : ["a2", "a3"] // 🔑 a1 🔑 a2 🔑 a3
        let d = ["no": LocalizedStringKey("dk")] // 🔑 dk
        let e = [LocalizedStringKey]() + ["e1"] // 🔑 e1
        var list: [LocalizedStringKey] = []
        list.append("append") // 🔑 append
        list += ["plus"] // 🔑 plus
        list.insert("insert", at: 0) // 🔑 insert
        list[0] = "subscript" // 🔑 subscript
        var dict: [String: LocalizedStringResource] = [:]
        dict["no"] = "dictset" // 🔑 dictset
        dict["no", default: "dd"] = "ds" // 🔑 dd 🔑 ds
        let c: (Int) -> LocalizedStringKey = { $0 == 1 ? "c1" : "c2" } // 🔑 c1 🔑 c2
        let c2: (Int) -> LocalizedStringKey = { n in
          if n == 1 { return "c3" } // 🔑 c3
          return "c4" // 🔑 c4
        }
        let t: (LocalizedStringKey, Int) = ("tup", 1) // 🔑 tup
        let x = (flag ? "x1" : "x2") as LocalizedStringKey // 🔑 x1 🔑 x2
        let y: LocalizedStringKey = ("paren") // 🔑 paren
        let s: Set<LocalizedStringResource> = ["set"] // 🔑 set
        let o: LocalizedStringKey? = .some("some") // 🔑 some
        let r: Result<LocalizedStringKey, Error> = .success("ok") // 🔑 ok
        let arr = [P(res: "p1"), P(key: "p2", res: "p3")] // 🔑 p1 🔑 p2 🔑 p3
        let nest: [[LocalizedStringKey]] = [["n1"], ["n2"]] // 🔑 n1 🔑 n2
        let m = [1, 2].map { n -> LocalizedStringKey in n == 1 ? "m1" : "m2" } // 🔑 m1 🔑 m2
        let texts = ["no", "no"].map { Text($0) }
        let named: [LocalizedStringKey] = [1, 2].map { _ in "mm" } // 🔑 mm
        let f: [P] = [.init(res: "f1"), .init(key: "f2", res: "f3", s: "no")] // 🔑 f1 🔑 f2 🔑 f3
        let dictP: [String: P] = ["no": .init(res: "dp")] // 🔑 dp
        for item: (LocalizedStringKey, String) in [("fi", "no")] { _ = item } // 🔑 fi
        for key in ["loop1", "loop2"] as [LocalizedStringKey] { _ = Text(key) } // 🔑 loop1 🔑 loop2
        while maybe == "while" {} // 🔑 while
        switch maybe { case "case": break; default: break } // 🔑 case
        if maybe == "eq" {} // 🔑 eq
        if k != "neq" {} // 🔑 neq
      }
      """#),
    Mechanism(
      "closures beside `??`, whose result is what the context expects",
      #"""
      import SwiftUI
      @ViewBuilder func show(_ name: String?, _ count: Int?, other: String, isOn: Bool) -> some View {
        Text(name.map { "hello \($0)" } ?? "nobody") // 🔑 hello %@ 🔑 nobody
          .help(count.map { $0 == 1 ? "one" : "some \($0)" } ?? "none") // 🔑 one 🔑 some %lld 🔑 none
        Button(isOn ? name.flatMap { n in "is \(n)" } ?? "unnamed" : "off") {} // 🔑 is %@ 🔑 unnamed 🔑 off
        Label(name.map { "a \($0)" } ?? count.map { "b \($0)" } ?? "c", systemImage: "no") // 🔑 a %@ 🔑 b %lld 🔑 c
        Text(name.map { "no \($0)" } ?? other)
        Text(name.map { $0 + "no" } ?? "no")
        Text(name.map { (n: String) -> String in "no \(n)" } ?? "no")
      }
      """#),
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted if the context determines a literal's type", arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

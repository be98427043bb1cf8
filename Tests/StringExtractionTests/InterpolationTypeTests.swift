import Testing

/// Interpolated arguments whose types come from every source of type information.
@Suite struct InterpolationTypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "properties, locals, closures, patterns, arithmetic",
      #"""
      import SwiftUI
      struct Item: Identifiable { let id = UUID(); var name = "no"; var count = 0; var price = 1.5; var tags: [String] = []; var size: CGFloat = 1; var date = Date(); var kind: Kind = .a; var opt: Int?; var f: Float; var u8: UInt8; var i64: Int64; var sub: [Item] { [] }; var dict: [String: Int] = [:] ; func total() -> Int { 1 }; static let max = 3; var pair: (Int, String) { (1, "no") } }
      enum Kind: String { case a, b; var n: Int { 1 } }
      enum Ev { case one(Int), two(count: Int, name: String), three(Item), four }
      class VM: ObservableObject { @Published var items: [Item] = []; @Published var n = 0; var cur: Item?; var index: Int { items.count }; func progress() -> Double { 0.5 } ; var stats: (done: Int, total: Int) = (0, 0); lazy var lz = items.count; let map: [Kind: [Item]] = [:] }
      struct V: View {
        @StateObject var vm = VM(); @State private var num = 0; @State private var d = 0.5; @Binding var b: Int; @AppStorage("no") var st = 5; let item: Item; @ObservedObject var o: VM; @EnvironmentObject var e: VM; @Environment(\.locale) var loc; @State var optI: Int? = nil; @FocusState var foc: Bool; @State var sel: Set<UUID> = []
        var body: some View {
          Text("a \(num)") // 🔑 a %lld
          Text("b \(b)") // 🔑 b %lld
          Text("c \(st)") // 🔑 c %lld
          Text("d \(vm.items.count)") // 🔑 d %lld
          Text("e \(vm.progress())") // 🔑 e %lf
          Text("f \(vm.index + 1)") // 🔑 f %lld
          Text("g \(item.size)") // 🔑 g %lf
          Text("h \(item.f)") // 🔑 h %f
          Text("i \(item.u8)") // 🔑 i %u
          Text("j \(item.i64)") // 🔑 j %lld
          Text("k \(item.kind.rawValue)") // 🔑 k %@
          Text("l \(item.opt ?? 0)") // 🔑 l %lld
          Text("m \(item.tags.count) \(item.tags[0]) \(item.tags.joined(separator: ", "))") // 🔑 m %lld %@ %@
          Text("n \(item.sub.first?.count ?? 0)") // 🔑 n %lld
          Text("o \(item.total())") // 🔑 o %lld
          Text("p \(Item.max)") // 🔑 p %lld
          Text("q \(item.pair.0) \(item.pair.1)") // 🔑 q %lld %@
          Text("r \(vm.stats.done)/\(vm.stats.total)") // 🔑 r %lld/%lld
          Text("s \(Int(d * 100))%") // 🔑 s %lld%%
          Text("t \(d * 100, specifier: "%.0f")") // 🔑 t %.0f
          Text("u \(item.dict["x"] ?? 0)") // 🔑 u %lld
          Text("v \(sel.count)") // 🔑 v %lld
          Text("w \(min(num, 3)) \(max(1, b)) \(abs(num))") // 🔑 w %lld %lld %lld
          Text("x \(item.sub.map(\.count).reduce(0, +))") // 🔑 x %lld
          Text("y \(item.sub.filter { $0.count > 1 }.count)") // 🔑 y %lld
          Text("z \(num == 1 ? item.name : "no")") // 🔑 z %@
          Text("aa \(optI!)") // 🔑 aa %lld
          Text("ab \(num) \(d, format: .number) \(item.date, style: .date)") // 🔑 ab %lld %@ %@
          Text("ac \(item.date.formatted())") // 🔑 ac %@
          Text("ad \(String(num))") // 🔑 ad %@
          Text("ae \("\(num)")") // 🔑 ae %@
          Text("af \(vm.map[.a]?.count ?? 0)") // 🔑 af %lld
          Text("ag \(num.formatted())") // 🔑 ag %@
          Text("ah \(Double(num) / 2)") // 🔑 ah %lf
          Text("ai \(item.sub[0].name) \(item.sub[num].count)") // 🔑 ai %@ %lld
          Text("aj \((num + 1) * 2)") // 🔑 aj %lld
          Text("ak \(-num)") // 🔑 ak %lld
          Text("al \(UIDevice.current.name)") // 🔑 al %@
          Text("am \(Bundle.main.bundleIdentifier ?? "no")") // 🔑 am %@
          Text("an \(1 + 1) \(2.5) \(true.description)") // 🔑 an %lld %lf %@
          Text("ao \(Image(systemName: "no")) \(Text("ap"))") // 🔑 ao %@ %@ 🔑 ap
          ForEach(vm.items) { item in Text("ba \(item.count)") } // 🔑 ba %lld
          ForEach(vm.items.indices, id: \.self) { i in Text("bb \(i + 1) \(vm.items[i].count)") } // 🔑 bb %lld %lld
          ForEach(Array(vm.items.enumerated()), id: \.offset) { index, it in Text("bc \(index) \(it.count)") } // 🔑 bc %lld %lld
          ForEach(0..<vm.items.count, id: \.self) { Text("bd \($0)") } // 🔑 bd %lld
          ForEach($vm.items) { $it in Text("be \(it.count)") } // 🔑 be %lld
          ForEach(1...5, id: \.self) { n in Text("bf \(n)") } // 🔑 bf %lld
          ForEach([1, 2, 3], id: \.self) { n in Text("bg \(n)") } // 🔑 bg %lld
          ForEach(["no"], id: \.self) { n in Text("bh \(n)") } // 🔑 bh %@
          ForEach(Array(vm.map.keys), id: \.self) { k in Text("bi \(vm.map[k]!.count)") } // 🔑 bi %lld
          ForEach(vm.items.sorted { $0.count < $1.count }) { it in Text("bj \(it.count)") } // 🔑 bj %lld
          ForEach(stride(from: 0, to: 10, by: 2).map { $0 }, id: \.self) { n in Text("bk \(n)") } // 🔑 bk %lld
          List(vm.items) { it in Text("bl \(it.count)") } // 🔑 bl %lld
          if let c = vm.cur { Text("ca \(c.count)") } // 🔑 ca %lld
          if let cur = vm.cur, let o = cur.opt { Text("cb \(o)") } // 🔑 cb %lld
          Picker("cc", selection: $num) { ForEach(vm.items) { Text("cd \($0.count)").tag($0.count) } } // 🔑 cc 🔑 cd %lld
          Stepper("ce \(num)", value: $num, in: 1...5) // 🔑 ce %lld
          Button("cf \(num)") { num += 1 } // 🔑 cf %lld
          Label("cg \(vm.items.count)", systemImage: "no") // 🔑 cg %lld
          GeometryReader { geo in Text("ch \(geo.size.width)") } // 🔑 ch %lf
          Menu("ci \(e.n) \(o.n)") {} // 🔑 ci %lld %lld
        }
        func ev(_ ev: Ev) -> LocalizedStringKey {
          switch ev {
          case .one(let n): return "da \(n)" // 🔑 da %lld
          case let .two(count, name): return "db \(count) \(name)" // 🔑 db %lld %@
          case .three(let it) where it.count > 1: return "dc \(it.count)" // 🔑 dc %lld
          case .three(let it): return "dd \(it.name)" // 🔑 dd %@
          case .four: return "de" // 🔑 de
          }
        }
        func locals(_ arr: [Item], _ t: (a: Int, b: String), _ block: (Int) -> Int) {
          let n = arr.count, m = 2.0
          let (x, y) = (1, "no")
          var total = 0
          for (i, it) in arr.enumerated() { total += it.count; _ = Text("ea \(i) \(it.count)") } // 🔑 ea %lld %lld
          _ = Text("eb \(n) \(m) \(x) \(y) \(total)") // 🔑 eb %lld %lf %lld %@ %lld
          _ = Text("ec \(t.a) \(t.b) \(block(1))") // 🔑 ec %lld %@ %lld
          let z = arr.first { $0.count > 1 }?.count
          _ = Text("ed \(z ?? 0)") // 🔑 ed %lld
          let w = arr.map { $0.count }.max() ?? 0
          _ = Text("ee \(w)") // 🔑 ee %lld
          let grouped = Dictionary(grouping: arr, by: \.kind)
          _ = Text("ef \(grouped[.a]?.count ?? 0)") // 🔑 ef %lld
          let dur = Date().timeIntervalSince(Date())
          _ = Text("eg \(dur)") // 🔑 eg %lf
          let comps = Calendar.current.dateComponents([.day], from: Date(), to: Date()).day ?? 0
          _ = Text("eh \(comps)") // 🔑 eh %lld
          _ = Text("ei \(arr.isEmpty ? 0 : arr.count)") // 🔑 ei %lld
          let pct = Int((m / 3 * 100).rounded())
          _ = Text("ej \(pct)%") // 🔑 ej %lld%%
          guard let q = arr.last?.opt else { return }
          _ = Text("ek \(q)") // 🔑 ek %lld
          let c = { (v: Int) in v * 2 }
          _ = Text("el \(c(2))") // 🔑 el %lld
          let sum = arr.reduce(0) { $0 + $1.count }
          _ = Text("em \(sum)") // 🔑 em %lld
          let res = arr.compactMap(\.opt).first ?? 3
          _ = Text("en \(res)") // 🔑 en %lld
          let casted = (arr as Any) as? Int ?? 0
          _ = Text("eo \(casted)") // 🔑 eo %lld
          let i32: Int32 = 5; let hex = String(format: "no", n)
          _ = Text("ep \(i32) \(hex)") // 🔑 ep %d %@
          _ = Text("eq \(i32 + 1)") // 🔑 eq %d
          let cg = CGFloat(n) * 2
          _ = Text("er \(cg)") // 🔑 er %lf
          do { try f() } catch let err as NSError { _ = Text("es \(err.code) \(err.localizedDescription)") } catch { } // 🔑 es %lld %@
          let fileSize = try? FileManager.default.attributesOfItem(atPath: "no")[.size] as? Int64
        }
        func f() throws {}
      }
      """#),
    Mechanism(
      "generic arguments of nested types",
      #"""
      import SwiftUI
      enum Keys {
        struct Key<Value> { let value: Value; init(_ name: String, default value: Value) { self.value = value } }
        static let ratio = Key<Double>("no", default: 3)
        static let small = Keys.Key<Int32>("no", default: 3)
        static let count = Key("no", default: 3)
      }
      let a = Text("a \(Keys.ratio.value) \(Keys.small.value) \(Keys.count.value)") // 🔑 a %lf %d %lld
      extension Keys { static let list = Key<[Float]>("no", default: []) }
      let b = Text("b \(Keys.list.value[0])") // 🔑 b %f
      """#),
    Mechanism(
      "initializers of protocols, beside the type's own",
      #"""
      import SwiftUI
      extension Int { init?(_ text: String?) { return nil } }
      protocol Named { init(name: String) }
      extension Named { init(title: LocalizedStringKey) { self.init(name: "no") } }
      struct Row: Named { let name: String; init(name: String) { self.name = name } }
      func f(_ share: Double, _ text: String?) {
        _ = Text("a \(Int(share))") // 🔑 a %lld
        _ = Text("b \(Int(text) ?? 0)") // 🔑 b %lld
        _ = Row(title: "c") // 🔑 c
        _ = Row(name: "no")
      }
      """#),
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted, with a specifier for the type of each argument",
    arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

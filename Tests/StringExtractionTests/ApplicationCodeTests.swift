import Testing

/// Typical application code.
@Suite struct ApplicationCodeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "Foundation, conditions, helpers of the project",
      #"""
      import SwiftUI
      func f(_ flag: Bool, _ o: String?, _ s: String) {
        _ = String(localized: "a", comment: "no") // 🔑 a
        _ = String(localized: flag ? "b" : "c") // 🔑 b 🔑 c
        _ = String(localized: "d", defaultValue: "no \(s)", table: nil, comment: "no") // 🔑 d
        _ = String(localized: .init("no"))
        _ = String(localized: LocalizedStringResource.init(stringLiteral: "f")) // 🔑 f
        _ = String.init(localized: "g") // 🔑 g
        _ = LocalizedStringResource("h", defaultValue: "no") // 🔑 h
        _ = LocalizedStringKey(stringLiteral: "hh") // 🔑 hh
        _ = LocalizedStringKey(stringLiteral: "no \(s)")
        _ = LocalizedStringKey("i \(s)") // 🔑 i %@
        _ = LocalizedStringKey(s)
        _ = NSLocalizedString("j", comment: "no") // 🔑 j
        _ = NSLocalizedString("k", tableName: nil, bundle: .main, value: "no", comment: "no") // 🔑 k
        _ = String(format: NSLocalizedString("l %@", comment: ""), s) // 🔑 l %@
        _ = String.localizedStringWithFormat(NSLocalizedString("m", comment: "no"), 1) // 🔑 m
        _ = Bundle.main.localizedString(forKey: "no", value: nil, table: nil)
        _ = AttributedString(localized: "n **bold**") // 🔑 n **bold**
        _ = [Text("o"), Text("p")] // 🔑 o 🔑 p
        _ = o.map { Text($0) } ?? Text("q") // 🔑 q
        _ = flag ? Text("r") : Text("s") // 🔑 r 🔑 s
        let title: LocalizedStringKey = flag ? "t" : "u" // 🔑 t 🔑 u
        let alert = UIAlertController(title: String(localized: "v"), message: NSLocalizedString("w", comment: ""), preferredStyle: .alert) // 🔑 v 🔑 w
        alert.addAction(UIAlertAction(title: String(localized: "x"), style: .default)) // 🔑 x
        throwing { throw E.e(String(localized: "y")) } // 🔑 y
        Task { @MainActor in _ = Text("z") } // 🔑 z
        DispatchQueue.main.async { _ = Text("aa") } // 🔑 aa
        _ = Text("ab") + Text(verbatim: "no") + Text("ac \(s)") // 🔑 ab 🔑 ac %@
        let x: Any = "no"
        let y: any View = Text("ad") // 🔑 ad
        _ = x as? String ?? "no"
        print(Text("ae")) // 🔑 ae
        _ = #selector(getter: NSObject.description)
        _ = unknownFunction(Text("af"), "no") // 🔑 af
        unknown.chain("no").foo { Text("ag") } // 🔑 ag
        unknown { Button("ah") {} } // 🔑 ah
        _ = "no".localized
        _ = "no" == s
        assert(flag, "no"); precondition(flag, "no"); fatalError("no")
      }
      func cond() {
        #if DEBUG
        _ = Text("ba") // 🔑 ba
        #else
        _ = Text("no")
        #endif
        #if os(iOS) || targetEnvironment(macCatalyst)
        _ = Text("bc") // 🔑 bc
        #elseif os(macOS)
        _ = Text("bd") // 🔑 bd
        #endif
        #if canImport(UIKit) && !os(watchOS)
        _ = Text("be") // 🔑 be
        #endif
        #if false
        _ = Text("no")
        #elseif os(Linux)
        _ = Text("no")
        #endif
        #if swift(>=5.9)
        _ = Text("bf") // 🔑 bf
        #endif
        #if compiler(<5.0)
        _ = Text("no")
        #endif
      }
      struct Prev: PreviewProvider { static var previews: some View { Text("no") } }
      #Preview { Text("no") }
      #Preview("no", traits: .sizeThatFitsLayout) { @Previewable @State var a = "no"; Text("no") }
      private struct Loc { struct Strings { static let a = String(localized: "ca"); static let b = LocalizedStringResource("cb", defaultValue: "no"); static func c(_ n: Int) -> String { String(localized: "cc \(n)") } } } // 🔑 ca 🔑 cb 🔑 cc %lld
      extension LocalizedStringKey { static let k: LocalizedStringKey = "da"; static let k2 = LocalizedStringKey("db"); static var k3: Self { "dc" } } // 🔑 da 🔑 db 🔑 dc
      extension LocalizedStringResource { static let r: Self = "dd"; static func r2(_ n: Int) -> LocalizedStringResource { "de \(n)" } } // 🔑 dd 🔑 de %lld
      extension String { static let s = String(localized: "df"); var loc: String { String(localized: String.LocalizationValue(self)) } } // 🔑 df
      enum E: Error { case e(String) }
      extension E: LocalizedError { var errorDescription: String? { switch self { case .e(let s): String(localized: "dg \(s)") } } } // 🔑 dg %@
      extension E: CustomLocalizedStringResourceConvertible { var localizedStringResource: LocalizedStringResource { "dh" } } // 🔑 dh
      let global: LocalizedStringResource = "ea" // 🔑 ea
      var computed: LocalizedStringKey { get { "eb" } set { } } // 🔑 eb
      var observed: LocalizedStringKey = "ec" { didSet { observed = "ed" } } // 🔑 ec 🔑 ed
      @available(*, deprecated, message: "no") func dep() {}
      func tipes() -> (LocalizedStringKey, [LocalizedStringKey]) { ("ee", ["ef", "eg"]) } // 🔑 ee 🔑 ef 🔑 eg
      func clos(_ make: () -> LocalizedStringKey, then: (LocalizedStringKey) -> Text = { Text($0) }) {}
      func uc() { clos { "eh" }; clos({ return "ei" }) { k in Text("ej") } } // 🔑 eh 🔑 ei 🔑 ej
      func auto(_ k: @autoclosure () -> LocalizedStringKey) {}
      func ua() { auto("ek") } // 🔑 ek
      func thro<T>(_ k: LocalizedStringResource, _ body: () throws -> T) rethrows -> T { try body() }
      func ut() { let v = try? thro("el") { 1 }; _ = Text("em \(v ?? 0)") } // 🔑 el 🔑 em %lld
      struct Cfg { var title: LocalizedStringKey = ""; var items: [(LocalizedStringKey, Int)] = []; mutating func with(_ t: LocalizedStringKey) -> Cfg { self } } // 🔑
      func ucfg() { var c = Cfg(); c.title = "fa"; c.items = [("fb", 1)]; c.items.append(("fc", 2)); _ = c.with("fd").title } // 🔑 fa 🔑 fb 🔑 fc 🔑 fd
      func kp() { let m = [Cfg](); _ = m.map(\.title); let c: Cfg = { var c = Cfg(); c.title = "fe"; return c }() } // 🔑 fe
      func mods(_ v: some View) -> some View { v.modifier(M(title: "ff")) } // 🔑 ff
      struct M: ViewModifier { let title: LocalizedStringKey; func body(content: Content) -> some View { content.navigationTitle(title).help("fg") } } // 🔑 fg
      extension View { func own(_ t: LocalizedStringKey, @ViewBuilder c: () -> some View) -> some View { self } }
      func uo(_ v: AnyView) { _ = v.own("fh") { Text("fi") }; _ = Text("fj").own("fk") { EmptyView() }.own("fl", c: { Text("fm") }) } // 🔑 fh 🔑 fi 🔑 fj 🔑 fk 🔑 fl 🔑 fm
      struct GV<Content: View, Label: View>: View { init(_ t: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {}; init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}; var body: some View { EmptyView() } }
      func ug() { _ = GV("fn") { Text("fo") }; _ = GV { Text("fp") } label: { Text("fq") } } // 🔑 fn 🔑 fo 🔑 fp 🔑 fq
      """#),
    Mechanism(
      "models, rows, alerts and view models",
      #"""
      import SwiftUI
      import Combine
      @Observable final class Model { var count = 0; var names: [String] = []; var state: State = .idle; enum State { case idle, loading(Double), failed(any Error), done(items: [Int]) } ; func load() async throws -> [Int] { [] }; var selected: Set<Int> = []; private(set) var total: Double = 0; static let shared = Model() }
      protocol Named { var name: String { get }; var rank: Int { get } }
      struct Row<Item: Named>: View { let item: Item; let items: [Item]; var body: some View {
        Text("a \(item.rank)") // 🔑 a %lld
        Text("b \(items.count) \(items[0].rank) \(items.first!.name)") // 🔑 b %lld %lld %@
        ForEach(items, id: \.rank) { Text("c \($0.rank)") } // 🔑 c %lld
      } }
      func gen<T: Named>(_ t: T, _ u: some Named, _ v: any Named) { _ = Text("d \(t.rank) \(u.rank) \(v.rank)") } // 🔑 d %lld %lld %lld
      struct AlertItem: Identifiable { let id = UUID(); let title: LocalizedStringKey; var message: LocalizedStringKey? = nil; var action: (() -> Void)? }
      struct Section2<Content: View>: View { let title: LocalizedStringKey; let icon: String; @ViewBuilder let content: Content; var body: some View { content } }
      struct Section3<Content: View>: View { var title: LocalizedStringResource?; @ViewBuilder var content: () -> Content; init(_ title: LocalizedStringResource? = nil, @ViewBuilder content: @escaping () -> Content) { self.title = title; self.content = content }; var body: some View { content() } }
      struct V: View {
        @Environment(Model.self) private var model; @State private var alert: AlertItem?; @State var m = Model.shared; @Bindable var bm: Model
        let tabs: [(title: LocalizedStringKey, icon: String)] = [("e", "no"), (title: "f", icon: "no")] // 🔑 e 🔑 f
        let rows = [(LocalizedStringKey("g"), 1), ("h", 2)] // 🔑 g 🔑 h
        static let infos: [String: (LocalizedStringResource, Int)] = ["no": ("i", 1)] // 🔑 i
        var body: some View {
          Section2(title: "j", icon: "no") { Text("k") } // 🔑 j 🔑 k
          Section3("l") { Text("m") } // 🔑 l 🔑 m
          Section3 { Text("n") } // 🔑 n
          Button("o") { alert = AlertItem(title: "p", message: "q") } // 🔑 o 🔑 p 🔑 q
          Button("o2") { alert = .init(title: "p2", message: "q2", action: { print("no") }) } // 🔑 o2 🔑 p2 🔑 q2
          Button("o3") { withAnimation { alert = AlertItem(title: "p3") { model.count += 1 } } } // 🔑 o3 🔑 p3
          Text("r \(model.count)") // 🔑 r %lld
          Text("s \(model.names.count) \(model.total) \(model.selected.count)") // 🔑 s %lld %lf %lld
          Text("t \(m.count) \(bm.count)") // 🔑 t %lld %lld
          switch model.state { case .idle: Text("u"); case .loading(let p): Text("v \(p)"); case .failed(let e): Text("w \(e.localizedDescription)"); case .done(let items): Text("x \(items.count) \(items[0])") } // 🔑 u 🔑 v %lf 🔑 w %@ 🔑 x %lld %lld
          ForEach(tabs, id: \.icon) { tab in Label(tab.title, systemImage: tab.icon); Text("y \(tab.icon)") } // 🔑 y %@
          ForEach(Array(zip(model.names.indices, model.names)), id: \.0) { i, n in Text("z \(i) \(n)") } // 🔑 z %lld %@
          ForEach(Array(model.selected).sorted(), id: \.self) { Text("aa \($0)") } // 🔑 aa %lld
          ForEach(0..<model.names.count, id: \.self) { i in Text("ab \(i + 1) / \(model.names.count)") } // 🔑 ab %lld / %lld
          if case .loading(let progress) = model.state { Text("ac \(Int(progress * 100))") } // 🔑 ac %lld
          if let first = model.names.first, first.count > 2 { Text("ad \(first.count) \(first)") } // 🔑 ad %lld %@
          if let (i, n) = model.names.enumerated().first(where: { $0.element.isEmpty }) { Text("ae \(i) \(n)") } // 🔑 ae %lld %@
          Toggle(isOn: Binding(get: { model.count > 1 }, set: { v in model.count = v ? 1 : 0 })) { Text("af") } // 🔑 af
          TextField("ag", text: Binding<String>(get: { "no" }, set: { _ in })) // 🔑 ag
          EmptyView().task { do { let r = try await model.load(); alert = AlertItem(title: "ah \(r.count)") } catch { alert = .init(title: "ai \(error.localizedDescription)") } } // 🔑 ah %lld 🔑 ai %@
            .onReceive(Just(1)) { v in print(Text("aj \(v)")) } // 🔑 aj %@
            .onChange(of: model.count) { _, new in alert = AlertItem(title: "ak \(new)") } // 🔑 ak %lld
          content("al") { Text("am") } // 🔑 al 🔑 am
          row(title: "an", value: "no") // 🔑 an
          Group { if model.count > 1 { Text("ao") } else if model.count == 0 { Text("ap") } } // 🔑 ao 🔑 ap
          HStack { Image(systemName: model.count > 0 ? "no" : "no"); Text(model.count > 0 ? "aq" : "ar") } // 🔑 aq 🔑 ar
          Text(model.state.isIdle ? "as" : LocalizedStringKey(model.names[0])) // 🔑 as
          Text(model.names.isEmpty ? "at" : "\(model.names.count) au") // 🔑 at 🔑 %lld au
          Text(model.names.first ?? "no")
          Text(model.count == 1 ? model.names[0] : "no")
          Text(verbatim: "no \(model.count)")
          Text(title).font(.title)
          Text(LocalizedStringKey("av \(model.count)"), bundle: .module) // 🔑 av %lld
          Text("aw", bundle: .module) // 🔑 aw
          Text("ax \(model.count, format: .number) \(Date.now, format: .dateTime.hour())") // 🔑 ax %@ %@
          Text("ay \(Text("az").foregroundColor(.red)) \(Image(systemName: "no"))") // 🔑 ay %@ %@ 🔑 az
          Text("ba \(model.names, format: .list(type: .and))") // 🔑 ba %@
          Text("bb \(Measurement(value: 1, unit: UnitLength.meters).formatted())") // 🔑 bb %@
          Text("bc \(model.total, specifier: "%.1f") \(model.count, specifier: "%d")") // 🔑 bc %.1f %d
          Text("^[\(model.count) item](inflect: true)") // 🔑 ^[%lld item](inflect: true)
          LabeledContent("bd", value: model.total, format: .percent) // 🔑 bd
          LabeledContent("be") { Text(model.names[0]) } // 🔑 be
          Picker("bf", selection: $m.count) { ForEach(Level.allCases) { l in Text(l.title).tag(l) } } // 🔑 bf
        }
        var title: LocalizedStringKey { guard model.count > 0 else { return "bg" } ; switch model.count { case 1: return "bh"; default: return "bi \(model.count)" } } // 🔑 bg 🔑 bh 🔑 bi %lld
        @ViewBuilder func content(_ t: LocalizedStringKey, @ViewBuilder c: () -> some View) -> some View { Text(t); c() }
        private func row(title: LocalizedStringKey, value: String) -> some View { HStack { Text(title); Text(value) } }
        func toast(_ message: LocalizedStringResource, style: Style = .info) {}
        enum Style { case info }
        func run() async { toast("bj"); toast("bk", style: .info); await MainActor.run { toast("bl") } ; Task { toast("bm") } ; Task.detached { await toast("bn") } } // 🔑 bj 🔑 bk 🔑 bl 🔑 bm 🔑 bn
        func pub() -> AnyCancellable { Just(1).sink { v in toast("bo \(v)") } } // 🔑 bo %@
        func arr() { let xs: [AlertItem] = [1, 2].map { AlertItem(title: "bp \($0)") } ; let ys = (0..<3).map { i in AlertItem(title: "bq \(i)") }; _ = (xs, ys) } // 🔑 bp %lld 🔑 bq %lld
        func opt(_ x: Model?) { let t: LocalizedStringKey = x.map { "br \($0.count)" } ?? "bs"; _ = x?.names.map { Text("bt \($0)") } } // 🔑 br %lld 🔑 bs 🔑 bt %@
        func nested() { func inner(_ k: LocalizedStringKey) -> Text { Text(k) } ; _ = inner("bu"); struct L { let k: LocalizedStringKey } ; _ = L(k: "bv"); enum E2 { case a; var t: LocalizedStringKey { "bw" } } } // 🔑 bu 🔑 bv 🔑 bw
        func dictIter(_ d: [String: Int]) { for (k, v) in d { _ = Text("bx \(k) \(v)") } ; d.forEach { k, v in _ = Text("by \(v)") }; _ = d.sorted { $0.value > $1.value }.map { Text("bz \($0.key) \($0.value)") } } // 🔑 bx %@ %lld 🔑 by %lld 🔑 bz %@ %lld
      }
      extension Model.State { var isIdle: Bool { if case .idle = self { true } else { false } } }
      enum Level: Int, CaseIterable, Identifiable { case a = 1, b; var id: Int { rawValue }; var title: LocalizedStringKey { switch self { case .a: return "ca \(rawValue)"; case .b: return "cb" } } } // 🔑 ca %lld 🔑 cb
      struct Setting<T> { let key: String; let title: LocalizedStringResource; let options: [Option]; struct Option { let label: LocalizedStringKey; let value: T } }
      let st = Setting<Int>(key: "no", title: "cc", options: [.init(label: "cd", value: 1), Setting.Option(label: "ce", value: 2)]) // 🔑 cc 🔑 cd 🔑 ce
      struct Menu2 { var items: [Item]; struct Item { var t: LocalizedStringKey; var sub: [Item] = [] } ; static let main = Menu2(items: [.init(t: "cf", sub: [.init(t: "cg")]), Item(t: "ch")]) } // 🔑 cf 🔑 cg 🔑 ch
      extension Text { init(own k: LocalizedStringKey) { self.init(k) } ; static func make(_ k: LocalizedStringKey) -> Text { Text(k) } }
      let ot = [Text(own: "ci"), .make("cj")] // 🔑 ci 🔑 cj
      struct Tip1: Tip2 { var title: Text { Text("ck") } ; var message: Text? { Text("cl") } } // 🔑 ck 🔑 cl
      protocol Tip2 { var title: Text { get } }
      @MainActor class VM2: ObservableObject { @Published var title: LocalizedStringKey = "cm"; @Published var err: LocalizedStringResource?; func go() { title = "cn"; err = "co"; self.err = .init("cp", comment: "no") } } // 🔑 cm 🔑 cn 🔑 co 🔑 cp
      func completion(_ done: @escaping (Result<LocalizedStringResource, Error>) -> Void) { done(.success("cq")) } // 🔑 cq
      let closureDict: [String: () -> LocalizedStringKey] = ["no": { "cr" }] // 🔑 cr
      let opts: [LocalizedStringKey?] = ["cs", nil] // 🔑 cs
      func multi(_ a: String, title: LocalizedStringKey, _ b: LocalizedStringKey...) {}
      func um() { multi("no", title: "ct", "cu", "cv") } // 🔑 ct 🔑 cu 🔑 cv
      class NS: NSObject { @objc dynamic var t = NSLocalizedString("cx", comment: "no") ; lazy var b: NSButton = { let b = NSButton(title: NSLocalizedString("cy", comment: ""), target: self, action: nil); b.toolTip = String(localized: "cz"); return b }() } // 🔑 cx 🔑 cy 🔑 cz
      """#),
    Mechanism(
      "closures by the number of their parameters",
      #"""
      import SwiftUI
      struct A { let title: LocalizedStringKey }
      struct V: View { @State var a: A?; @State var n = 0
        var body: some View {
         Text("no1").onChange(of: n) { _, new in a = A(title: "ak \(new)") } // 🔑 no1 🔑 ak %lld
         Text("no2").onChange(of: n) { old, new in a = A(title: "al \(new)") } // 🔑 no2 🔑 al %lld
         Text("no3").onChange(of: n) { new in a = A(title: "am \(new)") } // 🔑 no3 🔑 am %lld
         Text("no4").foo(1).onChange(of: n) { _, new in a = A(title: "an \(new)") } // 🔑 no4 🔑 an %lld
        }
      }
      """#),
  ]

  @Test("exactly the keys marked with 🔑 are extracted from typical application code", arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

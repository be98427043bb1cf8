import Testing

/// Typical application code, in addition to that of `ApplicationCodeTests`.
@Suite struct FurtherCodeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "UIKit, wrappers of strings, models and rows",
      #"""
      import SwiftUI
      import UIKit
      // UIKit and AppKit
      class VC: UIViewController { 
        let label = UILabel(); var onTap: ((LocalizedStringResource) -> Void)?
        lazy var button: UIButton = { let b = UIButton(type: .system); b.setTitle(NSLocalizedString("a", comment: "no"), for: .normal); b.accessibilityLabel = String(localized: "b"); return b }() // 🔑 a 🔑 b
        override func viewDidLoad() { super.viewDidLoad(); title = String(localized: "c"); label.text = "no"; navigationItem.title = NSLocalizedString("d", comment: ""); onTap?("e") // 🔑 c 🔑 d 🔑 e
          navigationItem.rightBarButtonItem = UIBarButtonItem(title: String(localized: "f"), style: .plain, target: self, action: #selector(go)) // 🔑 f
          let alert = UIAlertController(title: nil, message: String(localized: "g \(items.count)"), preferredStyle: .alert) // 🔑 g %lld
          present(alert, animated: true) { self.label.text = String(localized: "h") } // 🔑 h
          UIView.animate(withDuration: 0.3) { self.label.text = String(localized: "i") } completion: { _ in print(String(localized: "j")) } // 🔑 i 🔑 j
        }
        let items: [(name: String, count: Int)] = []
        @objc func go() { let s = String.localizedStringWithFormat(String(localized: "k %lld"), items.count); show(error: MyErr.bad(code: 3)) } // 🔑 k %lld
        func show(error: Error) { let m = (error as? LocalizedError)?.errorDescription ?? String(localized: "l") } // 🔑 l
        func tableView(_ t: UITableView, titleForHeaderInSection s: Int) -> String? { switch s { case 0: return String(localized: "m"); case 1: return items.isEmpty ? nil : String(localized: "n"); default: return nil } } // 🔑 m 🔑 n
        enum Row: Int, CaseIterable { case one, two; var title: String { switch self { case .one: String(localized: "o", comment: "no"); case .two: NSLocalizedString("p", comment: "no") } } } // 🔑 o 🔑 p
      }
      enum MyErr: LocalizedError { case bad(code: Int), worse(String, Int)
        var errorDescription: String? { switch self { case .bad(let code): return String(localized: "q \(code)"); case let .worse(m, n): return String(localized: "r \(m) \(n)") } } // 🔑 q %lld 🔑 r %@ %lld
        var recoverySuggestion: String? { if case .bad(let c) = self, c > 1 { return String(localized: "s \(c)") }; return nil } } // 🔑 s %lld
      // a struct of strings
      struct L10n { static let t = NSLocalizedString("t", bundle: .main, comment: "no"); static func u(_ n: Int, _ d: Double) -> String { String(localized: "u \(n) \(d)") } // 🔑 t 🔑 u %lld %lf
        enum Home { static var title: String { String(localized: "v", defaultValue: "no", table: nil) } } } // 🔑 v
      func localized(_ key: String.LocalizationValue, comment: StaticString? = nil) -> String { String(localized: key, comment: comment) }
      func loc(_ key: StaticString, _ value: String.LocalizationValue) -> String { String(localized: key, defaultValue: value) }
      let w = localized("w"), w2 = loc("no", "x") // 🔑 w 🔑 x
      extension String { init(loc: LocalizedStringResource) { self.init(localized: loc) }; static func tr(_ k: String.LocalizationValue) -> String { String(localized: k) } }
      let y = String(loc: "y"), z = String.tr("z \(1)") // 🔑 y 🔑 z %lld
      struct Feature: Identifiable { let id: String; let name: LocalizedStringResource; let steps: [Step]; struct Step { let text: LocalizedStringKey; let image: Image? } }
      let features: [Feature] = [Feature(id: "no", name: "aa", steps: [.init(text: "ab", image: nil), .init(text: "ac", image: Image("no"))]), .init(id: "no", name: .init("ad", comment: "no"), steps: [])] // 🔑 aa 🔑 ab 🔑 ac 🔑 ad
      let dict: [Int: [LocalizedStringKey]] = [1: ["ae", "af"], 2: []] // 🔑 ae 🔑 af
      let tuples: [(LocalizedStringKey, Color)] = [("ag", .red), ("ah", .blue)] // 🔑 ag 🔑 ah
      let optional: (LocalizedStringKey)? = Bool.random() ? "ai" : nil // 🔑 ai
      func handler(completion: @escaping (_ title: LocalizedStringKey, _ ok: Bool) -> Void) { completion("aj", true) } // 🔑 aj
      func callHandler() { handler { t, ok in print(ok ? "no" : "no") } ; handler(completion: { (t: LocalizedStringKey, _) in }) }
      protocol Coordinating: AnyObject { func present(title: LocalizedStringResource, _ done: (() -> Void)?) ; var hint: LocalizedStringKey? { get set } }
      func coord(_ c: Coordinating?, _ d: some Coordinating) { c?.present(title: "ak", nil); d.present(title: "al") { }; d.hint = "am"; c?.hint = "an" } // 🔑 ak 🔑 al 🔑 am 🔑 an
      extension Coordinating { func present(title: LocalizedStringResource) { present(title: title, nil) } }
      func coord2(_ c: Coordinating) { c.present(title: "ao") } // 🔑 ao
      class Obs<T> { var value: T; init(_ v: T) { value = v }; func set(_ v: T) {} ; func map<U>(_ f: (T) -> U) -> Obs<U> { Obs<U>(f(value)) } }
      let obs = Obs<LocalizedStringKey>("ap") // 🔑 ap
      func useObs() { obs.value = "aq"; obs.set("ar"); let o2: Obs<LocalizedStringKey?> = Obs("as"); o2.set("at"); _ = Obs(1).map { n -> LocalizedStringKey in "au \(n)" } } // 🔑 aq 🔑 ar 🔑 as 🔑 at 🔑 au %lld
      struct Field<V> { let label: LocalizedStringKey; let path: WritableKeyPath<Cfg, V>; let footer: (V) -> LocalizedStringKey }
      struct Cfg { var n = 0; var s = "no" }
      let fields: [Field<Int>] = [Field(label: "av", path: \.n) { v in "aw \(v)" }] // 🔑 av 🔑 aw %lld
      @MainActor final class Store: ObservableObject { enum Phase: Equatable { case idle, error(message: LocalizedStringResource), ok(Int) } ; @Published var phase: Phase = .idle
        func go() async { phase = .error(message: "ax"); await set(.error(message: "ay")); if phase == .error(message: "az") {} } ; func set(_ p: Phase) async {} } // 🔑 ax 🔑 ay 🔑 az
      struct PV: View { @StateObject var store = Store(); @State private var sel = 0; let cols = [GridItem()]; var body: some View {
        switch store.phase { case .idle: ProgressView(); case .error(let m): Text(m); case .ok(let n) where n > 1: Text("ba \(n)"); case .ok: Text("bb") } // 🔑 ba %lld 🔑 bb
        LazyVGrid(columns: cols) { ForEach(features) { f in VStack { Text(f.name); Text("bc \(f.steps.count)") } } } // 🔑 bc %lld
        ScrollViewReader { proxy in Button("bd") { proxy.scrollTo("no") } } // 🔑 bd
        if #available(iOS 26, *) { Button("be", role: .close) {} } else { Button(role: .cancel) { } label: { Text("bf") } } // 🔑 be 🔑 bf
        AsyncImage(url: nil) { i in i } placeholder: { Text("bg") } // 🔑 bg
        Button { } label: { HStack { Text("bh"); Spacer(); Image(systemName: "no") } } // 🔑 bh
        Group { if let e = MyErr.bad(code: 1).errorDescription { Text(e) } else { Text("bi") } }.padding().background(.red).cornerRadius(3).onTapGesture { show("bj") } // 🔑 bi 🔑 bj
        Form { Section { ForEach(Array(tuples.enumerated()), id: \.offset) { i, t in HStack { Text(t.0); Text("bk \(i)") } } } header: { Label("bl", systemImage: "no") } } // 🔑 bk %lld 🔑 bl
        .formStyle(.grouped).navigationTitle("bm \(features.count)").toolbar { toolbar } // 🔑 bm %lld
        .alert(Text("bn"), isPresented: .constant(true), actions: { Button("bo") {} }, message: { Text("bp") }) // 🔑 bn 🔑 bo 🔑 bp
        .alert("bq", isPresented: .constant(true), actions: { TextField("br", text: .constant("no")); Button("bs", action: {}) }) // 🔑 bq 🔑 br 🔑 bs
        .confirmationDialog(Text("bt"), isPresented: .constant(true), titleVisibility: .visible) { Button("bu", role: .destructive) {} } message: { Text("bv \(sel)") } // 🔑 bt 🔑 bu 🔑 bv %lld
       } 
       @ToolbarContentBuilder var toolbar: some ToolbarContent { ToolbarItem { Button("bw") {} } ; ToolbarItem(placement: .cancellationAction) { Button("bx", action: dismiss) } } // 🔑 bw 🔑 bx
       func dismiss() {}
       func show(_ k: LocalizedStringKey) {}
       var computedRows: [(LocalizedStringKey, String)] { [("by", "no"), ("bz", store.phase == .idle ? "no" : "no")] } // 🔑 by 🔑 bz
       private var header: some View { Text("ca").font(.title) } // 🔑 ca
       private func cell(_ title: LocalizedStringKey, icon: String = "no", @ViewBuilder trailing: () -> some View = { EmptyView() }) -> some View { HStack { Text(title); trailing() } }
       var cells: some View { VStack { cell("cb"); cell("cc", icon: "no"); cell("cd") { Text("ce") } } } // 🔑 cb 🔑 cc 🔑 cd 🔑 ce
       func status(_ n: Int?) -> LocalizedStringKey { if let n { n == 1 ? "cf" : "cg \(n)" } else { "ch" } } // 🔑 cf 🔑 cg %lld 🔑 ch
       func more(_ s: String?) -> Text { guard let s, !s.isEmpty else { return Text("ci") } ; return Text("cj \(s.count) \(s.prefix(3))") } // 🔑 ci 🔑 cj %lld %@
      }
      func lets() { let k = LocalizedStringKey("da"); let key: LocalizedStringResource = .init(stringLiteral: "dz"); var v: LocalizedStringKey; v = Bool.random() ? "db" : "dc"; let f: () -> LocalizedStringKey = { "dd" }; let (a, b): (LocalizedStringKey, Int) = ("de", 2) } // 🔑 da 🔑 dz 🔑 db 🔑 dc 🔑 dd 🔑 de
      func ops(_ o: LocalizedStringKey?) -> LocalizedStringKey { o ?? (Bool.random() ? "df" : "dg") } // 🔑 df 🔑 dg
      func sw(_ n: Int) -> some View { let t: LocalizedStringKey = switch n { case 0...3: "dh"; case let x where x > 5: "di \(x)"; default: "dj" } ; return Text(t) } // 🔑 dh 🔑 di %lld 🔑 dj
      func loops() { for (i, key) in (["dk", "dl"] as [LocalizedStringKey]).enumerated() { _ = Text("dm \(i)") } ; let names = ["no", "no"]; for n in names where n.count > 2 { _ = Text("dn \(n.count)") } ; for case let x? in [1, nil] { _ = Text("do \(x)") } } // 🔑 dk 🔑 dl 🔑 dm %lld 🔑 dn %lld 🔑 do %lld
      func dates(_ d: Date, _ u: URL, _ id: UUID, _ data: Data, _ dec: Decimal) { _ = Text("dp \(d) \(u) \(id)"); _ = Text("dq \(data.count) \(dec) \(u.lastPathComponent)") } // 🔑 dp %@ %@ %@ 🔑 dq %lld %@ %@
      func consts() { _ = Text("dr \(Int.max) \(Double.pi) \(CGFloat(3)) \(UInt8(2)) \(Float(1))") } // 🔑 dr %lld %lf %lf %u %f
      func strs(_ s: String) { _ = Text("ds \(s.uppercased()) \(s.isEmpty ? "no" : s) \(s + "no") \(s as NSString)") } // 🔑 ds %@ %@ %@ %@
      func bools(_ b: Bool) { _ = String(localized: "dt \(b ? 1 : 0)") } // 🔑 dt %lld
      """#),
    Mechanism(
      "bodies that are one #if, optional tuples",
      #"""
      import SwiftUI
      struct A: View {
        var k: LocalizedStringKey {
          #if os(macOS)
            "mac" // 🔑 mac
          #elseif os(iOS)
            "ios \(n)" // 🔑 ios %lld
          #else
            return "other" // 🔑 other
          #endif
        }
        let n = 1
        var body: some View {
          #if os(macOS)
            Text("m") // 🔑 m
          #else
            VStack { Text("o") }.help("h") // 🔑 o 🔑 h
            Text("p") // 🔑 p
          #endif
        }
        func f() -> (LocalizedStringKey, Color)? { guard n > 1 else { return nil }; return n > 2 ? ("a", .red) : ("b", .blue) } // 🔑 a 🔑 b
        func g() -> [(title: LocalizedStringKey, n: Int)]? { [("c", 1), (title: "d", n: 2)] } // 🔑 c 🔑 d
        func s(_ n: Int) -> LocalizedStringKey {
          switch n {
          case 1:
            #if DEBUG
              "debug" // 🔑 debug
            #else
              "release" // not compiled for debugging
            #endif
          default: "e" // 🔑 e
          }
        }
        var c: LocalizedStringKey = { 
          #if os(iOS)
          "f" // 🔑 f
          #else
          "g" // 🔑 g
          #endif
        }()
      }
      """#),
  ]

  @Test("exactly the keys marked with 🔑 are extracted from more application code", arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

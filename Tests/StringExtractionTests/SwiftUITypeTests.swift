import Testing

/// The views, modifiers and scenes of SwiftUI that have a parameter for a key.
@Suite struct SwiftUITypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "views, modifiers and scenes",
      #"""
      import SwiftUI
      struct V: View {
        @State var t = ""; @State var on = false; @State var n = 0; @State var date = Date(); @State var color = Color.red; @State var item: Int?
        @State var path: [Int] = []
        var body: some View {
          NavigationStack {
            List { NavigationLink("a") { Text("b") } // 🔑 a 🔑 b
              NavigationLink("c", destination: Text("d")) // 🔑 c 🔑 d
              NavigationLink("e", value: 1) // 🔑 e
              NavigationLink(destination: Text("f")) { Label("g", systemImage: "no") } // 🔑 f 🔑 g
              Section { Text("h") } header: { Text("i") } footer: { Text("j") } // 🔑 h 🔑 i 🔑 j
              Section(header: Text("k"), footer: Text("l")) { EmptyView() } // 🔑 k 🔑 l
              Section("m", isExpanded: $on) { } // 🔑 m
              DisclosureGroup("n") { Text("o") } // 🔑 n 🔑 o
              DisclosureGroup("p", isExpanded: $on) { } // 🔑 p
              TextField("q", text: $t) // 🔑 q
              TextField("r", text: $t, axis: .vertical) // 🔑 r
              TextField("s", text: $t, prompt: Text("u")) // 🔑 s 🔑 u
              TextField("v", value: $n, format: .number) // 🔑 v
              TextField("v2", value: $n, formatter: NumberFormatter()) // 🔑 v2
              SecureField("w", text: $t) // 🔑 w
              DatePicker("x", selection: $date) // 🔑 x
              DatePicker("y", selection: $date, displayedComponents: .date) // 🔑 y
              DatePicker("y2", selection: $date, in: Date()..., displayedComponents: [.date]) // 🔑 y2
              ColorPicker("z", selection: $color) // 🔑 z
              ColorPicker("z2", selection: $color, supportsOpacity: false) // 🔑 z2
              Picker("aa", selection: $n) { Text("ab").tag(0); Label("ac", systemImage: "no").tag(1) } // 🔑 aa 🔑 ab 🔑 ac
              Picker(selection: $n) { Text("ad") } label: { Text("ae") } // 🔑 ad 🔑 ae
              Picker(selection: $n, label: Text("af")) { Text("ag") } // 🔑 af 🔑 ag
              Stepper("ah", value: $n) // 🔑 ah
              Stepper("ai", value: $n, in: 0...10, step: 2) // 🔑 ai
              Stepper("aj", onIncrement: {}, onDecrement: {}) // 🔑 aj
              Slider(value: .constant(0.5), in: 0...1) { Text("ak") } minimumValueLabel: { Text("al") } maximumValueLabel: { Text("am") } // 🔑 ak 🔑 al 🔑 am
              ProgressView("an") // 🔑 an
              ProgressView("ao", value: 0.5) // 🔑 ao
              ProgressView("ap", value: 0.5, total: 1) // 🔑 ap
              ProgressView(value: 0.5) { Text("aq") } currentValueLabel: { Text("ar") } // 🔑 aq 🔑 ar
              Gauge(value: 1) { Text("as") } // 🔑 as
              Link("at", destination: URL(string: "no")!) // 🔑 at
              Menu("au") { Button("av", role: .destructive) {} ; Divider(); Button(action: {}) { Text("aw") } } // 🔑 au 🔑 av 🔑 aw
              Menu("ax", systemImage: "no") { } // 🔑 ax
              Menu { Button("ay", systemImage: "no") {} } label: { Text("az") } // 🔑 ay 🔑 az
              LabeledContent("ba", value: "no") // 🔑 ba
              LabeledContent("bb", value: 5, format: .number) // 🔑 bb
              LabeledContent("bc") { Text("bd") } // 🔑 bc 🔑 bd
              GroupBox("be") { Text("bf") } // 🔑 be 🔑 bf
              GroupBox(label: Label("bg", systemImage: "no")) { } // 🔑 bg
              ContentUnavailableView("bh", systemImage: "no") // 🔑 bh
              ContentUnavailableView("bi", systemImage: "no", description: Text("bj")) // 🔑 bi 🔑 bj
              ContentUnavailableView { Label("bk", systemImage: "no") } description: { Text("bl") } actions: { Button("bm") {} } // 🔑 bk 🔑 bl 🔑 bm
              ShareLink("bn", item: URL(string: "no")!) // 🔑 bn
              ShareLink(item: "no", subject: Text("bo"), message: Text("bp")) // 🔑 bo 🔑 bp
              ShareLink("bn2", item: "no", preview: SharePreview("bn3")) // 🔑 bn2 🔑 bn3
              EditButton(); Text("bq").bold() + Text("br") // 🔑 bq 🔑 br
              Toggle(isOn: $on) { Text("bs"); Text("bt") } // 🔑 bs 🔑 bt
              Toggle("bu", systemImage: "no", isOn: $on) // 🔑 bu
              Toggle("bv", isOn: Binding(get: { on }, set: { on = $0 })) // 🔑 bv
              OutlineGroup([1], id: \.self, children: \.self) { i in Text("bw \(i)") } // 🔑 bw %lld
              TimelineView(.everyMinute) { ctx in Text("bx") } // 🔑 bx
              PasteButton(payloadType: String.self) { _ in }
              Text("by", comment: "no") // 🔑 by
              Text("bz", tableName: nil, bundle: .main, comment: "no") // 🔑 bz
              Text(.init("no"))
              Text(LocalizedStringKey("cb")) // 🔑 cb
              Text(on ? "cc" : "cd") // 🔑 cc 🔑 cd
              Text(on ? LocalizedStringKey("ce") : LocalizedStringKey("cf")) // 🔑 ce 🔑 cf
              Text(
                "cg") // 🔑 cg
              Text(AttributedString(localized: "ch")) // 🔑 ch
              Text(String(localized: "ci")) // 🔑 ci
              Text(t); Text(verbatim: "no"); Text(Date(), style: .date); Text("cj\(Text("ck").bold())") // 🔑 cj%@ 🔑 ck
            }
            .navigationTitle("da") // 🔑 da
            .navigationTitle(Text("db")) // 🔑 db
            .navigationTitle(on ? "dc" : "dd") // 🔑 dc 🔑 dd
            .navigationSubtitle("de") // 🔑 de
            .navigationBarTitle("df") // 🔑 df
            .navigationBarTitle(Text("dg"), displayMode: .inline) // 🔑 dg
            .toolbar { ToolbarItem(placement: .primaryAction) { Button("dh") {} } // 🔑 dh
              ToolbarItemGroup(placement: .bottomBar) { Button("di") {} } // 🔑 di
              Button("dj") {} } // 🔑 dj
            .alert("dk", isPresented: $on) { Button("dl") {} } message: { Text("dm") } // 🔑 dk 🔑 dl 🔑 dm
            .alert("dn", isPresented: $on, presenting: item) { i in Button("do \(i)") {} } message: { i in Text("dp \(i)") } // 🔑 dn 🔑 do %lld 🔑 dp %lld
            .alert(isPresented: $on) { Alert(title: Text("dq"), message: Text("dr"), dismissButton: .default(Text("ds"))) } // 🔑 dq 🔑 dr 🔑 ds
            .alert(isPresented: $on) { Alert(title: Text("dt"), primaryButton: .destructive(Text("du")) { }, secondaryButton: .cancel()) } // 🔑 dt 🔑 du
            .confirmationDialog("dv", isPresented: $on) { Button("dw") {} } // 🔑 dv 🔑 dw
            .confirmationDialog("dx", isPresented: $on, titleVisibility: .visible) { } message: { Text("dy") } // 🔑 dx 🔑 dy
            .sheet(isPresented: $on) { Text("dz") } // 🔑 dz
            .fullScreenCover(isPresented: $on, onDismiss: {}) { Text("eb") } // 🔑 eb
            .popover(isPresented: $on) { Text("ec") } // 🔑 ec
            .searchable(text: $t, prompt: "ed") // 🔑 ed
            .searchable(text: $t, placement: .navigationBarDrawer(displayMode: .always), prompt: Text("ee")) // 🔑 ee
            .accessibilityLabel("ef").accessibilityHint("eg").accessibilityValue("eh") // 🔑 ef 🔑 eg 🔑 eh
            .accessibilityLabel(Text("ei")).accessibilityAction(named: "ej") {} // 🔑 ei 🔑 ej
            .accessibilityIdentifier("no").help("ek").badge("el").tag("no") // 🔑 ek 🔑 el
            .tabItem { Label("em", systemImage: "no") } // 🔑 em
            .swipeActions { Button("en") {} } // 🔑 en
            .contextMenu { Button("eo") {} } // 🔑 eo
            .overlay { if on { Text("ep") } } // 🔑 ep
            .overlay(Text("eq")).background(Text("er")) // 🔑 eq 🔑 er
            .onChange(of: n) { old, new in print("no") }
            .fileImporter(isPresented: $on, allowedContentTypes: []) { _ in }
            .navigationDestination(for: Int.self) { i in Text("es \(i)") } // 🔑 es %lld
            .keyboardShortcut("k", modifiers: .command).id("no").environment(\.locale, .init(identifier: "no"))
            .safeAreaInset(edge: .bottom) { Text("et") } // 🔑 et
            .inspector(isPresented: $on) { Text("eu") } // 🔑 eu
            .task { await load() }
            .refreshable { }
            .listRowBackground(Text("ev")) // 🔑 ev
            .toolbarTitleMenu { Button("ew") {} } // 🔑 ew
            .accessibilityElement(children: .combine).accessibilityInputLabels(["ex"]) // 🔑 ex
            .help(Text("ey")) // 🔑 ey
            .interactiveDismissDisabled().presentationDetents([.medium])
          }
          TabView { Tab("fa", systemImage: "no") { Text("fb") } // 🔑 fa 🔑 fb
            Tab("fa2", systemImage: "no", value: 1) { Text("fb2") } // 🔑 fa2 🔑 fb2
            TabSection("fc") { Tab("fd", systemImage: "no") {} } } // 🔑 fc 🔑 fd
          HStack { ViewThatFits { Text("fh") } ; if #available(iOS 17, *) { Text("fi") } else { Text("fj") } } // 🔑 fh 🔑 fi 🔑 fj
          Group { switch n { case 0: Text("fk"); default: Text("fl") } } // 🔑 fk 🔑 fl
        }
        func load() async {}
      }
      struct Item2: Identifiable { let id = 1; let n = 2; let name = "" }
      @main struct A: App { var body: some Scene { WindowGroup("ga") { V().commands { } } // 🔑 ga
          .commands { CommandMenu("gb") { Button("gc") {}.keyboardShortcut("k") } // 🔑 gb 🔑 gc
            CommandGroup(replacing: .help) { Button("gd") {} } } // 🔑 gd
          Settings { TabView { Text("ge") } } // 🔑 ge
          Window("gf", id: "no") { Text("gg") } // 🔑 gf 🔑 gg
          MenuBarExtra("gh", systemImage: "no") { Button("gi") {} } // 🔑 gh 🔑 gi
          DocumentGroup(newDocument: D()) { f in Text("gj") } // 🔑 gj
      } }
      """#)
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted from SwiftUI's views, modifiers and scenes", arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

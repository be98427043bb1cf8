import Testing

/// The APIs of Apple's frameworks by family. Exactly the keys that are marked on each line must be extracted.
@Suite struct FrameworkTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "SwiftUI: controls",
      #"""
      import SwiftUI
      struct A: View {
        @State private var text = "no", on = false, number = 1, date = Date(), color = Color.red
        let name: String
        var body: some View {
          Button("a", systemImage: "no", role: .destructive) {} // 🔑 a
          Button("b", image: .no) {} // 🔑 b
          Button(role: .cancel) { print("no") } label: { Text("c") } // 🔑 c
          Picker("d", systemImage: "no", selection: $number) { Text("e").tag("no") } currentValueLabel: { Text("f") } // 🔑 d 🔑 e 🔑 f
          DatePicker("g", selection: $date, in: ...Date.now, displayedComponents: .date) // 🔑 g
          ColorPicker("h", selection: $color, supportsOpacity: false) // 🔑 h
          TextField("i", text: $text, prompt: Text("j"), axis: .vertical) // 🔑 i 🔑 j
          TextField("k", value: $number, format: .number) // 🔑 k
          SecureField("l", text: $text, prompt: Text("m")) // 🔑 l 🔑 m
          Stepper("n \(number)", value: $number, in: 0...10, step: 1) // 🔑 n %lld
          Slider(value: .constant(1.0), in: 0...1) { Text("o") } minimumValueLabel: { Text("p") } maximumValueLabel: { Text("q") } // 🔑 o 🔑 p 🔑 q
          ProgressView("r", value: 0.5, total: 1) // 🔑 r
          Gauge(value: 0.5, in: 0...1) { Text("s") } currentValueLabel: { Text("t") } // 🔑 s 🔑 t
          Menu("u", systemImage: "no") { Button("v") {} } primaryAction: { print("no") } // 🔑 u 🔑 v
          ShareLink("w", item: URL(string: "no")!, subject: Text("x"), message: Text("y"), preview: SharePreview("z", image: Image("no"))) // 🔑 w 🔑 x 🔑 y 🔑 z
          Link("aa", destination: URL(string: "no")!) // 🔑 aa
          MultiDatePicker("bb", selection: .constant([])) // 🔑 bb
          Toggle("cc", systemImage: "no", isOn: $on) // 🔑 cc
          Button(name) {}
          Button(verbatim("no")) {}
        }
      }
      """#),
    Mechanism(
      "SwiftUI: containers, tabs, tables and scenes",
      #"""
      import SwiftUI
      struct Row: Identifiable { let id: Int; let name: String }
      struct A: View {
        let rows: [Row]
        var body: some View {
          TabView {
            Tab("a", systemImage: "no", value: 1, role: .search) { Text("b") } // 🔑 a 🔑 b
            TabSection("c") { Tab("d", image: "no") { EmptyView() } } // 🔑 c 🔑 d
          }
          NavigationLink("e", value: 1) // 🔑 e
          NavigationLink("f") { Text("g") } // 🔑 f 🔑 g
          DisclosureGroup("h", isExpanded: .constant(true)) { LabeledContent("i", value: "no") } // 🔑 h 🔑 i
          GroupBox("j") { ControlGroup("k", systemImage: "no") {} } // 🔑 j 🔑 k
          ContentUnavailableView("l", systemImage: "no", description: Text("m")) // 🔑 l 🔑 m
          ContentUnavailableView { Label("n", systemImage: "no") } description: { Text("o") } actions: { Button("p") {} } // 🔑 n 🔑 o 🔑 p
          Table(rows) { TableColumn("q", value: \.name); TableColumn("r") { (row: Row) in Text("s \(row.id)") } } // 🔑 q 🔑 r 🔑 s %lld
          Section { Text("t") } header: { Text("u") } footer: { Text("v") } // 🔑 t 🔑 u 🔑 v
        }
      }
      struct Main: App {
        var body: some Scene {
          WindowGroup("w", id: "no") { EmptyView() } // 🔑 w
          Window("x", id: "no") { EmptyView() }.commands { CommandMenu("y") { Button("z") {} } } // 🔑 x 🔑 y 🔑 z
          MenuBarExtra("aa", systemImage: "no", isInserted: .constant(true)) { Text("bb") } // 🔑 aa 🔑 bb
          UtilityWindow("cc", id: "no") { EmptyView() } // 🔑 cc
          DocumentGroupLaunchScene("dd") { NewDocumentButton("ee") } // 🔑 dd 🔑 ee
          AlertScene("ff", isPresented: .constant(true)) { Button("gg") {} } message: { Text("hh") } // 🔑 ff 🔑 gg 🔑 hh
        }
      }
      """#),
    Mechanism(
      "SwiftUI: modifiers",
      #"""
      import SwiftUI
      enum Place: CaseIterable, Identifiable { case a; var id: Self { self }; var title: String { "no" } }
      struct A: View {
        @State private var on = false, query = "no", tokens: [Place] = [], item: Place?
        var body: some View {
          EmptyView()
            .navigationTitle("a").navigationSubtitle("b").navigationBarTitle("c", displayMode: .inline) // 🔑 a 🔑 b 🔑 c
            .badge("d").help("e") // 🔑 d 🔑 e
            .alert("f", isPresented: $on, presenting: item) { item in Button("g \(item.title)") {} } message: { _ in Text("h") } // 🔑 f 🔑 g %@ 🔑 h
            .confirmationDialog("i", isPresented: $on, titleVisibility: .visible) { Button("j", role: .destructive) {} } message: { Text("k") } // 🔑 i 🔑 j 🔑 k
            .dismissalConfirmationDialog("l", shouldPresent: on) { Button("m") {} } // 🔑 l 🔑 m
            .dialogSuppressionToggle("n", isSuppressed: $on) // 🔑 n
            .searchable(text: $query, tokens: $tokens, placement: .sidebar, prompt: "o") { token in Text("p \(token.title)") } // 🔑 o 🔑 p %@
            .searchable(text: $query, isPresented: $on, prompt: Text("q")) // 🔑 q
            .searchScopes($item) { Text("r").tag("no") } // 🔑 r
            .fileDialogMessage("s").fileDialogConfirmationLabel("t").fileExporterFilenameLabel("u") // 🔑 s 🔑 t 🔑 u
            .fileExporter(isPresented: $on, item: query, contentTypes: [], defaultFilename: "no") { _ in }
            .accessibilityLabel("v", isEnabled: on).accessibilityValue("w").accessibilityHint("x") // 🔑 v 🔑 w 🔑 x
            .accessibilityInputLabels(["y", "z"]) // 🔑 y 🔑 z
            .accessibilityAction(named: "aa") {} // 🔑 aa
            .accessibilityCustomContent("bb", query) // 🔑 bb
            .accessibilityCustomContent("cc", "dd", importance: .high) // 🔑 cc 🔑 dd
            .accessibilityRotor("ee") { AccessibilityRotorEntry("ff", id: 1) } // 🔑 ee 🔑 ff
            .accessibilityIdentifier("no")
            .accessibilityDragPoint(.center, description: "gg") // 🔑 gg
            .toolbar { ToolbarItem(id: "no") { Button("hh") {} } } // 🔑 hh
            .contextMenu { Button("ii") {} } preview: { Text("jj") } // 🔑 ii 🔑 jj
            .onOpenURL { url in print("no \(url)") }
        }
      }
      """#),
    Mechanism(
      "Charts, MapKit, PhotosUI, StoreKit, TipKit, WidgetKit, AlarmKit, RealityKit",
      #"""
      import AlarmKit
      import Charts
      import MapKit
      import PhotosUI
      import RealityKit
      import StoreKit
      import TipKit
      import WidgetKit
      struct Sale: Identifiable { let id: Int; let day: Date; let amount: Double }
      struct A: View {
        let sales: [Sale]
        let product: Product
        @State private var photo: PhotosPickerItem?
        var body: some View {
          Chart(sales) { sale in
            BarMark(x: .value("a", sale.day, unit: .day), y: .value("b", sale.amount)).foregroundStyle(by: .value("c", "no")) // 🔑 a 🔑 b 🔑 c
              .annotation { Text("d \(sale.id)") } // 🔑 d %lld
            LinePlot(x: "e", y: "f") { $0 } // 🔑 e 🔑 f
          }
          .chartXAxisLabel("no", position: .bottom).chartYAxis { AxisMarks { value in AxisValueLabel("h \(value.index)") } } // 🔑 h %lld
          Map { Marker("i", systemImage: "no", coordinate: c); Annotation("j", coordinate: c) { Text("k") } } // 🔑 i 🔑 j 🔑 k
          PhotosPicker("l", selection: $photo, matching: .images) // 🔑 l
          SubscriptionStoreView(groupID: "no") { Text("m \(product.displayPrice)") } // 🔑 m %@
          TipView(Hint())
        }
      }
      struct Hint: Tip {
        var title: Text { Text("n") } // 🔑 n
        var actions: [Action] { [Action(id: "no", title: "no")] }
      }
      struct W: Widget {
        var body: some WidgetConfiguration {
          StaticConfiguration(kind: "no", provider: P()) { entry in Text("o") } // 🔑 o
            .configurationDisplayName("p").description("q") // 🔑 p 🔑 q
        }
      }
      struct C: ControlWidget {
        var body: some ControlWidgetConfiguration {
          StaticControlConfiguration(kind: "no") { ControlWidgetToggle("r", isOn: true, action: I()) { on in Label(on ? "s" : "t", systemImage: "no") } } // 🔑 r 🔑 s 🔑 t
            .displayName("u").description("v") // 🔑 u 🔑 v
        }
      }
      let alarm = AlarmPresentation.Alert(title: "w", stopButton: AlarmButton(text: "x", textColor: .red, systemImageName: "no")) // 🔑 w 🔑 x
      func say(_ entity: Entity) { entity.accessibilityLabelKey = "y" } // 🔑 y
      """#),
  ]

  /// An expression and the specifier for its type.
  static let values: [(expression: String, specifier: String)] = [
    ("Date.now.timeIntervalSince1970", "%lf"), ("date.formatted(date: .omitted, time: .shortened)", "%@"),
    ("Calendar.current.component(.day, from: date)", "%lld"),
    ("Calendar.current.dateComponents([.day], from: date, to: date).day ?? 0", "%lld"),
    ("Calendar.current.weekdaySymbols[0]", "%@"), ("Locale.current.language.languageCode?.identifier ?? \"no\"", "%@"),
    ("url.lastPathComponent", "%@"), ("url.pathComponents.count", "%lld"),
    ("ProcessInfo.processInfo.processIdentifier", "%d"), ("errno", "%d"), ("geteuid()", "%u"),
    ("ProcessInfo.processInfo.physicalMemory", "%llu"),
    ("ProcessInfo.processInfo.operatingSystemVersion.majorVersion", "%lld"),
    ("Bundle.main.preferredLocalizations.count", "%lld"), ("Bundle.main.bundleURL", "%@"),
    ("UIDevice.current.systemVersion", "%@"), ("data.count", "%lld"), ("text.count", "%lld"),
    ("text.split(separator: \",\").count", "%lld"), ("text.prefix(3)", "%@"), ("text.uppercased()", "%@"),
    ("Int.max", "%lld"), ("UInt8.max", "%u"), ("2.5.rounded()", "%lf"), ("numbers.max() ?? 0", "%lld"),
    ("numbers.map { Double($0) }.reduce(0, +)", "%lf"), ("table[\"a\"]?.count ?? 0", "%lld"),
    ("numbers.enumerated().first?.offset ?? 0", "%lld"), ("numbers.formatted()", "%@"),
    ("ByteCountFormatter.string(fromByteCount: 3, countStyle: .file)", "%@"), ("error.localizedDescription", "%@"),
    ("(error as NSError).code", "%lld"), ("UUID().uuidString", "%@"),
    ("Measurement(value: 3, unit: UnitLength.meters)", "%@"),
    ("Measurement(value: 3, unit: UnitLength.meters).value", "%lf"), ("progress.fractionCompleted", "%lf"),
    ("progress.totalUnitCount", "%lld"), ("size.width", "%lf"), ("abs(-3)", "%lld"), ("max(0, size.width)", "%lf"),
    ("min(1, progress.fractionCompleted)", "%lf"),
    ("URLQueryItem(name: \"no\", value: nil).name", "%@"),
  ]

  @Test("the specifier of an argument follows from the members of Foundation and the standard library")
  func specifiers() throws {
    for value in Self.values {
      let source = """
        import SwiftUI
        func a(date: Date, url: URL, data: Data, text: String, numbers: [Int], table: [String: [Int]], error: Error, progress: Progress, size: CGSize) {
          _ = Text("a \\(\(value.expression))")
        }
        """
      #expect(try ExtractionFixture.found(in: source) == ["3: a \(value.specifier)"], "\(value.expression)")
    }
  }

  @Test("exactly the arguments that Apple's frameworks declare as localizable are extracted", arguments: mechanisms)
  func extracted(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

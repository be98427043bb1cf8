import Localization
import StringExtraction
import Testing

/// APIs of the SDKs of 2025 and 2026 (Xcode 26 and 27), as documented on developer.apple.com.
@Suite struct RecentFrameworkTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "SwiftUI",
      #"""
      import SwiftUI
      struct V: View {
        @State private var value = 1.0, item: Int?
        var body: some View {
          Slider(value: $value, in: 0...10, step: 1) { Text("a") } currentValueLabel: { Text("b") } tick: { x in SliderTick(x) { Text("c \(x)") } } // 🔑 a 🔑 b 🔑 c %lf
          Slider(value: $value) { Text("d") } ticks: { SliderTick("e", 0.5); SliderTickContentForEach([0.1, 0.2], id: \.self) { x in SliderTick(x) { Text("f \(x)") } } } // 🔑 d 🔑 e 🔑 f %lf
          TabView { Tab("g", systemImage: "no") {}; Tab(role: .search) { Text("h") } }.tabViewBottomAccessory { Text("i") }.tabBarMinimizeBehavior(.onScrollDown) // 🔑 g 🔑 h 🔑 i
          List {}.toolbar { ToolbarSpacer(.fixed); ToolbarItemGroup { Button("j", role: .confirm) {} }.sharedBackgroundVisibility(.hidden) } // 🔑 j
            .scrollEdgeEffectStyle(.hard, for: .top).navigationSubtitle("k").searchToolbarBehavior(.minimize) // 🔑 k
            .safeAreaBar(edge: .top) { Text("l") }.glassEffect(.regular, in: .capsule).help("m") // 🔑 l 🔑 m
            .alert("n", item: $item) { n in Button("o \(n)") {} } message: { _ in Text("p") } // 🔑 n 🔑 o %lld 🔑 p
            .confirmationDialog("q", item: $item, titleVisibility: .visible) { n in Button("r \(n)") {} } // 🔑 q 🔑 r %lld
          WebView(url: url).webViewBackForwardNavigationGestures(.disabled).navigationTitle("s") // 🔑 s
        }
      }
      struct A: App { @State var item: Int?; var body: some Scene { AlertScene("t", item: $item) { n in Button("u \(n)") {} } } } // 🔑 t 🔑 u %lld
      """#),
    Mechanism(
      "a modifier that no stub declares leaves a widget and a mark of a chart what they are",
      #"""
      import Charts
      import WidgetKit
      struct W: Widget {
        var body: some WidgetConfiguration {
          RelevanceConfiguration(kind: "no", provider: P()) { entry in Text("a") } // 🔑 a
            .configurationDisplayName("b").description("c") // 🔑 b 🔑 c
          StaticConfiguration(kind: "no", provider: P()) { entry in Text("d") } // 🔑 d
            .supportedMountingStyles([.recessed]).widgetTexture(.glass).pushHandler(H.self).supportedFamilies(1, 2)
            .configurationDisplayName("e").description("f") // 🔑 e 🔑 f
        }
      }
      struct C: ControlWidget {
        var body: some ControlWidgetConfiguration { StaticControlConfiguration(kind: "no") { EmptyView() }.pushHandler(H.self).displayName("g") } // 🔑 g
      }
      struct V: View {
        let rows: [Int]
        var body: some View {
          Chart(rows, id: \.self) { r in
            LineMark(x: .value("h", r), y: .value("i", r)).interpolationMethod(.catmullRom).foregroundStyle(by: .value("j", r)) // 🔑 h 🔑 i 🔑 j
            BarMark(x: .value("k", r), y: .value("l", r)).cornerRadius(4).foregroundStyle(.red).position(by: .value("m", r)).accessibilityLabel("n") // 🔑 k 🔑 l 🔑 m 🔑 n
            Plot { PointMark(x: .value("o", r), y: .value("p", r)) }.opacity(0.5).symbol(by: .value("q", r)) // 🔑 o 🔑 p 🔑 q
          }
          Chart3D(rows, id: \.self) { r in
            RectangleMark(x: .value("r", r), y: .value("s", r), z: .value("t", r)) // 🔑 r 🔑 s 🔑 t
            RuleMark(x: .value("u", r), y: .value("v", r), z: .value("w", r)) // 🔑 u 🔑 v 🔑 w
          }
        }
      }
      func named(_ other: Unknown) { other.made().description("no"); other.displayName("no") }
      """#),
    Mechanism(
      "AlarmKit and ActivityKit",
      #"""
      import ActivityKit
      import AlarmKit
      func alarms() async throws {
        _ = try await AlarmManager.shared.schedule(id: id, configuration: .timer(duration: 10, attributes: .init(presentation: .init(alert: .init(title: "a", stopButton: .init(text: "b", textColor: .red, systemImageName: "no"))), tintColor: .red))) // 🔑 a 🔑 b
        _ = AlarmManager.AlarmConfiguration(countdownDuration: nil, schedule: nil, attributes: AlarmAttributes(presentation: .init(alert: .init(title: "c", secondaryButton: .stop, secondaryButtonBehavior: .countdown), countdown: .init(title: "d", pauseButton: .stop), paused: .init(title: "e", resumeButton: .stop)), metadata: M(), tintColor: .red), sound: .named("no")) // 🔑 c 🔑 d 🔑 e
        _ = try Activity.request(attributes: A(), content: .init(state: s, staleDate: nil), style: .standard, alertConfiguration: .init(title: "f", body: "g", sound: .default), start: .now) // 🔑 f 🔑 g
      }
      extension AlarmButton { static var stop: Self { AlarmButton(text: "h", textColor: .red, systemImageName: "no") } } // 🔑 h
      """#),
    Mechanism(
      "App Intents",
      #"""
      import AppIntents
      struct E: IndexedEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "a" // 🔑 a
        @ComputedProperty(title: "b") var b: String { "no" } // 🔑 b
        @DeferredProperty(title: "c") var c: String { get async throws { "no" } } // 🔑 c
        @Property(title: "d", indexingKey: \.displayName) var d: String // 🔑 d
        @ComputedProperty(indexingKey: \.title) var e: Int { 1 }
      }
      @UnionValue enum Reaction { case tapback(Int), text(String) }
      extension Reaction {
        static var typeDisplayRepresentation: TypeDisplayRepresentation { "e" } // 🔑 e
        static let caseDisplayRepresentations: [Cases: DisplayRepresentation] = [.tapback: "f", .text: "g"] // 🔑 f 🔑 g
      }
      struct I: SnippetIntent, UndoableIntent {
        static let title: LocalizedStringResource = "h" // 🔑 h
        static let supportedModes: IntentModes = [.background, .foreground(.dynamic)]
        func perform() async throws -> some IntentResult & ShowsSnippetView {
          try await continueInForeground("i", alwaysConfirm: false) // 🔑 i
          await undoManager?.setActionName("q \(1)") // 🔑 q %lld
          let choice = try await requestChoice(between: [.cancel, .init(title: "j", style: .default), IntentChoiceOption(title: "k", subtitle: "l")], dialog: "m") // 🔑 j 🔑 k 🔑 l 🔑 m
          try await requestConfirmation(actionName: .custom(acceptLabel: "n", denyLabel: "o"), snippetIntent: S()) // 🔑 n 🔑 o
          return .result(view: Text("p")) // 🔑 p
        }
      }
      struct Q: IntentValueQuery { func values(for input: SemanticContentDescriptor) async throws -> [E] { [] } }
      """#),
    Mechanism(
      "UndoManager takes a LocalizedStringResource since Xcode 26, and a String otherwise",
      #"""
      import AppKit
      class Controller: NSViewController {
        func edit(_ name: String) {
          undoManager?.setActionName("a") // 🔑 a
          undoManager?.setActionName(name)
          undoManager?.setActionName(String(localized: "b")) // 🔑 b
          undoManager?.setActionName(name.isEmpty ? "c" : "d \(name)") // 🔑 c 🔑 d %@
        }
      }
      class Document: NSDocument { func edit() { undoManager?.setActionName("e") } } // 🔑 e
      """#),
    Mechanism(
      "Foundation Models: what a model is told is no text for people",
      #"""
      import FoundationModels
      import SwiftUI
      @Generable(description: "no") struct Trip { @Guide(description: "no") var name: String; @Guide(.anyOf(["no"])) var kind: String }
      struct T: Tool { let name = "no"; let description = "no"; func call(arguments: Trip) async throws -> String { "no" } }
      func ask() async throws -> some View {
        let first = LanguageModelSession(instructions: "no")
        let second = LanguageModelSession { "no"; Instructions("no") }
        _ = try await first.respond(to: "no", generating: Trip.self)
        _ = try await second.respond(options: .init()) { Prompt("no"); "no" }
        return Text("a") // 🔑 a
      }
      """#),
    Mechanism(
      "#bundle is a bundle",
      #"""
      import SwiftUI
      func show(_ key: LocalizedStringKey, from bundle: Bundle) {}
      func show(_ text: String, from url: URL) {}
      func all() {
        _ = Text("a", bundle: #bundle) // 🔑 a
        _ = String(localized: "b", bundle: #bundle) // 🔑 b
        _ = LocalizedStringResource("c", bundle: #bundle) // 🔑 c
        _ = AttributedString(localized: "d", bundle: #bundle) // 🔑 d
        _ = NSLocalizedString("e", bundle: #bundle, comment: "") // 🔑 e
        show("f", from: #bundle) // 🔑 f
      }
      """#),
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted from code that uses the SDKs of 2025 and 2026", arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

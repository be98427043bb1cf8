import Localization
import StringExtraction
import Testing

@testable import SwiftLinking

/// Declarations of widely used packages (docs/decisions/0010-dependency-declarations.md).
@Suite struct PackageDeclarationTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "Spezi",
      #"""
      import Spezi
      import SpeziOnboarding
      import SpeziScheduler
      import SpeziViews
      final class Planner: Module {
        @Dependency(Scheduler.self) private var scheduler
        func plan() throws {
          try scheduler.createOrUpdateTask(id: "no", title: "Survey", instructions: "Fill it out.", schedule: .daily) { _ in } // 🔑 Survey 🔑 Fill it out.
          throw AnyLocalizedError(error: E.a, defaultErrorDescription: "no")
        }
      }
      let view = OnboardingView(
        title: "Welcome", // 🔑 Welcome
        areas: [OnboardingInformationView.Area(icon: { Image("no") }, title: "Safe", description: "Kept here.")], // 🔑 Safe 🔑 Kept here.
        actionText: "Next", action: {}) // 🔑 Next
      let actions = OnboardingActionsView("Grant") { print("no") } // 🔑 Grant
      let button = AsyncButton("Send") {} // 🔑 Send
      """#),
    Mechanism(
      "a macro that a protocol stands beside by the same name",
      #"""
      import SpeziAccount
      extension AccountDetails {
        @AccountKey(id: "no", name: "Organization", category: .other, as: String.self, initial: .empty("no")) // 🔑 Organization
        var organization: String?
      }
      extension AccountOverviewOperationLabels {
        static let withdrawal = Self(formButton: "Withdraw", confirmationAlertTitle: "Sure?", confirmationAlertMessage: "All is lost.", confirmationAlertSubmitButton: "Yes") // 🔑 Withdraw 🔑 Sure? 🔑 All is lost. 🔑 Yes
      }
      """#),
    Mechanism(
      "symbols, shortcuts and launch at login",
      #"""
      import Defaults
      import KeyboardShortcuts
      import LaunchAtLogin
      import SFSafeSymbols
      let label = Label("Trash", systemSymbol: .trash) // 🔑 Trash
      let button = Button("Delete", systemSymbol: .trash, role: .destructive) {} // 🔑 Delete
      let recorder = KeyboardShortcuts.Recorder("Toggle:", name: .init("no")) // 🔑 Toggle:
      let launch = LaunchAtLogin.Toggle("no")
      let plain = Defaults.Toggle("no", key: .init("no", default: false))
      extension Defaults.Keys { static let ratio = Key<Double>("no", default: 1) }
      struct Settings: View {
        @Default(.ratio) var ratio
        var body: some View { Text("Ratio \(ratio)") } // 🔑 Ratio %lf
      }
      """#),
    Mechanism(
      "settings of String.LocalizationValue",
      #"""
      import AlertController
      import ConfigurableKit
      let object = ConfigurableObject(icon: "no", title: "Sync", explain: "Keeps all.", key: "no", defaultValue: true, annotation: .link(title: "More", url: u)) // 🔑 Sync 🔑 Keeps all. 🔑 More
      let alert = AlertViewController(title: "Sure?", message: "It is gone.") { context in // 🔑 Sure? 🔑 It is gone.
        context.addAction(title: "Go on") { print("no") } // 🔑 Go on
      }
      """#),
  ]

  @Test("a package's declarations are known in a file that imports the package", arguments: mechanisms)
  func extracted(_ mechanism: Mechanism) throws { try mechanism.verify() }

  @Test("a package's declarations are unknown in a file that does not import the package")
  func notImported() throws {
    #expect(
      try ExtractionFixture.found(
        in: #"let a = KeyboardShortcuts.Recorder("no", name: n); let b = OnboardingActionsView("no") {}"#
      )
      .isEmpty)
  }

  @Test("the repository's declarations for a package's name take precedence over a stub")
  func ownModule() throws {
    let source = "import SpeziOnboarding\n" + #"let a = OnboardingActionsView("no") {}"#
    #expect(try ExtractionFixture.found(in: source) == ["2: no"])
    var fixture = ExtractionFixture(["A.swift": source])
    fixture.project.targets[0].name = "SpeziOnboarding"
    #expect(try fixture.extract().strings.isEmpty)
  }
}

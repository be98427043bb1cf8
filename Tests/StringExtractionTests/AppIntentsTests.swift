import Testing

/// The declarations of App Intents, one by one (AppIntents' public interface).
@Suite struct AppIntentsTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "intents, their parameters and summaries",
      #"""
      import AppIntents
      struct Start: AppIntent {
        static let title: LocalizedStringResource = "Start Trail" // 🔑 Start Trail
        static let description = IntentDescription(
          "Starts it.", // 🔑 Starts it.
          categoryName: "Activity", // 🔑 Activity
          searchKeywords: ["workout"], // 🔑 workout
          resultValueName: "Result") // 🔑 Result
        @Parameter(title: "Style", description: "What to do.", requestValueDialog: "Which one?") // 🔑 Style 🔑 What to do. 🔑 Which one?
        var style: Style
        @Parameter(title: "Count", default: 3, controlStyle: .field, inclusiveRange: (1, 5)) // 🔑 Count
        var count: Int
        @Parameter(title: "Loud", displayName: .init(true: "Yes", false: "No")) // 🔑 Loud 🔑 Yes 🔑 No
        var loud: Bool
        @Parameter(title: "Name", default: "no", inputOptions: .init(), optionsProvider: Names()) // 🔑 Name
        var name: String
        @Parameter(requestValueDialog: "Where?", optionsProvider: Names()) // 🔑 Where?
        var place: String?
        static var parameterSummary: some ParameterSummary {
          When(\.$style, .equalTo, .hiking) {
            Summary("Hike \(\.$count)") { \.$name } // 🔑 Hike ${count}
          } otherwise: {
            Switch(\.$style) {
              Case(.skiing) { Summary("Ski with \(\.$name)") } // 🔑 Ski with ${name}
              DefaultCase { Summary("Start \(\.$style)") } // 🔑 Start ${style}
            }
          }
        }
        func perform() async throws -> some IntentResult & ProvidesDialog & ReturnsValue<Int> {
          guard count > 0 else { throw $count.needsValueError("How many?") } // 🔑 How many?
          try await requestConfirmation(actionName: .custom(acceptLabel: "Go", acceptAlternatives: ["Yep"], denyLabel: "Not now", denyAlternatives: []), dialog: "Sure?") // 🔑 Go 🔑 Yep 🔑 Not now 🔑 Sure?
          let choice = try await requestChoice(between: [.cancel(title: "Stop"), IntentChoiceOption(title: "On", subtitle: "Further")], dialog: "Choose") // 🔑 Stop 🔑 On 🔑 Further 🔑 Choose
          _ = try await $place.requestDisambiguation(among: ["no"], dialog: "Which place?") // 🔑 Which place?
          throw needsToContinueInForegroundError("Open it.") // 🔑 Open it.
          let dialog = IntentDialog(full: "Long \(count)", supporting: "Short") // 🔑 Long %lld 🔑 Short
          return .result(value: count, dialog: "Done \(name)") // 🔑 Done %@
        }
      }
      struct Focus: SetFocusFilterIntent {
        static let title: LocalizedStringResource = "Set Focus" // 🔑 Set Focus
        var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "Focus", subtitle: "\(1)") } // 🔑 Focus 🔑 %lld
      }
      """#),
    Mechanism(
      "entities, enumerations and queries",
      #"""
      import AppIntents
      enum Style: String, AppEnum {
        case hiking = "no", skiing
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Style" // 🔑 Style
        static let caseDisplayRepresentations: [Style: DisplayRepresentation] = [
          .hiking: "Hiking", // 🔑 Hiking
          .skiing: DisplayRepresentation(title: "Skiing", subtitle: "Snow", image: .init(systemName: "no"), synonyms: ["Ski"]), // 🔑 Skiing 🔑 Snow 🔑 Ski
        ]
      }
      struct Trail: AppEntity {
        static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Trail", numericFormat: "\(placeholder: .int) trails") // 🔑 Trail 🔑 %lld trails
        static var defaultQuery = TrailQuery()
        var id: Int
        @Property(title: "Region") var region: String // 🔑 Region
        @ComputedProperty(title: "Length") var length: Int { 3 } // 🔑 Length
        @DeferredProperty(title: "Crowd") var crowd: Int { get async throws { 3 } } // 🔑 Crowd
        var displayRepresentation: DisplayRepresentation { "\(region), \(id)" } // 🔑 %@, %lld
        static var urlRepresentation: URLRepresentation { "https://no/\(.id)" }
      }
      struct TrailQuery: EntityPropertyQuery {
        static var findIntentDescription: IntentDescription? { IntentDescription("Find trails.") } // 🔑 Find trails.
        func options() -> ItemCollection<Trail> {
          ItemCollection(promptLabel: "Pick", sections: [ItemSection("Near", items: [])]) // 🔑 Pick 🔑 Near
        }
      }
      """#),
    Mechanism(
      "init(stringLiteral:) of display representations and dialogs, with a whole literal",
      #"""
      import AppIntents
      enum Style: String, AppEnum {
        case hidden = "no", inline, bordered
        static let typeDisplayRepresentation: TypeDisplayRepresentation = .init(stringLiteral: "Style") // 🔑 Style
        static let caseDisplayRepresentations: [Style: DisplayRepresentation] = [
          .hidden: .init(stringLiteral: "Hidden"), // 🔑 Hidden
          .inline: DisplayRepresentation(stringLiteral: "Inline"), // 🔑 Inline
        ]
      }
      struct Show: AppIntent {
        static let title: LocalizedStringResource = .init(stringLiteral: "Look") // 🔑 Look
        @Parameter(title: "Style") var style: Style? // 🔑 Style
        func perform() async throws -> some IntentResult & ProvidesDialog {
          guard let style else { return .result(dialog: IntentDialog(stringLiteral: "Nothing shown")) } // 🔑 Nothing shown
          let name: String? = nil
          if style == .inline { return .result(dialog: IntentDialog(stringLiteral: name ?? "no")) }
          return .result(dialog: IntentDialog(stringLiteral: "no \(style.rawValue)"))
        }
      }
      """#),
  ]

  @Test("the strings that the types of App Intents make localizable are extracted", arguments: mechanisms)
  func extracted(_ mechanism: Mechanism) throws { try mechanism.verify() }
}

import AppIntents

struct Open: AppIntent {
  static let title: LocalizedStringResource = "Open"
  static let description = IntentDescription("Opens it", categoryName: "Things", searchKeywords: ["a", "b"])
  @Parameter(title: "Item", default: 3) var item: Int
  static var parameterSummary: some ParameterSummary {
    When(\.$item, .equalTo, 1) {
      Summary("Open \(\.$item)")
    } otherwise: {
      Summary("No")
    }
  }
  func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "Opened \(item)") }
}
let s = String(localized: "key", defaultValue: "v \(1 + 2) %", table: "T", comment: "c"),
  t = NSLocalizedString("k", value: "v", comment: "")
let table: [String: DisplayRepresentation] = ["a": "b", "c": .init(title: "d", subtitle: "e")]
func f(_ x: LocalizedStringKey? = "default", y: (Int, String) = (1, "s")) -> LocalizedStringResource {
  x == nil ? "a" : .init("b", comment: "c")
}

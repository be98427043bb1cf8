internal import HTTPTransport
internal import Localization

/// Upload of terms to the glossary of a Weblate project. The glossary is the project's first component that is marked as a glossary, and terms
/// are strings of this component.
extension WeblatePlatform {
  static let takesGlossary = true

  func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] {
    guard let glossary = try await client.glossary() else {
      throw VendorError(
        kind: .configuration, at: "weblate: project \(client.project)",
        detail: "the project has no glossary. Turn on “Use as a glossary” for one of its components")
    }
    if try await !client.translations(glossary).contains(where: { $0.language.code == code }) {
      try await client.addLanguage(code, glossary)
    }
    let there = Dictionary(
      try await client.units(glossary, code).map { ($0.source.texts.first ?? "", $0) }
    ) { first, _ in first }
    var left: [String: String] = [:]
    for term in terms {
      try Task.checkCancellation()
      let known = there[term.text]
      let stored = known?.target.texts.first
      switch term.step(over: stored) {
      case .keep: break
      case .leave: left[term.text] = stored
      case .enter:
        if let known {
          try await client.translate(unit: known.id, as: term.translation)
        } else {
          try await client.add(term, to: glossary, code)
        }
      }
    }
    return left
  }
}

extension WeblateClient {
  func components() async throws -> [WeblateMessages.ListedComponent] {
    try await list(["projects", project, "components"]) { $0.slug }
  }

  /// Returns the slug of the project's first component that is a glossary; `nil` if there is none.
  func glossary() async throws -> String? { try await components().first { $0.is_glossary == true }?.slug }

  func add(_ term: PlatformTerm, to glossary: String, _ code: String) async throws {
    _ = try await http.send(
      try json(
        "POST", ["translations", project, glossary, code, "units"],
        WeblateMessages.NewTerm(
          source: [term.text], target: [term.translation], state: WeblateMessages.State.translated)))
  }

  func translate(unit: Int, as text: String) async throws {
    _ = try await http.send(
      try json(
        "PATCH", ["units", "\(unit)"],
        WeblateMessages.UnitChange(target: [text], state: WeblateMessages.State.translated), isRepeatable: true))
  }
}

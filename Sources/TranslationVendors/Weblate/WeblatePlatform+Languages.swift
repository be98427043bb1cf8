internal import FoundationEssentials
internal import HTTPTransport
internal import Localization
internal import Synchronization

extension WeblatePlatform {
  /// Adds the language to the components, with all plural forms that Xcode asks for: Weblate's own rules leave out forms that are for
  /// fractions only, such as `other` in Ukrainian.
  func open(_ code: String, for catalogs: Set<TreePath>) async throws {
    for catalog in catalogs.sorted() {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      try await turn(slug) {
        // A catalog without any text has no component.
        guard try await client.component(slug) != nil else { return }
        let forms = WeblateForms(language(of: code))
        let there = try await client.translations(slug).contains { $0.language.code == code }
        if !there { try await addLanguage(code, slug) }
        let count = there ? try await formCount(slug, code) : 0
        if count != forms.plurals.categories.count { try await setPlurals(of: forms, code, slug) }
        memory.note(forms: forms.plurals.categories.count, of: slug, code)
      }
    }
  }

  /// The number of plural forms of a language.
  private func formCount(_ slug: String, _ code: String) async throws -> Int {
    if let count = try await client.formCount(slug, code) { return count }
    // No string has a plural. A process that was killed after it had added the language did not set the forms.
    if let known = memory.forms(of: slug, code) { return known }
    return try await client.file(slug, code).formCount
  }

  private func addLanguage(_ code: String, _ slug: String) async throws {
    do { try await client.addLanguage(code, slug) } catch let error as TransportError where error.kind == .status(400) {
      guard try await client.translations(slug).contains(where: { $0.language.code == code }) else {
        throw VendorError(
          kind: .unknownLanguage, at: error.operation,
          detail: "Weblate does not add the language \(code): \(error.detail)")
      }
    }
  }

  /// Gives a language's file our plural forms. Translations stay; a text with a new form needs editing.
  private func setPlurals(of forms: WeblateForms, _ code: String, _ slug: String) async throws {
    let old = try await client.file(slug, code)
    var file = old
    let standard = GettextFile(code: code, plurals: forms.plurals)
    for field in standard.header where old[field: field.name] == nil || field.name == "Plural-Forms" {
      file[field: field.name] = field.value
    }
    for index in file.entries.indices where file.entries[index].isPlural {
      file.entries[index].fit(forms)
    }
    if file != old { try await client.upload(file, slug, code, .replace) }
  }

  /// Our tag for a code of Weblate. Codes that are not tags have the plural rule of an unknown language.
  func language(of code: String) -> LocaleIdentifier {
    locales.language(of: code) ?? LocaleIdentifier(code.replacing("_", with: "-"))
  }

  /// How the template numbers plural forms.
  func forms(of template: GettextFile) throws -> WeblateForms {
    guard let code = template[field: "Language"] else {
      throw VendorError(
        kind: .protocolFault, at: "weblate: template",
        detail: "the template has no Language in its header; it was not made by Dragoman")
    }
    return WeblateForms(language(of: code))
  }

  /// The code of a component's source language; `nil` if the component does not exist.
  func sourceCode(_ slug: String) async throws -> String? {
    if let known = memory.source(of: slug) { return known }
    guard let component = try await client.component(slug) else { return nil }
    memory.note(source: component.source_language.code, of: slug)
    return component.source_language.code
  }

  /// Requests the language again, because a person may have changed it after a refusal.
  func sources(of catalogs: Set<TreePath>) async throws -> [PlatformSource] {
    var sources: [PlatformSource] = []
    for catalog in catalogs.sorted() {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      guard let component = try await client.component(slug) else { continue }
      memory.note(source: component.source_language.code, of: slug)
      sources.append(
        PlatformSource(
          owner: "the component \(client.project)/\(slug)", code: component.source_language.code,
          step: "Rename or remove it, and Dragoman makes one for"))
    }
    return sources
  }

  func sourceFacts() async throws -> [String] {
    let components = try await client.components().filter { $0.is_glossary != true }
    return Dictionary(grouping: components.compactMap(\.source_language?.code)) { $0 }.sorted { $0.key < $1.key }.map {
      "Source texts are in \($0.key) in \($0.value.count == 1 ? "1 component" : "\($0.value.count) components") there."
    }
  }

  /// Refuses to write into a component that is not as Dragoman makes them.
  func check(_ slug: String) async throws {
    guard memory.source(of: slug) == nil, let component = try await client.component(slug) else { return }
    guard component.file_format == "po-mono", !component.template.isEmpty else {
      throw VendorError(
        kind: .configuration, at: "weblate: component \(client.project)/\(slug)",
        detail:
          "it has the format \(component.file_format) instead of po-mono. Rename or remove it, and Dragoman makes its own"
      )
    }
    memory.note(source: component.source_language.code, of: slug)
  }

  /// Waits until a new component can be used: a server with background workers makes it after it has answered.
  func ready(_ slug: String) async throws {
    for _ in 0..<Self.patience {
      try Task.checkCancellation()
      if try await template(slug) != nil, try await !client.translations(slug).isEmpty { return }
      try await environment.sleep(.seconds(1))
    }
    throw VendorError(
      kind: .missing, at: "weblate: component \(client.project)/\(slug)",
      detail: "Weblate did not create it within \(Self.patience) s")
  }
}

extension GettextEntry {
  /// Fits the texts to a language's forms.
  fileprivate mutating func fit(_ forms: WeblateForms) {
    let categories = forms.plurals.categories
    guard texts.count != categories.count else { return }
    let whole = Set((0...1000).map { PluralRules.category(of: $0, in: forms.language) })
    // Weblate's own forms are those of whole numbers.
    let old = whole.count == texts.count ? categories.filter(whole.contains) : categories
    let known = Dictionary(zip(old, texts)) { first, _ in first }
    texts = categories.map { known[$0] ?? "" }
    if texts.contains(where: \.isEmpty), texts.contains(where: { !$0.isEmpty }), !flags.contains(Self.fuzzy) {
      flags.append(Self.fuzzy)
    }
  }
}

/// Facts about a server that rarely change, cached so that not every push and pull requests them.
final class WeblateMemory: Sendable {
  private struct State {
    var languages: (codes: [String], read: Date)?
    var sources: [String: String] = [:]
    var forms: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The codes, for an hour after they were read.
  func languages(at now: Date) -> [String]? {
    state.withLock { state in
      state.languages.flatMap { abs(now.timeIntervalSince($0.read)) < 3600 ? $0.codes : nil }
    }
  }

  func note(languages codes: [String], at now: Date) { state.withLock { $0.languages = (codes, now) } }

  /// The code of a component's source language.
  func source(of slug: String) -> String? { state.withLock { $0.sources[slug] } }
  func note(source code: String, of slug: String) { state.withLock { $0.sources[slug] = code } }

  /// How many plural forms a component's language has.
  func forms(of slug: String, _ code: String) -> Int? { state.withLock { $0.forms["\(slug) \(code)"] } }
  func note(forms count: Int, of slug: String, _ code: String) {
    state.withLock { $0.forms["\(slug) \(code)"] = count }
  }
}

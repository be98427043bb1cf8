internal import FoundationEssentials
internal import HTTPTransport
internal import Localization
internal import Synchronization

extension WeblatePlatform {
  /// Adds the language to the catalogs' components, with all plural forms that Xcode needs. Weblate's rules leave out forms that are used only
  /// for fractions, such as `other` in Ukrainian.
  func open(_ code: String, for catalogs: Set<TreePath>) async throws {
    for catalog in catalogs.sorted() {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      try await turn(slug) {
        // A catalog without texts has no component.
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

  /// Returns the number of plural forms that a language has in a component.
  private func formCount(_ slug: String, _ code: String) async throws -> Int {
    if let count = try await client.formCount(slug, code) { return count }
    // The component has no string with plural forms. If Dragoman was killed after it had added the language, the file still has the forms that
    // Weblate uses.
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

  /// Changes the plural forms of a language's file to the forms that Dragoman uses. Translations are kept. A translation that lacks a new form is
  /// marked as needing editing.
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

  /// Returns our tag for one of Weblate's codes. A code that is not a valid tag gets the plural rule of an unknown language.
  func language(of code: String) -> LocaleIdentifier {
    locales.language(of: code) ?? LocaleIdentifier(code.replacing("_", with: "-"))
  }

  /// Returns the numbered plural forms of a template.
  func forms(of template: GettextFile) throws -> WeblateForms {
    guard let code = template[field: "Language"] else {
      throw VendorError(
        kind: .protocolFault, at: "weblate: template",
        detail: "the template's header has no Language, so Dragoman did not create it. Rename or remove the "
          + "component, and Dragoman creates a new one")
    }
    return WeblateForms(language(of: code))
  }

  /// Returns the code of a component's source language; `nil` if the component does not exist.
  func sourceCode(_ slug: String) async throws -> String? {
    if let known = memory.source(of: slug) { return known }
    guard let component = try await client.component(slug) else { return nil }
    memory.note(source: component.source_language.code, of: slug)
    return component.source_language.code
  }

  /// Returns the components' source languages. The languages are requested at each call, because a person may have changed them after an error.
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
          step: "Rename or remove the component, and Dragoman creates one for"))
    }
    return sources
  }

  func sourceFacts() async throws -> [String] {
    let components = try await client.components().filter { $0.is_glossary != true }
    return Dictionary(grouping: components.compactMap(\.source_language?.code)) { $0 }.sorted { $0.key < $1.key }.map {
      "Source texts are in \($0.key) in \($0.value.count == 1 ? "1 component" : "\($0.value.count) components")."
    }
  }

  /// Checks that a component has the format that Dragoman creates.
  /// - Throws: `VendorError` for another format, because such a component must not be written to.
  func check(_ slug: String) async throws {
    guard memory.source(of: slug) == nil, let component = try await client.component(slug) else { return }
    guard component.file_format == "po-mono", !component.template.isEmpty else {
      throw VendorError(
        kind: .configuration, at: "weblate: component \(client.project)/\(slug)",
        detail:
          "the format is \(component.file_format) instead of po-mono. Rename or remove it, and Dragoman creates a new one"
      )
    }
    memory.note(source: component.source_language.code, of: slug)
  }

  /// Waits until a new component can be used. A server with background workers creates the component after it has responded to the request.
  func ready(_ slug: String) async throws {
    for _ in 0..<Self.patience {
      try Task.checkCancellation()
      if try await template(slug) != nil, try await !client.translations(slug).isEmpty { return }
      try await environment.sleep(.seconds(1))
    }
    throw VendorError(
      kind: .missing, at: "weblate: component \(client.project)/\(slug)",
      detail: "Weblate did not create the component within \(Self.patience) s")
  }
}

extension GettextEntry {
  /// Assigns the texts to the plural forms of a language. Missing forms get empty texts. A translation that lacks a form is marked as needing
  /// editing.
  fileprivate mutating func fit(_ forms: WeblateForms) {
    let categories = forms.plurals.categories
    guard texts.count != categories.count else { return }
    let whole = Set((0...1000).map { PluralRules.category(of: $0, in: forms.language) })
    // Weblate's rules have only the forms for whole numbers.
    let old = whole.count == texts.count ? categories.filter(whole.contains) : categories
    let known = Dictionary(zip(old, texts)) { first, _ in first }
    texts = categories.map { known[$0] ?? "" }
    if texts.contains(where: \.isEmpty), texts.contains(where: { !$0.isEmpty }), !flags.contains(Self.fuzzy) {
      flags.append(Self.fuzzy)
    }
  }
}

/// A cache of facts about a server that rarely change. Without the cache, every push and pull would request these facts.
final class WeblateMemory: Sendable {
  private struct State {
    var languages: (codes: [String], read: Date)?
    var sources: [String: String] = [:]
    var forms: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Returns the codes of the server's languages; `nil` if the codes are not cached or were read more than an hour ago.
  func languages(at now: Date) -> [String]? {
    state.withLock { state in
      state.languages.flatMap { abs(now.timeIntervalSince($0.read)) < 3600 ? $0.codes : nil }
    }
  }

  func note(languages codes: [String], at now: Date) { state.withLock { $0.languages = (codes, now) } }

  /// Returns the code of a component's source language; `nil` if the code is not cached.
  func source(of slug: String) -> String? { state.withLock { $0.sources[slug] } }
  func note(source code: String, of slug: String) { state.withLock { $0.sources[slug] = code } }

  /// Returns the number of plural forms that a language has in a component; `nil` if the number is not cached.
  func forms(of slug: String, _ code: String) -> Int? { state.withLock { $0.forms["\(slug) \(code)"] } }
  func note(forms count: Int, of slug: String, _ code: String) {
    state.withLock { $0.forms["\(slug) \(code)"] = count }
  }
}

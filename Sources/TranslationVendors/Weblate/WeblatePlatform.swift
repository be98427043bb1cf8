internal import HTTPTransport
internal import Localization

/// A Weblate project as a platform. Each catalog is a component of monolingual gettext files, which ``WeblateClient/create`` creates. The file of the
/// source language, the template, contains source texts and notes. The template is always written as a whole.
///
/// Archived strings are read-only in the template. People cannot translate archived strings, and existing translations are kept.
struct WeblatePlatform: TranslationPlatform {
  static let kind = "weblate"
  static let keepsPlurals = true
  /// The maximum time to wait until a server with background workers has created a component or lists new strings, in seconds.
  static let patience = 120

  let client: WeblateClient
  /// The project's place at the vendor, which is part of the keys for ``turns``.
  let place: String
  let locales: VendorLocales
  let flags: String
  let environment: VendorEnvironment
  let memory = WeblateMemory()
  let turns = KeyedTurns.shared

  /// Always `true`: missing languages are added to components, even if ``languages()`` does not return them. A token without permission to
  /// administer languages gives access only to the languages that a project of the server uses.
  static let addsLanguages = true

  func languages() async throws -> [String] {
    if let known = memory.languages(at: environment.now()) { return known }
    try await client.checkProject()
    let codes = try await client.languages().map(\.code)
    memory.note(languages: codes, at: environment.now())
    return codes
  }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    var found: [PlatformID: StoredString] = [:]
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      guard let template = try await template(WeblateComponent(of: catalog).slug) else { continue }
      let entries = Dictionary(template.entries.map { ($0.id, $0) }) { first, _ in first }
      let forms = try forms(of: template)
      for id in ids {
        guard let entry = entries[WeblateText.encode(key: id.name)] else { continue }
        found[id] = StoredString(
          source: forms.source(entry), comment: entry.note.map { WeblateText.decode($0) },
          isArchived: entry.isReadOnly, limit: StoredLimit(entry.maxLength))
      }
    }
    return found
  }

  func add(_ strings: [PlatformString]) async throws { try await put(strings) }
  func change(_ strings: [PlatformString]) async throws { try await put(strings) }

  private func put(_ strings: [PlatformString]) async throws {
    // An empty text needs no translation, and a gettext file cannot contain a string with an empty text.
    let strings = strings.filter { $0.source.hasWords }
    for (catalog, strings) in Dictionary(grouping: strings, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let component = WeblateComponent(of: catalog)
      try await turn(component.slug) { try await put(strings, into: component) }
    }
  }

  private func put(_ strings: [PlatformString], into component: WeblateComponent) async throws {
    guard let language = strings.first?.sourceLanguage else { return }
    let forms = WeblateForms(language)
    guard let old = try await self.template(component.slug) else {
      let code = locales.code(of: language, preferring: try await languages())
      var template = GettextFile(code: code, plurals: forms.plurals)
      template.put(strings, forms)
      do {
        try await client.create(component, template: template, code: code, flags: flags)
      } catch let error as TransportError where error.kind == .status(404) {
        throw client.missingProject
      } catch let error as TransportError where error.kind == .status(400) {
        guard try await client.component(component.slug) != nil else { throw error }
        // Somebody created the component in the meantime. It may have different strings, so the strings are put into it.
        try await ready(component.slug)
        return try await put(strings, into: component)
      }
      return try await ready(component.slug)
    }
    try await check(component.slug)
    var template = old
    template[field: "Plural-Forms"] = forms.plurals.header
    template.put(strings, forms)
    let returned = Set(old.entries.filter(\.isReadOnly).map(\.id))
      .subtracting(template.entries.filter(\.isReadOnly).map(\.id))
    try await write(template, instead: old, component.slug)
    // Weblate notices a removed flag only when it reads the component's files again.
    if !returned.isEmpty { try await client.scan(component.slug) }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      try await turn(slug) {
        guard let old = try await template(slug) else { return }
        try await check(slug)
        let keys = Self.keys(of: ids)
        var template = old
        for index in template.entries.indices where keys.contains(template.entries[index].id) {
          template.entries[index].isReadOnly = true
        }
        try await write(template, instead: old, slug)
      }
    }
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      let slug = WeblateComponent(of: catalog).slug
      try await turn(slug) {
        guard let source = try await sourceCode(slug) else { return }
        let keys = Self.keys(of: ids)
        for unit in try await client.units(slug, source) where keys.contains(unit.context) {
          try Task.checkCancellation()
          try await client.delete(unit: unit.id)
        }
      }
    }
  }

  private static func keys(of ids: some Sequence<PlatformID>) -> Set<String> {
    Set(ids.map { WeblateText.encode(key: $0.name) })
  }

  /// Returns the file with the source texts; `nil` if the component does not exist.
  func template(_ slug: String) async throws -> GettextFile? {
    guard let code = try await sourceCode(slug) else { return nil }
    return try await client.template(slug, code)
  }

  /// Uploads a changed template.
  /// - Throws: `VendorError` if the old template has no strings but the component has some, because the upload would remove these strings.
  private func write(_ template: GettextFile, instead old: GettextFile, _ slug: String) async throws {
    guard template != old, let code = try await sourceCode(slug) else { return }
    if old.entries.isEmpty, try await !client.units(slug, code).isEmpty {
      throw VendorError(
        kind: .protocolFault, at: "weblate: template of \(client.project)/\(slug)",
        detail: "the response has no strings, but the component has some, so the template is not changed")
    }
    try await client.upload(template, slug, code, .replace)
  }

  /// Runs work that reads, changes and writes files of a component. Only one task of this process does such work at a time.
  func turn(_ slug: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await turns.run("\(place) \(slug)", body)
  }
}

extension PlatformText {
  fileprivate var hasWords: Bool {
    switch self {
    case .plain(let text): !text.isEmpty
    case .plural(let forms): forms.values.contains { !$0.isEmpty }
    }
  }
}

extension GettextFile {
  /// Adds or changes strings.
  fileprivate mutating func put(_ strings: [PlatformString], _ forms: WeblateForms) {
    var places: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where places[entry.id] == nil { places[entry.id] = index }
    for string in strings {
      let place = places[WeblateText.encode(key: string.name)]
      let entry = forms.entry(of: string, replacing: place.map { entries[$0] })
      if let place {
        entries[place] = entry
      } else {
        places[entry.id] = entries.count
        entries.append(entry)
      }
    }
  }
}

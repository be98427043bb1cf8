internal import Localization

/// An in-house system as a platform. All requests can be repeated without further effect, because the protocol defines them so.
struct InHousePlatform: TranslationPlatform {
  static let kind = "http"
  static let keepsPlurals = true
  static let countsPlaceholders = false
  static let checksTokens = false

  let client: VendorHTTP
  let batch: Int

  func languages() async throws -> [String] {
    try await client.json(VendorHTTP.Request("GET", ["languages"]), as: InHouseMessages.Languages.self).languages
  }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    var found: [PlatformID: StoredString] = [:]
    for part in batches(ids.sorted()) {
      let request = try VendorHTTP.Request(
        "POST", ["strings", "query"], json: InHouseMessages.IDs(ids: part.map(InHouseMessages.ID.init)),
        isRepeatable: true)
      for string in try await client.json(request, as: InHouseMessages.Strings.self).strings {
        guard let source = string.source.content else { continue }
        found[string.id.id] = StoredString(
          source: source, comment: string.comment, isArchived: string.archived ?? false)
      }
    }
    return found
  }

  func add(_ strings: [PlatformString]) async throws { try await put(strings) }
  func change(_ strings: [PlatformString]) async throws { try await put(strings) }

  private func put(_ strings: [PlatformString]) async throws {
    for part in batches(strings) {
      let body = InHouseMessages.Strings(
        strings: part.map {
          InHouseMessages.StoredString(
            id: InHouseMessages.ID($0.id), source: InHouseMessages.Text($0.source), comment: $0.comment,
            maxLength: $0.maxLength.flatMap { $0 > 0 ? $0 : nil })
        })
      _ = try await client.send(try VendorHTTP.Request("PUT", ["strings"], json: body))
    }
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    for part in batches(translations) {
      let body = InHouseMessages.Translations(
        translations: part.map {
          .translation(
            InHouseMessages.Translation(
              id: InHouseMessages.ID($0.id), source: $0.source.map(InHouseMessages.Text.init),
              target: InHouseMessages.Text($0.text), state: $0.state.word,
              replaces: $0.replaces.map(InHouseMessages.Text.init)))
        })
      _ = try await client.send(try VendorHTTP.Request("PUT", ["translations", code, "missing"], json: body))
    }
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    var found: [PlatformTranslation] = []
    var places: [PlatformID: Int] = [:]
    for part in batches(ids.sorted()) {
      let request = try VendorHTTP.Request(
        "POST", ["translations", code, "query"], json: InHouseMessages.IDs(ids: part.map(InHouseMessages.ID.init)),
        isRepeatable: true)
      for returned in try await client.json(request, as: InHouseMessages.Translations.self).translations {
        let translation: InHouseMessages.Translation
        switch returned {
        case .translation(let whole): translation = whole
        case .faulty(let id, let words):
          found.append(Self.fault(words, in: id, code: code))
          continue
        }
        guard let text = translation.target.content, ids.contains(translation.id.id),
          let state = PlatformState(word: translation.state)
        else { continue }
        if let place = places[translation.id.id] {
          if found[place].fault == nil, found[place].text != text || found[place].state != state {
            found[place] = Self.fault("the response has two different translations", in: translation.id, code: code)
          }
          continue
        }
        places[translation.id.id] = found.count
        found.append(
          PlatformTranslation(
            id: translation.id.id, source: translation.source?.content, text: text, state: state,
            translator: translation.translator.flatMap {
              Translator(name: $0.name, account: $0.account, address: $0.address)
            }))
      }
    }
    return found
  }

  /// Returns an empty translation that stands for one that cannot be used. It contains only the message and the ID, which is empty if unknown.
  private static func fault(_ words: String, in id: InHouseMessages.ID?, code: String) -> PlatformTranslation {
    PlatformTranslation(
      id: id?.id ?? PlatformID(catalog: .root, name: ""), source: nil, text: .plain(""), state: .translated,
      fault: "skipped the translation of \(id.map { "“\($0.name)”" } ?? "a string") into \(code): \(words)")
  }

  func archive(_ ids: Set<PlatformID>) async throws { try await remove(ids, "archive") }
  func delete(_ ids: Set<PlatformID>) async throws { try await remove(ids, "delete") }

  private func remove(_ ids: Set<PlatformID>, _ verb: String) async throws {
    for part in batches(ids.sorted()) {
      _ = try await client.send(
        try VendorHTTP.Request(
          "POST", ["strings", verb], json: InHouseMessages.IDs(ids: part.map(InHouseMessages.ID.init)),
          isRepeatable: true))
    }
  }

  private func batches<Element>(_ elements: [Element]) -> [[Element]] {
    stride(from: 0, to: elements.count, by: batch).map { Array(elements[$0..<min($0 + batch, elements.count)]) }
  }
}

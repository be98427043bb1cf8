package import Localization

/// Handling of corrections: changes that people make to translations after the translations were returned.
extension PlatformVendor {
  package func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult {
    var result = PullResult(bundles: [])
    for (language, parts) in Dictionary(grouping: parts, by: \.shipment.language).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      do {
        let code = try await code(of: language)
        var found = try await translations(of: parts, code, &result.diagnostics)
        var others: Set<UnitID> = []
        let unsure = try await ofOtherSources(parts.compactMap { changed($0, found, &others) }, found)
        for string in unsure {
          others.insert(UnitID(catalog: string.catalog, key: string.unit))
          found[string.id] = nil
        }
        if !others.isEmpty { result.otherSources[language] = others }
        let corrected = parts.compactMap { changed($0, found, &others) }
        guard !corrected.isEmpty else { continue }
        let taken = Set(corrected.flatMap { strings(of: $0).map(\.id) })
        let translators = try await translators(
          of: found.values.filter { taken.contains($0.id) }, code, &result.diagnostics)
        for part in corrected { answer(part, with: found, by: translators, into: &result) }
      } catch let error as VendorError where error.kind == .unknownLanguage {
        result.diagnostics.append(Diagnostic(path: name, severity: .warning, message: error.description))
      }
    }
    return result
  }

  /// Reduces a part to the units whose translation at the platform now differs from the translation that was returned.
  /// - Parameter others: a set to which units are added if their new translation was made for another source text. These units are left out
  ///   of the result.
  /// - Returns: the reduced part; `nil` if no units remain.
  private func changed(
    _ part: OutstandingWork.Part, _ translations: [PlatformID: PlatformTranslation], _ others: inout Set<UnitID>
  ) -> OutstandingWork.Part? {
    let translations = answers(to: part, in: translations)
    var part = part
    part.shipment.files = part.shipment.files.compactMap { file in
      let answer = PlatformPacking.answer(
        to: file, with: translations, keepsPlurals: Platform.keepsPlurals, state: { settings.state(of: $0) }
      ).file
      guard let answer else { return nil }
      let answers = Dictionary(grouping: answer.units, by: \.key)
      let keys = Set(
        Dictionary(grouping: file.units, by: \.key).filter { key, units in
          guard let answered = answers[key], !answered.haveSameAnswers(as: units) else { return false }
          let haveSameSources = Self.haveSameSources(answered, units)
          if !haveSameSources { others.insert(UnitID(catalog: TreePath(trusted: file.original), key: key)) }
          return haveSameSources
        }.keys)
      var file = file
      file.units.removeAll { !keys.contains($0.key) }
      return file.units.isEmpty ? nil : file
    }
    return part.shipment.files.isEmpty ? nil : part
  }

  /// Returns whether translations were made for the same source texts as the returned translations. The platform's source text may have changed since
  /// then, because another branch sent a source text, or a person entered one at the platform.
  private static func haveSameSources(_ answers: [ExchangeUnit], _ returned: [ExchangeUnit]) -> Bool {
    let sources = Dictionary(returned.map { ($0.path, $0.source) }) { first, _ in first }
    return answers.allSatisfy { answer in
      guard let source = answer.source, let known = sources[answer.path] ?? nil else { return true }
      return source.isExactly(known)
    }
  }

  /// Returns strings whose translations may have been made for another source text. The platform does not return the source text of such a
  /// translation, and it no longer has the string, or has the string with another source text.
  private func ofOtherSources(
    _ parts: [OutstandingWork.Part], _ translations: [PlatformID: PlatformTranslation]
  ) async throws -> [PlatformString] {
    let unsure = parts.flatMap { strings(of: $0) }.filter { string in
      translations[string.id].map { $0.source == nil } ?? false
    }
    guard !unsure.isEmpty else { return [] }
    let stored = try await platform.strings(Set(unsure.map(\.id)))
    return unsure.filter { string in
      stored[string.id].map { Self.sourceDiffers($0.source, string.source) } ?? true
    }
  }
}

internal import Localization

extension PlatformVendor {
  /// Reads the platform's translations of the parts' strings into one language, and reports unreadable translations. Unfinished translations of an
  /// older source text are left out.
  func translations(
    of parts: [OutstandingWork.Part], _ code: String, _ diagnostics: inout [Diagnostic]
  ) async throws -> [PlatformID: PlatformTranslation] {
    let strings = parts.flatMap { self.strings(of: $0) }
    let answers = try await platform.translations(Set(strings.map(\.id)), code: code)
    diagnostics += answers.compactMap(\.fault).map { Diagnostic(path: name, severity: .warning, message: $0) }
    let outdated = try older.among(answers, of: strings, code: code)
    return Dictionary(answers.filter { $0.fault == nil && !outdated.contains($0.id) }.map { ($0.id, $0) }) {
      first, _ in first
    }
  }

  /// Adds a platform's translations for a shipment to the result of a pull or of a search for corrections.
  func answer(
    _ part: OutstandingWork.Part, with translations: [PlatformID: PlatformTranslation],
    by translators: [PlatformID: Translator], into result: inout PullResult
  ) {
    let (translations, translators) = (answers(to: part, in: translations), answers(to: part, in: translators))
    var files: [ExchangeFile] = []
    for file in part.shipment.files {
      let answer = PlatformPacking.answer(
        to: file, with: translations, by: translators, keepsPlurals: Platform.keepsPlurals,
        state: { settings.state(of: $0) })
      if let file = answer.file { files.append(file) }
      result.partlyTranslated += answer.partlyTranslated.count
      result.diagnostics += answer.withoutForms.sorted().map { id in
        Diagnostic(
          path: name, severity: .warning,
          message: "“\(id.name.withVisibleControls)” of \(id.catalog) has no plural forms at the vendor, so its "
            + "translation into \(file.targetLanguage) is not accepted",
          hint: "give the string plural forms at the vendor, and translate them")
      }
      result.diagnostics += answer.withForms.sorted().map { id in
        Diagnostic(
          path: name, severity: .warning,
          message: "“\(id.name.withVisibleControls)” of \(id.catalog) has no plural forms in the repository, so its "
            + "translation into \(file.targetLanguage), which has plural forms, is not accepted",
          hint: "translate it as one text at the vendor, or give its source text plural forms in the repository")
      }
    }
    guard !files.isEmpty else { return }
    var digest = ContentDigest()
    for file in files {
      digest.update(text: file.original)
      digest.update(text: file.targetLanguage.rawValue)
      for unit in file.units {
        digest.update(text: ExchangeIdentifier.text(key: unit.key, path: unit.path))
        for text in [unit.source, unit.target?.text] { if case .text(let text)? = text { digest.update(text: text) } }
        digest.update(text: unit.target?.state ?? "")
      }
    }
    result.bundles.append(
      ReturnedBundle(reference: part.receipt.reference, digest: digest.finishHexadecimal(), files: files))
  }
}

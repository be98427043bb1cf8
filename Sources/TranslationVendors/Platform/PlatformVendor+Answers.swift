internal import Localization

extension PlatformVendor {
  /// Adds what a platform has of a shipment to the result of a pull.
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
          message: "“\(id.name.withVisibleControls)” of \(id.catalog) has no plural forms there, so its translation "
            + "into \(file.targetLanguage) is not taken",
          hint: "give it plural forms there, and translate them")
      }
    }
    guard !files.isEmpty else { return }
    var digest = ContentDigest()
    for file in files {
      digest.update(text: file.original)
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

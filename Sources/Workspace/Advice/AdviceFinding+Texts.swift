import Localization

extension AdvisedUnit {
  /// Returns a digest of the source text and of the translation into a language.
  func digest(in language: LocaleIdentifier?) -> String {
    var digest = ContentDigest()
    for translation in [source.translation, language.flatMap { entry.translations[$0] }] {
      for (path, leaf) in translation?.leaves ?? [] {
        digest.update(text: path.text)
        switch leaf.words {
        case .text(let text): digest.update(text: text)
        case .phrases(let phrases): for phrase in phrases { digest.update(text: phrase) }
        }
      }
    }
    return digest.finish().prefix(8).hexadecimal
  }
}

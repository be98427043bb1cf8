internal import Localization

/// Sends the length limits that comments declare to a platform.
enum PlatformLimits {
  /// Sets the limit to send with a string: the one that its comment declares; 0 if it declares none any more and the platform still has
  /// the one that the stored comment declared; otherwise `nil`, which keeps a limit that people set at the platform.
  static func set<Platform: TranslationPlatform>(
    _ string: inout PlatformString, over stored: StoredString?, at platform: Platform.Type
  ) {
    string.maxLength = declared(string.comment, string.source, at: platform)
    guard string.maxLength == nil, let stored, let old = declared(stored.comment, stored.source, at: platform),
      stored.limit.map({ $0 == .characters(old) }) ?? true
    else { return }
    string.maxLength = 0
  }

  /// Whether the platform reports a limit other than the one to be set.
  static func differs(_ stored: StoredString, from string: PlatformString) -> Bool {
    guard let limit = string.maxLength, let there = stored.limit else { return false }
    return there != StoredLimit(limit)
  }

  private static func declared<Platform: TranslationPlatform>(
    _ comment: String?, _ source: PlatformText, at platform: Platform.Type
  ) -> Int? {
    let texts = source.texts
    guard let limit = DeclaredLimits.maxLength(in: comment, of: texts) else { return nil }
    guard Platform.countsPlaceholders else { return limit }
    return limit + (texts.map { $0.count - DeclaredLimits.length(of: $0) }.max() ?? 0)
  }
}

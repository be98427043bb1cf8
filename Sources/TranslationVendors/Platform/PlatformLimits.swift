internal import Localization

/// Functions that determine the length limits to send to a platform. Developers declare limits in comments.
enum PlatformLimits {
  /// Sets the limit to send with a string. This is the limit that the string's comment declares. If the comment no longer declares a limit, but the
  /// platform's comment does, the limit is 0, which removes the platform's limit. The limit is only removed if it still equals the limit in the
  /// platform's comment, or if the platform does not report limits. Otherwise the limit is `nil`, which keeps a limit that people set at the
  /// platform.
  static func set<Platform: TranslationPlatform>(
    _ string: inout PlatformString, over stored: StoredString?, at platform: Platform.Type
  ) {
    string.maxLength = declared(string.comment, string.source, at: platform)
    guard string.maxLength == nil, let stored, let old = declared(stored.comment, stored.source, at: platform),
      stored.limit.map({ $0 == .characters(old) }) ?? true
    else { return }
    string.maxLength = 0
  }

  /// Returns whether the platform reports a limit other than the limit to send.
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

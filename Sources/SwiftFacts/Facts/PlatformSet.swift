/// Apple's platforms and their simulators for which code under `#if` is compiled, and whether Release builds compile it.
package struct PlatformSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let macOS = PlatformSet(rawValue: 1)
  package static let iOS = PlatformSet(rawValue: 2 | 32)
  package static let tvOS = PlatformSet(rawValue: 4 | 64)
  package static let watchOS = PlatformSet(rawValue: 8 | 128)
  package static let visionOS = PlatformSet(rawValue: 16 | 256)
  package static let simulators = PlatformSet(rawValue: 32 | 64 | 128 | 256)
  /// All platforms and simulators, without Release builds.
  package static let platforms = PlatformSet(rawValue: 511)
  /// Release builds for any platform. The set of code under `#if DEBUG` lacks this element.
  package static let release = PlatformSet(rawValue: 512)
  package static let all = PlatformSet(rawValue: 1023)

  package var complement: PlatformSet { PlatformSet(rawValue: Self.all.rawValue & ~rawValue) }

  /// Returns the platform for a name in `os(…)`; `nil` for a system that is not Apple's.
  package static func named(_ name: String) -> PlatformSet? {
    switch name {
    case "macOS", "OSX": macOS
    case "iOS": iOS
    case "tvOS": tvOS
    case "watchOS": watchOS
    case "visionOS", "xrOS": visionOS
    default: nil
    }
  }
}

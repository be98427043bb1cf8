internal import Foundation

/// The system's clock, in seconds since 1970.
package func systemSeconds() -> Int64 { Int64(Date().timeIntervalSince1970) }

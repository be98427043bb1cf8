internal import Foundation

/// Returns the system's time, in seconds since 1970.
package func systemSeconds() -> Int64 { Int64(Date().timeIntervalSince1970) }

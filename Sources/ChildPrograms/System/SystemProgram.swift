private import Glibc

/// Programs of the system that run as children.
enum SystemProgram {
  /// The folders of programs, as in the variable PATH.
  static var path: String { unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin" }

  /// Returns the path of a program.
  /// - Parameter package: the Debian package that has it, for the message.
  static func find(_ name: String, package: String) throws(SystemFault) -> String {
    for folder in path.split(separator: ":") where unsafe access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw SystemFault(detail: "the program \(name) is missing. Install it (Debian: apt-get install \(package))")
  }
}

import Foundation
import PackagePlugin

/// `swift package localize status|check|sync …`: runs the installed program in the folder of the package.
@main
struct Localize: CommandPlugin {
  private static let commands = ["status", "check", "sync"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard Self.commands.contains(arguments.first ?? "") else {
      let given = arguments.first.map { "there is no command \($0)" } ?? "a command is missing"
      throw Failure(
        "\(given). Use swift package localize \(Self.commands.joined(separator: "|")), with the options of dragoman")
    }
    let environment = ProcessInfo.processInfo.environment
    guard let program = Self.program(environment) else {
      throw Failure("dragoman is not installed. Install it, or set DRAGOMAN to its path")
    }
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw Failure("DRAGOMAN is \(program), which is not a program that can be run. Set it to the path of dragoman")
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    do { try process.run() } catch {
      throw Failure("\(program) cannot be started. Set DRAGOMAN to the path of dragoman")
    }
    process.waitUntilExit()
    // SwiftPM exits with 1 whenever a plugin fails, so the code of the program is in the message.
    guard process.terminationStatus != 0 else { return }
    throw Failure("dragoman \(arguments[0]) ended with exit code \(process.terminationStatus)")
  }

  /// Returns the path in DRAGOMAN, or else the first program named dragoman in PATH or in the usual folders of installers.
  private static func program(_ environment: [String: String]) -> String? {
    if let path = environment["DRAGOMAN"], !path.isEmpty { return path }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"]).map { $0 + "/dragoman" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

import ArgumentParser
import CatalogFormats
import Foundation
import Localization

struct ReprintCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("reprint", help)

  static let help = CommandHelp(
    message(
      "Rewrite String Catalogs, .strings, .stringsdict and XLIFF files as Xcode would write them.",
      comment: "Describes the command reprint."),
    notes: [
      message(
        """
        Only the order of keys and the final newline are kept. The files are changed in place; with --check, they are only compared.
        """, comment: "Help for reprint.")
    ],
    examples: [
      "dragoman reprint --check App/Localizable.xcstrings",
      "dragoman reprint App/*.xcstrings",
    ],
    exits: [
      .done,
      .init(
        .finding,
        message("--check: Xcode would write a file differently", comment: "Help: when a command exits with 1.")),
      .usage,
      .init(
        .unreadableInput,
        message("a file cannot be read; the others are rewritten", comment: "Help: when a command exits with 65.")),
      .noFile,
      .notWritten,
    ])

  @Argument(help: .init(HelpText.reprintFiles, valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: .init(HelpText.reprintCheck))
  var check = false

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    var differing = 0
    var unreadable = 0
    for file in files {
      let bytes = try readFile(file)
      let printed: [UInt8]
      do {
        printed = try Reprint.reprint(bytes, at: TreePath(trusted: file))
      } catch {
        console.show(error.diagnostics)
        unreadable += 1
        continue
      }
      guard printed != bytes else { continue }
      differing += 1
      if check {
        console.result(Self.firstDifference(of: bytes, from: printed, in: file))
      } else {
        try writeFile(printed, to: file)
        console.result(file)
      }
    }
    console.say(
      message(
        "%@: %lld printed differently, %lld unreadable.",
        counted(
          files.count, one: message("1 file", comment: "A count."),
          other: message("%lld files", files.count, comment: "A count.")), differing, unreadable,
        comment: "The last line of the command reprint: counts of files."))
    if unreadable > 0 { throw ExitStatus.unreadableInput.code }
    if check && differing > 0 { throw ExitStatus.finding.code }
  }

  /// Returns the first difference: `path:line:column: byte N: "…" would be "…"`.
  private static func firstDifference(of old: [UInt8], from new: [UInt8], in file: String) -> String {
    let offset = Reprint.firstDifference(old, new) ?? 0
    let line = old[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
    let lineStart = old[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let excerpt = { (bytes: [UInt8]) in
      String(decoding: bytes[min(offset, bytes.count)..<min(offset + 24, bytes.count)], as: UTF8.self).debugDescription
    }
    return "\(file):\(line):\(offset - lineStart + 1): byte \(offset): \(excerpt(old)) would be \(excerpt(new))"
  }
}

/// Reads a file that the user named.
func readFile(_ path: String) throws -> [UInt8] {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
    throw CommandFailure(.notFound, message("%@: no such file", path, comment: "An error: a path."))
  }
  do {
    return Array(try Data(contentsOf: URL(filePath: path)))
  } catch {
    throw CommandFailure(
      .unreadableInput,
      message("cannot read %@: %@", path, systemReason(error), comment: "An error: a path and the reason."))
  }
}

/// Replaces a file completely, or leaves it unchanged. Refuses a symbolic link, and any existing object other than a regular file, such as a device.
func writeFile(_ bytes: [UInt8], to path: String) throws {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
    throw CommandFailure(
      .unreadableInput,
      message("%@ is a symbolic link; give the path of the file that it points to", path, comment: "An error: a path."))
  }
  let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  guard kind == nil || kind == .typeRegular else {
    throw CommandFailure(
      .unreadableInput, message("%@ is not a regular file, so it is not replaced", path, comment: "An error: a path."))
  }
  do {
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  } catch {
    throw CommandFailure(
      .disk, message("cannot write %@: %@", path, systemReason(error), comment: "An error: a path and the reason."))
  }
}

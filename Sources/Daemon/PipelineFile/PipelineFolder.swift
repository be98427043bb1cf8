internal import FoundationEssentials
package import Localization
package import Pipeline

/// A folder of pipeline files.
package enum PipelineFolder {
  /// Reads every `.yaml` and `.yml` file of the folder, in the order of their names; hidden files and folders below it are left out.
  ///
  /// - Throws: The faults of all files at once; two pipelines of one name are a fault.
  package static func read(_ folder: String) throws(InputFault) -> [(path: String, definition: PipelineDefinition)] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw InputFault(
        Diagnostic(
          path: folder, severity: .error, message: "the folder cannot be read",
          hint: "check that it is there, and its rights"))
    }
    var found: [(path: String, definition: PipelineDefinition)] = []
    var diagnostics: [Diagnostic] = []
    var namesTaken: [String: String] = [:]
    for name in names.filter(isPipelineFile).sorted() {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let faults = FaultList(path: path)
      if let bytes = bytes(of: path, faults: faults) {
        let draft = PipelineFile.draft(bytes, faults: faults)
        if let name = draft.name {
          // File systems that fold case would mix their files up.
          let identity = name.value.lowercased()
          if let other = namesTaken[identity] {
            name.field.report(
              "\(name.field.shown) is the name of the pipeline in \(other) too", hint: "give each pipeline its own")
          }
          namesTaken[identity] = namesTaken[identity] ?? path
        }
        if let definition = draft.definition { found.append((path, definition)) }
      }
      diagnostics += faults.diagnostics
    }
    guard diagnostics.isEmpty else { throw InputFault(diagnostics) }
    return found
  }

  private static func isPipelineFile(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
  }

  /// Asks for the kind and size first: a pipe would never end.
  private static func bytes(of path: String, faults: FaultList) -> [UInt8]? {
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { link in
      link.hasPrefix("/") ? link : path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + link
    }
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: target ?? path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else {
      faults.add("is not a file", hint: "a pipeline is a file, or a symbolic link to one")
      return nil
    }
    if let size = attributes[.size] as? UInt64, size > UInt64(FileLimits.bytes) {
      faults.add("\(size) bytes are too many for a pipeline file", hint: "the limit is \(FileLimits.bytes)")
      return nil
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      faults.add("cannot be read", hint: "check the file's rights")
      return nil
    }
    return Array(data)
  }
}

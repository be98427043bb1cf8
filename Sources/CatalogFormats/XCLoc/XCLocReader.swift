package import Localization
internal import StructuredText

extension XCLoc {
  /// Reads a bundle, or a bare `.xliff` file.
  ///
  /// A bundle can be incomplete. If `contents.json` is missing, the languages come from the XLIFF. Languages and files that are not in the
  /// project are accepted here and checked by the review.
  /// - Parameter folder: the bundle's folder, a folder that contains exactly one bundle, or the `.xliff` file.
  /// - Throws: `InputFault` if no bundle or XLIFF file is found, if it cannot be read, or if the bundle exceeds a limit.
  package static func read(
    _ tree: any SourceTree, at folder: TreePath, limits: XCLocLimits = XCLocLimits()
  ) throws(InputFault) -> XCLocBundle {
    var reader = XCLocReader(tree: tree, limits: limits)
    return try reader.read(folder)
  }
}

extension XCLoc {
  /// Returns whether a file name ends with `.xliff`, or with `.xlf`, which some tools write. Case is ignored.
  package static func isXLIFF(_ path: TreePath) -> Bool { ["xliff", "xlf"].contains(path.ending.lowercased()) }
}

private struct XCLocReader {
  private let tree: any SourceTree
  private let limits: XCLocLimits
  private var diagnostics: [Diagnostic] = []
  private var bytesRead = 0
  private var entriesRead = 0

  init(tree: any SourceTree, limits: XCLocLimits) {
    self.tree = tree
    self.limits = limits
  }

  mutating func read(_ folder: TreePath) throws(InputFault) -> XCLocBundle {
    guard let entry = try entry(folder) else { throw fault(folder, "no such bundle") }
    if entry.isFile {
      guard XCLoc.isXLIFF(folder) else { throw fault(folder, "this is neither a bundle nor an .xliff file") }
      return bundle(of: [try xliff(folder)])
    }
    guard entry.kind == .folder else {
      throw fault(folder, "this is not a folder", hint: "symbolic links are not followed")
    }
    let entries = try list(folder)
    let localized = folder.appending(XCLoc.localizedContents)
    guard entries.contains(where: { $0.path == localized && $0.kind == .folder }) else {
      let bundles = entries.filter { $0.kind == .folder && $0.path.ending == "xcloc" }
      if bundles.count == 1 { return try read(bundles[0].path) }
      throw fault(
        folder, "the folder 'Localized Contents' is missing",
        hint: bundles.isEmpty
          ? "this is not an .xcloc bundle" : "choose one of the \(bundles.count) bundles in this folder")
    }
    let documents = try self.documents(in: localized)
    var bundle = bundle(of: documents)
    if entries.contains(where: { $0.path == folder.appending(XCLoc.contents) }) {
      try readContents(folder.appending(XCLoc.contents), into: &bundle)
    } else {
      note(folder, .note, "the bundle has no contents.json; the languages come from the XLIFF")
    }
    bundle.localizedContents = try files(below: localized, among: entries, where: { !XCLoc.isXLIFF($0) })
    bundle.sourceContents = try files(below: folder.appending(XCLoc.sourceContents), among: entries)
    bundle.notes = try files(below: folder.appending(XCLoc.notes), among: entries)
    bundle.diagnostics += diagnostics
    return bundle
  }

  /// Reads all XLIFF files of `Localized Contents`. If a file cannot be read, the other files are still read.
  private mutating func documents(in localized: TreePath) throws(InputFault) -> [XLIFFDocument] {
    let paths = try list(localized).filter { XCLoc.isXLIFF($0.path) }
    guard !paths.isEmpty else { throw fault(localized, "this folder has no .xliff file") }
    var documents: [XLIFFDocument] = []
    var faults: [Diagnostic] = []
    for entry in paths {
      do { documents.append(try xliff(entry.path)) } catch { faults += error.diagnostics }
    }
    guard !documents.isEmpty else { throw InputFault(faults) }
    diagnostics += faults
    return documents
  }

  private mutating func xliff(_ path: TreePath) throws(InputFault) -> XLIFFDocument {
    try XLIFF.read(bytes(path), at: path.text)
  }

  private func bundle(of documents: [XLIFFDocument]) -> XCLocBundle {
    let files = documents.flatMap(\.files)
    var bundle = XCLocBundle(
      targetLanguage: files.first?.targetLanguage ?? "", developmentRegion: files.first?.sourceLanguage ?? "",
      project: "",
      tool: documents.lazy.compactMap(\.tool).first, files: files)
    bundle.diagnostics = documents.flatMap(\.diagnostics)
    return bundle
  }

  private mutating func readContents(_ path: TreePath, into bundle: inout XCLocBundle) throws(InputFault) {
    let document: JSONDocument
    do { document = try JSONDocument.parse(try bytes(path), limits: JSONLimits(depth: 32, size: 1 << 20)) } catch let
      error as SyntaxError
    {
      diagnostics += InputFault(error, path: path.text).diagnostics.map {
        Diagnostic(
          path: $0.path, line: $0.line, column: $0.column, severity: .warning, message: $0.message,
          hint: "the languages come from the XLIFF")
      }
      return
    } catch let error as InputFault {
      throw error
    } catch {
      throw fault(path, "the file is unreadable: \(error)")
    }
    func string(_ key: StaticString) -> String? { document.value(key, of: document.root).flatMap(document.stringValue) }
    if let project = string("project") ?? string("workspace") { bundle.project = project }
    if let region = string("developmentRegion") { bundle.developmentRegion = LocaleIdentifier(region) }
    if let language = string("targetLocale") {
      if !bundle.targetLanguage.rawValue.isEmpty, !bundle.targetLanguage.rawValue.isExactly(language) {
        note(
          path, .warning, "the language here is '\(language)', but the XLIFF has '\(bundle.targetLanguage)'",
          hint: "each file is imported into the target-language of its <file>")
      }
      bundle.targetLanguage = LocaleIdentifier(language)
    }
  }

  /// Returns the files below a folder of the bundle, by their paths in that folder.
  /// - Parameter isWanted: returns whether to read the file at a path.
  private mutating func files(
    below folder: TreePath, among entries: [TreeEntry], where isWanted: (TreePath) -> Bool = { _ in true }
  ) throws(InputFault) -> [TreePath: [UInt8]] {
    guard entries.contains(where: { $0.path == folder && $0.kind == .folder }) else { return [:] }
    var found: [TreePath: [UInt8]] = [:]
    var unreadable: [TreeError] = []
    for entry in tree.walk(folder, unreadable: { unreadable.append($0) }) {
      guard entry.isFile else {
        note(entry.path, .warning, "skipped: this is a symbolic link or a submodule")
        continue
      }
      guard isWanted(entry.path), let path = entry.path.relative(to: folder) else { continue }
      found[path] = try bytes(entry.path)
    }
    diagnostics += unreadable.map(\.diagnostic)
    return found
  }

  private mutating func bytes(_ path: TreePath) throws(InputFault) -> [UInt8] {
    entriesRead += 1
    guard entriesRead <= limits.entries else { throw fault(path, "the bundle has more than \(limits.entries) files") }
    let bytes: [UInt8]
    do { bytes = try tree.read(path) } catch { throw InputFault(error.diagnostic) }
    bytesRead += bytes.count
    guard bytesRead <= limits.bytes else { throw fault(path, "the bundle has more than \(limits.bytes) bytes") }
    return bytes
  }

  private func entry(_ path: TreePath) throws(InputFault) -> TreeEntry? {
    do {
      return path.isRoot ? TreeEntry(path: .root, kind: .folder) : try tree.entry(at: path)
    } catch { throw InputFault(error.diagnostic) }
  }

  private func list(_ folder: TreePath) throws(InputFault) -> [TreeEntry] {
    do { return try tree.list(folder) } catch { throw InputFault(error.diagnostic) }
  }

  private func fault(_ path: TreePath, _ message: String, hint: String? = nil) -> InputFault {
    InputFault(Diagnostic(path: path.text, severity: .error, message: message, hint: hint))
  }

  private mutating func note(_ path: TreePath, _ severity: Diagnostic.Severity, _ message: String, hint: String? = nil)
  {
    diagnostics.append(Diagnostic(path: path.text, severity: severity, message: message, hint: hint))
  }
}

internal import CatalogFormats
package import Localization
package import ZipArchive

/// A reader of the files that translators return: zips with bundles or XLIFF files, unpacked bundles, and single XLIFF files.
package struct BundleReader: Sendable {
  /// The limits for one bundle, such as the numbers of bytes, files and nested folders.
  package static let limits = ArchiveLimits()

  /// The bundle's path. The paths in diagnostics begin with it.
  private let place: TreePath
  package private(set) var files: [ExchangeFile] = []
  /// The files in `Localized Contents` other than XLIFF: images and other localized files, by their path in the project (xcode-formats.md C). Each
  /// has one version for each different content, because the bundles of several languages contain files with the same path, such as the
  /// `Contents.json` of an image set. These files are not imported.
  package private(set) var assets: [TreePath: Set<[UInt8]>] = [:]
  package private(set) var diagnostics: [Diagnostic] = []

  package init(place: TreePath) { self.place = place }

  /// Reads a zip or an XLIFF file. Any other file is reported as an error.
  package mutating func readFile(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("PK".utf8)) {
      do { read(try ZipArchive.read(bytes, limits: Self.limits), links: []) } catch {
        fault("\(error)", hint: "zip the .xcloc folder again")
      }
    } else if XCLoc.isXLIFF(place) || XLIFF.beginsAsXML(bytes) {
      readXLIFF(bytes, at: place.text)
    } else {
      fault("this is neither a zip nor an XLIFF file", hint: Self.wanted)
    }
    noteEmpty()
  }

  /// Reads the bundles and XLIFF files in a set of files, and reports symbolic links outside bundles. A set without an XLIFF file or without any text
  /// is reported as an error.
  package mutating func read(_ contents: [TreePath: [UInt8]], links: Set<TreePath>) {
    let contents = contents.filter { !DropNames.isLitter($0.key) }
    let xliffs = contents.keys.filter(XCLoc.isXLIFF).sorted()
    // A bundle is a folder with XLIFF files in its `Localized Contents`, whatever its name. Other XLIFF files are read individually.
    let folders = Set(xliffs.filter { $0.parent.name == "Localized Contents" }.map(\.parent.parent))
    let bundles = folders.filter { folder in !folders.contains { $0 != folder && folder.isWithin($0) } }.sorted()
    for folder in bundles {
      let localized = folder.appending("Localized Contents")
      for (path, bytes) in contents where path.isWithin(localized) && !xliffs.contains(path) {
        if let place = path.relative(to: localized) { assets[place, default: []].insert(bytes) }
      }
    }
    let tree = InMemoryTree(contents, links: links)
    for folder in bundles {
      do {
        let bundle = try XCLoc.read(tree, at: folder)
        files += bundle.files
        diagnostics += bundle.diagnostics.map(placed)
      } catch {
        diagnostics += error.diagnostics.map(placed)
      }
    }
    for path in xliffs where !bundles.contains(where: { path.isWithin($0) }) {
      readXLIFF(contents[path] ?? [], at: place.appending(path).text)
    }
    for link in links.sorted() where !bundles.contains(where: { link.isWithin($0) }) {
      diagnostics.append(
        Diagnostic(
          path: place.appending(link).text, severity: .warning,
          message: "skipped: this is a symbolic link; symbolic links are not followed"))
    }
    if xliffs.isEmpty {
      fault(
        "it contains no .xliff file",
        hint: Self.wanted)
    }
    noteEmpty()
  }

  /// Reports a bundle without any text as an error, because such a bundle was probably returned by mistake. A bundle with an error is held. Nothing
  /// is reported if there already is an error.
  private mutating func noteEmpty() {
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    if files.allSatisfy(\.units.isEmpty) { fault("it contains no text", hint: Self.wanted) }
  }

  private mutating func readXLIFF(_ bytes: [UInt8], at path: String) {
    do {
      let document = try XLIFF.read(bytes, at: path)
      files += document.files
      diagnostics += document.diagnostics
    } catch {
      diagnostics += error.diagnostics
    }
  }

  mutating func fault(_ message: String, hint: String? = nil) {
    diagnostics.append(Diagnostic(path: place.text, severity: .error, message: message, hint: hint))
  }

  private static let wanted = "return a zip of .xcloc bundles, an .xcloc folder, or an .xliff file"

  private func placed(_ diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic(
      path: place.appending(diagnostic.path.isEmpty ? .root : TreePath(trusted: diagnostic.path)).text,
      line: diagnostic.line,
      column: diagnostic.column, severity: diagnostic.severity, message: diagnostic.message, hint: diagnostic.hint)
  }
}

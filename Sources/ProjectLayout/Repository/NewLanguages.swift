package import Localization

extension RepositoryLayout {
  /// Adds languages, and the new files in these languages, to Xcode's project files. Packages and folders need no change, but problems in the
  /// manifests of packages are reported.
  package func registering(
    _ localizations: [NewLocalization], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    let kinds = Dictionary(project.targets.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    var ofProjects: [TreePath: [NewLocalization]] = [:]
    var ofPackages: [TreePath: [NewLocalization]] = [:]
    for localization in localizations {
      for kind in Set(localization.catalog.targets.compactMap { kinds[$0] }) {
        switch kind {
        case .xcode(let path): ofProjects[path, default: []].append(localization)
        case .package(let path): ofPackages[path, default: []].append(localization)
        case .folder: break
        }
      }
    }
    for (path, localizations) in ofProjects.sorted(by: { $0.key < $1.key }) {
      do {
        let bytes = try tree.read(path)
        let project = try XcodeProject(bytes, at: path)
        var splice = ProjectSplice(project)
        for localization in localizations {
          splice.add(localization.language)
          if let file = localization.file {
            splice.add(file, in: localization.language, beside: localization.catalog.path)
          }
        }
        diagnostics += splice.diagnostics
        guard !splice.isEmpty else { continue }
        if let bytesAfter = splice.applied(), Self.isKept(project, in: bytesAfter) {
          edits.write(bytesAfter, to: path)
        } else {
          diagnostics.append(
            Diagnostic(
              path: path.text, severity: .error,
              message:
                "reading back the project file with the new languages gave different content, so it "
                + "was not changed", hint: "add the language in Xcode: Project, Info, Localizations"))
        }
      } catch {
        diagnostics += XcodeProject.diagnostics(of: error, reading: path)
      }
    }
    for (path, localizations) in ofPackages.sorted(by: { $0.key < $1.key }) {
      diagnostics += Self.findings(of: path, localizations, in: tree)
    }
    return (edits, diagnostics)
  }

  /// Returns whether a changed project file can be read, has the same content by `isLikewise`, and still begins its `knownRegions` with the earlier
  /// regions.
  private static func isKept(_ project: XcodeProject, in bytes: [UInt8]) -> Bool {
    guard let after = try? XcodeProject(bytes, at: project.path) else { return false }
    return after.isLikewise(project) && after.knownRegions.starts(with: project.knownRegions)
  }

  /// Returns the problems in a manifest that keep the package's texts from being found at run time. The manifest is not changed here.
  private static func findings(
    of path: TreePath, _ localizations: [NewLocalization], in tree: any SourceTree
  ) -> [Diagnostic] {
    guard let bytes = try? tree.read(path), let source = localizations.first?.catalog.sourceLanguage else { return [] }
    let manifest = ManifestReader.read(bytes, at: path)
    guard let language = manifest.defaultLocalization else {
      return [
        Diagnostic(
          path: path.text, severity: .warning,
          message: "the manifest has no defaultLocalization; without it, SwiftPM builds no localized "
            + "resources",
          hint: "add defaultLocalization: \"\(source)\"")
      ]
    }
    guard language != source else { return [] }
    return [
      Diagnostic(
        path: path.text, severity: .warning,
        message: "the defaultLocalization is \(language), but the texts of the package are in \(source)",
        hint: "set it to the language of the source texts")
    ]
  }
}

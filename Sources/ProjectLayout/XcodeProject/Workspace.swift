import Localization
import StructuredText

/// The content of a `contents.xcworkspacedata`: the projects and packages that are built together.
struct Workspace: Sendable {
  /// The `project.pbxproj` files of the projects.
  private(set) var projects: [TreePath] = []
  /// The folders that may be packages.
  private(set) var packages: [TreePath] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ bytes: [UInt8], at path: TreePath) {
    let document: XMLDocument
    do { document = try XMLDocument.parse(bytes) } catch {
      diagnostics = error.faults.map {
        Diagnostic(
          path: path.text, line: $0.position.line, column: $0.position.column, severity: .warning,
          message: "\($0.message); the projects of this workspace are unknown", hint: $0.hint)
      }
      return
    }
    // References are relative to the folder that contains the `.xcworkspace`, or to the folder of their group.
    var pending: [(element: XMLNode, folder: TreePath?)] = [(document.root, path.parent.parent)]
    while let (element, folder) = pending.popLast() {
      var inner = folder
      if let location = document.attribute("location", of: element) {
        inner = Self.place(location, in: folder, root: path.parent.parent)
        if let inner, document.localName(of: element) == "FileRef" {
          if inner.ending == "xcodeproj" {
            projects.append(inner.appending("project.pbxproj"))
          } else {
            packages.append(inner)
          }
        }
      }
      for child in document.elements(of: element).reversed() { pending.append((child, inner)) }
    }
  }

  private static func place(_ location: String, in folder: TreePath?, root: TreePath) -> TreePath? {
    guard let colon = location.firstIndex(of: ":") else { return nil }
    let text = String(location[colon...].dropFirst())
    let base: TreePath?
    switch location[..<colon] {
    case "group": base = folder
    case "container": base = root
    default: return nil
    }
    guard let base, !text.hasPrefix("/") else { return nil }
    return TreePath(checking: base.appending(text).text)
  }
}

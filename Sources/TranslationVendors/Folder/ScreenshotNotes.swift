internal import Localization

/// Screenshots in the `Notes` of a bundle: the pictures, and a text that says which strings each of them shows.
enum ScreenshotNotes {
  static let index: TreePath = "Screenshots.txt"
  static let folder: TreePath = "Screenshots"

  /// - Returns: files by their path below `Notes`; empty without screenshots.
  static func files(of screenshots: [Screenshot]) -> [TreePath: [UInt8]] {
    guard !screenshots.isEmpty else { return [:] }
    var files: [TreePath: [UInt8]] = [:]
    var text = "Which strings the pictures in the folder Screenshots show:\n"
    for screenshot in screenshots.sorted(by: { $0.name < $1.name }) {
      files[folder.appending(screenshot.name)] = screenshot.bytes
      text += "\n\(screenshot.name.withVisibleControls)\n"
      for unit in screenshot.units.sorted() {
        text += "  \(unit.catalog.text.withVisibleControls): \(unit.key.text.withVisibleControls)\n"
      }
    }
    files[index] = Array(text.utf8)
    return files
  }
}

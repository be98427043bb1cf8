internal import Localization

/// The screenshots in the `Notes` of a bundle: the pictures, and a text file that lists the strings of each picture.
enum ScreenshotNotes {
  static let index: TreePath = "Screenshots.txt"
  static let folder: TreePath = "Screenshots"

  /// Returns the files by their paths below `Notes`; empty if there are no screenshots.
  static func files(of screenshots: [Screenshot]) -> [TreePath: [UInt8]] {
    guard !screenshots.isEmpty else { return [:] }
    var files: [TreePath: [UInt8]] = [:]
    var text = "The strings that each picture in the folder Screenshots shows:\n"
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

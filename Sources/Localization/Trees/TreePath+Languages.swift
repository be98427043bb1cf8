/// Properties of paths that concern languages. They depend only on the path, not on files.
extension TreePath {
  /// Whether the parent folder belongs to a language, or is `Base.lproj` or `mul.lproj`: `App/de.lproj/Main.strings`.
  package var isInLanguageFolder: Bool { parent.ending == "lproj" }

  /// The folder of the file, or the folder above it if the file is in a language folder: `App` for `App/de.lproj/Main.strings` and for
  /// `App/Main.strings`.
  package var folderOfLanguages: TreePath { isInLanguageFolder ? parent.parent : parent }

  /// The path without its language folder and ending, which is the same for the files of all languages: `App/Main` for
  /// `App/de.lproj/Main.strings`.
  package var withoutLanguage: TreePath { folderOfLanguages.appending(stem) }

  /// The paths of a String Catalog for the texts of this file: in `mul.lproj`, where Xcode puts the catalog of an interface file, and next to the
  /// language folders, where Xcode puts the catalog of a table (xcode-formats.md G). Either path may contain the texts of an interface file.
  package var stringCatalogs: [TreePath] {
    [folderOfLanguages.appending("mul.lproj"), folderOfLanguages].map { $0.stringCatalog(of: stem) }
  }

  /// The endings of files that contain texts and have one `.strings` file with translations for each language (xcode-formats.md G).
  package static let interfaceEndings = ["storyboard", "xib", "intentdefinition"]

  /// Whether this is the path of a storyboard, a xib or an intent definition.
  package var isInterface: Bool { Self.interfaceEndings.contains(ending) }

  /// Whether this is the path of the bundle that the Settings app shows. Builds copy this bundle into an app without changes.
  package var isSettingsBundle: Bool { name.isExactly("Settings.bundle") }

  /// Whether this is the path of a Core Data model or of a file inside it: `App/Model.xcdatamodeld/Model.xcdatamodel/contents`.
  package var isInDataModel: Bool {
    text.holds(".xcdatamodel")
      && components.contains { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".xcdatamodeld") }
  }

  /// Whether this is the path of the `contents` file of one version of a Core Data model.
  package var isDataModel: Bool { name.isExactly("contents") && parent.ending == "xcdatamodel" }

  /// Whether this is the path of a language's file in a `Settings.bundle`: `App/Settings.bundle/de.lproj/Root.strings`.
  package var isInSettingsBundle: Bool { isInLanguageFolder && folderOfLanguages.isSettingsBundle }
}

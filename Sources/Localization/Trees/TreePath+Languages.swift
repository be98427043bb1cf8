/// Where the files of a language lie, as far as paths alone tell it.
extension TreePath {
  /// Whether it lies in the folder of a language, or in `Base.lproj` or `mul.lproj`: `App/de.lproj/Main.strings`.
  package var isInLanguageFolder: Bool { parent.ending == "lproj" }

  /// The folder that it, or the folder of its language, lies in: `App` for `App/de.lproj/Main.strings` and for `App/Main.strings`.
  package var folderOfLanguages: TreePath { isInLanguageFolder ? parent.parent : parent }

  /// The file without its language and its ending, which the files of all languages share: `App/Main` for `App/de.lproj/Main.strings`.
  package var withoutLanguage: TreePath { folderOfLanguages.appending(stem) }

  /// The endings of the files that hold texts of their own, which a `.strings` a language translates (xcode-formats.md G).
  package static let interfaceEndings = ["storyboard", "xib", "intentdefinition"]

  /// Whether it is a storyboard, a xib or an intent definition.
  package var isInterface: Bool { Self.interfaceEndings.contains(ending) }

  /// Whether it is the bundle that the Settings app shows, which is copied into an app as it is.
  package var isSettingsBundle: Bool { name.isExactly("Settings.bundle") }

  /// Whether it is a Core Data model, or a file in one: `App/Model.xcdatamodeld/Model.xcdatamodel/contents`.
  package var isInDataModel: Bool {
    text.contains(".xcdatamodel")
      && components.contains { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".xcdatamodeld") }
  }

  /// Whether it is what a version of a Core Data model says.
  package var isDataModel: Bool { name.isExactly("contents") && parent.ending == "xcdatamodel" }

  /// Whether it is a file of a language of a `Settings.bundle`: `App/Settings.bundle/de.lproj/Root.strings`.
  package var isInSettingsBundle: Bool { isInLanguageFolder && folderOfLanguages.isSettingsBundle }
}

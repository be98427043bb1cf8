/// A pattern in Swift code that makes an app hard to localize.
package struct CodePattern: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `String(format:)` with a text that is not looked up.
    case formattedText
    /// A text chosen by `count == 1`.
    case countedChoice
    /// Localized texts that are joined with `+`.
    case joinedTexts
    /// A localized text of a package that is looked up in the app's bundle instead of the package's bundle.
    case missingBundle
    /// A control's text that cannot be localized, because code does not look it up.
    case hardCodedText
    /// Left and right instead of leading and trailing.
    case fixedDirection
    /// A date format with a fixed order.
    case fixedDateFormat
    /// A number that `String(format:)` formats for users.
    case fixedNumberFormat
    /// A localized text that code converts to upper or lower case without a locale.
    case caseByHand
    /// A localized text in a frame of a fixed width.
    case fixedWidth
  }

  package let kind: Kind
  package let path: TreePath
  /// The line, counted from 1.
  package let line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package let column: Int
  /// The subject of the finding: the text of a literal, the format, or a name in the code.
  package let text: String
  /// A change that fixes the pattern without other effects; `nil` if a person must decide how to fix it.
  package let fix: CodeFix?
  /// Whether the surrounding code suggests that the pattern is a mistake. Other patterns are reported only if a user selects their rule by name.
  package let isLikely: Bool

  package init(
    kind: Kind, path: TreePath, line: Int, column: Int, text: String, fix: CodeFix? = nil, isLikely: Bool = true
  ) {
    self.kind = kind
    self.path = path
    self.line = line
    self.column = column
    self.text = text
    self.fix = fix
    self.isLikely = isLikely
  }
}

/// A change to a source file.
package struct CodeFix: Hashable, Sendable {
  /// The range to replace, in bytes from the start of the file; empty for an insertion.
  package let range: Range<Int>
  package let replacement: String

  package init(range: Range<Int>, replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

/// Properties of a Swift file that can be determined from its bytes without parsing.
package struct CodeTraits: Hashable, Sendable {
  /// The kinds of patterns that the file can contain. `missingBundle` is never included, because it depends on the target that uses a literal.
  package var kinds: Set<CodePattern.Kind> = []
  /// The first line on which code for developers, such as a preview, can begin; `nil` if there is none.
  package var developerLine: Int?
  /// The names of localizing functions and types, such as `Text`, that the file itself declares: as a function or type of this name or, for `String`
  /// and `AttributedString`, as an extension with an initializer `init(localized…)`.
  package var ownLookups: Set<String> = []

  package init() {}
}

/// A Swift file to review.
package struct ReviewedFile: Sendable {
  /// A position in the file.
  package struct Place: Hashable, Comparable, Sendable {
    /// The line number, counted from 1.
    package let line: Int
    /// The column in UTF-8 bytes, counted from 1.
    package let column: Int

    package static func < (one: Place, other: Place) -> Bool {
      (one.line, one.column) < (other.line, other.column)
    }

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  package let path: TreePath
  /// The literals that are localized.
  package var localized: Set<Place> = []
  /// The localized literals whose keys are in a catalog of the file's own package target, and have no text in a catalog of an app.
  package var ofPackage: Set<Place> = []
  /// The localized literals whose text has a translation.
  package var translated: Set<Place> = []
  /// Whether a target of an Xcode project compiles the file too. `Bundle.module` does not exist in such a target.
  package var isOfXcode = false
  /// The last line on which extraction found a string; 0 if there is none.
  package var lastLine = 0
  /// The traits of the file; `nil` if they have not been determined yet.
  package var traits: CodeTraits?

  package init(path: TreePath) { self.path = path }
}

/// The result of reviewing Swift files.
package struct CodeReview: Sendable {
  /// The patterns found, sorted by path and position.
  package var patterns: [CodePattern]
  /// For each file, the ranges of code whose texts only developers see, such as previews and code of debug builds.
  package var developerCode: [TreePath: [ClosedRange<ReviewedFile.Place>]]

  package init(
    patterns: [CodePattern] = [], developerCode: [TreePath: [ClosedRange<ReviewedFile.Place>]] = [:]
  ) {
    self.patterns = patterns
    self.developerCode = developerCode
  }
}

/// Finds patterns in Swift code. `SwiftCodeReviewer` implements this protocol.
package protocol CodeReviewer: Sendable {
  /// Determines the traits of a file from bytes that the caller has already read, so that the review need not read the file again.
  func traits(of bytes: [UInt8]) -> CodeTraits

  /// Finds patterns in files. A file that cannot be parsed yields no patterns; extraction reports such files.
  /// - Parameter kinds: the patterns to find. The result may also contain others.
  /// - Throws: `CancellationError`, or a system error that prevents all reading.
  func review(
    _ files: [ReviewedFile], for kinds: Set<CodePattern.Kind>, of tree: any SourceTree, threads: Int
  ) throws -> CodeReview
}

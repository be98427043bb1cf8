import Localization
import SwiftSyntax

/// The pattern `formatter.dateFormat = "MM/dd/yyyy"`. Other countries write the day or the year first.
enum FixedDateFormat {
  static func find(in assignment: Assignment, of source: ReviewedSource) -> CodePattern? {
    guard assignment.member == "dateFormat", let literal = assignment.value.as(StringLiteralExprSyntax.self),
      !literal.hasInterpolation, isForPeople(literal.shownText), !isForMachines(source),
      !isChosenClock(literal.shownText, source)
    else { return nil }
    return source.pattern(.fixedDateFormat, at: literal, literal.shownText)
  }

  /// Returns whether the file parses dates, formats dates for programs, sets a locale or calendar, or depends on the user's language. The whole file
  /// is searched, because it is often unknown how a formatter is used.
  private static func isForMachines(_ source: ReviewedSource) -> Bool {
    source.mentions("en_US_POSIX") || source.mentions(".date(from") || source.mentions("MMDD")
      || source.mentions("HHMM")
      || source.mentions("GMT'")
      // A file with these sets a formatter's locale or calendar, or chooses the format by the language.
      || source.mentions("Locale(identifier:") || source.mentions("preferredLocalizations")
      || source.mentions(".languageCode")
      || source.mentions("identifier: .chinese")
  }

  /// Returns whether a format is for a time, in a file that also has a format for the other clock (12 or 24 hours). The user can then choose the
  /// clock.
  private static func isChosenClock(_ format: String, _ source: ReviewedSource) -> Bool {
    guard format.allSatisfy({ "hHmsa:. ".contains($0) }) else { return false }
    return source.mentions("12Hour") || source.mentions("24Hour")
      || source.mentions("\"HH") && (source.mentions("\"h:mm a") || source.mentions("\"h a"))
  }

  /// Returns whether a format has at least two fields of a date or a time, and is neither a duration nor a machine-readable format such as ISO 8601.
  static func isForPeople(_ format: String) -> Bool {
    let machine = [
      "'T'", "Z", "X", "SSS", "y-MM", "yMM", "y:MM", "y/MM", "_", "HHmm", "ddMM", "MMdd", "zzz", "HH:mm:ss",
      // These are for file names, which have no colons.
      "HH.mm.ss", "HH-mm",
    ]
    guard !machine.contains(where: { format.contains($0) }) else { return false }
    var fields: Set<Character> = []
    var isQuoted = false
    for character in format {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, character.isLetter { fields.insert(field(character)) }
    }
    // Minutes and seconds without hours are a duration.
    return fields.count >= 2 && !fields.isSubset(of: ["m", "s", "S"])
  }

  /// Returns one letter for all letters with the same meaning, such as `M` for `L`, which also means the month.
  private static func field(_ letter: Character) -> Character {
    switch letter {
    case "L": "M"
    case "K", "k", "H", "h": "h"
    case "e", "c": "E"
    case "Y", "u": "y"
    default: letter
    }
  }
}

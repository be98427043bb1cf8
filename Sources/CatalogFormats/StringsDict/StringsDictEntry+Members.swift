internal import Localization
internal import StructuredText

/// Functions that find the members of an entry that are not part of its translation.
extension StringsDictEntry {
  /// The key of a comment that tools write for people. The comment is ignored at run time.
  static let commentKey = "comment"

  /// Returns whether a member is a comment that a tool wrote.
  static func isComment(_ member: PropertyListMember) -> Bool {
    isKey(member, commentKey) && member.value.string != nil
  }

  struct Rest {
    /// The comments that are written as members.
    var comments: [PropertyListMember] = []
    /// The members with an unknown meaning, and members that a later member with the same key overrides.
    var strangers: [PropertyListMember] = []
  }

  /// Collects the members at every level of an entry that are not part of its translation.
  static func rest(of value: PropertyListValue) -> Rest {
    var rest = Rest()
    guard value[deviceRule] != nil else {
      readFormat(value, into: &rest)
      return rest
    }
    read(value, into: &rest) { member, rest in
      guard isKey(member, deviceRule) else { return false }
      read(member.value, into: &rest) { device, rest in
        readFormat(device.value, into: &rest)
        return true
      }
      return true
    }
    return rest
  }

  private static func readFormat(_ value: PropertyListValue, into rest: inout Rest) {
    read(value, into: &rest) { member, rest in
      guard member.value.dictionary != nil else { return isKey(member, formatKey) }
      let categories = PluralCategory.all.map(\.rawValue)
      read(member.value, into: &rest) { form, _ in
        isKey(form, ruleKey) || isKey(form, valueTypeKey) || categories.contains { isKey(form, $0) }
      }
      return true
    }
  }

  /// Collects the members of a dictionary that are not part of the translation.
  /// - Parameter isKnown: returns whether a member is part of the translation, and collects from the members below it.
  private static func read(
    _ value: PropertyListValue, into rest: inout Rest, isKnown: (PropertyListMember, inout Rest) -> Bool
  ) {
    let members = value.dictionary ?? []
    var last: [UnitKey: Int] = [:]
    for (index, member) in members.enumerated() { last[UnitKey(member.key)] = index }
    for (index, member) in members.enumerated() {
      if last[UnitKey(member.key)] == index, isKnown(member, &rest) { continue }
      if isComment(member) {
        rest.comments.append(member)
      } else {
        rest.strangers.append(member)
      }
    }
  }

  private static func isKey(_ member: PropertyListMember, _ key: String) -> Bool { member.key.isExactly(key) }
}

/// English words that a translator cannot translate without context, such as “Book” and “All”: they have several meanings, or need a gender in other
/// languages. Words that nearly always have the same meaning in a user interface, such as “Save” and “Name”, are not included.
enum AmbiguousWords {
  static let all = Set(
    """
    all any archive block book both call charge check clear complete contract control cover current custom cut draw drop due \
    empty end even exercise fair fall fine fit flat fold force forward free home individual key last lead left light like live long \
    march mark match may mean mine minute native new none object off on open order original other park part pass past patch pin pitch \
    plain plant plot point pool post pound present project quarter raw record refuse rest right ring root round row run saved scale \
    schedule seal second set sink spot spring stage star state stock store subject tap tip track train turn type up used watch wave well \
    yard
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

import Foundation

/// `.strings` and `.stringsdict` files as Xcode and its tools write them, and as people and scripts write them.
extension SampleFile {
  static let tables = [
    SampleFile(
      "Harbour/de.lproj/Localizable.strings",
      #"""
      /* A button */
      "Anchor" = "Anker";

      /* Number of boats,
         "at anchor" */
      "boats\n\"%@\"" = "Boote\t\\ „größer“ / 🛶 %@";

      /* No comment provided by engineer. */
      "Zero" = "";


      """#),
    // A file as ibtool writes it.
    SampleFile(
      "Harbour/de.lproj/Main.strings",
      #"""

      /* Class = "NSWindow"; title = "Harbour"; ObjectID = "F0z-JX-Cv5"; */
      "F0z-JX-Cv5.title" = "Hafen";

      /* Class = "NSMenuItem"; title = "Moor"; ObjectID = "aB3-9c-Xy0"; */
      "aB3-9c-Xy0.title" = "Anlegen";

      """#),
    SampleFile(
      "Harbour/ja.lproj/InfoPlist.strings",
      [0xFF, 0xFE]
        + Array("/* Bundle name */\n\"CFBundleName\" = \"港\";\n\n".utf16).flatMap {
          [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }),
    // A file as plutil writes it.
    SampleFile(
      "Harbour/fr.lproj/Localizable.strings",
      propertyList(
        "\t<key>Anchor</key>\n\t<string>Ancre &amp; &lt;chaîne&gt;</string>\n\t<key>Sail</key>\n\t<string>Voile</string>"
      )),
    // A file written by hand: other comments, unquoted keys, unsorted, Windows line endings, no final newline.
    SampleFile(
      "Harbour/pl.lproj/Hand.strings",
      "// MARK: Harbour\r\nSail = \"Żagiel\";\r\n\r\n'Anchor'='Kotwica' ; // noun\r\n\"Oar\"  =  \"Wios\\U0142o\";"),
  ]

  static let dictionaries = [
    plurals,
    // A file written by a script, with a different indentation and a different XML declaration.
    SampleFile(
      "Harbour/cs.lproj/Foreign.stringsdict",
      """
      <?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
        <dict>
          <key>boats</key>
          <dict>
            <key>NSStringLocalizedFormatKey</key>
            <string>%#@n@</string>
            <key>n</key>
            <dict>
              <key>NSStringFormatSpecTypeKey</key>
              <string>NSStringPluralRuleType</string>
              <key>NSStringFormatValueTypeKey</key>
              <string>d</string>
              <key>one</key>
              <string>%d loď &quot;Vltava&quot;</string>
              <key>other</key>
              <string>%d lodí</string>
            </dict>
          </dict>
        </dict>
      </plist>

      """),
  ]

  /// A table with a text with two numbers, one with one number, a plain text, and a width rule, which `Catalog` cannot hold.
  static let plurals = SampleFile(
    "Harbour/cs.lproj/Localizable.stringsdict",
    propertyList(
      """
      \t<key>crates on ships</key>
      \t<dict>
      \t\t<key>NSStringLocalizedFormatKey</key>
      \t\t<string>%1$#@crates@ &amp; %2$#@ships@</string>
      \t\t<key>crates</key>
      \t\t<dict>
      \t\t\t<key>NSStringFormatSpecTypeKey</key>
      \t\t\t<string>NSStringPluralRuleType</string>
      \t\t\t<key>NSStringFormatValueTypeKey</key>
      \t\t\t<string>d</string>
      \t\t\t<key>one</key>
      \t\t\t<string>%d bedna</string>
      \t\t\t<key>few</key>
      \t\t\t<string>%d bedny</string>
      \t\t\t<key>many</key>
      \t\t\t<string>%d bedny</string>
      \t\t\t<key>other</key>
      \t\t\t<string>%d beden</string>
      \t\t</dict>
      \t\t<key>ships</key>
      \t\t<dict>
      \t\t\t<key>NSStringFormatSpecTypeKey</key>
      \t\t\t<string>NSStringPluralRuleType</string>
      \t\t\t<key>NSStringFormatValueTypeKey</key>
      \t\t\t<string>lu</string>
      \t\t\t<key>zero</key>
      \t\t\t<string>žádná loď</string>
      \t\t\t<key>other</key>
      \t\t\t<string>%lu "lodí"</string>
      \t\t</dict>
      \t</dict>
      \t<key>tides</key>
      \t<dict>
      \t\t<key>NSStringLocalizedFormatKey</key>
      \t\t<string>%#@tides@</string>
      \t\t<key>tides</key>
      \t\t<dict>
      \t\t\t<key>NSStringFormatSpecTypeKey</key>
      \t\t\t<string>NSStringPluralRuleType</string>
      \t\t\t<key>NSStringFormatValueTypeKey</key>
      \t\t\t<string>ld</string>
      \t\t\t<key>other</key>
      \t\t\t<string>%ld příliv
      a odliv</string>
      \t\t</dict>
      \t</dict>
      \t<key>wide</key>
      \t<dict>
      \t\t<key>NSStringVariableWidthRuleType</key>
      \t\t<dict>
      \t\t\t<key>20</key>
      \t\t\t<string>Přístav</string>
      \t\t\t<key>50</key>
      \t\t\t<string>Přístav na řece</string>
      \t\t</dict>
      \t</dict>
      """))

  private static func propertyList(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(entries)
    </dict>
    </plist>

    """
  }
}

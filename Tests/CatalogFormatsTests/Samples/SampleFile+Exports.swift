import Localization

/// An XLIFF file and a bundle as Xcode exports them, and an XLIFF file as another tool returns it.
extension SampleFile {
  static let exports = [export, toolExport]

  /// An export with the files of a table and of a String Catalog.
  static let export = SampleFile(
    "Harbour/de.xliff",
    document(
      files: [
        (
          #"original="Harbour/en.lproj/Main.strings" source-language="en" target-language="de" datatype="plaintext""#,
          """
                <trans-unit id="F0z-JX-Cv5.title" xml:space="preserve">
                  <source>Harbour</source>
                  <target>Hafen</target>
                  <note>Class = "NSWindow"; title = "Harbour"; ObjectID = "F0z-JX-Cv5";</note>
                </trans-unit>
          """
        ),
        (
          #"original="Harbour/Localizable.xcstrings" source-language="en" target-language="de" datatype="plaintext""#,
          """
                <trans-unit id="Anchor" xml:space="preserve">
                  <source>Anchor</source>
                  <target state="needs-review-l10n">Anker &amp; „Kette“</target>
                  <note from="auto-generated">A button</note>
                </trans-unit>
                <trans-unit id="Boat 9" xml:space="preserve">
                  <source>Boat 9</source>
                  <note/>
                </trans-unit>
                <trans-unit id="Boat 10" xml:space="preserve">
                  <source>Boat 10</source>
                  <target state="translated">&lt;Boot&gt; "10" 🛶</target>
                  <note>Two lines
          of a comment</note>
                </trans-unit>
                <trans-unit id="boats %lld|==|plural.one" xml:space="preserve">
                  <source>One boat</source>
                  <target state="translated">Ein Boot</target>
                  <note/>
                </trans-unit>
                <trans-unit id="boats %lld|==|plural.other" xml:space="preserve">
                  <source>%lld boats</source>
                  <target state="new"/>
                  <note/>
                </trans-unit>
          """
        ),
      ]))

  /// An export of another tool, whose units lack the notes that Xcode would write.
  static let toolExport = SampleFile(
    "Harbour/tool.xliff",
    document(
      files: [
        (
          #"original="Harbour/Localizable.xcstrings" source-language="en" target-language="de" datatype="plaintext""#,
          """
                <trans-unit id="Anchor" xml:space="preserve">
                  <source>Anchor</source>
                  <target state="translated">Anker</target>
                </trans-unit>
          """
        )
      ]))

  /// The files of a German bundle by their paths in the bundle: the catalog with only the source language, and its translations.
  static let bundle: [TreePath: [UInt8]] = [
    "contents.json": Array(
      """
      {
        "developmentRegion" : "en",
        "project" : "Harbour.xcodeproj",
        "targetLocale" : "de",
        "toolInfo" : {
          "toolBuildNumber" : "17F42",
          "toolID" : "com.apple.dt.xcode",
          "toolName" : "Xcode",
          "toolVersion" : "26.5"
        },
        "version" : "1.0"
      }
      """.utf8),
    "Localized Contents/de.xliff": Array(
      document(
        files: [
          (
            #"original="Harbour/Localizable.xcstrings" source-language="en" target-language="de" datatype="plaintext""#,
            """
                  <trans-unit id="%lld boats|==|plural.one" xml:space="preserve">
                    <source>One boat</source>
                    <target state="translated">Ein Boot</target>
                    <note/>
                  </trans-unit>
                  <trans-unit id="%lld boats|==|plural.other" xml:space="preserve">
                    <source>%lld boats</source>
                    <target state="translated">%lld Boote</target>
                    <note/>
                  </trans-unit>
                  <trans-unit id="Anchor" xml:space="preserve">
                    <source>Anchor</source>
                    <target state="translated">Anker</target>
                    <note>A button</note>
                  </trans-unit>
                  <trans-unit id="Oar" xml:space="preserve">
                    <source>Oar</source>
                    <note/>
                  </trans-unit>
            """
          )
        ]
      ).utf8),
    "Source Contents/Harbour/Localizable.xcstrings": Array(
      """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "%lld boats" : {
            "localizations" : {
              "en" : {
                "variations" : {
                  "plural" : {
                    "one" : {
                      "stringUnit" : {
                        "state" : "translated",
                        "value" : "One boat"
                      }
                    },
                    "other" : {
                      "stringUnit" : {
                        "state" : "translated",
                        "value" : "%lld boats"
                      }
                    }
                  }
                }
              }
            }
          },
          "Anchor" : {
            "comment" : "A button"
          },
          "Oar" : {

          }
        },
        "version" : "1.0"
      }
      """.utf8),
  ]

  private static func document(files: [(attributes: String, units: String)]) -> String {
    let elements = files.map { attributes, units in
      """
        <file \(attributes)>
          <header>
            <tool tool-id="com.apple.dt.xcode" tool-name="Xcode" tool-version="26.5" build-num="17F42"/>
          </header>
          <body>
      \(units)
          </body>
        </file>

      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.2" xsi:schemaLocation="urn:oasis:names:tc:xliff:document:1.2 http://docs.oasis-open.org/xliff/v1.2/os/xliff-core-1.2-strict.xsd">
      \(elements.joined())</xliff>

      """
  }
}

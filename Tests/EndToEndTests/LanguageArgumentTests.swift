import TestSupport
import Testing

/// Percentages and languages in arguments, which commands accept, refuse or warn about.
@Suite("Refused arguments")
struct LanguageArgumentTests {
  @Test(
    "an invalid percentage is refused, and the message shows the valid range",
    arguments: [
      ("101", "“101” is not a percentage: a number from 0 to 100"), ("abc", "“abc” is not a percentage"),
      ("100%%", "“100%%” is not a percentage"), ("", "“” is not a percentage"), ("de=1e2", "“1e2” is not a percentage"),
      ("de_DE=100", "de_DE is not a language identifier such as de or pt-BR; did you mean de-DE?"),
      ("German!=100", "German! is not a language identifier such as de or pt-BR."),
      ("../x:100", "“../x” is not a pattern of paths"),
    ])
  func percentage(argument: String, words: String) throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(["status", "--require", argument], in: folder.path)
    #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
  }

  @Test("a percentage may end with a percent sign")
  func percentSign() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"sourceLanguage" : "en", "strings" : {"a" : {"extractionState" : "manual"}}, "version" : "1.0"}"#,
      to: "Localizable.xcstrings")
    try folder.write("", to: "de.lproj/A.strings")
    let end = try dragoman(["status", "--require", "50%", "--require", "de=99.5%"], in: folder.path)
    #expect(end.status == 1 && end.output.contains("needs 99.5 %"), "\(end)")
  }

  @Test(
    "an unusual spelling of a language is refused, and the message shows the usual spelling",
    arguments: [
      ["export", "--language", "de_DE", "--output", "out"], ["explain", "a", "--language", "de_DE"],
      ["init", "--language", "de_DE"], ["add-language", "de_DE"], ["status", "--fallback", "de_DE=de"],
    ])
  func language(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(arguments, in: folder.path)
    #expect(end.status == 64 && end.errors.contains("did you mean de-DE?"), "\(end.errors)")
  }

  @Test(
    "import refuses to import a language as a different language, or as two languages",
    arguments: [
      (["uk=de"], "uk and de are different languages"), (["pt-PT=pt", "pt_PT"], "imports pt_PT as pt and as pt_PT"),
      (["de-AT=de", "de-AT=de-CH"], "imports de-AT as de and as de-CH"),
    ])
  func meanings(languages: [String], words: String) throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(["import", "uk.xliff"] + languages.flatMap { ["--language", $0] }, in: folder.path)
    #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
  }

  @Test(
    "an invalid fallback is refused with the reason",
    arguments: [("es-MX", "not a language with its fallbacks"), ("es=es-419,es", "es cannot be its own fallback")])
  func fallbacks(argument: String, words: String) throws {
    let folder = try TemporaryFolder()
    let end = try dragoman(["status", "--fallback", argument], in: folder.path)
    #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
  }

  @Test("a fallback language that the project lacks is reported, unless it is the source language")
  func unknownFallback() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"sourceLanguage" : "en", "strings" : {"a" : {"extractionState" : "manual"}}, "version" : "1.0"}"#,
      to: "Localizable.xcstrings")
    try folder.write("", to: "de.lproj/A.strings")
    let end = try dragoman(
      ["status", "--fallback", "de-AT=de-CH,en"], in: folder.path)
    #expect(end.status == 0)
    #expect(
      end.errors == """
        warning: the project has no translations into de-CH, a fallback of --fallback; did you mean `de`?

        """)
  }
}

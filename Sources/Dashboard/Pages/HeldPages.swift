internal import Foundation
internal import Localization
package import Pipeline
package import ReadModel

/// The pages of held units.
extension DashboardPages {
  func heldLine(_ unit: HeldUnit) -> View {
    [
      "target": "/held/\(unit.id.rawValue)?branch=\(Shown.url(unit.branch))", "key": Shown.key(unit.unit.key.text),
      "language": Shown.line(unit.language.rawValue, limit: 40), "text": Shown.text(unit.text, limit: 500),
      "place": Shown.line("\(unit.pipeline) · \(unit.branch) · \(unit.vendor)"), "reason": reason(unit.reason),
    ]
  }

  func reason(_ reason: HoldReason?) -> String {
    reason.map { Shown.line($0.sentence, limit: 600) }
      ?? t(
        message(
          "a reason from a newer version of Dragoman",
          comment: "Shown instead of a reason that this version does not know."))
  }

  /// Returns the page with the list of held units.
  /// - Parameter pipeline: the pipeline of the units; `nil` for all pipelines.
  package func held(_ units: [HeldUnit], of pipeline: String?) -> String {
    let title =
      pipeline.map { t(message("Held in %@", Shown.line($0), comment: "A title: the name of a pipeline.")) }
      ?? t(message("Held for a decision", comment: "A figure."))
    let shown = units.prefix(200)
    return page(
      "held", title,
      [
        "title": title,
        "lead": t(
          message(
            "These returned translations were not delivered, for the reasons shown. Take, edit or drop each of them.",
            comment: "Below the title of the list of held translations.")),
        "none": t(message("Nothing is held.", comment: "Shown if nothing is held.")), "units": shown.map(heldLine),
        "rest": rest(units.count - shown.count),
      ], events: pipeline.map { "/events?pipeline=\(Shown.url($0))" } ?? "/events")
  }

  /// The length, in bytes, of the longest text that can be edited. A longer text is shown in part and cannot be edited.
  private static let longest = 20_000

  /// Returns the reason why the texts cannot be edited on the page; `nil` if they can. A browser must send back an unedited text unchanged. Browsers
  /// keep direction marks, which are common in Arabic and Hebrew, but may change other control characters.
  private func whyNotEdited(_ forms: [HeldDetails.Form]) -> String? {
    if forms.contains(where: { $0.target.utf8.count > Self.longest }) {
      return t(
        message(
          "A text has more than %lld bytes, which is too long for this page. Edit it on the command line:",
          Self.longest, comment: "Shown instead of a button; a command follows."))
    }
    guard forms.contains(where: { $0.target.hasControlsBesidesDirectionMarks }) else { return nil }
    return t(
      message(
        "A text has control characters, which a browser would change. Edit it on the command line:",
        comment: "Shown instead of a button; a command follows."))
  }

  package func held(_ details: HeldDetails) -> String {
    let unit = details.unit
    let title = Shown.key(unit.unit.key.text)
    let cut = whyNotEdited(details.forms)
    return page(
      "heldUnit", title,
      [
        "title": title, "id": "\(unit.id.rawValue)", "url": Shown.url(unit.pipeline),
        "pipeline": Shown.line(unit.pipeline), "crumbs": crumbs,
        "all": t(message("Held for a decision", comment: "A figure.")),
        "language": Shown.line(unit.language.rawValue, limit: 40), "catalog": Shown.line(unit.unit.catalog.text),
        "branch": Shown.line(unit.branch), "rawBranch": unit.branch,
        "life": target(of: unit.unit.key.text, in: unit.pipeline),
        "lifeLabel": t(message("Full history", comment: "A link to what happened to a string.")),
        "reasonLabel": t(message("Held because", comment: "Before a reason, which begins with a small letter.")),
        "reason": reason(unit.reason),
        "formsTitle": t(message("Texts", comment: "A column: how many texts times languages were sent.")),
        "sourceLabel": t(message("Source text", comment: "The label of a text.")),
        "forms": details.forms.enumerated().map { index, form -> View in
          [
            "index": "\(index)", "name": form.form.isEmpty ? false as Any : Shown.line(form.form),
            "source": Shown.text(form.source),
            "target": isOperator && cut == nil ? form.target : Shown.text(form.target, limit: Self.longest),
            "direction": PageLanguage.direction(of: unit.language), "locked": !isOperator || cut != nil,
            "marked": isOperator && cut == nil && form.target != form.target.withVisibleControlsInLines
              ? Shown.text(form.target, limit: Self.longest) : false as Any,
            "marksLabel": t(
              message("The same text with its direction marks visible", comment: "Above a text, below a field.")),
            "targetLabel": t(message("Translation", comment: "The label of a field.")),
          ]
        },
        "isOperator": isOperator, "form": formToken, "cut": cut ?? false as Any,
        "command": "dragoman held edit \(unit.id.rawValue) --text …",
        "mayBeTaken": details.mayBeTaken,
        "save": t(message("Save this text", comment: "A button.")),
        "saveHint": t(message("It is reviewed like a text of the vendor.", comment: "Beside a button.")),
        "take": t(message("Take it as it is", comment: "A button: deliver a held translation.")),
        "drop": t(message("Drop it", comment: "A button: discard a held translation.")),
        "dropHint": t(
          message("A dropped string is sent again if it is still not translated.", comment: "Beside a button.")),
      ])
  }
}

extension String {
  /// Whether the text has characters that pages show escaped, other than direction marks.
  fileprivate var hasControlsBesidesDirectionMarks: Bool {
    let plain = String(
      String.UnicodeScalarView(
        unicodeScalars.filter { scalar in
          switch scalar.value {
          case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
          default: true
          }
        }))
    return !plain.withVisibleControlsInLines.utf8.elementsEqual(plain.utf8)
  }
}

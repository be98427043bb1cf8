internal import Foundation
internal import Localization
internal import Mustache
package import Pipeline

/// The person who views a page.
package struct DashboardViewer: Hashable, Sendable {
  package var name: String
  package var role: Role
  /// The token that proves that a form was sent from a page of this session.
  package var formToken: String
  /// Whether the viewer signed in at a proxy. Such a viewer has no session and cannot sign out.
  package var isProxied: Bool

  package init(name: String, role: Role, formToken: String, isProxied: Bool = false) {
    self.name = name
    self.role = role
    self.formToken = formToken
    self.isProxied = isProxied
  }
}

/// The pages of the dashboard for one viewer in one language. The values of the pages are passed as arguments; nothing is read from the store.
package struct DashboardPages: Sendable {
  let t: PageLanguage
  let viewer: DashboardViewer?
  /// The path of the page, for the navigation.
  let path: String

  package init(language: PageLanguage, viewer: DashboardViewer?, path: String) {
    t = language
    self.viewer = viewer
    self.path = path
  }

  var isOperator: Bool { (viewer?.role ?? .viewer) >= .operator }
  var formToken: String { viewer?.formToken ?? "" }
  /// An arrow in the reading direction of the page. The arrow depends on the language, because browsers do not mirror arrows.
  var arrow: String { t.direction == "rtl" ? "←" : "→" }

  private static let library: MustacheLibrary = {
    var library = MustacheLibrary()
    MustacheContentTypes.register(PageEscaping(), named: PageEscaping.name)
    for (name, text) in DashboardTemplates.all {
      // The templates are part of the program, and a test renders each of them, so errors are ignored here. Each template sets the escaping, because
      // partial templates do not inherit it.
      let text = "{{% CONTENT_TYPE: \(PageEscaping.name)}}" + text
      if let template = try? MustacheTemplate(string: text) { library.register(template, named: name) }
    }
    return library
  }()

  /// Renders a page.
  /// - Parameters:
  ///   - template: the name of the template for the content.
  ///   - events: the path of the event stream whose events may change the page; `nil` if no event changes the page.
  func page(_ template: String, _ title: String, _ content: View, events: String? = nil) -> String {
    var content = content
    content["arrow"] = arrow
    let inner = Self.library.render(content, withTemplate: template) ?? ""
    let name = t(message("Dragoman", comment: "The name of the program, as the title of its pages."))
    let view: View = [
      "lang": t.tag, "dir": t.direction, "title": title == name ? name : "\(title) – \(name)",
      "events": events ?? false as Any, "content": inner, "brand": name,
      "skip": t(message("Skip to the content", comment: "A link before the navigation.")),
      "navigation": t(message("Main", comment: "The name of the main navigation, for screen readers.")),
      "signedIn": viewer != nil, "links": links, "viewer": viewer.map { Shown.line($0.name, limit: 80) } ?? "",
      "role": viewer.map { roleName($0.role) } ?? "", "mayLeave": viewer.map { !$0.isProxied } ?? false,
      "formToken": formToken, "signOut": t(message("Sign out", comment: "A button.")),
      "search": t(message("Search strings", comment: "The label of the search field.")),
      "searchButton": t(message("Search", comment: "A button.")),
      "live": t(message("This page updates itself.", comment: "Shown while a page is updated live.")),
    ]
    return Self.library.render(view, withTemplate: "layout") ?? ""
  }

  /// Renders a part of a page.
  static func fragment(_ template: String, _ content: View) -> String {
    library.render(content, withTemplate: template) ?? ""
  }

  private var links: [View] {
    var all: [(String, String)] = [
      ("/", t(message("Pipelines", comment: "A link of the navigation."))),
      ("/rounds", t(message("Rounds", comment: "A link of the navigation: rounds of translation."))),
      ("/held", t(message("Held", comment: "A link of the navigation: translations that are held back."))),
    ]
    if isOperator { all.append(("/audit", t(message("Audit log", comment: "A link of the navigation.")))) }
    return all.map { target, text in
      let isHere = target == "/" ? path == "/" || path.hasPrefix("/pipelines") : path.hasPrefix(target)
      return ["target": target, "text": text, "here": isHere]
    }
  }

  private func roleName(_ role: Role) -> String {
    switch role {
    case .viewer: t(message("viewer", comment: "A role: may only read."))
    case .operator: t(message("operator", comment: "A role: may read and decide."))
    case .admin: t(message("admin", comment: "A role: may do everything."))
    }
  }

  /// Returns a page with a title and one text.
  package func notice(_ title: PageText, _ text: PageText) -> String {
    page("notice", t(title), ["title": t(title), "text": t(text), "target": false])
  }

  package func notFound() -> String {
    notice(
      message("Not found", comment: "A title."),
      message("This page does not exist, or its subject was removed.", comment: "Shown if a page does not exist."))
  }

  /// Returns the page for an action that failed, or for a page that cannot be shown.
  /// - Parameters:
  ///   - text: the program's error message, in English.
  ///   - isAction: whether an action failed.
  package func failure(_ text: String, ofAction isAction: Bool) -> String {
    let title = t(
      isAction
        ? message("The action failed", comment: "The title of a page about a failed action.")
        : message("This page cannot be shown", comment: "The title of a page in place of one that cannot be shown."))
    return page("notice", title, ["title": title, "text": Shown.text(text), "target": false])
  }

  /// Returns a page for a person who followed a link on another site. The browser sends the cookie of the session only with requests from this site's
  /// own pages, so the person must follow the link on this page.
  /// - Parameter target: a path on this server with its query.
  package func proceed(to target: String) -> String {
    let title = t(
      message("Continue to Dragoman", comment: "A title and a link, for someone who came from another site."))
    return page(
      "notice", title,
      ["title": title, "text": Shown.line(target), "target": target, "link": title])
  }

  /// Percent-encodes a part of a path or a value of a query.
  package static func urlValue(_ text: String) -> String { Shown.url(text) }

  package func forbidden() -> String {
    notice(
      message("Not allowed", comment: "A title."),
      message(
        "Your role does not allow this. Ask an administrator for a token with another role.",
        comment: "Shown if a role is not sufficient."))
  }

  /// Returns the page for a form whose session has ended.
  /// - Parameters:
  ///   - typed: the texts that the person typed into the form. The page shows these texts, because they would otherwise be lost.
  ///   - target: the path of the page that contains the form.
  package func ended(typed: [String], target: String) -> String {
    let title = t(message("Sign in again", comment: "A title: the session of the reader has ended."))
    return page(
      "ended", title,
      [
        "title": title,
        "text": t(
          message(
            "You are no longer signed in, so nothing was saved. Sign in, and try again.",
            comment: "Shown when a form was sent after the session had ended.")),
        "texts": typed.enumerated().map { index, text -> View in
          [
            "index": "\(index)", "text": Shown.text(text, limit: 20_000),
            "label": t(message("Your text, to copy", comment: "The label of a text that was not saved.")),
          ]
        },
        "target": "/signin?next=\(Shown.url(target))", "link": t(message("Sign in", comment: "A title and a button.")),
      ])
  }

  /// Returns the page with the form for signing in.
  /// - Parameter isRefused: whether an invalid token was entered.
  package func signIn(next: String, isRefused: Bool) -> String {
    let title = t(message("Sign in", comment: "A title and a button."))
    return page(
      "signin", title,
      [
        "title": title, "next": next, "refused": isRefused,
        "refusal": t(
          message("This token is not valid. Check it, or ask for a new one.", comment: "Shown after a wrong token.")),
        "label": t(message("Token", comment: "The label of the field for a token.")),
        "hint": t(
          message(
            "An administrator makes one with dragoman tokens add.",
            comment: "Below the field for a token; keep the command.")),
        "button": title,
      ])
  }
}

internal import Daemon
internal import Dashboard
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Localization
internal import NIOCore
internal import Pipeline
internal import ReadModel

/// The middleware that serves the pages of the dashboard. All pages except sign-in and assets need a signed-in viewer. Every form except sign-in
/// needs the viewer's form token.
struct DashboardResponder<Context: RequestContext>: RouterMiddleware {
  let daemon: RunningDaemon
  let access: ServerAccess
  let gate: AccessGate
  let sessions = Sessions()
  /// The maximum size of a form, in bytes.
  var formLimit = 1 << 20

  /// The first parts of the paths that other routes handle.
  private static var others: Set<Substring> { ["api", "hooks", "healthz", "readyz", "metrics"] }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    let parts = path.split(separator: "/")
    guard let first = parts.first else { return try await page(request, context, []) }
    guard !Self.others.contains(first) else { return try await next(request, context) }
    if first == "assets" { return asset(path, request) }
    var decoded: [String] = []
    for part in parts {
      guard let text = part.removingPercentEncoding, !text.contains("\0") else {
        return try await page(request, context, ["", ""])
      }
      decoded.append(text)
    }
    return try await page(request, context, decoded)
  }

  private func page(_ request: Request, _ context: Context, _ parts: [String]) async throws -> Response {
    let language = PageLanguage(accepted: request.headers[.acceptLanguage])
    let isAction = request.method == .post
    let viewer: DashboardViewer?
    do { viewer = try await self.viewer(of: request) } catch {
      daemon.log?.noteRequest("\(request.method) \(request.uri.path)", error)
      let pages = DashboardPages(language: language, viewer: nil, path: request.uri.path)
      let text = "the store cannot be read; Dragoman's log says why"
      return Self.html(.serviceUnavailable, pages.failure(text, ofAction: isAction))
    }
    let pages = DashboardPages(language: language, viewer: viewer, path: request.uri.path)
    do {
      if parts == ["signin"] { return try await signIn(request, pages, isSignedIn: viewer != nil) }
      guard let viewer else { return try await stranger(request, parts, pages) }
      switch request.method {
      case .get: return try await read(request, parts, pages, viewer)
      case .post: return try await act(request, parts, pages, viewer)
      default:
        var response = Self.html(.methodNotAllowed, pages.notFound())
        response.headers[.allow] = "GET, POST"
        return response
      }
    } catch let error as PipelineError {
      let status: HTTPResponse.Status = error.kind == .notFound ? .notFound : .conflict
      return Self.html(
        status, status == .notFound ? pages.notFound() : pages.failure(error.detail, ofAction: isAction))
    } catch let problem as APIProblem {
      return Self.html(problem.status, pages.failure(problem.message, ofAction: isAction))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      daemon.log?.noteRequest("\(request.method) \(request.uri.path)", error)
      return Self.html(.serviceUnavailable, pages.failure("Dragoman's log says why", ofAction: isAction))
    }
  }

  // MARK: Viewers

  static var cookie: String { "dragoman" }

  /// Returns the viewer who sent a request; `nil` if the request has neither a valid session nor the name of a user from the proxy.
  /// - Parameter isUse: whether the request has just arrived, which extends the session. An open connection does not extend the session.
  func viewer(of request: Request, isUse: Bool = true) async throws -> DashboardViewer? {
    if let proxied = access.proxiedUser(of: request) {
      return sessions.proxied(proxied, role: access.userRole)
    }
    guard let cookie = Self.cookie(of: request) else { return nil }
    return sessions.viewer(of: cookie, tokens: try await daemon.people.tokens(), now: daemon.now(), isUse: isUse)
  }

  private static func cookie(of request: Request) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else { continue }
        return String(parts[1])
      }
    }
    return nil
  }

  /// Returns the response to a request from a person who is not signed in.
  private func stranger(_ request: Request, _ parts: [String], _ pages: DashboardPages) async throws -> Response {
    if request.method == .post { return try await ended(request, parts, pages) }
    guard request.method == .get else { return Self.html(.unauthorized, pages.ended(typed: [], target: "/")) }
    if request.uri.path == "/events" { return ServerResponse.problem(.unauthorized, "session", "sign in first") }
    let target = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    // When a person follows a link on another site, the browser does not send the cookie, because the cookie has `SameSite=Strict`. A page of this
    // site that repeats the request gets the cookie.
    if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }), site == "cross-site" {
      return Self.html(.ok, pages.proceed(to: target))
    }
    let next = target == "/" ? "" : "?next=" + DashboardPages.urlValue(target)
    return Self.redirect(to: "/signin\(next)")
  }

  /// Returns the response to a form that was sent after its session had ended, because the session expired, its token was removed or the daemon
  /// restarted.
  private func ended(_ request: Request, _ parts: [String], _ pages: DashboardPages) async throws -> Response {
    guard parts != ["signout"] else { return Self.redirect(to: "/signin") }
    try checkOrigin(of: request)
    var typed: [String] = []
    var target = "/"
    do {
      let form = try await form(of: request)
      typed = (form.all("text") + form.all("reason")).filter { !$0.isEmpty }
      if parts.count == 3 {
        target += parts.prefix(2).map(DashboardPages.urlValue).joined(separator: "/")
        if let branch = form["branch"] { target += "?branch=" + DashboardPages.urlValue(branch) }
      }
    } catch is APIProblem {
      // The request is not a form of the dashboard, so the response contains none of its values.
    }
    return Self.html(.unauthorized, pages.ended(typed: typed, target: target))
  }

  private func signIn(_ request: Request, _ pages: DashboardPages, isSignedIn: Bool) async throws -> Response {
    switch request.method {
    case .get:
      let next = try Query(request)["next"] ?? "/"
      return isSignedIn
        ? Self.redirect(to: Self.local(next)) : Self.html(.ok, pages.signIn(next: Self.local(next), isRefused: false))
    case .post:
      try checkOrigin(of: request)
      let form = try await form(of: request)
      let next = Self.local(form["next"] ?? "/")
      guard let text = form["token"], text.utf8.count < 300,
        let token = try await gate.token(text.trimmingCharacters(in: .whitespacesAndNewlines))
      else { return Self.html(.unauthorized, pages.signIn(next: next, isRefused: true)) }
      var response = Self.redirect(to: next)
      response.headers[.setCookie] = setCookie(
        sessions.begin(with: token, now: daemon.now()), request, seconds: Int(Sessions.idle))
      return response
    default: return Self.html(.methodNotAllowed, pages.notFound())
    }
  }

  /// Returns the target if it is a path on this server, otherwise `/`. The result is never the address of another host.
  private static func local(_ target: String) -> String {
    target.hasPrefix("/") && !target.hasPrefix("//") && !target.contains("\\")
      && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? target : "/"
  }

  private func setCookie(_ value: String, _ request: Request, seconds: Int) -> String {
    let isSecure = access.isPublic(request.head.authority ?? "")
    return "\(Self.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
      + (isSecure ? "; Secure" : "")
  }

  // MARK: Forms

  /// Refuses a form from another site before the form token is checked. Browsers send `Sec-Fetch-Site` and the origin of a form. A request with
  /// neither of them is not refused here.
  private func checkOrigin(of request: Request) throws {
    if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }),
      site != "same-origin", site != "none"
    {
      throw APIProblem(.forbidden, "origin", "this form was sent from another site")
    }
    guard let origin = HTTPField.Name("Origin").flatMap({ request.headers[$0] }) else { return }
    let host = origin.split(separator: "/").last.map(String.init) ?? ""
    guard host == request.head.authority else {
      throw APIProblem(.forbidden, "origin", "this form was sent from another site")
    }
  }

  private func form(of request: Request) async throws -> FormBody {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw APIProblem(.unsupportedMediaType, "body", "this form does not belong to the dashboard")
    }
    guard let bytes = try await request.body(upTo: formLimit) else {
      throw APIProblem(.contentTooLarge, "size", "the form has more than \(formLimit) bytes")
    }
    guard let form = FormBody(bytes) else { throw APIProblem(.badRequest, "body", "the form cannot be read") }
    return form
  }

  private func act(
    _ request: Request, _ parts: [String], _ pages: DashboardPages, _ viewer: DashboardViewer
  ) async throws -> Response {
    try checkOrigin(of: request)
    let form = try await form(of: request)
    guard HMAC.areEqual(Array((form["form"] ?? "").utf8), Array(viewer.formToken.utf8)) else {
      throw APIProblem(.forbidden, "form", "this form belongs to another session. Reload its page, and try again")
    }
    if parts == ["signout"] {
      if let cookie = Self.cookie(of: request) { sessions.end(cookie) }
      var response = Self.redirect(to: "/signin")
      response.headers[.setCookie] = setCookie("", request, seconds: 0)
      return response
    }
    guard viewer.role >= .operator else { return Self.html(.forbidden, pages.forbidden()) }
    let decisions = daemon.decisions(of: Actor(name: viewer.name, way: .dashboard))
    guard let target = try await DashboardActions(decisions: decisions).act(parts, form) else {
      return Self.html(.notFound, pages.notFound())
    }
    return Self.redirect(to: target)
  }

  // MARK: Responses

  /// The content security policy. Pages load nothing from other hosts and run no inline scripts.
  private static var policy: String {
    """
    default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'
    """
  }

  static func html(_ status: HTTPResponse.Status, _ text: String) -> Response {
    var response = ServerResponse.text(status, text, type: "text/html; charset=utf-8")
    for (name, value) in [
      ("Content-Security-Policy", policy), ("Referrer-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("X-Frame-Options", "DENY"), ("Vary", "Accept-Language, Cookie"),
    ] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }

  static func redirect(to target: String) -> Response {
    Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
  }

  private func asset(_ path: String, _ request: Request) -> Response {
    let (text, type): (String, String)
    switch path {
    case "/assets/style.css": (text, type) = (DashboardStyle.css, "text/css; charset=utf-8")
    case "/assets/script.js": (text, type) = (DashboardScript.javaScript, "text/javascript; charset=utf-8")
    case "/assets/icon.svg": (text, type) = (DashboardStyle.icon, "image/svg+xml")
    default: return ServerResponse.problem(.notFound, "path", "no such file")
    }
    guard request.method == .get else {
      return ServerResponse.problem(.methodNotAllowed, "method", "files are read with GET")
    }
    let tag = "\"\(ContentDigest.hexadecimal(of: Array(text.utf8), bytes: 8))\""
    var headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
    ]
    if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[name] = "same-origin" }
    if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

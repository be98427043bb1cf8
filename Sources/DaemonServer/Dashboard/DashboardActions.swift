internal import Dashboard
internal import Foundation
internal import Pipeline
internal import ReadModel

/// The actions of the dashboard's forms.
struct DashboardActions: Sendable {
  let decisions: Decisions

  /// Performs the action of a form.
  /// - Parameter parts: the parts of the request's path: `pipelines`, `rounds` or `held`; a name or id; and the action.
  /// - Returns: the path of the page to show next; `nil` if the action does not exist, the id is not a number, no branch is given or no unit was
  ///   dropped.
  func act(_ parts: [String], _ form: FormBody) async throws -> String? {
    guard parts.count == 3 else { return nil }
    switch (parts[0], parts[2]) {
    case ("pipelines", "pause"):
      let reason = form["reason"].flatMap { $0.isEmpty ? nil : String($0.prefix(500)) }
      try await decisions.pause(parts[1], reason: reason)
    case ("pipelines", "resume"): try await decisions.resume(parts[1])
    case ("pipelines", "look"): try await decisions.look(at: parts[1])
    case ("rounds", _): return try await actOnRound(parts[1], parts[2])
    case ("held", _): return try await actOnHeld(parts[1], parts[2], form)
    default: return nil
    }
    return "/pipelines/" + DashboardPages.urlValue(parts[1])
  }

  private func actOnRound(_ id: String, _ action: String) async throws -> String? {
    guard let number = Int64(id) else { return nil }
    switch action {
    case "retry": try await decisions.retry(RoundID(rawValue: number))
    case "cancel": try await decisions.cancel(RoundID(rawValue: number))
    default: return nil
    }
    return "/rounds/\(number)"
  }

  private func actOnHeld(_ id: String, _ action: String, _ form: FormBody) async throws -> String? {
    guard let number = Int64(id), let branch = form["branch"] else { return nil }
    let unit = ReturnedUnitID(rawValue: number)
    let pipeline: String?
    switch action {
    case "take": pipeline = try await decisions.take(unit, on: branch).pipeline
    case "drop": pipeline = try await decisions.drop(unit, on: branch).first?.pipeline
    case "edit": pipeline = try await decisions.edit(unit, on: branch, texts: form.all("text")).pipeline
    default: return nil
    }
    return pipeline.map { "/held?pipeline=" + DashboardPages.urlValue($0) }
  }
}

internal import ChildPrograms
internal import HTTPTransport

extension SSHFault {
  /// Returns the fault as a `VendorError` or, if the network is the cause, as a `TransportError`.
  func error(_ operation: String) -> any Error {
    func network(_ kind: TransportError.Kind) -> TransportError {
      TransportError(kind: kind, operation: operation, detail: detail)
    }
    return switch kind {
    case .notStarted: VendorError(kind: .configuration, operation: operation, detail: detail)
    case .refused: VendorError(kind: .refused, operation: operation, detail: detail)
    case .hostNotFound: network(.hostNotFound)
    case .noResponse: network(.connectTimedOut)
    case .noConnection: network(.connectionFailed)
    case .lost: network(.connectionLost)
    }
  }
}

import GitSource
import HTTPTransport
import Localization
import Pipeline

extension Composition {
  /// Returns a source of the connection settings for a repository at an http(s) URL. The source reads the secrets at each use.
  func connection(to repository: RepositorySettings) -> GitMirror.ConnectionSource {
    { [credentials] in
      var connection = HTTPConnection(certificates: repository.certificates)
      let purpose = "the client certificate of \(repository.url)"
      if let certificate = try credentials.secret(repository.clientCertificate, for: purpose) {
        let key = try credentials.secret(repository.clientKey, for: purpose)
        do throws(TransportError) {
          connection.clientCertificate = try ClientCertificate(certificate: certificate, key: key)
        } catch {
          throw PipelineError(
            .unreadableInput, operation: "use \(purpose)", detail: error.detail, disposition: .askPerson)
        }
      }
      switch repository.proxy {
      case .none: break
      case .environment: connection.proxy = credentials.proxy(for: repository.url)
      case .server(let address, let reference):
        let secret = try credentials.secret(reference, for: "the proxy \(address)")
        let own = secret.map(GitCredentials.init)
        connection.proxy = HTTPProxy(address: Secret(address), user: own?.user, password: own?.secret)
      }
      return connection
    }
  }
}

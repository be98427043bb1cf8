import Foundation

/// A server that runs `git http-backend` for the bare repositories of a folder, with persistent connections. It also has a port that accepts
/// connections and never responds.
final class LoopbackServer {
  /// The address, `http://127.0.0.1:PORT`.
  let url: String
  /// A port, on every address of this machine, that accepts connections and never responds.
  let silentPort: Int
  private let process = Process()

  init(of folder: BenchmarkFolder) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.server, folder.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let words = try output.line().split(separator: " ")
    guard words.count == 2, let silent = Int(words[1]) else {
      throw BenchmarkFailure("the server of the benchmark did not start")
    }
    url = "http://127.0.0.1:\(words[0])"
    silentPort = silent
  }

  func stop() {
    // SIGTERM may have no effect: a child that was started from Swift's cooperative pool inherits a signal mask that blocks SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The server's program in Python. The program serves `/NAME.git` and also `/N/NAME.git`, which clients treat as separate repositories.
  private static let server = """
    import http.server, os, re, socket, subprocess, sys, urllib.parse
    silent = socket.create_server(('', 0), backlog=4096)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'
        def log_message(self, *arguments): pass
        def respond(self):
            target = urllib.parse.urlsplit(re.sub(r'^/\\d+/', '/', self.path))
            body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
            environment = dict(os.environ, GIT_PROJECT_ROOT=sys.argv[1], GIT_HTTP_EXPORT_ALL='1', REQUEST_METHOD=self.command,
                PATH_INFO=target.path, QUERY_STRING=target.query, CONTENT_TYPE=self.headers.get('Content-Type') or '',
                CONTENT_LENGTH=str(len(body)), GIT_PROTOCOL=self.headers.get('Git-Protocol') or '',
                HTTP_CONTENT_ENCODING=self.headers.get('Content-Encoding') or '', GIT_CONFIG_COUNT='1',
                GIT_CONFIG_KEY_0='safe.directory', GIT_CONFIG_VALUE_0='*')
            out = subprocess.run(['git', 'http-backend'], input=body, env=environment, stdout=subprocess.PIPE).stdout
            head, _, rest = out.partition(b'\\r\\n\\r\\n')
            status, headers = 200, []
            for line in head.decode().split('\\r\\n'):
                name, _, value = line.partition(': ')
                if name == 'Status': status = int(value[:3])
                else: headers.append((name, value))
            self.send_response(status)
            for header in headers: self.send_header(*header)
            self.send_header('Content-Length', str(len(rest)))
            self.end_headers()
            self.wfile.write(rest)
        do_GET = do_POST = respond

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 512
        daemon_threads = True

    server = Server(('127.0.0.1', 0), Handler)
    print(server.server_address[1], silent.getsockname()[1], flush=True)
    server.serve_forever()
    """
}

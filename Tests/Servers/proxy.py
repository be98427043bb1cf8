"""A small proxy on 127.0.0.1 for CONNECT and for requests to http URLs.

    proxy.py STATE [USER:PASSWORD]

Once the proxy listens, STATE/ready has its port. STATE/log has a line for each request.
"""
import base64, http.client, http.server, os, select, socket, sys, urllib.parse

STATE, CREDENTIALS = sys.argv[1], sys.argv[2]

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def admit(self):
        wanted = "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()
        is_known = not CREDENTIALS or self.headers.get("Proxy-Authorization") == wanted
        with open(STATE + "/log", "a") as log:
            log.write(f"{self.command} {self.path} {'allowed' if is_known else 'refused'}\n")
        if not is_known:
            self.send_response(407)
            self.send_header("Proxy-Authenticate", "Basic")
            self.send_header("Content-Length", "0")
            self.end_headers()
        return is_known

    def do_CONNECT(self):
        if not self.admit():
            return
        host, port = self.path.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as other:
            self.send_response(200)
            self.end_headers()
            self.wfile.flush()
            ends = {self.connection: other, other: self.connection}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        self.close_connection = True
                        return
                    ends[end].sendall(data)

    def forward(self):
        if not self.admit():
            return
        url = urllib.parse.urlsplit(self.path)
        other = http.client.HTTPConnection(url.hostname, url.port)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
        other.request(self.command, url.path + ("?" + url.query if url.query else ""), body, headers)
        response = other.getresponse()
        data = response.read()
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = forward

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open(STATE + "/ready.part", "w") as ready:
    ready.write(str(server.server_address[1]))
os.rename(STATE + "/ready.part", STATE + "/ready")
server.serve_forever()

"""An S3 server on 127.0.0.1: moto, with checks and ordering that moto lacks.

botocore's own signer checks the signatures, and the server also checks the time and the digest of the body. Requests run one after another,
because AWS promises that a listing shows all objects that were written before.

s3.py PORT_FILE ACCESS_KEY:SECRET[:SESSION] BUCKET MODE [CERTIFICATE KEY]

The server listens on a free port and writes the port to PORT_FILE. MODE is `full`, `unconditional` (a server that ignores If-None-Match) or
`refusing` (a server that responds to If-None-Match with 501).
"""
import datetime
import hashlib
import hmac
import io
import os
import ssl
import sys
import threading

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import Client

port_file, credentials, bucket, mode, *tls = sys.argv[1:]
access_key, secret, *session = credentials.split(":", 2)
region = "eu-central-1"
moto = DomainDispatcherApplication(create_backend_app)
lock = threading.Lock()


def refusal(start_response, status, code, message):
    start_response(status, [("Content-Type", "application/xml")])
    return [f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()]


def headers_of(environ):
    names = {key[5:].replace("_", "-").lower(): value for key, value in environ.items() if key.startswith("HTTP_")}
    return names


def app(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    headers = headers_of(environ)
    given = headers.get("authorization", "")
    if not given.startswith("AWS4-HMAC-SHA256 "):
        return refusal(start_response, "403 Forbidden", "AccessDenied", "not signed")
    parts = dict(part.strip().split("=", 1) for part in given[len("AWS4-HMAC-SHA256 "):].split(","))
    scope = parts["Credential"].split("/")
    if scope[0] != access_key:
        return refusal(start_response, "403 Forbidden", "InvalidAccessKeyId", "no such key")
    if session and headers.get("x-amz-security-token") != session[0]:
        return refusal(start_response, "403 Forbidden", "InvalidToken", "the token is not valid")
    if scope[2] != region:
        start_response("400 Bad Request", [("Content-Type", "application/xml")])
        return [f"<Error><Code>AuthorizationHeaderMalformed</Code><Region>{region}</Region></Error>".encode()]
    time = headers["x-amz-date"]
    sent = datetime.datetime.strptime(time, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    if abs((datetime.datetime.now(datetime.timezone.utc) - sent).total_seconds()) > 900:
        return refusal(start_response, "403 Forbidden", "RequestTimeTooSkewed", "the times differ too much")
    names = parts["SignedHeaders"].split(";")
    unsigned = [n for n in headers if (n.startswith("x-amz-") or n in ("host", "if-none-match", "if-match")) and n not in names]
    if unsigned:
        return refusal(start_response, "403 Forbidden", "AccessDenied", f"not signed: {unsigned}")
    if headers["x-amz-content-sha256"] != hashlib.sha256(body).hexdigest():
        return refusal(start_response, "400 Bad Request", "XAmzContentSHA256Mismatch", "the body is another one")
    signer = S3SigV4Auth(Credentials(access_key, secret), "s3", region)
    request = AWSRequest(
        method=environ["REQUEST_METHOD"], url=f"http://{headers['host']}{environ['RAW_URI']}",
        headers={name: headers[name] for name in names}, data=body)
    request.context["timestamp"] = time
    text = signer.string_to_sign(request, signer.canonical_request(request))
    if not hmac.compare_digest(signer.signature(text, request), parts["Signature"]):
        return refusal(start_response, "403 Forbidden", "SignatureDoesNotMatch", "the signature is another one")
    if environ["REQUEST_METHOD"] == "PUT" and headers.get("if-none-match"):
        if mode == "refusing":
            return refusal(start_response, "501 Not Implemented", "NotImplemented", "no such header")
        if mode == "unconditional":
            del environ["HTTP_IF_NONE_MATCH"]
    with lock:
        return moto(environ, start_response)


signed = {"Authorization": f"AWS4-HMAC-SHA256 Credential={access_key}/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"}
Client(moto).put(f"/{bucket}", base_url="http://127.0.0.1", headers=signed).close()
context = None
if tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*tls)
WSGIRequestHandler.protocol_version = "HTTP/1.1"
server = make_server("127.0.0.1", 0, app, threaded=True, ssl_context=context)
with open(port_file + ".new", "w", encoding="ascii") as file:
    file.write(str(server.server_port))
os.rename(port_file + ".new", port_file)
server.serve_forever()

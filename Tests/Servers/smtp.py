"""An SMTP server on 127.0.0.1, based on aiosmtpd, that stores each message as a file.

smtp.py PORT_FILE FOLDER USER:PASSWORD MODE [CERTIFICATE KEY]

The server listens on a free port and writes the port to PORT_FILE. MODE is `plain`, `helo` (like `plain`, but EHLO is refused with 502, as by very
old servers), `starttls` (AUTH only after STARTTLS) or `tls` (TLS from the first byte). A recipient `nobody@…` is refused with 550, and a message whose
body contains `refuse-me` with 554. The connection is closed without a reply after a sender `hangup@…`. The refusal of a wrong login for the user
`parrot` repeats the login, up to the maximum length of a line.
"""
import asyncio
import base64
import functools
import itertools
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

port_file, folder, login, mode, *tls = sys.argv[1:]
user, password = login.split(":", 1)
numbers = itertools.count()


class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        if mode == "helo":
            return ["502 5.5.1 unknown command"]
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.startswith("hangup@"):
            server.transport.abort()
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        _, _, body = envelope.content.partition(b"\r\n\r\n")
        if b"refuse-me" in base64.b64decode(body):
            return "554 5.7.1 rejected as spam"
        path = os.path.join(folder, f"{next(numbers):04}.eml")
        head = f"X-From: {envelope.mail_from}\r\nX-To: {', '.join(envelope.rcpt_tos)}\r\nX-TLS: {server.transport.get_extra_info('ssl_object') is not None}\r\n"
        with open(path + ".part", "wb") as file:
            file.write(head.encode() + envelope.content)
        os.rename(path + ".part", path)
        return "250 stored"


def authenticate(server, session, envelope, mechanism, data):
    fits = isinstance(data, LoginPassword) and data.login == user.encode() and data.password == password.encode()
    if isinstance(data, LoginPassword) and data.login.startswith(b"parrot"):
        both = base64.b64encode(b"\0" + data.login + b"\0" + data.password).decode()
        filler = "x" * int(data.login[len("parrot"):] or 0)
        return AuthResult(success=False, handled=False, message=f"535 {filler} {data.password.decode()} {both} is wrong")
    return AuthResult(success=fits, handled=False)


context = None
if tls:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*tls)
make = functools.partial(
    SMTP, Handler(), hostname="test", authenticator=authenticate, auth_required=bool(user),
    auth_require_tls=mode == "starttls", tls_context=context if mode == "starttls" else None)


async def serve():
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, ssl=context if mode == "tls" else None)
    with open(port_file + ".part", "w") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    os.rename(port_file + ".part", port_file)
    await server.serve_forever()


asyncio.run(serve())

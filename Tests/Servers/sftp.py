"""An SFTP server on 127.0.0.1 with one account and a password. It uses asyncssh, which shares no code with OpenSSH.

sftp.py PORT_FILE HOST_KEY USER PASSWORD_FILE FOLDER LOG

The server listens on a free port and writes the port to PORT_FILE.
"""
import asyncio
import os
import sys

import asyncssh

port_file, host_key, user, password_file, folder, log = sys.argv[1:]
with open(password_file, encoding="utf-8") as file:
    password = file.read()


class Server(asyncssh.SSHServer):
    def begin_auth(self, username):
        return True

    def password_auth_supported(self):
        return True

    def validate_password(self, username, given):
        return username == user and given == password


async def main():
    def sftp(channel):
        return asyncssh.SFTPServer(channel, chroot=os.fsencode(folder))

    server = await asyncssh.create_server(
        Server, "127.0.0.1", 0, server_host_keys=[host_key], sftp_factory=sftp)
    with open(port_file + ".new", "w", encoding="ascii") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    await asyncio.Event().wait()


with open(log, "w", encoding="utf-8") as sys.stderr:
    asyncio.run(main())

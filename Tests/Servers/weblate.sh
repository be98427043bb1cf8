#!/usr/bin/env bash
# A real Weblate on 127.0.0.1 for tests, installed only from Debian and PyPI, with a separate PostgreSQL and Redis.
#
#   weblate.sh up     installs missing parts, starts Weblate, and prints `export WEBLATE_URL=… WEBLATE_TOKEN=…`. Has no effect if it runs already.
#                     WEBLATE_TOKEN_MEMBER is the token of an account without its own permissions. WEBLATE_TOKEN_THROTTLED is the token of an
#                     account that may send 20 requests per minute. If WEBLATE_WORKER=1 is set when the server starts, a worker runs
#                     background tasks, as on large servers. Otherwise they run within the request.
#   weblate.sh down   stops the processes that `up` started
#
# The state is in $SERVERS_HOME (.build/servers). Run this as root on Debian 12. PostgreSQL refuses to run as root, so it runs as `postgres`.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
home=${SERVERS_HOME:-$here/../../.build/servers}
mkdir -p "$home" && home=$(readlink -f "$home")
state=$home/weblate
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
# This version of Weblate pins every dependency. Older versions no longer start with the packages that PyPI has today.
weblate="weblate[postgres,wsgi]==2026.10.1"
packages=(curl git gcc libc6-dev pkg-config libacl1-dev liblz4-dev libzstd-dev libxxhash-dev libssl-dev redis-server redis-tools
  gettext postgresql-15 postgresql-client-15)
postgres=/usr/lib/postgresql/15/bin

fail() { echo "weblate.sh: $*" >&2; exit 1; }
runs() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
wait_for() {  # SECONDS COMMAND…
  local end=$(($(date +%s) + $1)); shift
  until "$@" >/dev/null 2>&1; do [ "$(date +%s)" -lt "$end" ] || return 1; sleep 0.2; done
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }

stop() {
  local name pid
  for name in web worker redis postgres; do
    if runs "$state/$name.pid"; then
      pid=$(cat "$state/$name.pid")
      kill "$pid" 2>/dev/null || true
      wait_for 15 bash -c "! kill -0 $pid" || kill -KILL "$pid" 2>/dev/null || true
    fi
    rm -f "$state/$name.pid"
  done
  rm -f "$state/env"
}

python() {  # prints the newest of 3.13 and 3.12, because Weblate needs one of them
  local candidate
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13.*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12.*/bin/python \
    "$(command -v python3.13 || true)" "$(command -v python3.12 || true)"; do
    [ -x "$candidate" ] && { echo "$candidate"; return; }
  done
  fail "start Weblate: it needs Python 3.12 or 3.13, and there is neither (looked in pyenv and in PATH)"
}

install_packages() {
  local missing=() package guard=/usr/sbin/policy-rc.d made=""
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  # This prevents packages from starting their services.
  [ -e $guard ] || { printf '#!/bin/sh\nexit 101\n' >$guard; chmod 755 $guard; made=1; }
  { apt-get -q update && apt-get -q install -y --no-install-recommends "${missing[@]}"; } >&2 || { [ -z "$made" ] || rm -f $guard; fail "install ${missing[*]}"; }
  [ -z "$made" ] || rm -f $guard
}

install_weblate() {
  [ -e "$venv/.installed" ] && return
  rm -rf "$venv"
  "$(python)" -m venv "$venv"
  "$venv/bin/pip" -q install uv >&2
  VIRTUAL_ENV=$venv timeout 900 "$venv/bin/uv" -q pip install "$weblate" >&2
  touch "$venv/.installed"
}

start_postgres() {
  runs "$state/postgres.pid" && return
  install -d -o postgres -g postgres -m 0755 "$state/sockets"
  if [ ! -s "$state/data.pg/PG_VERSION" ]; then
    install -d -o postgres -g postgres -m 0700 "$state/data.pg"
    (cd "$state/data.pg" && as_postgres "$postgres/initdb" -D "$state/data.pg" -U postgres -E UTF8 --locale=C.UTF-8 --auth=trust --no-sync) \
      >"$state/initdb.log" 2>&1 || { tail "$state/initdb.log" >&2; fail "initdb"; }
    printf "listen_addresses = ''\nunix_socket_directories = '%s'\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n" \
      "$state/sockets" >>"$state/data.pg/postgresql.conf"
  fi
  (cd "$state/data.pg" && exec setsid setpriv --reuid=postgres --regid=postgres --init-groups "$postgres/postgres" -D "$state/data.pg") \
    >"$state/postgres.log" 2>&1 </dev/null &
  echo $! >"$state/postgres.pid"
  wait_for 30 "$postgres/pg_isready" -q -h "$state/sockets" || { tail "$state/postgres.log" >&2; fail "start PostgreSQL"; }
  sql() { psql -qXAt -h "$state/sockets" -U postgres -c "$1"; }
  # The role is a superuser, because Weblate's migrations create extensions.
  [ "$(sql "select 1 from pg_roles where rolname = 'weblate'")" = 1 ] || sql "create role weblate login superuser"
  [ "$(sql "select 1 from pg_database where datname = 'weblate'")" = 1 ] || sql "create database weblate owner weblate"
}

start_redis() {
  runs "$state/redis.pid" && return
  (cd "$state" && exec setsid redis-server --port 0 --unixsocket "$state/redis.sock" --save '' --appendonly no) >"$state/redis.log" 2>&1 </dev/null &
  echo $! >"$state/redis.pid"
  wait_for 15 redis-cli -s "$state/redis.sock" ping || fail "start Redis"
}

up() {
  mkdir -p "$state/data" "$state/mail"
  if runs "$state/web.pid" && [ -s "$state/env" ]; then cat "$state/env"; return; fi
  export venv=$home/weblate-python
  install_packages
  install_weblate
  trap 'code=$?; [ $code -eq 0 ] || stop' EXIT
  start_postgres
  start_redis
  WEBLATE_PORT=$(free_port)
  export WEBLATE_PORT WEBLATE_STATE=$state WEBLATE_STATIC=$venv/static PYTHONPATH=$here/weblate DJANGO_SETTINGS_MODULE=test_settings PATH="$venv/bin:$PATH"
  # Byte code saves time, because Weblate is started several times.
  unset VIRTUAL_ENV PYTHONDONTWRITEBYTECODE || true
  if [ ! -e "$state/migrated" ]; then
    weblate migrate --noinput >"$state/migrate.log" 2>&1 || { tail -20 "$state/migrate.log" >&2; fail "migrate"; }
    touch "$state/migrated"
  fi
  if [ ! -s "$state/tokens" ]; then
    weblate shell --no-startup -c "exec(open('$here/weblate/accounts.py').read())" >"$state/accounts.log" 2>&1 \
      || { tail -20 "$state/accounts.log" >&2; fail "make accounts"; }
  fi
  # Without collected static files, every page outside the API responds with 500.
  if [ ! -e "$venv/.static" ]; then
    weblate collectstatic --noinput >"$state/static.log" 2>&1
    weblate compress --force >>"$state/static.log" 2>&1 || true
    touch "$venv/.static"
  fi
  setsid granian --interface wsgi --host 127.0.0.1 --port "$WEBLATE_PORT" --workers 1 --blocking-threads 4 --no-ws \
    --static-path-route /static --static-path-mount "$WEBLATE_STATIC" weblate.wsgi:application >"$state/web.log" 2>&1 </dev/null &
  echo $! >"$state/web.pid"
  if [ "${WEBLATE_WORKER:-0}" = 1 ]; then
    setsid celery -A weblate.utils worker --pool threads --concurrency 2 --without-gossip --without-mingle --without-heartbeat \
      -Q celery,notify,memory,translate,backup >"$state/worker.log" 2>&1 </dev/null &
    echo $! >"$state/worker.pid"
  fi
  local url=http://127.0.0.1:$WEBLATE_PORT token member throttled
  read -r token member throttled <"$state/tokens"
  wait_for 120 curl -fsS -m 20 -H "Authorization: Token $token" "$url/api/" || { tail -20 "$state/web.log" >&2; fail "start Weblate"; }
  echo "export WEBLATE_URL=$url WEBLATE_TOKEN=$token WEBLATE_TOKEN_MEMBER=$member WEBLATE_TOKEN_THROTTLED=$throttled" | tee "$state/env"
}

case "${1:-}" in
  up) up ;;
  down) stop ;;
  *) fail "usage: weblate.sh up|down" ;;
esac

#!/usr/bin/env bash
# A real Kallithea (a forge for git) on 127.0.0.1 for tests, installed only from PyPI.
#
#   kallithea.sh up     installs missing parts, starts Kallithea, and prints `export KALLITHEA_URL=… KALLITHEA_KEY=… KALLITHEA_FOLDER=…`.
#                       Has no effect if it runs already. KALLITHEA_KEY is the administrator's API key. Every push calls the programs in
#                       $KALLITHEA_FOLDER/hooks with the repository's name and the pushed commits.
#   kallithea.sh down   stops the processes that `up` started
#
# The state is in $SERVERS_HOME (.build/servers). Kallithea needs Python 3.8, because its pinned libraries do not build on newer versions.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
home=${SERVERS_HOME:-$here/../../.build/servers}
mkdir -p "$home" && home=$(readlink -f "$home")
state=$home/kallithea
venv=$home/kallithea-python
export LC_ALL=C.UTF-8

fail() { echo "kallithea.sh: $*" >&2; exit 1; }
runs() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

install_kallithea() {
  [ -e "$venv/.installed" ] && return
  local python
  python=$(ls "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.8.*/bin/python 2>/dev/null | tail -n 1)
  python=${python:-$(command -v python3.8 || true)}
  [ -x "$python" ] || fail "start Kallithea: it needs Python 3.8, and there is none (looked in pyenv and in PATH)"
  rm -rf "$venv" "$venv-uv"
  "$python" -m venv "$venv"
  # uv runs on any Python, and Kallithea's pip is too old for the package index.
  python3 -m venv "$venv-uv" && "$venv-uv/bin/pip" -q install uv >&2
  # One of the pinned libraries needs a build option that newer setuptools lack.
  echo 'setuptools<58' >"$venv/build.txt"
  VIRTUAL_ENV=$venv timeout 900 "$venv-uv/bin/uv" -q pip install -b "$venv/build.txt" 'kallithea==0.7.0' 'setuptools<58' wheel >&2
  touch "$venv/.installed"
}

up() {
  mkdir -p "$state/repositories" "$state/hooks"
  if runs "$state/web.pid" && [ -s "$state/env" ]; then cat "$state/env"; return; fi
  install_kallithea
  trap 'code=$?; [ $code -eq 0 ] || down' EXIT
  export PATH="$venv/bin:$PATH"
  unset VIRTUAL_ENV || true
  local port; port=$(free_port)
  cd "$state"
  if [ ! -e made ]; then
    rm -rf kallithea.db my.ini
    kallithea-cli config-create my.ini database_engine=sqlite host=127.0.0.1 port="$port" >setup.log 2>&1 || { tail setup.log >&2; fail "configure"; }
    kallithea-cli db-create -c my.ini --user=admin --password=admin-password --email=admin@example.test --repos="$state/repositories" \
      --force-yes --no-public-access >>setup.log 2>&1 || { tail setup.log >&2; fail "make the database"; }
    touch made
  fi
  # Kallithea reads its hooks from a module in the folder of its configuration.
  cat >extensions.py <<'PYTHON'
import os, subprocess

def _push(*arguments, **facts):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hooks")
    for name in sorted(os.listdir(folder)):
        subprocess.call([os.path.join(folder, name), facts["repository"], *facts["pushed_revs"]])
    return 0

PUSH_HOOK = _push
PYTHON
  sed -i "s/^port = .*/port = $port/; s/^host = .*/host = 127.0.0.1/" my.ini
  setsid gearbox serve -c my.ini >web.log 2>&1 </dev/null &
  echo $! >web.pid
  local end=$(($(date +%s) + 60))
  until curl -fsS -m 5 -o /dev/null "http://127.0.0.1:$port/_admin/login" 2>/dev/null; do
    runs web.pid && [ "$(date +%s)" -lt "$end" ] || { tail web.log >&2; fail "start Kallithea"; }
    sleep 0.2
  done
  local key; key=$(python3 -c "import sqlite3; print(sqlite3.connect('kallithea.db').execute(\"select api_key from users where username = 'admin'\").fetchone()[0])")
  echo "export KALLITHEA_URL=http://127.0.0.1:$port KALLITHEA_KEY=$key KALLITHEA_FOLDER=$state" | tee env
}

down() {
  if runs "$state/web.pid"; then
    local pid end; pid=$(cat "$state/web.pid"); end=$(($(date +%s) + 15))
    kill "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do [ "$(date +%s)" -lt "$end" ] || { kill -KILL "$pid" 2>/dev/null || true; break; }; sleep 0.2; done
  fi
  rm -f "$state/web.pid" "$state/env"
}

case "${1:-}" in
  up) up ;;
  down) down ;;
  *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

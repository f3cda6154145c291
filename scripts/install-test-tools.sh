#!/usr/bin/env bash
# What tests need beyond npm packages, from Debian: a browser with Chinese glyphs, a terminal to type into, shells, the
# programs of SQLite, Redis and MariaDB, a pooler for PostgreSQL, two reverse proxies.
set -euo pipefail
missing=()
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
for tool in tmux zsh fish sqlite3; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
command -v redis-server >/dev/null || missing+=(redis-server)
{ command -v mariadbd || [ -x /usr/sbin/mariadbd ]; } >/dev/null || missing+=(mariadb-server)
{ command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null || missing+=(nginx-light)
command -v caddy >/dev/null || missing+=(caddy)
{ command -v pgbouncer || [ -x /usr/sbin/pgbouncer ]; } >/dev/null || missing+=(pgbouncer)
[ -d /usr/share/fonts/opentype/noto ] || missing+=(fonts-noto-cjk)
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "please install: ${missing[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

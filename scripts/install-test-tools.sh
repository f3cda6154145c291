#!/usr/bin/env bash
# What tests need beyond npm packages, from Debian: a browser with Chinese glyphs, and a terminal to type into.
set -euo pipefail
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v tmux >/dev/null || missing+=(tmux)
[ -d /usr/share/fonts/opentype/noto ] || missing+=(fonts-noto-cjk)
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "please install: ${missing[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

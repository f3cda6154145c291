#!/usr/bin/env bash
# Sets up and operates a whole site by command line alone, and checks every step.
#
#   operate-a-site.sh            on the data folder: first without a gateway, then with one that runs on it
#   operate-a-site.sh --remote   from another home folder, without the data folder, by --server, login and profile
#
# Both take the same steps and leave the same site. Needs turnpike, node and curl on the PATH, and a free port. Everything
# happens in a folder of its own, which is removed at the end; with KEEP=FOLDER it is that one, and stays.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
remote=false
[[ ${1:-} == --remote ]] && remote=true
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work/operator" "$work/outputs"
data=$work/data
backup=$work/site.backup
# Nothing that the reader has set may change what the commands do.
for variable in $(compgen -e TURNPIKE_ || true) XDG_CONFIG_HOME; do unset "$variable"; done
export LANG=C.UTF-8 NO_COLOR=1 HOME=$work/operator
export GLOBAL_API_RATE_LIMIT_ENABLE=false CRITICAL_RATE_LIMIT_ENABLE=false

pids=()
finish() {
  status=$?
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  ((status == 0)) || echo "FAILED; the last output is in $work/outputs" >&2
  [[ -n ${KEEP:-} ]] || ((status != 0)) || rm -rf "$work"
}
trap finish EXIT

# ---- tools --------------------------------------------------------------------------------------------------------

step=0
# run WORD…: a command on the gateway's machine, which must succeed. Its output is in $out and $err.
run() { run_expecting 0 "$@"; }
# run_expecting CODE WORD…: the same with another exit code.
run_expecting() {
  local expected=$1 code=0
  shift
  step=$((step + 1))
  out=$(printf '%s/outputs/%02d.out' "$work" "$step") err=${out%.out}.err
  echo "$ turnpike $*"
  printf '%s\n' "$@" >"${out%.out}.words"
  turnpike "$@" >"$out" 2>"$err" || code=$?
  ((code == expected)) || fail "exit code $code instead of $expected"
}
# The same commands on the site, from wherever the operator is.
if $remote; then where=(--profile site); else where=(--data-dir "$data"); fi
site() { run "$@" "${where[@]}"; }
site_expecting() { run_expecting "$@" "${where[@]}"; }

fail() {
  echo "  $1" >&2
  cat "$out" "$err" >&2
  exit 1
}
# says TEXT: the last output contains it. notes TEXT: the same for what was written for people beside it.
says() { grep -qF -- "$1" "$out" || fail "the output lacks: $1"; }
notes() { grep -qF -- "$1" "$err" || fail "the notes lack: $1"; }
# value .items[0].id: a value in the last JSON output.
value() { node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))'"$1" "$out"; }
# is .total 2: a value in the last JSON output is as expected.
is() {
  local found
  found=$(value "$1")
  [[ $found == "$2" ]] || fail "$1 is $found instead of $2"
}

start_gateway() {
  turnpike serve --port 0 --no-open --json --data-dir "$data" >"$work/gateway.json" 2>"$work/gateway.log" &
  pids+=($!)
  gateway=$!
  for _ in {1..300}; do
    [[ -s $work/gateway.json ]] && url=$(out=$work/gateway.json value .url 2>/dev/null) && return
    sleep 0.1
  done
  cat "$work/gateway.log" >&2
  exit 1
}
stop_gateway() { kill "$gateway" && wait "$gateway"; }

node "$here/mock-upstream.mjs" >"$work/upstream" &
pids+=($!)
until upstream=$(grep -m1 http "$work/upstream"); do sleep 0.1; done

# ---- the site is set up -------------------------------------------------------------------------------------------

password='correct horse battery'
if $remote; then
  start_gateway
  code=$(out=$work/gateway.json value .setup_code)
  run_expecting 2 setup --username root --password-stdin --server "$url" <<<"$password"
  notes '--setup-code'
  run setup --username root --password-stdin --system-name Demo --site-language en --server "$url" --setup-code "$code" <<<"$password"
  run profiles login site --server "$url" --username root --password-stdin <<<"$password"
  [[ $(stat -c %a "$HOME/.config/turnpike/profiles.json" 2>/dev/null || echo 600) == 600 ]] || fail 'profiles are readable by others'
else
  run setup --username root --password-stdin --system-name Demo --site-language en --data-dir "$data" <<<"$password"
fi
site users self --json
is .username root

# ---- options: groups, ratios, prices ------------------------------------------------------------------------------

site options set GroupRatio '{"default":1,"vip":0.5}'
site options set UserUsableGroups '{"default":"Default","vip":"VIP"}'
site options set ModelRatio - <<<'{"demo-chat":1,"demo-mini":0.5}'
site options set CompletionRatio '{"demo-chat":4,"demo-mini":4}'
site options get GroupRatio --json
is '.value' '{"default":1,"vip":0.5}'
site options set QuotaForNewUser 1000
site options reset QuotaForNewUser --yes
site options get QuotaForNewUser
says 0
site_expecting 3 options get GroupRatios
site options set SMTPToken - <<<'a secret'
site options get SMTPToken --json
is '.configured' true
grep -q 'a secret' "$out" && fail 'the secret is shown'
site options list --search Ratio --json
site pricing list --search demo --json
is .total 2
site pricing explain --model demo-chat --group vip --prompt 1000 --completion 500 --json
is .quota 1500

# ---- users --------------------------------------------------------------------------------------------------------

site users add --username linxi --display-name 林溪 --group vip --quota 1000000 --password-stdin --json <<<"$password"
customer=$(value .id)
site users add --username temp --password-stdin --json <<<"$password"
temp=$(value .id)
site_expecting 5 users add --username linxi --password-stdin --json <<<"$password"
site users edit "$customer" --display-name 林小溪 --json
is .display_name 林小溪
site users quota "$customer" --add 250000 --json
is .quota 1250000
site users promote "$temp"
site users demote "$temp"
site users disable "$temp" --json
is .status 2
site users enable "$temp"
site_expecting 2 users delete "$temp"
notes --yes
site users delete "$temp" --remove --yes
site_expecting 3 users show "$temp" --json
site users list
says 林小溪
site users list --page 2 --page-size 1 --json
is .items.length 1
site users list --all --json
is .items.length 2

# ---- channels -----------------------------------------------------------------------------------------------------

site channels types --json
site channels add --name main --type openai --key-stdin --base-url "$upstream" --models demo-chat,demo-mini --groups default,vip --json <<<sk-upstream
channel=$(value .ids[0])
site channels add --name spare --type openai --key sk-wrong --base-url "$upstream" --models demo-chat --groups default,vip --priority -1 --tag spare --json
spare=$(value .ids[0])
site channels edit "$channel" --weight 5 --json
is .weight 5
site channels fetch-models "$channel" --json
is .total 2
site channels test "$channel" --model demo-mini --json
is .success true
site_expecting 1 channels test "$spare"
says failed
site channels disable "$spare"
site channels list --json
is .total 2
site route explain --model demo-chat --group vip --json
is '.tiers[0].channels[0].id' "$channel"

# ---- tokens, and a request that is relayed and paid ------------------------------------------------------------------

site tokens add --name app --user linxi --unlimited --group vip --json
key=$(value .key)
token=$(value .id)
site tokens add --name small --user "$customer" --quota 500 --models demo-mini --expires never --json
small=$(value .id)
site tokens disable "$small"
site tokens edit "$small" --name smaller --json
is .name smaller
site tokens list --user "$customer" --json
is .total 2

$remote || start_gateway
curl -fsS "$url/v1/chat/completions" -H "authorization: Bearer $key" -H 'content-type: application/json' \
  -d '{"model":"demo-chat","messages":[{"role":"user","content":"Hello"}]}' | grep -q 'mock upstream'

site users show "$customer" --json
is .used_quota 1500
site logs list --type usage --user linxi --json
is .items[0].quota 1500
site logs stat --user linxi --json
is .quota 1500
site logs tail --once --user linxi
says demo-chat
site logs export "$work/logs.csv" --type usage --user linxi
[[ $(wc -l <"$work/logs.csv") == 2 ]] || fail 'the export has not one row and its header'
site tokens show "$token" --json
is .used_quota 1500

# ---- codes --------------------------------------------------------------------------------------------------------

site redemptions batch --count 3 --quota 700 --name gift --json
codes=("$(value .items[0].key)" "$(value .items[1].key)")
unused=$(value .items[2].id)
site redemptions redeem "${codes[0]}" --json
is .quota 700
site_expecting 5 redemptions redeem "${codes[0]}"
site redemptions redeem - <<<"${codes[1]}"
site redemptions disable "$unused"
site redemptions list --status used --json
is .total 2

# ---- the rest of the site -------------------------------------------------------------------------------------------

site_expecting 2 models add demo-chat --vendor Demo
notes --icon
site models add demo-chat --icon /logo.png --description 试用模型 --description-en 'A model for trying things out' --type chat --tags demo \
  --vendor Demo --price-type billed --context 128K --size Small --published 2026-01-31 --json
site models list --json
is .total 1
site models export --json
site topups list --json
is .total 0
site tasks list
notes 'Nothing found'
site drawings list --json
is .total 0
site files usage --json
site jobs list --json
site audit list --action user. --json
site ledger list --user "$customer" --json
site ledger statement --user "$customer" --json
is .difference 0
site ledger verify
says 'The ledger adds up'
site doctor

# ---- configuration as a file ----------------------------------------------------------------------------------------

site config export "$work/site.yaml"
site config apply "$work/site.yaml" --dry-run
notes 'Nothing to change'
sed 's/^  *vip: 0.5/    vip: 0.4/; s/"vip":0.5/"vip":0.4/' "$work/site.yaml" >"$work/changed.yaml"
site_expecting 1 config apply "$work/changed.yaml" --dry-run --exit-code
says GroupRatio

# ---- what only works on the gateway's machine says so -----------------------------------------------------------------

for words in 'restore x.backup' rotate-crypto 'reset-root-password --password-stdin' migrate; do
  # shellcheck disable=SC2086
  run_expecting 2 $words --server "$url" --access-token x --yes
  notes --server
done
run_expecting 6 users list --server http://127.0.0.1:9 --access-token x
run_expecting 4 users list --server "$url" --access-token wrong --json

# ---- backup, a drill of its restore, pruning ------------------------------------------------------------------------

run backup "$backup" --with-keys --json --data-dir "$data"
run restore "$backup" --data-dir "$work/second"

# dump NAME WORD…: what a site holds, as the flags in WORD… reach it, in files of the folder NAME.
dump() {
  local folder=$work/$1 topic
  shift
  mkdir -p "$folder"
  for topic in users channels tokens redemptions logs ledger models; do
    run "$topic" list --all --json "$@"
    cp "$out" "$folder/$topic.json"
  done
  run config export --json "$@"
  cp "$out" "$folder/config.json"
}
dump site "${where[@]}"
dump restored --data-dir "$work/second"
diff -r "$work/site" "$work/restored"

sleep 1 # what is deleted is older than now
site logs prune --before now --yes
site logs list --type usage --json
is .total 0
site ledger verify
stop_gateway
run ledger verify --data-dir "$data"
run rotate-crypto --yes --data-dir "$data"
run migrate --dry-run --data-dir "$data"
echo "$step commands, all as expected"

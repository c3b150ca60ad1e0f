#!/bin/sh
# Uploads the files of a training run to Stallscope with nothing but curl and the tools of any small image (busybox will do).
#
#   stallscope-upload.sh [-m model] [-c cluster] [-b body.json] [-k key] folder
#
# STALLSCOPE_SERVER and STALLSCOPE_TOKEN (scope runs:write) say where to, STALLSCOPE_MODEL and STALLSCOPE_CLUSTER stand in for
# -m and -c. -b: a file with the whole body of POST /v1/runs, in the place of both. Who gives the same -k and the same
# model, cluster and body, such as the nodes of one job, comes to one run; without -k the same files do. Run it again after a failure:
# it goes on where it was cut. Prints the address of the report. STALLSCOPE_READ_AS: for root, whose rights to read, and to
# send to the object store, with.
set -eu

fail() { echo "stallscope: $*" >&2; exit 1; }
model=${STALLSCOPE_MODEL:-} cluster=${STALLSCOPE_CLUSTER:-} body='' key=''
while getopts m:c:b:k: flag; do
  case $flag in
    m) model=$OPTARG ;;
    c) cluster=$OPTARG ;;
    b) body=$OPTARG ;;
    k) key=$OPTARG ;;
    *) fail 'usage: stallscope-upload.sh [-m model] [-c cluster] [-b body.json] [-k key] folder' ;;
  esac
done
shift $((OPTIND - 1))
folder=${1:-}
server=${STALLSCOPE_SERVER:-}
server=${server%/}
for needed in "$folder" "$server" "${STALLSCOPE_TOKEN:-}" "${body:-$model}" "${body:-$cluster}"; do
  [ -n "$needed" ] || fail 'give a folder, STALLSCOPE_SERVER, STALLSCOPE_TOKEN, and -m and -c or -b'
done
case $server in http://?* | https://?*) ;; *) fail 'STALLSCOPE_SERVER must begin with http:// or https://' ;; esac
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
folder=$(absolute "${folder%/}")
[ -z "$body" ] || body=$(absolute "$body")

umask 077
as_user() {
  if [ -n "${STALLSCOPE_READ_AS:-}" ]; then runuser -u "$STALLSCOPE_READ_AS" -- "$@"; else "$@"; fi
}
quoted() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
work=$(mktemp -d) parts=''
trap 'rm -rf "$work"; [ -z "$parts" ] || as_user rm -rf "$parts"' EXIT
trap 'exit 1' HUP INT TERM

# In files: what is on a command line, others see. The token goes to the server, not to the object store.
# Whatever addresses a server gives, nothing but HTTP is spoken: `file:` would write here.
printf '%s\n' 'proto = "=http,https"' 'proto-redir = "=http,https"' no-location globoff silent show-error \
  'connect-timeout = 10' 'max-time = 600' 'retry = 6' 'retry-max-time = 300' \
  retry-connrefused 'header = "Expect:"' > "$work/store.curl"
if curl --help all 2> /dev/null | grep -q retry-all-errors; then echo retry-all-errors >> "$work/store.curl"; fi
{
  cat "$work/store.curl"
  printf 'header = "Authorization: Bearer %s"\nheader = "Content-Type: application/json"\n' "$(quoted "$STALLSCOPE_TOKEN")"
} > "$work/api.curl"
# What runs as the user has no part of it.
unset STALLSCOPE_TOKEN

digest() { sha256sum | cut -d ' ' -f 1; }
# Each object, or each field, of the answer on a line of its own.
# shellcheck disable=SC2020
objects() { tr '{}' '\n\n' < "$work/answer"; }
# The first field of this name, a text or a number.
field() { objects | tr , '\n' | sed -n "s/^ *\"$1\" *: *\"\{0,1\}\([^\"]*\)\"\{0,1\} *\$/\1/p" | head -n 1; }

# call METHOD PATH [FILE WITH THE BODY] [HEADER]: the answer is in a file.
call() {
  set -- "$1" "$2" "${3:-}" "${4:-Accept: application/json}"
  if [ -n "$3" ]; then set -- "$@" --data-binary "@$3"; fi
  method=$1 path=$2 header=$4
  shift 4
  status=$(curl --config "$work/api.curl" -X "$method" -H "$header" -o "$work/answer" -w '%{http_code}' "$@" "$server$path") ||
    fail "$server cannot be reached"
  case $status in 2??) ;; *) fail "$method $path: $status $(head -c 500 "$work/answer" | tr '\n' ' ')" ;; esac
}

# Texts of the answer become arithmetic and addresses: numbers, ids and URLs, or nothing.
fits() { printf '%s\n' "$1" | LC_ALL=C grep -Eqx "$2" || fail "$server answers what no Stallscope server does: $3"; }
is_number() { fits "$1" '[0-9]{1,15}' "$2 is no number"; }
is_id() { fits "$1" '[A-Za-z0-9-]{1,64}' "$2 is no id"; }

# One line for each part of the answer that the store does not have: number, size, URL.
missing_parts() {
  objects | grep '"uploaded" *: *false' |
    sed 's/.*"partNumber" *: *\([0-9]*\).*"sizeBytes" *: *\([0-9]*\).*"url" *: *"\([^"]*\)".*/\1 \2 \3/'
}

# put PART-SIZE FILE NUMBER SIZE URL, with nothing that the user does not have
put() {
  is_number "$3" partNumber
  is_number "$4" sizeBytes
  fits "$5" 'https?://[][A-Za-z0-9._~:/?#@!$&()*+,;=%-]+' 'the address of a part is not http:// or https://'
  # shellcheck disable=SC2016
  as_user sh -c 'tail -c "+$1" -- "$2" | head -c "$3" > "$4"' - "$((($3 - 1) * $1 + 1))" "$2" "$4" "$parts/part"
  { cat "$work/store.curl" && printf 'url = "%s"\n' "$5"; } |
    as_user curl --config - -T "$parts/part" -o "$parts/refusal" -w '%{http_code}' || true
}

# send FILE NAME SIZE SHA256: its artifact's id goes into a list.
send() {
  printf '{"name":"%s","sizeBytes":%s,"sha256":"%s"}' "$(quoted "$2")" "$3" "$4" > "$work/body"
  call POST "/v1/runs/$run/artifacts" "$work/body"
  artifact=$(field id) part_size=$(field partSizeBytes) asked=1
  is_id "$artifact" 'the artifact'
  is_number "$part_size" partSizeBytes
  while :; do
    missing_parts > "$work/parts"
    next=$(field nextPart)
    while read -r number size url; do
      status=$(put "$part_size" "$1" "$number" "$size" "$url")
      if [ "$status" = 403 ]; then # The URL has expired.
        call GET "/v1/runs/$run/artifacts/$artifact/parts?from=$number"
        status=$(put "$part_size" "$1" "$number" "$size" "$(missing_parts | sed -n '1s/.* //p')")
      fi
      [ "$status" = 200 ] || fail "$2, part $number: the object store answers $status"
    done < "$work/parts"
    case $next in '' | null) break ;; esac
    is_number "$next" nextPart
    if [ "$next" -le "$asked" ] || [ "$next" -gt 10000 ]; then
      fail "$server answers what no Stallscope server does: nextPart $next after $asked"
    fi
    asked=$next
    call GET "/v1/runs/$run/artifacts/$artifact/parts?from=$next"
  done
  echo "\"$artifact\"" >> "$work/artifacts"
}

parts=$(as_user mktemp -d)
cd / # Whoever reads may not be allowed to be where this was started.
: > "$work/files"
as_user find "$folder" -type f -size +0c ! -path "$body" ! -name '*[[:cntrl:]]*' | sort > "$work/paths"
while IFS= read -r path; do
  as_user test -r "$path" || { echo "stallscope: $path: cannot be read; left out" >&2 && continue; }
  printf '%s %s %s\n' "$(as_user cat -- "$path" | digest)" "$(as_user cat -- "$path" | wc -c)" "$path" >> "$work/files"
done < "$work/paths"
[ -s "$work/files" ] || fail "$folder: no files to send"

if [ -n "$body" ]; then as_user cat -- "$body" > "$work/run"
else printf '{"model":"%s","cluster":"%s"}' "$(quoted "$model")" "$(quoted "$cluster")" > "$work/run"; fi
[ -n "$key" ] || key=$(cat "$work/files")
call POST /v1/runs "$work/run" "Idempotency-Key: curl-$({ printf '%s\n' "$key"; cat "$work/run"; } | digest)"
run=$(field id)
is_id "$run" 'the run'
while read -r sha256 size path; do
  send "$path" "${path#"$folder"/}" "$size" "$sha256"
done < "$work/files"
printf '{"artifacts":[%s]}' "$(paste -s -d , "$work/artifacts")" > "$work/body"
call POST "/v1/runs/$run/complete" "$work/body"
echo "$server/v1/runs/$run/report"

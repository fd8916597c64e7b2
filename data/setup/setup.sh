# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What ./run, ./test and .ci/run share: finding and installing missing packages, and a build folder
# that is set up once. Sourced with the root of the source tree as the current folder.

say() { printf '%s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

has() { command -v "$1" >/dev/null; }

# apt, dnf, or none: the package manager that packages.txt has a column for.
package_manager() {
  if has apt-get && has dpkg-query; then
    echo apt
  elif has dnf && has rpm; then
    echo dnf
  else
    echo none
  fi
}

# packages MANAGER KIND...: the names of the packages of these kinds, one a line.
packages() {
  local manager=$1 kind apt dnf
  shift
  while read -r kind apt dnf; do
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    case $manager in
      apt) [ "$apt" = - ] || echo "$apt" ;;
      dnf) [ "$dnf" = - ] || echo "$dnf" ;;
    esac
  done < <(grep -v '^#' data/setup/packages.txt)
}

# missing MANAGER: those of the names on standard input that are not installed.
missing() {
  local -a names
  local have name
  mapfile -t names
  case $1 in
    apt)
      have=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${names[@]}" 2>/dev/null) || true
      for name in "${names[@]}"; do
        grep -qxF "installed $name" <<<"$have" || echo "$name"
      done ;;
    dnf)
      for name in "${names[@]}"; do
        rpm -q --quiet --whatprovides "$name" >/dev/null 2>&1 || echo "$name"
      done ;;
  esac
}

# as_root COMMAND...: by sudo unless this is root already.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages MANAGER NAME...
install_packages() {
  local manager=$1
  shift
  if [ "$manager" = dnf ]; then
    as_root dnf install -y --setopt=install_weak_deps=False "$@"
    return
  fi
  local -a get=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  # A fresh machine has no package lists, an old one has lists of files that are gone.
  if apt-cache show --no-all-versions "$@" >/dev/null 2>&1 \
    && as_root "${get[@]}" install --no-install-recommends "$@"; then
    return
  fi
  as_root "${get[@]}" update && as_root "${get[@]}" install --no-install-recommends "$@"
}

# need YES KIND...: installs what is missing of these kinds; asks first unless root or YES is 1.
need() {
  local yes=$1 manager answer
  local -a lacking install
  shift
  manager=$(package_manager)
  if [ "$manager" = none ]; then
    has meson && has pkg-config && has cc && return 0
    die "Neither apt nor dnf is here. Please install the like of these, then start again:" \
      "$(packages apt "$@" | tr '\n' ' ')"
  fi
  mapfile -t lacking < <(packages "$manager" "$@" | missing "$manager")
  [ ${#lacking[@]} -gt 0 ] || return 0

  case $manager in
    apt) install=(apt-get install --no-install-recommends) ;;
    dnf) install=(dnf install) ;;
  esac
  say "Overlap needs packages that are not installed here: ${lacking[*]}"
  if [ "$(id -u)" != 0 ]; then
    if [ "$yes" != 1 ]; then
      if ! [ -t 0 ] || ! [ -t 2 ]; then
        die "Install them with:  sudo ${install[*]} ${lacking[*]}" \
          $'\n'"or start again with --yes, which does that."
      fi
      read -r -p "Install them now with sudo ${install[0]}? [Y/n] " answer
      case $answer in '' | [YyJj]*) ;; *) die "Nothing was installed." ;; esac
    fi
    has sudo || die "There is no sudo here. As root:  ${install[*]} ${lacking[*]}"
  fi
  install_packages "$manager" "${lacking[@]}" >&2 || die "The packages could not be installed."
}

# quietly COMMAND...: shows what the command wrote only if it failed.
quietly() {
  local output
  output=$("$@" 2>&1) || { say "$output"; return 1; }
}

# option_is DIR NAME VALUE: whether that build folder was set up with NAME=VALUE.
option_is() {
  python3 - "$@" <<'PY'
import json, sys
with open(sys.argv[1] + '/meson-info/intro-buildoptions.json', encoding='utf-8') as f:
    value = {o['name']: o['value'] for o in json.load(f)}.get(sys.argv[2])
text = {True: 'true', False: 'false'}.get(value, value) if isinstance(value, bool) else value
sys.exit(text != sys.argv[3])
PY
}

# build DIR [NAME=VALUE...]: sets the folder up once, with these options; then compiles.
build() {
  local dir=$1 option
  shift
  if [ ! -f "$dir/build.ninja" ]; then
    say "Setting up $dir."
    quietly meson setup "$dir" "${@/#/-D}" || return
  elif ! grep -qF "\"source\": \"$PWD\"" "$dir/meson-info/meson-info.json"; then
    # The tree was moved or copied together with its build folder.
    quietly meson setup --wipe "$dir" "${@/#/-D}" || return
  else
    for option in "$@"; do
      option_is "$dir" "${option%%=*}" "${option#*=}" \
        || quietly meson configure "$dir" "-D$option" || return
    done
  fi
  meson compile -C "$dir"
}

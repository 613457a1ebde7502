# Sourced by run.sh and test.sh: packages, configuration and builds, quietly. On a terminal there is one progress line;
# when piped, only problems are printed. Needs `source_dir` set. Nothing here changes the working directory, because the
# arguments of run.sh may hold relative paths.

readonly exit_machine=3 # the machine lacks what is needed, as in the program's own exit codes

if [[ -t 2 ]]; then
    progress() { printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$1" >&2; }
    end_progress() { printf '\r\033[K' >&2; }
else
    progress() { :; }
    end_progress() { :; }
fi

fail() {
    end_progress
    printf 'error: %s\n' "$1" >&2
    exit "${2:-$exit_machine}"
}

# The packages named in the lists (build, window, ...) that are not installed, one a line. One dpkg query in all.
missing_packages() {
    local list wanted=() installed name
    for list in "$@"; do
        while read -r name _; do
            [[ -n $name && $name != '#'* ]] && wanted+=("$name")
        done <"$source_dir/cmake/packages/$list.txt"
    done
    if command -v dpkg-query >/dev/null; then
        installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null)
    fi
    for name in "${wanted[@]}"; do
        [[ $'\n'$installed$'\n' == *$'\n'"installed $name"$'\n'* ]] || printf '%s\n' "$name"
    done
}

# Installs what is missing of the package lists given, or names it and stops. CAIRN_SKIP_PACKAGES=1 trusts the user that
# all is there: for other systems, where the packages have other names.
ensure_packages() {
    [[ ${CAIRN_SKIP_PACKAGES:-} == 1 ]] && return
    local missing apt=()
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) && return

    local names="${missing[*]}"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        fail "this is not a Debian system, so nothing was installed; install what these Debian packages hold (docs/install.md has the names on other systems), then set CAIRN_SKIP_PACKAGES=1: $names"
    fi
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
            fail "no right to install packages; run as root: apt-get install --no-install-recommends $names"
        fi
        end_progress
        apt=(sudo)
    fi
    apt+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o Dpkg::Use-Pty=0 -o APT::Status-Fd=1)

    local log
    log=$(mktemp) || exit $exit_machine
    # Package lists may be missing (fresh container) or stale (packages moved on): fetch them when the first try fails.
    if ! apt_get_install "$log" "${missing[@]}"; then
        progress 'fetching package lists'
        "${apt[@]}" update >>"$log" 2>&1
        if ! apt_get_install "$log" "${missing[@]}"; then
            end_progress
            grep -v '^[dp][lm]status:' "$log" | tail -n 25 >&2
            rm -f "$log"
            fail "could not install: $names"
        fi
    fi
    rm -f "$log"
    end_progress
}

# Uses `apt` of the caller.
apt_get_install() {
    local log=$1 line status
    shift
    progress "installing $# packages"
    "${apt[@]}" install --no-install-recommends "$@" </dev/null 2>&1 | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+) ]]; then
            [[ ${BASH_REMATCH[1]} == dl ]] && status=downloading || status=unpacking
            progress "installing $# packages: $status, ${BASH_REMATCH[2]} %"
        fi
    done
    return "${PIPESTATUS[0]}"
}

# Configures build/PRESET if that is not done yet, if the presets changed or if the tree was moved. The remaining
# arguments are cache settings that must hold, as NAME=VALUE; an existing folder that has them is left alone.
configure() {
    local preset=$1 build="$source_dir/build/$1" fresh=() settings=() setting cache log
    shift
    cache=$build/CMakeCache.txt
    local wanted=0
    if [[ ! -f $build/build.ninja || ! -f $cache || $source_dir/CMakePresets.json -nt $build/.configured ]]; then
        wanted=1
    fi
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$source_dir" "$cache"; then
        wanted=1 fresh=(--fresh)
    fi
    for setting in "$@"; do
        settings+=("-D$setting")
        [[ -f $cache ]] && grep -q "^${setting%%=*}:[A-Z]*=${setting#*=}\$" "$cache" || wanted=1
    done
    ((wanted)) || return 0

    progress "configuring $preset"
    log=$(mktemp) || exit $exit_machine
    if ! cmake -S "$source_dir" --preset "$preset" "${fresh[@]}" "${settings[@]}" >"$log" 2>&1; then
        end_progress
        cat "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
    touch "$build/.configured"
    end_progress
}

# How much of a build is done and how long the rest will take, as far as its first part tells:
# build_progress PRESET DONE ALL SECONDS-SO-FAR
build_progress() {
    local text="building $1: $((100 * $2 / $3)) % ($2 of $3)"
    # The first sources say little about the others.
    if (($4 >= 5 && 20 * $2 >= $3 && $2 < $3)); then
        local left=$(($4 * ($3 - $2) / $2))
        if ((left >= 100)); then
            text+=", about $(((left + 30) / 60)) min left"
        else
            text+=", about $left s left"
        fi
    fi
    progress "$text"
}

# Builds targets in build/PRESET; of the compiler's output what belongs to failures is shown, whole.
build() {
    local preset=$1 build="$source_dir/build/$1" line started=$SECONDS
    shift
    NINJA_STATUS='[%f/%t] ' ninja -C "$build" "$@" 2>&1 | while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
            build_progress "$preset" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$((SECONDS - started))"
        elif [[ ! $line =~ ^(-- |ninja: Entering directory|ninja: no work to do) ]]; then
            end_progress
            printf '%s\n' "$line" >&2
        fi
    done
    local rc=${PIPESTATUS[0]}
    end_progress
    return "$rc"
}

# Runs a command while no other run.sh or test.sh builds in the same folder.
alone_in() {
    local folder="$source_dir/build/$1"
    shift
    mkdir -p "$folder" || return 1
    {
        flock -n 9 || {
            progress 'waiting for another build in this folder'
            flock 9
        }
        "$@" 9>&-
    } 9>"$folder/.lock"
}

# Source this file in bash or zsh, from anywhere:  source bin/activate-tinytorch.sh
# The first time it makes .venv and installs the course into it; later it only activates it.

_tinytorch_python() {
    local candidate
    for candidate in python3 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            "$candidate" -c 'import sys; print(sys.executable)'
            return 0
        fi
    done
    echo "error: no Python 3.11 or newer found: install one from https://www.python.org/downloads/" >&2
    return 1
}

_tinytorch_install() {
    local python
    python=$(_tinytorch_python) || return 1
    echo "Setting up $1/.venv (once; a few minutes)"
    rm -rf "$1/.venv"
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --python "$python" "$1/.venv" &&
            uv pip install --quiet --python "$1/.venv" -r "$1/requirements.lock" &&
            uv pip install --quiet --python "$1/.venv" --no-deps --no-build-isolation -e "$1"
    else
        "$python" -m venv "$1/.venv" &&
            "$1/.venv/bin/python" -m pip install --quiet --disable-pip-version-check \
                -r "$1/requirements.lock" &&
            "$1/.venv/bin/python" -m pip install --quiet --disable-pip-version-check \
                --no-deps --no-build-isolation -e "$1"
    fi
}

_tinytorch_activate() {
    local root wanted
    root=$(cd "$(dirname "$1")/.." && pwd) || return 1
    # A changed lock file or a moved folder calls for a new environment.
    wanted="$root $(cksum <"$root/requirements.lock")" || return 1
    if [ "$(cat "$root/.venv/.tinytorch" 2>/dev/null)" != "$wanted" ]; then
        if ! _tinytorch_install "$root"; then
            echo "error: the setup did not finish: mend what the lines above say, then source this again." >&2
            return 1
        fi
        printf '%s\n' "$wanted" >"$root/.venv/.tinytorch"
    fi
    . "$root/.venv/bin/activate" || return 1
    echo "TinyTorch is active. Next: cd '$root' && tito module status"
}

if [ -n "${BASH_SOURCE:-}" ] && [ "${BASH_SOURCE[0]}" = "$0" ]; then
    echo "error: source this file, do not run it: source $0" >&2
    exit 1
fi
# zsh alone evaluates the second expansion: it has no BASH_SOURCE.
_tinytorch_activate "${BASH_SOURCE[0]:-${(%):-%x}}"

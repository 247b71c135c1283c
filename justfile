# `just` lists what there is to do.
default:
    @just --list

# A whole game, one program a seat
demo *ARGS:
    cargo run --locked -- demo {{ARGS}}

# All tests
test *ARGS:
    cargo test --locked {{ARGS}}

# Format, lints, documentation
lint:
    cargo fmt --check
    cargo clippy --all-targets --locked -- -D warnings
    cargo clippy --no-default-features --lib --locked -- -D warnings
    RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --locked

# Everything that must hold before a change is merged
ci:
    .ci/run

# Games among faults for so many seconds, from a seed on, before a release
soak SECONDS="600" *ARGS:
    cargo run --release --locked --no-default-features --features sim --example soak -- {{SECONDS}} {{ARGS}}

# What the tests of the rules and the log do not see, in hours; or in the files named
mutants *FILES="'src/game/**' 'src/protocol/log/**'":
    #!/usr/bin/env bash
    set -euo pipefail
    files=()
    for file in {{FILES}}; do files+=(--file "$file"); done
    cargo mutants "${files[@]}"

# From one player's Enter to the other's screen, beside the raw path and the disk; needs root
latency:
    cargo bench --locked --profile dev --bench latency

# Make the tests' small game anew, after the log's format has changed
small:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --locked
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    for try in $(seq 50); do
        target/debug/fairdeal demo --players 2 --bot random --deal open --out "$dir/$try"
        size=$(wc -c < "$dir/$try/seat-1.fairdeal")
        if [ "$size" -le 8000 ]; then
            cp "$dir/$try/seat-1.fairdeal" tests/data/small.fairdeal
            exit 0
        fi
    done
    echo "no game of 8000 bytes or less in 50" >&2
    exit 1

# Add a golden game: play it, then list it in replays/README.md. Released ones stay as they are
golden NAME *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --locked
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    test ! -e "replays/{{NAME}}.fairdeal" || { echo "replays/{{NAME}}.fairdeal is there already" >&2; exit 1; }
    target/debug/fairdeal demo {{ARGS}} --out "$dir/game"
    mkdir -p replays
    cp "$dir/game/seat-1.fairdeal" "replays/{{NAME}}.fairdeal"
    target/debug/fairdeal verify "replays/{{NAME}}.fairdeal"
    echo "now describe {{NAME}}.fairdeal in replays/README.md"

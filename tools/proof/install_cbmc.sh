#!/bin/sh
# The model checker CBMC where Debian's archive has none (12, "bookworm"): that of Debian 13, with the libraries it was
# built for, in a folder of its own; nothing else on the machine changes. Signatures are checked by apt, as ever.
#
# usage: install_cbmc.sh [FOLDER [BIN]]   (default /opt/cbmc and /usr/local/bin; needs Debian's keyring of 2025 or later)
set -eu
folder=${1:-/opt/cbmc} bin=${2:-/usr/local/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial" "$folder" "$bin"
# The archive that this machine takes its own Debian from.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | sort -u |
  grep -Ev 'security|updates' | head -n 1)
[ -n "$archive" ] || { echo "apt knows no archive of Debian here" >&2; exit 1; }
cat > "$scratch/trixie.sources" << SOURCES
Types: deb
URIs: $archive
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
aside() {
  apt-get -q -o APT::Sandbox::User=root -o Dir::Etc::SourceList="$scratch/trixie.sources" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$scratch/lists" -o Dir::Cache="$scratch/cache" "$@"
}
aside update
(cd "$scratch" && aside download cbmc minisat libc6 libstdc++6 libgcc-s1 zlib1g)
for package in "$scratch"/*.deb; do dpkg-deb -x "$package" "$folder"; done
loader=$(find "$folder" -name 'ld-linux*.so.*' ! -type d | head -n 1)
libraries=$(dirname "$(find "$folder" -name 'libstdc++.so.6' | head -n 1)"):$(dirname "$loader"):$folder/usr/lib
cat > "$bin/cbmc" << WRAPPER
#!/bin/sh
exec "$loader" --library-path "$libraries" "$folder/usr/bin/cbmc" "\$@"
WRAPPER
chmod +x "$bin/cbmc"
"$bin/cbmc" --version

# Runs on a node, in the /bin/sh there; see bootstrap.hpp.
umask 077
read -r word sum_x86_64 sum_aarch64 folder || exit 96
arch=$(uname -m)
case $arch in
  x86_64) sum=$sum_x86_64 ;;
  aarch64) sum=$sum_aarch64 ;;
  *) sum=none ;;
esac
same() { [ "$(sha256sum < "$1")" = "$sum  -" ]; }
if [ -x "$folder/$arch/assay-agent" ] && same "$folder/$arch/assay-agent"; then
  exec "$folder/$arch/assay-agent"
fi
dir=
trap "exit 95" HUP INT TERM
trap "[ -z \"\$dir\" ] || rm -rf \"\$dir\"" EXIT
for base in "${TMPDIR:-/tmp}" /dev/shm "${XDG_RUNTIME_DIR:-/run}" "${HOME:-/}"; do
  dir=$(mktemp -d "$base/.assay-XXXXXXXXXX" 2>/dev/null) || continue
  # A mount with noexec is found out with a small script, before the agent is spent on it.
  printf "#!/bin/sh\n" > "$dir/assay-agent" && chmod 700 "$dir/assay-agent" && "$dir/assay-agent" 2>/dev/null && break
  rm -rf "$dir"
  dir=
done
if [ -z "$dir" ]; then
  printf "{\"type\":\"need\",\"arch\":\"\"}\n"
  exit 94
fi
# From here on the agent has no name on the disk: whatever ends us, nothing stays behind.
exec 8> "$dir/assay-agent" 9< "$dir/assay-agent"
rm -rf "$dir"
dir=
printf "{\"type\":\"need\",\"arch\":\"%s\"}\n" "$arch"
while read -r word for size; do
  [ "$word" = agent ] || continue
  if [ "$for" != "$arch" ]; then
    head -c "$size" > /dev/null
    continue
  fi
  head -c "$size" >&8
  exec 8>&-
  same /proc/self/fd/9 || exit 93
  exec /proc/self/fd/9
done

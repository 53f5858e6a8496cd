/**
 * A command for any login shell that ends a process group and the session it leads: SIGTERM, SIGKILL
 * after 2 s. It prints the marker, and `gone` once no process of them is left, or `left`; a zombie is
 * gone. It uses the shell's own commands only, but for `sleep`, and no `kill --`, which dash does not
 * know.
 */
export function stopScript(group: number, marker: string): string {
  return toCommand(`g=${group}
${EACH_PROCESS}
of_run() { [ $1 = $g ] || [ $2 = $g ] || [ $3 = $g ]; }
outside() { [ $2 != $g ] && { [ $1 = $g ] || [ $3 = $g ]; }; }
find_run() {
  if [ -r /proc/$$/stat ]; then each of_run; else kill -0 -$g 2>/dev/null; fi
}
hit() { each outside $1; kill -$1 -$g 2>/dev/null; }
${UNTIL_GONE}
hit TERM
until_gone 40 && { echo ${marker} gone; exit; }
hit KILL
until_gone 20 && { echo ${marker} gone; exit; }
echo ${marker} left`);
}

/**
 * A command that ends what a finished command has left in its group or session with a pipe or socket
 * as its output, and prints the marker and how many processes there were: SIGTERM, and SIGKILL after
 * 2 s.
 */
export function endHoldersScript(group: number, marker: string): string {
  return toCommand(`g=${group}
${EACH_PROCESS}
holds() {
  [ $2 = $g ] || [ $3 = $g ] || return 1
  for d in /proc/$1/fd/1 /proc/$1/fd/2; do
    if [ -p $d ] || [ -S $d ]; then return 0; fi
  done
  return 1
}
find_run() { each holds $1; }
${UNTIL_GONE}
find_run TERM
echo ${marker} ended $n
[ $n = 0 ] && exit
until_gone 40 || find_run KILL`);
}

/**
 * `each test [signal]` asks a test, with its id, group and session, about each process of the host,
 * signals those that pass, and fails where there are none. It reads what stands behind the name in
 * `/proc/<pid>/stat` (proc(5)): state, parent, group, session.
 */
const EACH_PROCESS = `each() {
  t=$1 s=$2 n=0
  for f in /proc/[0-9]*/stat; do
    l=
    { read -r l <$f; } 2>/dev/null
    p=\${f#/proc/}
    set -- \${l##*) }
    case $1 in Z|X|"") continue ;; esac
    $t \${p%/stat} $3 $4 || continue
    n=$((n+1))
    [ -z "$s" ] || kill -$s \${p%/stat} 2>/dev/null
  done
  [ $n -gt 0 ]
}`;

/** `until_gone <times>` waits 50 ms that many times; not every `sleep` knows fractions. */
const UNTIL_GONE = `until_gone() {
  i=0 most=$1
  while [ $i -lt $most ]; do
    find_run || return 0
    sleep 0.05 2>/dev/null || { sleep 1; i=$((i+19)); }
    i=$((i+1))
  done
  ! find_run
}`;

/** Between single quotes every login shell hands the script on as it stands. */
function toCommand(script: string): string {
  return `exec sh -c '${script}'`;
}

import { firstOf } from "../../shared/concurrency.ts";
import type { Connection } from "./connection.ts";
import { createMarker } from "./exec_line.ts";
import type { Stopped } from "./remote_output.ts";

/** SIGTERM, 2 s, SIGKILL, 1 s, and the network's round trip. */
const STOP_MS = 5_000;
/** One scan of all processes of the host, which may be busy, and the network's round trip. */
const HOLDERS_MS = 3_000;
const MOST_ANSWER = 10_000;

/** Ends a command's process group through a second channel, and checks that it is gone. */
export async function stopRemote(connection: Connection, group: number): Promise<Stopped> {
  const marker = createMarker();
  const line = new RegExp(`${marker} (gone|left)\n`);
  const answer = await ask(connection, stopScript(group, marker), line, STOP_MS);
  return answer === undefined ? "unknown" : answer === "gone";
}

/** Ends the background processes that hold a finished command's output; returns how many. */
export async function endRemoteHolders(connection: Connection, group: number): Promise<number> {
  const marker = createMarker();
  const line = new RegExp(`${marker} ended (\\d{1,9})\n`);
  return Number(await ask(connection, endHoldersScript(group, marker), line, HOLDERS_MS) ?? 0);
}

/**
 * Runs a script and returns the answer in the line of its output that a pattern finds, without
 * waiting for its end. A login shell may print anything before the script runs.
 */
async function ask(
  connection: Connection,
  script: string,
  line: RegExp,
  timeoutMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  using _deadline = firstOf({ timeoutMs }, () => resolve(undefined));
  const forget = connection.onLost(() => resolve(undefined));
  connection.exec(script, (channel) => {
    let text = "";
    channel.on("data", (chunk: Uint8Array) => {
      text = (text + new TextDecoder().decode(chunk)).slice(-MOST_ANSWER);
      const found = line.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    channel.stderr.resume();
    channel.on("close", () => resolve(undefined));
    channel.end();
  }).catch(() => resolve(undefined));
  try {
    return await promise;
  } finally {
    forget();
  }
}

/**
 * A command for any login shell that ends a process group and the session it leads: SIGTERM,
 * SIGKILL after 2 s. It prints the marker, and `gone` once no process of them is left, or `left`; a
 * zombie is gone. It uses only built-in commands of the shell, except for `sleep`, and no
 * `kill --`, which dash does not know.
 */
function stopScript(group: number, marker: string): string {
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
until_gone 200 && { echo ${marker} gone; exit; }
hit KILL
until_gone 100 && { echo ${marker} gone; exit; }
echo ${marker} left`);
}

/**
 * A command that ends the processes that a finished command has left in its group or session with a
 * pipe or socket as their output: SIGTERM, and SIGKILL after 2 s. It prints the marker and how many
 * there were.
 */
function endHoldersScript(group: number, marker: string): string {
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
until_gone 200 || find_run KILL`);
}

/**
 * `each test [signal]` asks a test, with its id, group and session, about each process of the host,
 * signals those that pass, and fails if there are none. It reads what follows the name in
 * `/proc/<pid>/stat` (proc(5)): state, parent, group, session, and at 18 how many threads there are:
 * a zombie that has more than one has ended only its first thread.
 */
const EACH_PROCESS = `each() {
  t=$1 s=$2 n=0
  for f in /proc/[0-9]*/stat; do
    l=
    { read -r l <$f; } 2>/dev/null
    p=\${f#/proc/}
    set -- \${l##*) }
    case $1 in Z) [ \${18} -gt 1 ] || continue ;; X|"") continue ;; esac
    $t \${p%/stat} $3 $4 || continue
    n=$((n+1))
    [ -z "$s" ] || kill -$s \${p%/stat} 2>/dev/null
  done
  [ $n -gt 0 ]
}`;

/**
 * `until_gone <n>` waits up to n hundredths of a second, as `/proc/uptime` counts them: on a busy
 * host a scan of all processes takes longer than the pause between two. Without `/proc` it counts
 * pauses. Not every `sleep` accepts fractions.
 */
const UNTIL_GONE = `now() {
  u=
  { read -r u l </proc/uptime; } 2>/dev/null
  case $u in *.??) u=\${u%.*}\${u#*.} ;; *) u=$c ;; esac
}
until_gone() {
  c=0
  now
  e=$((u+$1))
  while [ $u -lt $e ]; do
    find_run || return 0
    sleep 0.05 2>/dev/null && c=$((c+5)) || { sleep 1; c=$((c+100)); }
    now
  done
  ! find_run
}`;

/** In single quotes, every login shell passes the script on unchanged. */
function toCommand(script: string): string {
  return `exec sh -c '${script}'`;
}

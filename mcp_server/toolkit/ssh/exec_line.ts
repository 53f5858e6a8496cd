/** A marker that no output can hold by chance. */
export function createMarker(): string {
  return `trestle-${crypto.randomUUID().replaceAll("-", "")}`;
}

/**
 * What the login shell is given to run: it prints the marker with its process id, which is that of
 * the session and group that sshd made for it, and then runs the command.
 *
 * It is understood by sh, bash, dash, ksh, zsh and fish 3, starts no further process, and leaves the
 * command to the login shell as `ssh host command` does. The command stands behind `eval`, so that
 * one that can't be parsed is an ordinary failure and not a shell that says nothing.
 */
export function toExecLine(command: string, marker: string): string {
  const own = `test -n "$fish_pid" && echo "${marker} $fish_pid" || eval 'echo "${marker} $$"'`;
  return `${own}\neval ${quote(command)}`;
}

/** Quotes a text for POSIX shells and for fish, which reads backslashes between quotes otherwise. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (sign) => sign === "'" ? `'"'"'` : `'"\\\\"'`)}'`;
}

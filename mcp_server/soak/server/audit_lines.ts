/** The lines of an audit, counted. */
export interface AuditLines {
  starts: number;
  ends: number;
  /** Ends of calls that a right prevented. */
  notAllowed: number;
  /** Lines about what was refused before it began. */
  refused: number;
  /** Lines that are not JSON of the audit. */
  broken: number;
}

/** Counts the lines of all files in a folder whose names begin with a text. */
export async function countAudit(
  folder: string,
  belongs: (name: string) => boolean,
): Promise<AuditLines> {
  const lines = { starts: 0, ends: 0, notAllowed: 0, refused: 0, broken: 0 };
  for await (const { name } of Deno.readDir(folder)) {
    if (belongs(name)) await countFile(`${folder}/${name}`, lines);
  }
  return lines;
}

async function countFile(path: string, lines: AuditLines): Promise<void> {
  using file = await Deno.open(path);
  let rest = "";
  for await (const text of file.readable.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) countLine(line, lines);
  }
  if (rest !== "") lines.broken++;
}

function countLine(line: string, lines: AuditLines): void {
  const [, kind] =
    /^\{"audit":"(start|end|refused|stop|input|delete|reload|approve|decline)",.*\}$/.exec(line) ??
      [];
  if (kind === "start") lines.starts++;
  else if (kind === "refused") lines.refused++;
  else if (kind === undefined) lines.broken++;
  else if (kind === "end") {
    lines.ends++;
    if (line.endsWith('"outcome":"NOT_ALLOWED"}')) lines.notAllowed++;
  }
}

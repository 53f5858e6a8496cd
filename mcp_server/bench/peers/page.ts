import { NODE_VERSION, PACKAGES } from "./servers/packages.ts";
import { markdownTable, type TableRow } from "./report.ts";
import { GRACE_MS, SHAPES } from "./probes/stops.ts";

/** The page about the peers; `about` says when and on what they were measured. */
export function peersPage(sections: readonly string[], about: string): string {
  const packages = Object.values(PACKAGES).map((name) => `\`${name}\``).join(", ");
  const parts = [...sections, BETTER, `${DOCUMENTED_HEAD}\n\n${markdownTable(DOCUMENTED)}`, LIMITS];
  return [
    "# Peers",
    "The tool server beside others that npm has, measured by a command in a checkout of the " +
    "repository. It installs them into a temporary folder, runs them on Node.js " +
    `${NODE_VERSION}, and writes this page; it needs root, PostgreSQL, sshd and npm:`,
    "```sh ignore\ngit clone https://github.com/trestle-tools/trestle && cd trestle\ndeno task peers\n```",
    contents(parts),
    `The peers are ${packages}.`,
    `${about} Times are of a client in another process over stdio, the servers in turns.`,
    HOW,
    ...parts,
  ].join("\n\n") + "\n";
}

/** Links to the headings of sections. */
function contents(sections: readonly string[]): string {
  const titles = sections.flatMap((section) => /^## (.+)$/m.exec(section)?.[1] ?? []);
  return titles.map((title) => `[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`)
    .join(" · ");
}

const HOW =
  `- **A call** is the smallest there is: \`echo done\`, a file of 13 bytes, or a \`SELECT\` of one
  number.
- **Answers without the output** are results, not errors, that lack what the call asked for.
- **Memory** is that of the server and of the helpers that it keeps.
- **The flood** is a command that prints 200 MB, a file of 200 MB, or a \`SELECT\` of a million rows.
  The client of the bench accepts any size; that of the MCP SDK closes the connection over stdio at
  a message of more than 10 MiB.
- **Left** are commands of these kinds of which a process runs ${GRACE_MS / 1_000} s later: ${
    Object.keys(SHAPES).join(", ")
  }.
  On cancel and close of a client, all five are running.
- **Read-only** are eight ways to write: a table, \`WITH\`, several statements, \`EXPLAIN ANALYZE\`, a
  function, \`DO\`, \`set_config()\`, and a sequence.
- **Files outside**: each server is limited to a folder whose links change all the time while it
  reads and writes there; for this server that is a caller over HTTP.`;

const BETTER = `## What others do better

- **DesktopCommander** reads and writes Excel, PDF and Word, reads URLs, and runs on macOS and
  Windows, too. A command goes on when its time-out is over, by intention. Its 26 tools take twice
  the room of these 21 in a model's context.
- **mcp-server-commands** is small: one tool in 0.5 kB, a quick start, little memory, and quicker
  calls.
- **server-filesystem** takes its folders from the client (MCP roots), moves files, and makes trees
  of folders. Its list takes less than half the room, and its calls less time.
- **DBHub** has MySQL, MariaDB, SQL Server and Oracle as well, tunnels through SSH, ready-made
  queries as tools, and a page to try them. Two tools take 1.5 kB, a twentieth of the list here,
  unless \`--only 'sql-*'\` leaves out the others.
- **ssh-mcp** classifies commands and asks people before destructive ones only, while approval here
  is by tool; it asks an OPA server, and has SFTP, interactive sessions and quotas.
- **mcp-ssh-manager** has SFTP, rsync, tunnels, sessions, backups and groups of hosts, and modes in
  which commands are filtered.`;

const DOCUMENTED_HEAD = "## From their documentation\n\nNot measured, read at the versions above:";
const DOCUMENTED: readonly TableRow[] = [
  ["", "transports", "login over HTTP", "several callers", "long calls", "record of calls"],
  [
    "trestle",
    "stdio, Streamable HTTP, HTTP API",
    "token, OAuth, TLS",
    "rights for each",
    "jobs, MCP tasks",
    "audit without arguments",
  ],
  [
    "DesktopCommander",
    "stdio; remote through a service",
    "of the service",
    "no",
    "sessions",
    "log with arguments",
  ],
  ["mcp-server-commands", "stdio", "n/a", "no", "no", "no"],
  ["server-filesystem", "stdio", "n/a", "no", "no", "no"],
  ["DBHub", "stdio, Streamable HTTP", "token", "no", "no", "traces on its page"],
  [
    "ssh-mcp",
    "stdio, Streamable HTTP",
    "token",
    "roles for each host",
    "background sessions",
    "audit, hash chain on request",
  ],
  ["mcp-ssh-manager", "stdio", "n/a", "no", "sessions", "audit on request"],
];

const LIMITS = `## Limits

- The peers are configured as their READMEs say, without telemetry and prompts. ssh-mcp runs
  commands of every class without approval.
- Versions of the peers are fixed, those of their dependencies are not.
- A server that answers more slowly gets fewer calls in the same time; the tables say how many.`;

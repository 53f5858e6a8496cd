import type { Group } from "./contender.ts";
import { desktopCommander, filesystem, shellCommands } from "./local_peers.ts";
import { ours, oursWith, readOnlyOurs } from "./ours.ts";
import { dbhub, readOnlyDbhub } from "./sql_peers.ts";
import { sshManager, sshMcp } from "./ssh_peers.ts";
import { SMALL_TEXT, type Testbed } from "./testbed.ts";

const FLOOD = "head -c 200M /dev/zero | tr '\\0' x";
const SLOW_LINES = "for i in 1 2 3; do echo line $i; sleep 0.4; done";

/** The purposes that a server may have, each with the servers that have it. */
export async function openGroups(testbed: Testbed): Promise<Group[]> {
  const program = await ours(testbed);
  const commander = await desktopCommander(testbed);
  return [
    {
      name: "commands",
      title: "Commands on this machine",
      contenders: [
        oursWith.command(program),
        commander.command,
        await shellCommands(testbed),
      ],
      trivial: "echo done",
      expected: "done",
      flood: FLOOD,
      slowLines: SLOW_LINES,
    },
    {
      name: "files",
      title: "Files",
      contenders: [oursWith.file(program), commander.file, await filesystem(testbed)],
      trivial: `${testbed.files}/small`,
      expected: SMALL_TEXT.trim(),
      flood: `${testbed.files}/large`,
    },
    {
      name: "postgres",
      title: "PostgreSQL",
      contenders: [oursWith.postgres(program), await dbhub(testbed, "postgres")],
      readOnly: [oursWith.postgres(readOnlyOurs(program)), await readOnlyDbhub(testbed)],
      trivial: "SELECT 41 + 1 AS answer",
      expected: "42",
      flood: "SELECT i, repeat('x', 100) AS text FROM generate_series(1, 1000000) AS i",
    },
    {
      name: "sqlite",
      title: "SQLite",
      contenders: [oursWith.sqlite(program), await dbhub(testbed, "sqlite")],
      trivial: "SELECT 41 + 1 AS answer",
      expected: "42",
      flood: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) " +
        "SELECT i, printf('%.100c', 'x') AS text FROM n",
    },
    {
      name: "ssh",
      title: "Commands over SSH",
      contenders: [
        oursWith.ssh(program, testbed),
        await sshMcp(testbed),
        await sshManager(testbed),
      ],
      trivial: "echo done",
      expected: "done",
      flood: FLOOD,
      slowLines: SLOW_LINES,
    },
  ];
}

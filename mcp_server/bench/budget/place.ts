import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { requiresSshd, type Sshd, startSshd } from "../../testing/sshd.ts";
import type { Program } from "../peers/counting_transport.ts";

/** What the jobs of an agent are about: a project, a database, and three hosts. */
export interface Place extends AsyncDisposable {
  /** The folder of the project. */
  readonly project: string;
  /** A file of SQLite with 1,000 visits. */
  readonly database: string;
  /** Names of three hosts that are one; none without sshd or the rights of root. */
  readonly hosts: readonly string[];
  /** This server. */
  readonly program: Program;
}

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const HITS = 20;
const FILES = 200;
const PACKAGES = 2_000;
const VISITS = 1_000;

/** Creates everything, in a folder that is removed afterwards. */
export async function createPlace(): Promise<Place> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const sshd = requiresSshd("").ignore
    ? undefined
    : stack.use(await startSshd("Subsystem sftp internal-sftp"));
  const [project, data, home] = [`${path}/project`, `${path}/data`, `${path}/home`];
  for (const folder of [`${project}/src`, data, home]) {
    await Deno.mkdir(folder, { recursive: true });
  }
  await writeProject(project);
  const database = `${data}/main.db`;
  await createDatabase(database);
  const owned = stack.move();
  return {
    project,
    database,
    hosts: sshd === undefined ? [] : [1, 2, 3].map((at) => `127.0.0.${at}:${sshd.port}`),
    program: toProgram(data, home, sshd),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function toProgram(data: string, home: string, sshd: Sshd | undefined): Program {
  return {
    command: Deno.execPath(),
    args: ["run", "--quiet", "-A", MAIN, "--stdio"],
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: sshd?.home ?? home,
      USER: "root",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      MCP_DATA_DIR: data,
    },
    cwd: home,
  };
}

async function writeProject(folder: string): Promise<void> {
  for (let at = 0; at < FILES; at++) {
    const use = at % (FILES / HITS) === 0 ? `  const user = await fetchUser(${at});\n` : "";
    const text = `export async function step${at}() {\n${use}  return "${"x".repeat(500)}";\n}\n`;
    await Deno.writeTextFile(`${folder}/src/step_${at}.ts`, text);
  }
  await Deno.writeTextFile(`${folder}/src/config.ts`, CONFIG);
  await Deno.writeTextFile(`${folder}/test.sh`, TEST);
  await Deno.writeTextFile(`${folder}/build.sh`, BUILD);
  await Deno.writeTextFile(`${folder}/package-lock.json`, lockFile());
}

const CONFIG = `export const config = {\n  port: 8080,\n  retries: 3,\n  timeoutMs: 5_000,\n};\n`;

const TEST = `echo 'ok 1 - adds'
echo 'ok 2 - subtracts'
echo 'not ok 3 - divides'
echo '  expected: 2'
echo '  actual: Infinity'
echo '  at divide (src/divide.ts:4:11)'
echo '# 3 tests, 1 failed' >&2
exit 1
`;

/** Some 10 kB of output in 2 s. */
const BUILD = `i=0
while [ $i -lt 200 ]; do
  echo "[$i/200] compiling src/step_$i.ts -> dist/step_$i.js"
  i=$((i+1))
  [ $((i % 100)) -eq 0 ] && sleep 1
done
echo 'build finished'
`;

/** About 340 kB. */
function lockFile(): string {
  const packages = Array.from({ length: PACKAGES }, (_, at) => [`node_modules/package-${at}`, {
    version: `1.${at}.0`,
    resolved: `https://registry.example/package-${at}/-/package-${at}-1.${at}.0.tgz`,
    integrity: "sha512-0123456789",
  }]);
  return JSON.stringify({ packages: Object.fromEntries(packages) }, null, 2);
}

async function createDatabase(path: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE visits (id INTEGER PRIMARY KEY, page TEXT, country TEXT, ms INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${VISITS})
    INSERT INTO visits SELECT i, '/page/' || (i % 17), 'DE', i * 7 % 1000 FROM n`);
  database.close();
}

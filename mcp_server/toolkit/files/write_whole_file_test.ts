import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ToolError } from "../../shared/error.ts";
import { needsRoot } from "../../testing/needs_root.ts";
import { createTempFolder, mountTmpfs } from "../../../test_support/temp_folder.ts";
import { times } from "../../../test_support/tier.ts";
import { type WriteOptions, writeWholeFile } from "./write_whole_file.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const umask = Deno.umask();
const TEMPORARY = /^\.write-[0-9a-f-]{36}\.tmp$/;

function write(
  path: string,
  content: string,
  options: Partial<WriteOptions> = {},
): Promise<string> {
  const { signal } = new AbortController();
  return writeWholeFile(path, new TextEncoder().encode(content), { umask, signal, ...options });
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

function isRefusal(code: string) {
  return (error: unknown) => error instanceof ToolError && error.code === code;
}

Deno.test(...needsRoot("writeWholeFile() leaves no trace on a full disk"), async (t) => {
  await using disk = await mountTmpfs("size=64k");
  const path = `${disk.path}/file`;
  const tooMuch = "n".repeat(65 * KIB);
  await t.step("of a new file", async () => {
    await rejects(write(path, tooMuch), isRefusal("NO_SPACE"));
    deepStrictEqual(namesIn(disk.path), []);
  });
  await t.step("of new folders", async () => {
    const far = `${disk.path}/a/b/file`;
    await rejects(write(far, tooMuch, { createParents: true }), isRefusal("NO_SPACE"));
    deepStrictEqual(namesIn(disk.path), []);
  });
  await write(path, "old".repeat(10 * KIB));
  await t.step("on an existing file", async () => {
    await rejects(write(path, "n".repeat(40 * KIB)), isRefusal("NO_SPACE"));
    strictEqual(await Deno.readTextFile(path), "old".repeat(10 * KIB));
    deepStrictEqual(namesIn(disk.path), ["file"]);
  });
  await t.step("on a file with several names", async () => {
    await Deno.link(path, `${disk.path}/twin`);
    const before = await Deno.stat(path);
    const given = { uid: 1234, changeMode: () => 0o4700 };
    await rejects(write(path, tooMuch, given), isRefusal("NO_SPACE"));
    strictEqual(await Deno.readTextFile(path), "old".repeat(10 * KIB));
    const after = await Deno.stat(path);
    deepStrictEqual([after.uid, after.mode], [before.uid, before.mode]);
  });
});

Deno.test(...needsRoot("writeWholeFile() rejects a read-only file system"), async () => {
  await using disk = await mountTmpfs("ro");
  await rejects(write(`${disk.path}/file`, "new"), isRefusal("ACCESS_DENIED"));
});

Deno.test(...needsRoot("writeWholeFile() rejects a file that is a mount point"), async () => {
  await using folder = await createTempFolder();
  const [file, mounted] = [`${folder.path}/file`, `${folder.path}/mounted`];
  await Deno.writeTextFile(file, "old");
  await Deno.writeTextFile(mounted, "");
  await run("mount", "--bind", file, mounted);
  try {
    await rejects(write(mounted, "new"), isRefusal("IN_USE"));
  } finally {
    await run("umount", mounted);
  }
  strictEqual(await Deno.readTextFile(file), "old");
  deepStrictEqual(namesIn(folder.path), ["file", "mounted"]);
});

Deno.test("writeWholeFile() replaces a running program", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/program`;
  await Deno.copyFile("/bin/sleep", path);
  await Deno.chmod(path, 0o755);
  const child = new Deno.Command(path, { args: ["60"] }).spawn();
  await write(path, "new");
  child.kill("SIGKILL");
  await child.status;
  strictEqual(await Deno.readTextFile(path), "new");
});

Deno.test("writeWholeFile() hides the new content until it is whole", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const writing = write(path, "n".repeat(64 * MIB), { changeMode: () => 0o666 });
  const name = await temporaryIn(folder.path);
  // Looks without a turn of the event loop, in which the writing would go on.
  const { mode } = Deno.statSync(`${folder.path}/${name}`);
  strictEqual((mode ?? 0) & 0o7777, 0o600);
  match(name, TEMPORARY);
  deepStrictEqual(namesIn(folder.path), [name]);
  await writing;
  deepStrictEqual(namesIn(folder.path), ["file"]);
  strictEqual(((await Deno.stat(path)).mode ?? 0) & 0o7777, 0o666);
});

Deno.test("writeWholeFile() leaves no trace when it is stopped", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "old");
  const reason = new Error("stopped");
  const controller = new AbortController();
  const writing = write(path, "n".repeat(64 * MIB), { signal: controller.signal });
  await temporaryIn(folder.path);
  controller.abort(reason);
  await rejects(writing, reason);
  await rejects(write(path, "new", { signal: controller.signal }), reason);
  strictEqual(await Deno.readTextFile(path), "old");
  deepStrictEqual(namesIn(folder.path), ["file"]);
});

/** The name of the temporary file, once there is one. */
async function temporaryIn(folder: string): Promise<string> {
  for (;;) {
    const name = namesIn(folder).find((name) => name.endsWith(".tmp"));
    if (name !== undefined) return name;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

const WRITERS = times(200, 1_000);

Deno.test(`writeWholeFile() ends ${WRITERS} writes at once with one whole content`, async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const contentOf = (writer: number) => `${writer}\n`.repeat(2_000);
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(path, contentOf(writer)));
  await Promise.all(writers);
  const content = await Deno.readTextFile(path);
  strictEqual(content, contentOf(Number.parseInt(content)));
  deepStrictEqual(namesIn(folder.path), ["file"]);
});

Deno.test("writeWholeFile() lets writes in place take turns", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "old");
  await Deno.link(path, `${folder.path}/twin`);
  const contentOf = (writer: number) => `${writer}\n`.repeat(300_000 + 10_000 * (writer % 7));
  await Promise.all(
    Array.from({ length: times(8, 30) }, (_, writer) => write(path, contentOf(writer))),
  );
  const content = await Deno.readTextFile(path);
  strictEqual(content, contentOf(Number.parseInt(content)));
});

Deno.test("writeWholeFile() shows readers the old or the new content only", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const contents = ["a".repeat(2 * MIB), "b".repeat(MIB)];
  await write(path, "b".repeat(MIB));
  let going = true;
  const reading = (async () => {
    for (; going;) ok(contents.includes(await Deno.readTextFile(path)));
  })();
  for (let count = 0; count < times(12, 40); count++) await write(path, contents[count % 2] ?? "");
  going = false;
  await reading;
});

const MODULE = new URL("./write_whole_file.ts", import.meta.url).href;
/** Writes two contents in turn, as fast as it can, and says when it has begun. */
const WRITER = `
import { writeWholeFile } from "${MODULE}";
const { signal } = new AbortController();
const contents = [new Uint8Array(2_000_000).fill(97), new Uint8Array(1_000_000).fill(98)];
for (let turn = 0;; turn++) {
  await writeWholeFile(Deno.args[0], contents[turn % 2], { umask: 0o022, signal });
  if (turn === 0) console.log("ready");
}`;

/** Starts the writer, kills it at a random moment, and returns what it left. */
async function killWriter(writer: string, path: string): Promise<"old" | "new"> {
  const cwd = fileURLToPath(new URL("../../..", import.meta.url));
  const args = ["run", "-A", "--no-lock", "--cached-only", "--no-check", writer, path];
  const child = new Deno.Command(Deno.execPath(), { args, cwd, stdout: "piped" }).spawn();
  const output = child.stdout.getReader();
  await output.read();
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
  child.kill("SIGKILL");
  await child.status;
  await output.cancel();
  const content = await Deno.readFile(path);
  const [first = 0] = content;
  ok(content.every((byte) => byte === first), "the content is mixed");
  strictEqual(content.length, first === 97 ? 2_000_000 : 1_000_000);
  return first === 97 ? "new" : "old";
}

/** How often a writer of each of two files is killed; `MCP_TEST_KILLS=50` is the long form. */
const KILLS = Number(Deno.env.get("MCP_TEST_KILLS") ?? times(5, 15));

Deno.test(`writeWholeFile() killed ${2 * KILLS} times leaves the old or the new content`, async () => {
  await using folder = await createTempFolder();
  const writer = `${folder.path}/writer.ts`;
  await Deno.writeTextFile(writer, WRITER);
  const left = { old: 0, new: 0 };
  const killOften = async (path: string) => {
    await Deno.writeFile(path, new Uint8Array(1_000_000).fill(98));
    for (let count = 0; count < KILLS; count++) left[await killWriter(writer, path)]++;
  };
  await Promise.all(["one", "two"].map((name) => killOften(`${folder.path}/${name}`)));
  ok(left.old > 0 && left.new > 0, `the moments did not vary: ${JSON.stringify(left)}`);
  const names = namesIn(folder.path).filter((name) => !TEMPORARY.test(name));
  deepStrictEqual(names, ["one", "two", "writer.ts"]);
});

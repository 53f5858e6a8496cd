import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { Log } from "../shared/log.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { createTempFolder, mountTmpfs } from "../../test_support/temp_folder.ts";
import { AuditFile } from "./audit_file.ts";

const KIB = 1024;
const FORTY = "x".repeat(40);

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

/** An audit file, the lines that went to its fallback, and what it logged. */
async function openAudit(path: string) {
  const fallback: string[] = [];
  const logged: string[] = [];
  const tell = (message: string) => void logged.push(message);
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell };
  const audit = await AuditFile.open(path, {
    log,
    fallback: { write: (line) => void fallback.push(line), flush: () => Promise.resolve() },
  });
  return {
    audit,
    fallback,
    logged,
    [Symbol.asyncDispose]: () => audit.close(100),
  };
}

function numberedLine(number: number): string {
  return `{"n":${number},"pad":"${FORTY}"}\n`;
}

/** The numbers of the whole lines in a text, and how many lines it reports as missing. */
function linesOf(text: string) {
  const numbers: number[] = [];
  const gaps: number[] = [];
  const broken: string[] = [];
  for (const line of text.split("\n").filter((line) => line !== "")) {
    try {
      const { n, audit, lines } = JSON.parse(line);
      if (audit === "gap") gaps.push(lines);
      else numbers.push(n);
    } catch {
      broken.push(line);
    }
  }
  return { numbers, gaps, broken };
}

Deno.test("AuditFile appends lines in order, readable by its owner only", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await Deno.writeTextFile(path, "before\n", { mode: 0o644 });
  await using open = await openAudit(path);
  open.audit.write("one\n");
  open.audit.write("zwölf\n");
  await open.audit.flush();
  strictEqual(await Deno.readTextFile(path), "before\none\nzwölf\n");
  strictEqual(modeOf(path), 0o600);
  deepStrictEqual([open.fallback, open.logged], [[], []]);
});

Deno.test("AuditFile starts a new line after one that a crash cut off", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await Deno.writeTextFile(path, "ha");
  await using open = await openAudit(path);
  open.audit.write("one\n");
  await open.audit.flush();
  strictEqual(await Deno.readTextFile(path), "ha\none\n");
});

Deno.test(
  ...needsRoot("AuditFile uses a device as it is, and does not change its mode"),
  async () => {
    await using folder = await createTempFolder();
    const [device, link] = [`${folder.path}/null`, `${folder.path}/link`];
    await run("mknod", "-m", "666", device, "c", "1", "3");
    await Deno.symlink(device, link);
    for (const path of [device, link]) {
      await using open = await openAudit(path);
      open.audit.write("one\n");
      await open.audit.flush();
      await open.audit.reopen();
      deepStrictEqual(open.fallback, []);
      strictEqual(modeOf(device), 0o666);
      ok(Deno.statSync(device).isCharDevice);
    }
  },
);

Deno.test("AuditFile rejects immediately what it can't append to", async (t) => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await run("mkfifo", `${path}/fifo`);
  using _listener = Deno.listen({ transport: "unix", path: `${path}/socket` });
  const refused: [name: string, reason: RegExp][] = [
    ["fifo", /^Cannot append to a FIFO that nobody reads: start its reader first$/],
    ["socket", /^Cannot append to a socket: name a file or a FIFO$/],
    [".", /^Cannot append to a folder: name a file$/],
    ["none/audit", /ENOENT/],
  ];
  for (const [name, message] of refused) {
    await t.step(name, async () => {
      await rejects(openAudit(`${path}/${name}`), { message });
    });
  }
});

Deno.test(...needsRoot("AuditFile never writes to a block device"), async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/disk`;
  await run("mknod", path, "b", "7", "250");
  await rejects(openAudit(path), { message: "Cannot append to a block device: name a file" });
});

Deno.test("AuditFile continues in a new file after a rename, and loses no line", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await using open = await openAudit(path);
  for (let turn = 0; turn < 20; turn++) {
    for (let line = 0; line < 50; line++) open.audit.write(numberedLine(turn * 50 + line));
    if (turn % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 6));
    await Deno.rename(path, `${path}.${turn}`);
    await Promise.all([open.audit.reopen(), open.audit.reopen()]);
    strictEqual(modeOf(path), 0o600);
  }
  open.audit.write(numberedLine(1_000));
  await open.audit.flush();
  const names = [...Array.from({ length: 20 }, (_, turn) => `${path}.${turn}`), path];
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(name)));
  const { numbers, broken } = linesOf(texts.join(""));
  deepStrictEqual(numbers, Array.from({ length: 1_001 }, (_, number) => number));
  deepStrictEqual([broken, open.fallback], [[], []]);
});

Deno.test("AuditFile leaves no file open when it is reopened often", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await using open = await openAudit(path);
  const openFiles = () => [...Deno.readDirSync("/proc/self/fd")].length;
  const before = openFiles();
  for (let count = 0; count < 50; count++) {
    open.audit.write("line\n");
    await Promise.all([open.audit.flush(), open.audit.reopen(), open.audit.reopen()]);
  }
  strictEqual(openFiles(), before);
});

Deno.test("AuditFile keeps the old file if the new one can't be opened", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/logs/audit.jsonl`;
  await Deno.mkdir(`${folder.path}/logs`);
  await using open = await openAudit(path);
  await Deno.rename(`${folder.path}/logs`, `${folder.path}/moved`);
  await open.audit.reopen();
  open.audit.write("line\n");
  await open.audit.flush();
  strictEqual(await Deno.readTextFile(`${folder.path}/moved/audit.jsonl`), "line\n");
  deepStrictEqual(open.logged, ["the audit file can't be reopened"]);
});

Deno.test("AuditFile needs no signal for a file that is copied and truncated", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await using open = await openAudit(path);
  open.audit.write("one\n");
  await open.audit.flush();
  await Deno.truncate(path);
  open.audit.write("two\n");
  await open.audit.flush();
  strictEqual(await Deno.readTextFile(path), "two\n");
});

Deno.test(...needsRoot("AuditFile appends no line to one that a full disk cut off"), async () => {
  await using disk = await mountTmpfs("size=64k");
  const path = `${disk.path}/audit.jsonl`;
  await Deno.writeFile(`${disk.path}/filler`, new Uint8Array(40 * KIB));
  await using open = await openAudit(path);
  const writeTen = async (from: number) => {
    for (let n = from; n < from + 10; n++) open.audit.write(numberedLine(n));
    await open.audit.flush();
  };
  for (let n = 0; n < 1_000; n += 10) await writeTen(n);
  await Deno.remove(`${disk.path}/filler`);
  for (let n = 1_000; n < 1_100; n += 10) await writeTen(n);
  const inFile = linesOf(await Deno.readTextFile(path));
  const elsewhere = linesOf(open.fallback.join(""));
  deepStrictEqual(inFile.broken, [], "what the disk accepted of a line is removed");
  deepStrictEqual(inFile.gaps, [elsewhere.numbers.length]);
  deepStrictEqual(
    [...inFile.numbers, ...elsewhere.numbers].sort((a, b) => a - b),
    Array.from({ length: 1_100 }, (_, number) => number),
  );
  deepStrictEqual(elsewhere.broken, []);
  deepStrictEqual(open.logged, [
    "the audit file accepts no lines; they follow here",
    "the audit file accepts lines again",
  ]);
});

Deno.test("AuditFile.written() resolves once a line is in the file, without its delay", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await using open = await openAudit(path);
  for (let n = 0; n < 20; n++) {
    open.audit.write(numberedLine(n));
    await open.audit.written();
    strictEqual(linesOf(await Deno.readTextFile(path)).numbers.length, n + 1);
  }
  await open.audit.written();
});

Deno.test("AuditFile.written() waits for no reader that is stopped, and for one that reads again", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/fifo`;
  await run("mkfifo", path);
  using reader = await Deno.open(path, { read: true, write: true });
  await using open = await openAudit(path);
  // More than a pipe holds; the second line waits behind it.
  open.audit.write(`${"x".repeat(200 * KIB)}\n`);
  await open.audit.written();
  for (let n = 0; n < 50; n++) {
    open.audit.write(numberedLine(n));
    await open.audit.written();
  }
  const inPipe = readUntil(reader, '{"n":49,');
  await open.audit.flush();
  open.audit.write(numberedLine(50));
  await open.audit.written();
  strictEqual((await inPipe).includes('{"n":48,'), true);
});

Deno.test("AuditFile blocks no caller while the reader of its pipe is stopped", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/fifo`;
  await run("mkfifo", path);
  const reader = await Deno.open(path, { read: true, write: true });
  const open = await openAudit(path);
  strictEqual(modeOf(path), 0o644 & ~Deno.umask(), "the mode of a pipe is left alone");
  for (let n = 0; n < 50_000; n++) open.audit.write(numberedLine(n));
  const taken = 50_000 - open.fallback.length;
  ok(taken * 60 < 1_200 * KIB, `${taken} lines wait`);
  deepStrictEqual(open.logged, ["the audit file accepts no lines; they follow here"]);
  const inPipe = readUntil(reader, "gap");
  await open.audit.flush();
  const { numbers, gaps, broken } = linesOf(await inPipe);
  deepStrictEqual(gaps, [open.fallback.length]);
  deepStrictEqual(broken, []);
  deepStrictEqual(
    [...numbers, ...linesOf(open.fallback.join("")).numbers],
    Array.from({ length: 50_000 }, (_, number) => number),
  );
  await open.audit.close(1_000);
  reader.close();
});

/** Reads until a line holds the text. */
async function readUntil(file: Deno.FsFile, text: string): Promise<string> {
  const decoder = new TextDecoder();
  const piece = new Uint8Array(64 * KIB);
  let all = "";
  while (!all.endsWith("\n") || !all.slice(-200).includes(text)) {
    const count = await file.read(piece);
    if (count === null) break;
    all += decoder.decode(piece.subarray(0, count), { stream: true });
  }
  return all;
}

Deno.test("AuditFile passes what a stopped reader has not read to the fallback on close", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/fifo`;
  await run("mkfifo", path);
  const reader = await Deno.open(path, { read: true, write: true });
  const open = await openAudit(path);
  for (let n = 0; n < 5_000; n++) open.audit.write(numberedLine(n));
  await open.audit.close(50);
  strictEqual(linesOf(open.fallback.join("")).numbers.length, 5_000);
  deepStrictEqual(open.logged, ["the audit file accepts no lines; they follow here"]);
  await readUntil(reader, '"n":4999');
  reader.close();
});

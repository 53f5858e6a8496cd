import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ToolError } from "../shared/error.ts";
import { boundedCaller } from "../testing/bounded_caller.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { readFilePart } from "../toolkit/files/read_file.ts";
import { writeWholeFile } from "../toolkit/files/write_whole_file.ts";
import { holdFolder } from "./bound_folder.ts";

const { signal } = new AbortController();
const SECRET = "secret";

/** What a caller gets: the content, `done`, or the code and the message of the refusal. */
type Outcome = string;

/** A caller whose paths are bounded, and the three ways to use a path. */
function callerOf(paths: readonly string[]) {
  const caller = boundedCaller({ paths });
  const outcome = async (work: Promise<string>): Promise<Outcome> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ToolError) return `${error.code}: ${error.message}`;
      throw error;
    }
  };
  return {
    read: (path: string) =>
      outcome((async () => {
        const { bytes } = await readFilePart(path, { maxBytes: 1_000, signal, caller });
        return new TextDecoder().decode(bytes);
      })()),
    write: (path: string, createParents = false) =>
      outcome((async () => {
        const bytes = new TextEncoder().encode("written");
        await writeWholeFile(path, bytes, { umask: 0o022, signal, caller, createParents });
        return "done";
      })()),
    enter: (path: string) =>
      outcome((async () => {
        await using folder = await holdFolder(path, { caller, signal });
        const pwd = await new Deno.Command("pwd", { args: ["-P"], cwd: folder.path }).output();
        return new TextDecoder().decode(pwd.stdout).trimEnd();
      })()),
  };
}

/** `srv`, which a caller may use, beside `etc`, which it may not; with links between them. */
async function createPlace() {
  const folder = await createTempFolder();
  const at = folder.path;
  for (const name of ["srv/sub", "srv-evil", "srv\n", "etc", "etc/sub", "SRV2", "e\u0301"]) {
    await Deno.mkdir(`${at}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${at}/${name}/f`, SECRET);
  }
  await Deno.writeTextFile(`${at}/srv/f`, "inside");
  await Deno.writeTextFile(`${at}/srv/sub/f`, "inside");
  const links = [
    [`${at}/etc/f`, "srv/file"],
    ["../etc/f", "srv/relative"],
    ["relative", "srv/twice"],
    [`${at}/etc`, "srv/folder"],
    ["..", "srv/up"],
    ["../etc/absent", "srv/dangling"],
    ["loop", "srv/loop"],
    ["sub/../f", "srv/back"],
    [`/proc/self/root${at}/etc`, "srv/root"],
    ["../srv", "etc/in"],
    ["f", "srv/f\u2215g"],
  ];
  for (const [target = "", name] of links) await Deno.symlink(target, `${at}/${name}`);
  return { at, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

Deno.test("bounded paths reach what is inside, by its real path", async () => {
  await using place = await createPlace();
  const { at } = place;
  const { read, write, enter } = callerOf([`${at}/srv/**`]);
  const inside = ["srv/f", "srv//f", "srv/./f", "srv/sub/../f", "srv/../srv/f", "etc/in/f"];
  for (const path of [...inside, "srv/back", "srv/up/srv/f", "srv/f\u2215g", "/srv/sub/f"]) {
    strictEqual(await read(`${at}/${path}`), "inside", path);
  }
  for (const path of ["srv", "srv/", "srv/.", "srv/sub/..", "etc/in", "etc/in/", "srv/up/srv"]) {
    strictEqual(await enter(`${at}/${path}`), `${at}/srv`, path);
  }
  for (const path of ["srv/new", "etc/in/new2", "srv/sub/f", "srv/f\u2215g"]) {
    strictEqual(await write(`${at}/${path}`), "done", path);
    strictEqual(await read(`${at}/${path}`), "written", path);
  }
  strictEqual(await write(`${at}/srv/a/b/c`, true), "done");
  strictEqual(await Deno.readTextFile(`${at}/srv/a/b/c`), "written");
});

const NOT_INSIDE: readonly [path: string, why: string][] = [
  ["etc/f", "its name"],
  ["", "the folder above"],
  ["srv/../etc/f", "dots"],
  ["srv/sub/../../etc/f", "more dots"],
  ["srv/./../etc/./f", "dots between dots"],
  ["srv/../../../../../../../../../../etc/passwd", "dots beyond the root"],
  ["srv/file", "a link to a file"],
  ["srv/relative", "a relative link"],
  ["srv/twice", "a link to a link"],
  ["srv/folder/f", "a link to a folder"],
  ["srv/folder", "a link to a folder, itself"],
  ["srv/folder/", "a link to a folder, with a slash"],
  ["srv/up/etc/f", "a link upward"],
  ["srv/dangling", "a link to what is missing"],
  ["srv/root/f", "a link through /proc"],
  ["etc/../srv/f", "dots out of a forbidden folder"],
  ["etc/in/../etc/f", "dots behind a link"],
  ["srv-evil/f", "a name that starts alike"],
  ["srv\n/f", "a name with a newline"],
  ["SRV/f", "capitals"],
  ["SRV2/f", "capitals"],
  ["srv\u2215f", "a character like a slash"],
  ["e\u0301/f", "another form of a character"],
  ["srv\\f", "a backslash"],
  ["srv%2ff", "an escaped slash"],
  ["srv/%2e%2e/etc/f/../../../../etc/f", "escaped dots"],
  ["~/f", "a tilde"],
  ["srv*/f", "a pattern"],
  ["**/f", "another pattern"],
  ["{srv,etc}/f", "braces"],
];

const OF_THE_SYSTEM = [
  "/",
  "/etc/passwd",
  "/proc/self/root/etc/passwd",
  "/proc/self/cwd/f",
  "/proc/self/environ",
  "/proc/1/root/etc/passwd",
  `/proc/${Deno.pid}/fd/0`,
  "/proc/thread-self/root/etc/passwd",
  "/dev/fd/0",
  "/dev/stdin",
  "/dev/null",
  "/sys/kernel/mm",
  "~",
  "~root/.ssh/id_rsa",
  "deno.json",
  "../../../../../../../../../../etc/passwd",
  "./deno.json",
  "file:///etc/passwd",
];

Deno.test("bounded paths reach nothing outside, however it is written", async () => {
  await using place = await createPlace();
  const { at } = place;
  const { read, write, enter } = callerOf([
    `${at}/srv/**`,
    "/srv-of-another/**",
    `${at}/\u00e9/**`,
  ]);
  const paths = [...NOT_INSIDE.map(([path]) => `${at}/${path}`), ...OF_THE_SYSTEM];
  const before = await listing(at);
  for (const path of paths) {
    for (const outcome of [await read(path), await write(path), await write(path, true)]) {
      ok(/^NOT_ALLOWED: Cannot (read|write) "/.test(outcome), `${path}: ${outcome}`);
    }
    const entered = await enter(path);
    ok(/^NOT_ALLOWED: Cannot enter "/.test(entered), `${path}: ${entered}`);
  }
  for (const path of [`${at}/srv/f\0`, `${at}/srv/f\0/../../etc/f`, "", `${at}/srv/\ud800`]) {
    for (const outcome of [await read(path), await write(path), await enter(path)]) {
      ok(outcome.startsWith("INVALID_PATH"), `${JSON.stringify(path)}: ${outcome}`);
    }
  }
  deepStrictEqual(await listing(at), before);
});

Deno.test("bounded paths of no patterns reach nothing", async () => {
  const { read, write, enter } = callerOf([]);
  for (const use of [read, write, enter]) {
    ok(/^NOT_ALLOWED: .+ "ci" \(none\)$/.test(await use("/tmp")), await use("/tmp"));
  }
});

Deno.test("bounded paths answer alike for what is missing outside and for what is there", async () => {
  await using place = await createPlace();
  const { at } = place;
  const { read, write, enter } = callerOf([`${at}/srv/**`]);
  const path = `${at}/etc/x`;
  const uses = [
    ...[path, `${path}/`, `${path}/y`, `${path}/../f`, `${path}/../../srv/f`, `${at}/srv/../etc/x`],
    ...[`${at}/srv/folder/x`, `${at}/srv/folder/x/y`, `${at}/srv/folder/x/../../srv/f`],
  ];
  const answers = async () => {
    const all: Outcome[] = [];
    for (const use of uses) all.push(await read(use), await write(use), await enter(use));
    return all;
  };
  const missing = await answers();
  strictEqual(
    missing.every((answer) => answer.startsWith("NOT_ALLOWED")),
    true,
    missing.join("\n"),
  );
  const kinds: readonly (() => Promise<void>)[] = [
    () => Deno.writeTextFile(path, "a".repeat(2_000)),
    () => Deno.mkdir(path),
    () => Deno.symlink("f", path),
    () => Deno.symlink("x", path),
    () => run("mkfifo", path),
    async () => {
      await Deno.mkdir(path);
      await Deno.chmod(path, 0);
    },
  ];
  for (const create of kinds) {
    await create();
    deepStrictEqual(await answers(), missing, create.toString());
    await Deno.remove(path);
  }
});

Deno.test("bounded paths report what is wrong inside as without bounds", async () => {
  await using place = await createPlace();
  const { at } = place;
  const { read, write, enter } = callerOf([`${at}/srv/**`]);
  const cases: [outcome: string, expected: RegExp][] = [
    [await read(`${at}/srv/nope`), /^NOT_FOUND: .+ does not exist/],
    [await read(`${at}/srv/nope/f`), /^NOT_FOUND: .+ does not exist/],
    [await read(`${at}/srv/f/f`), /^NOT_FOUND: .+ not a folder/],
    [await read(`${at}/srv/f/`), /^NOT_FOUND: .+ not a folder/],
    [await read(`${at}/srv/loop`), /^INVALID_PATH: .+ circle/],
    [await read(`${at}/srv/${"n".repeat(300)}`), /^INVALID_PATH: .+ too long/],
    [await read(`${at}/srv/sub`), /^NOT_A_FILE: .+ a folder/],
    [await write(`${at}/srv/sub/`), /^NOT_A_FILE: .+ a folder/],
    [await write(`${at}/srv/nope/f`), /^NO_FOLDER: .+ "createParents": true/],
    [await enter(`${at}/srv/nope`), /^CWD_NOT_FOUND: /],
    [await enter(`${at}/srv/f`), /^CWD_NOT_A_FOLDER: /],
  ];
  for (const [outcome, expected] of cases) ok(expected.test(outcome), outcome);
});

Deno.test("bounded paths create no folder that is not among them", async () => {
  await using place = await createPlace();
  const { at } = place;
  const { write } = callerOf([`${at}/srv/*/data/**`, `${at}/made/*`]);
  ok((await write(`${at}/srv/new/data/f`, true)).startsWith("NOT_ALLOWED"));
  ok((await write(`${at}/made/f`, true)).startsWith("NOT_ALLOWED"));
  strictEqual(await write(`${at}/srv/sub/data/deep/f`, true), "done");
  deepStrictEqual((await listing(at)).filter((name) => /^(srv\/new|made)/.test(name)), []);
});

Deno.test(...needsRoot("bounded paths leave no trace of a write that fails"), async () => {
  await using place = await createPlace();
  const { at } = place;
  await run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", `${at}/srv/sub`);
  try {
    const caller = boundedCaller({ paths: [`${at}/srv/**`] });
    const bytes = new Uint8Array(100_000);
    const options = { umask: 0o022, signal, caller, createParents: true };
    const work = writeWholeFile(`${at}/srv/sub/a/b/f`, bytes, options);
    strictEqual(await work.catch((error) => error.code), "NO_SPACE");
    deepStrictEqual([...Deno.readDirSync(`${at}/srv/sub`)], []);
  } finally {
    await run("umount", `${at}/srv/sub`);
  }
});

Deno.test("bounded paths follow a hard link, which has no other real path", async () => {
  await using place = await createPlace();
  const { at } = place;
  await Deno.link(`${at}/etc/f`, `${at}/srv/hard`);
  strictEqual(await callerOf([`${at}/srv/**`]).read(`${at}/srv/hard`), SECRET);
});

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

/** Every name below a folder, with its size. */
async function listing(folder: string): Promise<string[]> {
  const args = [folder, "-printf", "%P %y %s %l\\n"];
  const { stdout } = await new Deno.Command("find", { args }).output();
  return new TextDecoder().decode(stdout).split("\n").sort();
}

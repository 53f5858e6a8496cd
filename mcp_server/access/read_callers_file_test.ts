import { strictEqual } from "node:assert/strict";
import { requires } from "../../test_support/services.ts";
import { within } from "../shared/deadline.ts";
import { createHangingMount } from "../testing/hanging_mount.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { stampOf } from "./read_callers_file.ts";

/** More than the threads that a process has for its file operations. */
const LOOKS = 100;

const [name, { ignore }] = needsRoot("stampOf() takes one thread while the file system hangs");
const required = requires("sshfs", name);

Deno.test({
  ...required,
  ignore: ignore || required.ignore,
  fn: async () => {
    await using mount = await createHangingMount();
    const path = `${mount.path}/callers.json`;
    await Deno.writeTextFile(path, "{}");
    mount.hang();
    const looks = Array.from({ length: LOOKS }, () => stampOf(path).catch(() => undefined));
    const isFree = await within(Deno.stat(mount.source), 20_000);
    mount.resume();
    await Promise.all(looks);
    strictEqual(isFree, true);
  },
});

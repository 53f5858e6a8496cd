import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hasProgram, requires } from "./services.ts";

Deno.test("hasProgram() looks for an executable file in each folder of PATH", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/tool`, "", { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/text`, "", { mode: 0o644 });
    await Deno.mkdir(`${folder}/folder`);
    const path = `/none:${folder}/text::${folder}`;
    strictEqual(hasProgram("tool", path), true);
    strictEqual(hasProgram("text", path), false);
    strictEqual(hasProgram("folder", path), false);
    strictEqual(hasProgram("other", path), false);
    strictEqual(hasProgram(`${folder}/tool`, ""), true);
    strictEqual(hasProgram(`${folder}/text`, ""), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("requires() lets a test run if its program is installed", () => {
  deepStrictEqual(requires("php", "runs PHP", () => true), { name: "runs PHP", ignore: false });
});

Deno.test("requires() skips a test by name, with the reason, if its program is missing", () => {
  deepStrictEqual(requires("php", "runs PHP", () => false), {
    name: "runs PHP (needs php: install php-cli)",
    ignore: true,
  });
});

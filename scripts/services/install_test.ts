import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hasProgram } from "./find_program.ts";
import { missingPackages } from "./install.ts";

const SERVICES = [
  { program: "php", packages: ["php-cli"] },
  { program: "/usr/lib/db/bin/db", packages: ["db", "db-client"] },
];

Deno.test("missingPackages() names the packages of missing programs only", () => {
  deepStrictEqual(missingPackages(SERVICES, () => true), []);
  deepStrictEqual(missingPackages(SERVICES, (program) => program === "php"), ["db", "db-client"]);
  deepStrictEqual(missingPackages(SERVICES, () => false), ["php-cli", "db", "db-client"]);
});

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

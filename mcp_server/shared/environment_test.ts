import { rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { findProgram } from "./environment.ts";

Deno.test("findProgram() finds what execvp(3) finds, from the folder of the command", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Deno.mkdir(`${cwd}/bin/tool`, { recursive: true });
  await Deno.mkdir(`${cwd}/more`);
  await Deno.writeTextFile(`${cwd}/more/tool`, "", { mode: 0o755 });
  await Deno.writeTextFile(`${cwd}/here`, "", { mode: 0o755 });
  await Deno.writeTextFile(`${cwd}/text`, "", { mode: 0o644 });

  const search = { path: `/nowhere:${cwd}/bin:${cwd}/more`, cwd };
  strictEqual(await findProgram("tool", search), `${cwd}/more/tool`);
  strictEqual(await findProgram("tool", { path: "bin:more", cwd }), `${cwd}/more/tool`);
  strictEqual(await findProgram("here", { path: "/nowhere:", cwd }), `${cwd}/here`);
  strictEqual(await findProgram("./here", search), `${cwd}/here`);
  strictEqual(await findProgram("sh"), "/bin/sh");
  await rejects(findProgram("here", search), Deno.errors.NotFound);
  await rejects(findProgram("./bin", search), Deno.errors.PermissionDenied);
  await rejects(findProgram("text", { path: cwd }), Deno.errors.PermissionDenied);
});

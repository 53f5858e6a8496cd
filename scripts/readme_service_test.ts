import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

/** The exposure level that systemd computes, of 10; a unit without any of these lines has 9.6. */
const MOST_EXPOSURE = 4;

/** The units that the page shows: the whole one, and what changes it. */
const PARTS = ["unit", "checkout", "run-as"] as const;

/** The unit that the page shows, or what changes it for a checkout, or commands as another user. */
async function shownUnit(part: typeof PARTS[number] = "unit"): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const units = codeBlocks(page).filter(({ language }) => language === "ini");
  strictEqual(units.length, PARTS.length, "the page shows a unit, and two changes of it");
  return units[PARTS.indexOf(part)]?.code ?? "";
}

async function analyze(args: string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", { args }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("the unit in mcp_server/docs/deploy.md runs the server as a user who can't gain more rights", async () => {
  const unit = await shownUnit();
  for (const line of ["NoNewPrivileges=yes", "ProtectSystem=strict", "User=trestle"]) {
    match(unit, new RegExp(`^${line}$`, "m"));
  }
});

Deno.test("the unit in mcp_server/docs/deploy.md lets the server make control groups for commands", async () => {
  const unit = await shownUnit();
  for (const line of ["Delegate=yes", "DelegateSubgroup=server"]) {
    match(unit, new RegExp(`^${line}$`, "m"));
  }
  doesNotMatch(unit, /^ProtectControlGroups=/m);
});

/** What systemd says about a setting that came with version 254. */
async function complaints(): Promise<RegExp> {
  const { output } = await analyze(["--version"]);
  const version = Number(/^systemd (\d+)/.exec(output)?.[1]);
  return version >= 254
    ? /^$/
    : /^\S+: Unknown key (name )?'DelegateSubgroup' in section [^\n]*\n$/;
}

Deno.test({
  ...requires(
    "systemd",
    "systemd accepts the unit in mcp_server/docs/deploy.md unchanged",
  ),
  fn: async () => {
    await using folder = await createTempFolder();
    const file = `${folder.path}/trestle-mcp.service`;
    const unit = await shownUnit();
    await Deno.writeTextFile(file, unit.replace("/usr/local/bin/trestle-mcp", Deno.execPath()));
    const { code, output } = await analyze(["verify", file]);
    match(output, await complaints());
    strictEqual(code, 0);
    const { output: report } = await analyze(["security", "--offline=true", "--no-pager", file]);
    const exposure = /Overall exposure level for trestle-mcp\.service: ([\d.]+)/.exec(report)?.[1];
    ok(Number(exposure) < MOST_EXPOSURE, report);
    await Deno.mkdir(`${file}.d`);
    for (const part of ["checkout", "run-as"] as const) {
      const change = (await shownUnit(part)).replace("/usr/local/bin/deno", Deno.execPath());
      await Deno.writeTextFile(`${file}.d/${part}.conf`, change);
      const { code: changed, output: faults } = await analyze(["verify", file]);
      deepStrictEqual([changed, faults], [code, output], part);
    }
  },
});

Deno.test("the unit for a checkout in mcp_server/docs/deploy.md starts the server from any folder", async () => {
  await using folder = await createTempFolder();
  const command = /^ExecStart=(\/.*)$/m.exec(await shownUnit("checkout"))?.[1] ?? "";
  const [deno, ...args] = command.replace("/opt/trestle", ROOT).split(" ");
  strictEqual(deno, "/usr/local/bin/deno");
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args, "--check"],
    cwd: folder.path,
    env: { MCP_DATA_DIR: folder.path },
  }).output();
  const output = new TextDecoder().decode(stdout);
  deepStrictEqual([code, /^ *read-file /m.test(output)], [0, true], output);
});

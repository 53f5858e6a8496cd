import { defaultLimits, LIMIT_SETTINGS } from "../mcp_server/shared/limits.ts";
import type { SettingText } from "../mcp_server/settings/config.ts";
import { SETTING_TEXTS } from "../mcp_server/settings/settings.ts";
import { ROOT } from "../test_support/root.ts";
import { compareSnapshot } from "../test_support/snapshot.ts";

const PAGE = `${ROOT}/mcp_server/docs/settings.md`;
const CORES = 2;

function rowOf({ env, flag, about, page = about }: SettingText): [string, string, string] {
  const limit = LIMIT_SETTINGS.find((candidate) => candidate.env === env);
  const fallback = limit === undefined || /\(\d+, or/.test(page)
    ? ""
    : ` (${defaultLimits(CORES)[limit.key]})`;
  return [`\`${env}\``, flag === undefined ? "" : `\`--${flag}\``, `${page}${fallback}`];
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(all[at] ?? 3, cell.length)),
    [],
  );
  const [head = [], ...body] = rows.map((row) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

Deno.test("mcp_server/docs/settings.md has the table of settings", async () => {
  const text = await Deno.readTextFile(PAGE);
  const table = toTable([["variable", "flag", "meaning"], ...SETTING_TEXTS.map(rowOf)]);
  const expected = text.replace(/^\| variable .*?(?=\n\n)/ms, () => table);
  await compareSnapshot(PAGE, expected);
});

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { parse } from "yaml";
import * as z from "zod";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { codeBlocks } from "../test_support/markdown.ts";

const RULES = new URL("./docs/alert-rules.yml", import.meta.url).pathname;

const Rules = z.object({
  groups: z.array(z.object({
    rules: z.array(z.object({ alert: z.string() })),
  })),
});

/** The names of the alerts in the file. */
async function readAlerts(): Promise<string[]> {
  const { groups } = Rules.parse(parse(await Deno.readTextFile(RULES)));
  return groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
}

/** What a server may do in an hour, minute by minute, and which alerts are on at its end. */
const HOURS: readonly { readonly series: Record<string, string>; readonly alerts: string[] }[] = [
  { series: { 'up{job="trestle",instance="a"}': "1x60" }, alerts: [] },
  { series: { 'up{job="trestle",instance="a"}': "1x50 0x10" }, alerts: ["TrestleDown"] },
  {
    series: {
      'trestle_commands_total{instance="a",tool="exec-command",end="nonzero"}': "0+1x60",
      'trestle_commands_total{instance="a",tool="exec-command",end="ok"}': "7x60",
      'trestle_commands_total{instance="a",tool="bash-script",end="ok"}': "0+1x60",
    },
    alerts: ["TrestleCommandsFail"],
  },
  {
    series: { 'trestle_commands_total{instance="a",tool="exec-command",end="timeout"}': "0+1x60" },
    alerts: ["TrestleCommandsFail"],
  },
  {
    series: {
      'trestle_commands_total{instance="a",tool="exec-command",end="nonzero"}': "0+1x60",
      'trestle_commands_total{instance="a",tool="exec-command",end="ok"}': "0x40 0+1x20",
    },
    alerts: [],
  },
  {
    series: {
      'trestle_commands_total{instance="a",tool="exec-command",end="nonzero"}': "1x60",
      'trestle_commands_total{instance="a",tool="exec-command",end="stopped"}': "0+9x60",
    },
    alerts: [],
  },
  {
    series: { 'trestle_commands_total{instance="a",tool="bash-script",end="oom"}': "_x55 1x5" },
    alerts: ["TrestleOutOfMemory"],
  },
  {
    series: { 'trestle_commands_total{instance="a",tool="bash-script",end="oom"}': "1x55 2x5" },
    alerts: ["TrestleOutOfMemory"],
  },
  {
    series: { 'trestle_commands_total{instance="a",tool="bash-script",end="oom"}': "1x60" },
    alerts: [],
  },
  {
    series: { 'trestle_stop_survivors_total{instance="a"}': "0x55 1x5" },
    alerts: ["TrestleProcessesLeft"],
  },
  { series: { 'trestle_queue{instance="a"}': "3x60" }, alerts: ["TrestleQueue"] },
  { series: { 'trestle_queue{instance="a"}': "3x50 0 3x9" }, alerts: [] },
  {
    series: { 'trestle_store_errors_total{instance="a",operation="append"}': "_x55 1x5" },
    alerts: ["TrestleStoreFails"],
  },
  {
    series: { 'trestle_event_loop_lag_seconds{instance="a"}': "2x60" },
    alerts: ["TrestleEventLoopLag"],
  },
  { series: { 'trestle_event_loop_lag_seconds{instance="a"}': "0x58 2" }, alerts: [] },
  {
    series: { 'trestle_refused_total{instance="a",reason="UNAUTHORIZED"}': "0+30x60" },
    alerts: ["TrestleTokensRefused"],
  },
];

async function promtool(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command("promtool", { args }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test({
  ...requires("prometheus", "promtool accepts the alerts of the docs, and what scrapes the server"),
  fn: async () => {
    await using folder = await createTempFolder();
    const rules = await promtool("check", "rules", RULES);
    deepStrictEqual([rules.code, /SUCCESS: (\d+) rules found/.test(rules.output)], [0, true]);
    const page = await Deno.readTextFile(new URL("./docs/metrics.md", import.meta.url));
    const [config = "", ...more] = codeBlocks(page).filter(({ language }) => language === "yaml")
      .map(({ code }) => code);
    deepStrictEqual(more, []);
    match(config, /^ {2}- alert-rules\.yml$/m);
    await Deno.writeTextFile(`${folder.path}/prometheus.yml`, config);
    await Deno.copyFile(RULES, `${folder.path}/alert-rules.yml`);
    const checked = await promtool("check", "config", `${folder.path}/prometheus.yml`);
    strictEqual(checked.code, 0, checked.output);
  },
});

Deno.test({
  ...requires("prometheus", "each alert of the docs is on when it should be, and only then"),
  fn: async () => {
    await using folder = await createTempFolder();
    const names = await readAlerts();
    const tested = new Set(HOURS.flatMap(({ alerts }) => alerts));
    deepStrictEqual([...tested].sort(), names.toSorted());
    const files = await Promise.all(HOURS.map(async ({ series, alerts }, at) => {
      const test = {
        rule_files: [RULES],
        evaluation_interval: "1m",
        tests: [{
          interval: "1m",
          input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
          promql_expr_test: names.map((alertname) => ({
            expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
            eval_time: "59m",
            exp_samples: alerts.includes(alertname) ? [{ labels: "{}", value: 1 }] : [],
          })),
        }],
      };
      const file = `${folder.path}/${at}.yml`;
      await Deno.writeTextFile(file, JSON.stringify(test));
      return file;
    }));
    const { code, output } = await promtool("test", "rules", ...files);
    strictEqual(code, 0, output);
  },
});

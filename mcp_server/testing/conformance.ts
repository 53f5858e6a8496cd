import * as z from "zod";

/** The official suite, in a release with the checks of both revisions; earlier ones lack them. */
const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
const DEADLINE_MS = 120_000;

const Checks = z.array(z.object({
  id: z.string(),
  status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
  errorMessage: z.string().optional(),
}));

/** One check of a scenario. */
export type Check = z.output<typeof Checks>[number];

/** The conformance suite's results for a server. */
export interface ConformanceReport {
  /** Whether the checks that fail are exactly those of the baseline. */
  readonly asExpected: boolean;
  /** What the suite printed. */
  readonly text: string;
  /** The checks of each scenario that ran, by its name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

/** Which requirements a server is tested against. */
export interface ConformanceOptions {
  readonly revision: "2026-07-28" | "2025-11-25";
  /** The file of the checks that are expected to fail. */
  readonly baseline: string;
}

/** Runs all that a revision of MCP requires of a server, and what else the suite runs with it. */
export async function runConformance(
  url: string,
  { revision, baseline }: ConformanceOptions,
): Promise<ConformanceReport> {
  const folder = await Deno.makeTempDir();
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--no-config", "--no-lock"],
        ...["--allow-net=127.0.0.1", "--allow-read", "--allow-env", "--allow-sys"],
        ...[`--allow-write=${folder}`, SUITE, "server", "--url", url],
        ...["--requirements", revision, "--expected-failures", baseline, "--output-dir", folder],
      ],
      env: { NO_COLOR: "1" },
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { asExpected: code === 0, text, scenarios: await readScenarios(folder) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder of the suite: `server-`, the scenario, and the time it began. */
const SCENARIO_FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT/;

async function readScenarios(folder: string): Promise<Map<string, Check[]>> {
  const scenarios = new Map<string, Check[]>();
  for await (const { name } of Deno.readDir(folder)) {
    const scenario = SCENARIO_FOLDER.exec(name)?.[1];
    if (scenario === undefined) continue;
    const json: unknown = JSON.parse(await Deno.readTextFile(`${folder}/${name}/checks.json`));
    scenarios.set(scenario, Checks.parse(json));
  }
  return scenarios;
}

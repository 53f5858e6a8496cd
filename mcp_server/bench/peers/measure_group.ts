import { measureCapabilities } from "./probes/capabilities.ts";
import type { Group } from "./servers/contender.ts";
import { measureEveryday } from "./probes/everyday.ts";
import { measureFlood } from "./probes/flood.ts";
import type { Testbed } from "./servers/testbed.ts";
import { measureReadOnly } from "./probes/read_only.ts";
import type { EndsMeasured, GroupMeasured } from "./report.ts";
import { measurePostgresStops, measureSqliteStops } from "./probes/sql_stops.ts";
import { measureStops } from "./probes/stops.ts";

/** Measures groups: their costs one after another, and how calls end all at the same time. */
export async function measureGroups(
  groups: readonly Group[],
  testbed: Testbed,
  options: { readonly report: (step: string) => void },
): Promise<GroupMeasured[]> {
  const costs: Omit<GroupMeasured, keyof EndsMeasured>[] = [];
  for (const group of groups) {
    const { name, title, contenders } = group;
    costs.push({
      title,
      names: contenders.map(({ name }) => name),
      ownStops: contenders.map(({ ownStop }) => ownStop?.name),
      everyday: await measureEveryday(group),
      capabilities: await measureCapabilities(group),
      floods: await measureFlood(group),
    });
    options.report(`measured ${name}`);
  }
  const ends = await Promise.all(groups.map((group) => measureEnds(group, testbed)));
  options.report("measured how calls end");
  return costs.map((one, at) => ({ ...one, ...ends[at] }));
}

async function measureEnds(group: Group, testbed: Testbed): Promise<EndsMeasured> {
  switch (group.name) {
    case "commands":
    case "ssh":
      return { stops: await measureStops(group) };
    case "postgres": {
      const postgres = await measurePostgresStops(group, testbed);
      const readOnly: (readonly string[])[] = [];
      for (const contender of group.readOnly ?? []) {
        readOnly.push(await measureReadOnly(contender, testbed.postgres));
      }
      return { postgres, readOnly };
    }
    case "sqlite":
      return { sqlite: await measureSqliteStops(group) };
    case "files":
      return {};
  }
}

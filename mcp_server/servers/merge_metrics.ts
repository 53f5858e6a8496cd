/** The metrics of one server, in the text format of Prometheus. */
export interface ServerMetrics {
  readonly server: string;
  readonly text: string;
}

const COMMENT = /^# (?:HELP|TYPE) (\S+)/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?( .*)$/;

/**
 * Joins the metrics of several servers: each sample gets the label `server`, and each metric is
 * described once, by the first server that has it (Prometheus, "Text-based format"). The metric
 * `trestle_up` is 0 for the servers that did not answer.
 */
export function mergeMetrics(
  all: readonly ServerMetrics[],
  unreachable: readonly string[] = [],
): string {
  /** The lines of each metric. */
  const families = new Map<string, { readonly first: ServerMetrics; readonly lines: string[] }>();
  for (const metrics of all) {
    let lines: string[] = [];
    for (const line of metrics.text.split("\n")) {
      const [, metric] = COMMENT.exec(line) ?? [];
      if (metric === undefined) lines.push(...withServer(line, metrics.server));
      else {
        const family = families.get(metric) ?? { first: metrics, lines: [] };
        families.set(metric, family);
        lines = family.lines;
        if (family.first === metrics) lines.push(line);
      }
    }
  }
  const up = [
    "# HELP trestle_up Whether the server has answered with its metrics",
    "# TYPE trestle_up gauge",
    ...all.flatMap(({ server }) => withServer("trestle_up 1", server)),
    ...unreachable.flatMap((server) => withServer("trestle_up 0", server)),
  ];
  const blocks = [up, ...[...families.values()].map(({ lines }) => lines)];
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** The line of a sample with the label; none for any other line. */
function withServer(line: string, server: string): string[] {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) return [];
  const own = `server=${JSON.stringify(server)}`;
  return [`${name}{${labels === "" ? own : `${own},${labels}`}}${value}`];
}

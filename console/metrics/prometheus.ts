/** One value of a metric, with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads metrics in the text format of Prometheus; what is no sample is left out. */
export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", number = ""] = LINE.exec(line.trim()) ?? [];
    const value = Number(number.replace(/^([+-]?)Inf$/, "$1Infinity"));
    if (name === undefined || Number.isNaN(value)) return [];
    return [{ name, labels: parseLabels(labels), value }];
  });
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = "", value = ""]) => [name, unescape(value)]),
  );
}

function unescape(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, char: string) => char === "n" ? "\n" : char);
}

/** The sum of all samples of a metric whose labels are as given. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter((sample) =>
    sample.name === name &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** What a process uses at one moment. */
export interface Sample {
  /** Seconds since the watch began. */
  readonly at: number;
  /** Resident memory in MiB. */
  readonly memory: number;
  readonly descriptors: number;
}

/** Samples of a process, taken until disposal. */
export interface ServerWatch extends Disposable {
  readonly samples: readonly Sample[];
  /** Takes one more sample now. */
  sample(): void;
  /** What it uses now; no sample. */
  now(): Sample;
}

const EVERY_MS = 1_000;
const KIB_A_MIB = 1_024;

/** Samples every second what a process uses. */
export function watchServer(pid: number): ServerWatch {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const now = () => {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return {
      at: (performance.now() - startedAt) / 1_000,
      memory: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / KIB_A_MIB,
      descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
    };
  };
  const sample = () => void samples.push(now());
  sample();
  const timer = setInterval(sample, EVERY_MS);
  return { samples, sample, now, [Symbol.dispose]: () => clearInterval(timer) };
}

/** How memory grows in MiB a minute over the second half of the samples: the slope of the line. */
export function memorySlope(samples: readonly Sample[]): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [at, memory] = [mean(half.map((s) => s.at)), mean(half.map((s) => s.memory))];
  const covariance = mean(half.map((s) => (s.at - at) * (s.memory - memory)));
  const variance = mean(half.map((s) => (s.at - at) ** 2));
  return variance === 0 ? 0 : 60 * covariance / variance;
}

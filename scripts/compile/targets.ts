/** An architecture that the server is compiled for. */
export type Architecture = "x86_64" | "aarch64";

/** The common name of an architecture. */
export interface Target {
  /** Deno's name for it, on Linux with glibc. */
  readonly triple: string;
  /** `e_machine` in the header of its programs (ELF-64 object file format, "ELF Header"). */
  readonly machine: number;
}

/** Every architecture that the server is compiled for. */
export const TARGETS: Readonly<Record<Architecture, Target>> = {
  x86_64: { triple: "x86_64-unknown-linux-gnu", machine: 62 },
  aarch64: { triple: "aarch64-unknown-linux-gnu", machine: 183 },
};

const MAGIC = "\x7fELF";
const MACHINE_AT = 18;

/** Reads the architecture of a Linux program; `undefined` if it is not one of these. */
export function architectureOf(program: Uint8Array): Architecture | undefined {
  if (program.length < MACHINE_AT + 2) return undefined;
  const view = new DataView(program.buffer, program.byteOffset);
  const machine = view.getUint16(MACHINE_AT, true);
  const isElf = String.fromCharCode(...program.subarray(0, MAGIC.length)) === MAGIC;
  return isElf ? architectures().find((name) => TARGETS[name].machine === machine) : undefined;
}

/**
 * Reads which architectures are requested: those named, or all if none is. Throws a `RangeError`
 * for an unknown name.
 */
export function parseArchitectures(names: readonly string[]): Architecture[] {
  const known = architectures();
  const unknown = names.find((name) => !known.some((architecture) => architecture === name));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot compile for "${unknown}": it must be ${known.join(" or ")}`);
  }
  return known.filter((name) => names.length === 0 || names.includes(name));
}

function architectures(): Architecture[] {
  return ["x86_64", "aarch64"];
}

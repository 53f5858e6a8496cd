/** A kind of machine that the server is compiled for. */
export type Architecture = "x86_64" | "aarch64";

/** What the rest of the world calls an architecture. */
export interface Target {
  /** The name that Deno knows it by, on Linux with glibc. */
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

/** Reads for which architecture a Linux program is made; `undefined` where it is for no such. */
export function architectureOf(program: Uint8Array): Architecture | undefined {
  if (program.length < MACHINE_AT + 2) return undefined;
  const view = new DataView(program.buffer, program.byteOffset);
  const machine = view.getUint16(MACHINE_AT, true);
  const isElf = String.fromCharCode(...program.subarray(0, MAGIC.length)) === MAGIC;
  return isElf ? architectures().find((name) => TARGETS[name].machine === machine) : undefined;
}

/**
 * Reads which architectures are asked for: those that are named, else all. Throws a `RangeError`
 * for a name that is none.
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

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * The next version, by the part to raise (semver.org, clauses 6 to 8) or as given. Throws a
 * `RangeError` for anything else, and for a version that is not later.
 */
export function nextVersion(current: string, step: string): string {
  const [major, minor, patch] = parse(current, `Cannot raise the version "${current}"`);
  if (step === "major") return `${major + 1}.0.0`;
  if (step === "minor") return `${major}.${minor + 1}.0`;
  if (step === "patch") return `${major}.${minor}.${patch + 1}`;
  const requested = parse(step, `Cannot raise the version ${current} to "${step}"`);
  if (isLater(requested, [major, minor, patch])) return step;
  throw new RangeError(`Cannot raise the version ${current} to "${step}": it must come later`);
}

type Parts = readonly [major: number, minor: number, patch: number];

function parse(text: string, action: string): Parts {
  const [, major, minor, patch] = VERSION.exec(text) ?? [];
  if (patch !== undefined) return [Number(major), Number(minor), Number(patch)];
  throw new RangeError(`${action}: it must be patch, minor, major or a version such as 1.2.3`);
}

function isLater(one: Parts, other: Parts): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

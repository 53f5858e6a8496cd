import { hasProgram, type Service, SERVICES } from "../../test_support/services.ts";
import { runProgram } from "../run_program.ts";

/** The packages of the missing programs. */
export function missingPackages(
  services: readonly Service[],
  isThere: (program: string) => boolean,
): string[] {
  return services.filter(({ program }) => !isThere(program)).flatMap(({ packages }) => packages);
}

/**
 * Installs what is missing, with apt and as root. Without those it only reports what is missing:
 * the tests that need it are skipped by name.
 */
export async function installServices(signal: AbortSignal): Promise<void> {
  const packages = missingPackages(Object.values(SERVICES), hasProgram);
  if (packages.length === 0) return;
  if (Deno.uid() !== 0 || !hasProgram("apt-get")) {
    return console.warn(`Not installed, some tests are skipped: ${packages.join(", ")}`);
  }
  console.log(`Installing ${packages.join(", ")}`);
  const options = { signal, env: { DEBIAN_FRONTEND: "noninteractive" } };
  const aptGet = (args: readonly string[]) => runProgram("apt-get", args, options);
  if (await installPackages(packages, aptGet)) return;
  console.warn(`apt-get failed, some tests are skipped: ${packages.join(", ")}`);
}

const ATTEMPTS = 3;

/** Downloads are tried again, and another program may be installing packages. */
const PATIENT = ["-q", "-o", "Acquire::Retries=5", "-o", "DPkg::Lock::Timeout=300"];

/**
 * Installs packages with the given `apt-get`, which returns its exit code. Tries again if that
 * fails, as an archive may be out of reach for a moment; returns whether it succeeded.
 */
export async function installPackages(
  packages: readonly string[],
  aptGet: (args: readonly string[]) => Promise<number>,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await aptGet([...PATIENT, "update"]);
    const install = [...PATIENT, "install", "-y", "--no-install-recommends", ...packages];
    if (await aptGet(install) === 0) return true;
  }
  return false;
}

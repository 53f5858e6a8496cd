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
  await runProgram("apt-get", ["update", "-q"], options);
  const install = ["install", "-y", "-q", "--no-install-recommends", ...packages];
  const code = await runProgram("apt-get", install, options);
  if (code !== 0) console.warn(`apt-get failed, some tests are skipped: ${packages.join(", ")}`);
}

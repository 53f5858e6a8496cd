import { hasProgram } from "./find_program.ts";
import { type ServiceName, SERVICES } from "../services.ts";

/**
 * Names a test that needs a program. Where the program is missing the test is skipped, and its name
 * says why: `Deno.test({ ...requires("php", "php-script runs a script"), fn })`.
 */
export function requires(
  service: ServiceName,
  name: string,
  isThere: (program: string) => boolean = hasProgram,
): { name: string; ignore: boolean } {
  const { program, packages } = SERVICES[service];
  if (isThere(program)) return { name, ignore: false };
  return { name: `${name} (needs ${program}: install ${packages.join(", ")})`, ignore: true };
}

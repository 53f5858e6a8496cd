import { ROOT } from "../../test_support/root.ts";
import { sourceFiles } from "../source_files.ts";
import { exportedFiles } from "../workspace.ts";

/** The files that a report covers. */
export interface Own {
  /** Folder of the repository's own files. */
  readonly root: string;
  /** Their text; a type that it does not declare belongs to a package. */
  readonly text: string;
}

/**
 * Filters the report of `deno doc --lint` for faults in the repository's own files. It also reports
 * re-exported packages, such as zod, whose documentation is not part of the repository.
 */
export function ownFaults(report: string, { root, text }: Own): string[] {
  return report.split(/\n(?=error\[)/).filter((fault) => {
    if (!fault.includes(`--> ${root}/`)) return false;
    const declaration = /\| (.+)\n.*\| -+ this is the referenced type/.exec(fault)?.[1];
    return declaration === undefined || text.includes(declaration);
  }).map((fault) => fault.trim());
}

if (import.meta.main) {
  const files = await exportedFiles(ROOT);
  const lint = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...files],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  });
  const { success, stderr } = await lint.output();
  const report = new TextDecoder().decode(stderr);
  const sources = await sourceFiles(ROOT, [".ts"]);
  const texts = await Promise.all(sources.map((file) => Deno.readTextFile(`${ROOT}/${file}`)));
  const faults = ownFaults(report, { root: ROOT, text: texts.join("\n") });
  const unread = !success && !report.includes("documentation lint error");
  console.error(unread ? report : faults.join("\n\n"));
  console.log(`${files.length} exported files, ${faults.length} faults in their documentation`);
  if (unread || faults.length > 0) Deno.exit(1);
}

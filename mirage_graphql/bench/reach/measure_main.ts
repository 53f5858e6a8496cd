/**
 * Measures the schemas listed on standard input, a family by its name or a package's schema with
 * its folder, and writes the results to standard output, a line of JSON each.
 */
import { FAMILIES, familySubject, REAL_SCHEMAS, realSubject, type Subject } from "./subjects.ts";
import { type Amount, measureSubject } from "./measure.ts";

/** One schema to measure. */
interface Request {
  readonly name: string;
  /** Folder of the package; none for a family. */
  readonly folder?: string;
}

const { amount, requests }: { amount: Amount; requests: Request[] } = JSON.parse(
  await new Response(Deno.stdin.readable).text(),
);
console.warn = () => {}; // warnings of ambiguous relations
for (const request of requests) {
  const measured = await measureSubject(await subjectOf(request), amount);
  console.log(JSON.stringify(measured));
}

async function subjectOf({ name, folder }: Request): Promise<Subject> {
  const real = REAL_SCHEMAS.find((schema) => schema.name === name);
  if (real !== undefined && folder !== undefined) return await realSubject(real, folder);
  const family = FAMILIES.find((candidate) => candidate.name === name);
  if (family === undefined) {
    throw new RangeError(`Cannot measure "${name}": no schema has that name`);
  }
  return familySubject(family);
}

/** What the whole check asks of the sources before the tests run: arguments of `deno`, in order. */
export const CHECKS: readonly (readonly string[])[] = [
  ["fmt", "--check"],
  ["lint"],
  ["check"],
  ["run", "-A", "scripts/doc_lint.ts"],
  ["run", "-A", "scripts/import_circles.ts"],
  ["publish", "--dry-run", "--allow-dirty"],
];

/** What the whole check asks of the sources before the tests run: arguments of `deno`, in order. */
export const CHECKS: readonly (readonly string[])[] = [
  ["fmt", "--check"],
  ["lint"],
  ["check"],
  ["run", "-A", "scripts/checks/doc_lint.ts"],
  ["run", "-A", "scripts/checks/import_cycles.ts"],
  ["publish", "--dry-run", "--allow-dirty"],
];

const LATE = new Set<() => Promise<unknown>>();

/**
 * A module of a URL that is imported once it is used, so that a server whose first calls don't need it
 * answers them sooner. Resolves each time with the same; rejects as `import()` does. Its URL is computed,
 * because a literal one is read with the module that imports it; `scripts/compile` finds it by its type.
 *
 * @example
 * ```ts ignore
 * const driver = lateModule<typeof import("./driver.ts")>(import.meta.resolve("./driver.ts"));
 * const { connect } = await driver();
 * ```
 */
export function lateModule<Module>(url: string): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  const use = () => {
    LATE.delete(use);
    return loading ??= import(url);
  };
  LATE.add(use);
  return use;
}

/**
 * Imports all late modules that are known and were not used, also those of late modules. A server does
 * so before many clients may connect: Deno 2.9 ends if it loads a module while no file descriptor is
 * free. Rejects if one can't be imported.
 */
export async function loadLateModules(): Promise<void> {
  for (const use of LATE) await use();
}

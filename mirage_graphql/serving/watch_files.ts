import { basename, dirname, resolve } from "node:path";

/** Editors write a file in several steps. */
const QUIET_MS = 60;

/**
 * Calls back after one of the files has changed, once for a series of changes. It watches the
 * folders, because many editors replace a file by a new one; of a link it watches both ends.
 */
export function watchFiles(paths: readonly string[], onChange: () => void): Disposable {
  const wanted = new Set(paths.flatMap((path) => [resolve(path), Deno.realPathSync(path)]));
  const watcher = Deno.watchFs([...new Set([...wanted].map((path) => dirname(path)))], {
    recursive: false,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const names = new Set([...wanted].map((path) => basename(path)));
  (async () => {
    for await (const { kind, paths: changed } of watcher) {
      if (kind === "access") continue;
      if (!changed.some((path) => names.has(basename(path)))) continue;
      clearTimeout(timer);
      timer = setTimeout(onChange, QUIET_MS);
    }
  })();
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

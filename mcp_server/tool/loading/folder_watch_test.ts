import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { createTestLog } from "../../testing/test_runner.ts";
import { watchFolders } from "./folder_watch.ts";

/** Watches a path, and waits for the calls that changes cause. */
function watchPath(path: string) {
  let next = Promise.withResolvers<void>();
  const watch = watchFolders({
    folders: [path],
    files: () => new Set(),
    onChange: () => {
      next.resolve();
      return Promise.resolve();
    },
    log: createTestLog(),
  });
  return {
    /** Resolves when a change has been reported after what is done; rejects after 30 s. */
    afterChange: async (change: () => Promise<void>) => {
      next = Promise.withResolvers();
      const late = setTimeout(() => next.reject(new Error("no change was reported")), 30_000);
      await change();
      await next.promise.finally(() => clearTimeout(late));
      // Until nothing is reported any more: a change may be reported in two parts.
      await new Promise((resolve) => setTimeout(resolve, 600));
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

Deno.test("watchFolders() goes on with a folder that was removed and is back at once", async () => {
  await using temp = await createTempFolder();
  const folder = `${temp.path}/tools`;
  await Deno.mkdir(folder);
  using watch = watchPath(folder);
  await watch.afterChange(async () => {
    await Deno.remove(folder);
    await Deno.mkdir(folder);
  });
  await watch.afterChange(() => Deno.writeTextFile(`${folder}/a.ts`, ""));
});

Deno.test("watchFolders() goes on with the folder to which a link leads after it was swapped", async () => {
  await using temp = await createTempFolder();
  for (const name of ["one", "two"]) await Deno.mkdir(`${temp.path}/${name}`);
  const link = `${temp.path}/tools`;
  await Deno.symlink("one", link);
  using watch = watchPath(link);
  await watch.afterChange(async () => {
    await Deno.symlink("two", `${link}.new`);
    await Deno.rename(`${link}.new`, link);
  });
  await watch.afterChange(() => Deno.writeTextFile(`${temp.path}/two/a.ts`, ""));
});

/** A folder of which parts change all the time; disposing of it ends that. */
export interface SwappedLinks extends AsyncDisposable {
  /** How often all of it has changed. */
  rounds(): Promise<number>;
}

/**
 * In `srv`: `link` leads to `in` and to `out` in turn, `file` to a file of each, `name` is a file and
 * a link in turn, and `folder` is a folder and a link in turn. A rename shows readers one or the
 * other, and for an instant none.
 */
const SWAPPER = `
Deno.chdir(Deno.args[0]);
const link = (target, name) => {
  Deno.symlinkSync(target, name + ".new");
  Deno.renameSync(name + ".new", name);
};
// A call that creates folders may have been quicker.
const attempt = (change) => { try { change(); } catch { /* The next round does it. */ } };
const clear = (path) => attempt(() => Deno.removeSync(path, { recursive: true }));
for (let round = 1;; round++) {
  const side = round % 2 === 0 ? "in" : "../out";
  link(side, "srv/link");
  link(side + "/f", "srv/file");
  if (round % 2 === 0) {
    Deno.writeTextFileSync("srv/name.new", "inside");
    Deno.renameSync("srv/name.new", "srv/name");
    Deno.mkdirSync("srv/real", { recursive: true });
    Deno.writeTextFileSync("srv/real/f", "inside");
    clear("srv/folder");
    attempt(() => Deno.renameSync("srv/real", "srv/folder"));
  } else {
    link("../out/f", "srv/name");
    clear("srv/real");
    attempt(() => Deno.renameSync("srv/folder", "srv/real"));
    attempt(() => Deno.symlinkSync("../out", "srv/folder"));
  }
  if (round % 10 === 0) Deno.writeTextFileSync("rounds", String(round));
}`;

/**
 * Creates `srv`, with what the text above names, and `out` in a folder, and changes them from then on.
 * Only `out` has a file `only-outside`.
 */
export async function swapLinks(folder: string): Promise<SwappedLinks> {
  for (const [name, text] of [["srv/in", "inside"], ["srv/folder", "inside"], ["out", "secret"]]) {
    await Deno.mkdir(`${folder}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}/f`, text ?? "");
  }
  await Deno.writeTextFile(`${folder}/srv/name`, "inside");
  await Deno.writeTextFile(`${folder}/out/only-outside`, "");
  const program = `data:text/javascript,${encodeURIComponent(SWAPPER)}`;
  const args = ["run", "--quiet", "--no-config", "--allow-read", "--allow-write", program, folder];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "null" }).spawn();
  const rounds = async () => Number(await Deno.readTextFile(`${folder}/rounds`).catch(() => "0"));
  while (await rounds() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    rounds,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

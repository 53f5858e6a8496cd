import { pathToFileURL } from "node:url";
import { ROOT } from "../../test_support/root.ts";
import { type Member, readMembers } from "../workspace.ts";
import { NPM_TARGETS, type NpmTarget } from "./package_manifest.ts";
import { builtPackage } from "./testing/built_package.ts";
import { checkPackages, type PackagePromise } from "./testing/check_packages.ts";
import { CLIENT_PROGRAMS } from "./testing/client_programs.ts";
import { CONSUMER_PROGRAMS } from "./testing/consumer_programs.ts";
import { readOldPrograms } from "./testing/old_programs.ts";

/** The exports of each entry that is published on npm, as Deno sees them. */
async function exportedNames(member: Member) {
  const names: Record<string, string[]> = {};
  for (const [entry, file] of Object.entries(member.exports)) {
    const module: object = await import(pathToFileURL(`${ROOT}/${member.folder}/${file}`).href);
    names[entry.replace(/^\./, member.name)] = Object.keys(module).sort();
  }
  return names;
}

/** The peers in the versions used by this repository's tests. */
async function testedPeers(peers: readonly string[]): Promise<string[]> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  return peers.map((peer) => String(imports[peer]).replace(/^npm:/, ""));
}

/** The peers in the lowest versions of their ranges. */
function oldestPeers({ peers }: NpmTarget, names: readonly string[]): string[] {
  return names.map((name) => `${name}@${/[\d.]+/.exec(peers[name]?.range ?? "")?.[0]}`);
}

/** A package without a README is not ready to be published. */
async function isDraft({ folder }: NpmTarget): Promise<boolean> {
  return await Deno.stat(`${ROOT}/${folder}/README.md`).then(() => false, () => true);
}

/** What a package promises. */
async function promiseOf(target: NpmTarget, tarball: string): Promise<PackagePromise> {
  const member = (await readMembers(ROOT)).find(({ folder }) => folder === target.folder);
  if (member === undefined) throw new Error(`Cannot find "${target.folder}" in the workspace`);
  const peers = Object.keys(target.peers).filter((peer) => !target.peers[peer]?.lazy);
  const old = await readOldPrograms(`${ROOT}/${target.folder}/testdata/version_0_1_0`);
  return {
    name: member.name,
    tarball,
    exported: await exportedNames(member),
    peers: await testedPeers(peers),
    oldestPeers: oldestPeers(target, peers),
    clients: CLIENT_PROGRAMS[target.folder] ?? [],
    programs: CONSUMER_PROGRAMS[target.folder] ?? { types: {}, run: "" },
    oldPrograms: old.filter(({ output }) => output !== undefined),
  };
}

Deno.test("the packages work from their packed npm archives", async (t) => {
  await using stack = new AsyncDisposableStack();
  const promises: PackagePromise[] = [];
  for (const target of NPM_TARGETS) {
    if (await isDraft(target)) continue;
    const { tarball } = stack.use(await builtPackage(target.folder));
    promises.push(await promiseOf(target, tarball));
  }
  await checkPackages(t, promises);
});

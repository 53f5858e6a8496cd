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

/** Versions whose programs still compile, and print the same. */
const OLD_VERSIONS = ["0.1.0", "0.2.0"];

/** A package without a README is not ready to be published. */
async function isDraft({ folder }: NpmTarget): Promise<boolean> {
  return await Deno.stat(`${ROOT}/${folder}/README.md`).then(() => false, () => true);
}

/** What a package promises. */
async function promiseOf(target: NpmTarget, tarball: string): Promise<PackagePromise> {
  const member = (await readMembers(ROOT)).find(({ folder }) => folder === target.folder);
  if (member === undefined) throw new Error(`Cannot find "${target.folder}" in the workspace`);
  const peers = Object.keys(target.peers).filter((peer) => !target.peers[peer]?.lazy);
  const old = await Promise.all(
    OLD_VERSIONS.map(async (version) => {
      const folder = `${ROOT}/${target.folder}/testdata/version_${version.replaceAll(".", "_")}`;
      const programs = await readOldPrograms(folder);
      return { version, programs: programs.filter(({ output }) => output !== undefined) };
    }),
  );
  return {
    name: member.name,
    tarball,
    exported: await exportedNames(member),
    peers: await testedPeers(peers),
    oldestPeers: oldestPeers(target, peers),
    clients: CLIENT_PROGRAMS[target.folder] ?? [],
    programs: CONSUMER_PROGRAMS[target.folder] ?? { types: {}, run: "" },
    old,
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

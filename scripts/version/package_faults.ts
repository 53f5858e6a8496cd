import { sourceFiles } from "../source_files.ts";
import { JSR_EXPORTS, type Member, readMembers } from "../workspace.ts";
import { latestVersion } from "./changelog.ts";
import { findMentions, type Mention, mentioningFiles } from "./mentions.ts";

/**
 * Lists where the texts of the repository and its packages don't agree: change logs with another
 * version, READMEs with another name, and imports, versions or archives that don't exist.
 */
export async function packageFaults(root: string): Promise<string[]> {
  const members = await readMembers(root);
  const texts = await sourceFiles(root, [".md"]);
  const ofMembers = members.map((member) => memberFaults(root, member, texts));
  const mentions = (await mentioningFiles(root)).map((path) => mentionFaults(root, path, members));
  return (await Promise.all([...ofMembers, ...mentions])).flat();
}

async function memberFaults(
  root: string,
  { folder, name, version }: Member,
  texts: readonly string[],
): Promise<string[]> {
  const readme = `${folder}/README.md`;
  const changelog = `${folder}/CHANGELOG.md`;
  const missing = [readme, changelog].filter((path) => !texts.includes(path));
  if (missing.length > 0) return missing.map((path) => `${path} is missing`);
  const faults: string[] = [];
  const title = /^# (.*)$/m.exec(await Deno.readTextFile(`${root}/${readme}`))?.[1];
  if (title !== name) faults.push(`${readme} is titled "${title}", the package is ${name}`);
  const latest = latestVersion(await Deno.readTextFile(`${root}/${changelog}`));
  if (latest !== version) {
    faults.push(`${changelog} names ${latest ?? "no version"}, the package is ${version}`);
  }
  return faults;
}

async function mentionFaults(
  root: string,
  path: string,
  members: readonly Member[],
): Promise<string[]> {
  const text = await Deno.readTextFile(`${root}/${path}`);
  const scopes = new Set(members.map(({ name }) => name.slice(1).split("/", 1)[0] ?? ""));
  const mentions = [...scopes].flatMap((scope) => findMentions(text, scope));
  return mentions.flatMap((mention) => {
    const fault = faultOf(mention, members);
    return fault === undefined ? [] : [`${path}:${mention.line} ${fault}`];
  });
}

function faultOf(
  { name, version, entry }: Mention,
  members: readonly Member[],
): string | undefined {
  const member = members.find((candidate) => candidate.name === name);
  if (member === undefined) return `mentions ${name}, which is not a package of this repository`;
  if (version !== undefined && version !== member.version) {
    return `mentions ${name} ${version}, the package is ${member.version}`;
  }
  const exports = { ...member.exports, ...JSR_EXPORTS[member.folder] };
  return entry in exports ? undefined : `imports "${entry}" of ${name}, which it lacks`;
}

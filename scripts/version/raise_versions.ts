import { type Member, readMembers } from "../workspace.ts";
import { withHeading } from "./changelog.ts";
import { mentioningFiles, withVersion } from "./mentions.ts";
import { nextVersion } from "./next_version.ts";

/** Options of a new version. */
export interface Raise {
  /** `patch`, `minor`, `major`, or the version itself. */
  readonly step: string;
  /** Packages by name or folder; none means all. */
  readonly packages: readonly string[];
  /** Day of the release, as in 2026-11-21. */
  readonly date: string;
}

/** A package and its new version. */
export interface Raised {
  readonly member: Member;
  readonly version: string;
}

/**
 * Raises the version of packages of the workspace: in their manifest, as heading of their change
 * log, wherever a document of the repository names it, and in the JSON that their own pages show.
 * Everything is checked before a file is written.
 */
export async function raiseVersions(root: string, raise: Raise): Promise<Raised[]> {
  const members = select(await readMembers(root), raise.packages);
  const raised = members.map((member) => ({
    member,
    version: nextVersion(member.version, raise.step),
  }));
  const texts = await mentioningFiles(root);
  for (const { member, version } of raised) {
    const folder = `${root}/${member.folder}`;
    await edit(`${folder}/deno.json`, (text) => withManifestVersion(text, member, version));
    await edit(
      `${folder}/CHANGELOG.md`,
      (text) => withHeading(text, { version, date: raise.date }),
    );
    for (const path of texts) {
      const isOwn = path.startsWith(`${member.folder}/`);
      await edit(`${root}/${path}`, (text) => {
        const mentioned = withVersion(text, member.name, version);
        return isOwn ? withManifestVersion(mentioned, member, version) : mentioned;
      });
    }
  }
  return raised;
}

function select(members: readonly Member[], requested: readonly string[]): Member[] {
  const isMeant = ({ name, folder }: Member, word: string) => [name, folder].includes(word);
  const unknown = requested.find((word) => !members.some((member) => isMeant(member, word)));
  if (unknown !== undefined) {
    const known = members.map(({ folder }) => folder).join(", ");
    throw new RangeError(`Cannot raise "${unknown}": the workspace has ${known}`);
  }
  return members.filter((member) =>
    requested.length === 0 || requested.some((word) => isMeant(member, word))
  );
}

/** Changes only these members of JSON, so that the rest stays as it was written. */
function withManifestVersion(text: string, { version: old }: Member, version: string): string {
  return text.replaceAll(`"version": "${old}"`, `"version": "${version}"`);
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const old = await readOrEmpty(path);
  const text = change(old);
  if (text !== old) await Deno.writeTextFile(path, text);
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

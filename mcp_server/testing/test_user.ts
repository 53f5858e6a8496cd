import { createTempFolder } from "../../test_support/temp_folder.ts";
import { parseEntry, toAccount } from "../access/run_as.ts";
import { needsRoot } from "./needs_root.ts";
import { hasProgram } from "../../test_support/services.ts";

/** A user of this machine, with a home folder. */
export interface TestUser extends AsyncDisposable {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A group that every Debian has, in which the user is besides its own. */
export const FURTHER_GROUP = "games";

/** Names a test that creates users and runs commands as them. */
export function needsUsers(name: string): [name: string, options: { ignore: boolean }] {
  const isThere = hasProgram("useradd") && hasProgram("setpriv");
  return isThere ? needsRoot(name) : [`${name} (needs useradd and setpriv)`, { ignore: true }];
}

/** Creates a user, who is removed at the end of the test. */
export async function createTestUser(): Promise<TestUser> {
  const name = `trestle-test-${crypto.randomUUID().slice(0, 8)}`;
  const folder = await createTempFolder();
  const { path: home } = folder;
  const options = ["--no-create-home", "--home-dir", home, "--shell", "/bin/bash"];
  await run("useradd", [...options, "--user-group", "--groups", FURTHER_GROUP, name]);
  const account = toAccount(parseEntry(await Deno.readTextFile("/etc/passwd"), name));
  if (account === undefined) throw new Error(`Cannot use the user "${name}": it was not created`);
  const { uid, gid } = account;
  await Deno.chown(home, uid, gid);
  return {
    ...{ name, uid, gid, home },
    [Symbol.asyncDispose]: async () => {
      await run("userdel", ["--force", name]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function run(program: string, args: string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, { args }).output();
  if (code === 0) return;
  throw new Error(`Cannot run ${program}: ${new TextDecoder().decode(stderr)}`);
}

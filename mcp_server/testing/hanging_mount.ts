import { createTempFolder } from "../../test_support/temp_folder.ts";

/** A file system that can be made to hang: sshfs on a folder of this machine. */
export interface HangingMount extends AsyncDisposable {
  /** Where it is mounted. */
  readonly path: string;
  /** The folder that it shows, which never hangs. */
  readonly source: string;
  /** Makes every operation wait. */
  hang(): void;
  /** Lets the operations go on. */
  resume(): void;
}

const SFTP_SERVER = "/usr/lib/openssh/sftp-server";
const MOUNTED_WITHIN_MS = 30_000;

/** Mounts a new folder through FUSE; needs root, sshfs and OpenSSH's SFTP server. */
export async function createHangingMount(): Promise<HangingMount> {
  const folder = await createTempFolder();
  const [path, source, ssh] = ["mount", "source", "ssh"].map((name) => `${folder.path}/${name}`);
  if (!path || !source || !ssh) throw new TypeError("Cannot mount: a path is missing");
  await Promise.all([Deno.mkdir(path), Deno.mkdir(source)]);
  await Deno.writeTextFile(ssh, `#!/bin/sh\nexec ${SFTP_SERVER}\n`, { mode: 0o755 });
  const options = ["-f", "-o", `ssh_command=${ssh},cache=no`];
  const sshfs = new Deno.Command("sshfs", {
    args: [...options, `here:${source}`, path],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await untilMounted(path);
  return {
    path,
    source,
    hang: () => sshfs.kill("SIGSTOP"),
    resume: () => sshfs.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      sshfs.kill("SIGCONT");
      await new Deno.Command("umount", { args: ["--lazy", path] }).output();
      await sshfs.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function untilMounted(path: string): Promise<void> {
  const latest = performance.now() + MOUNTED_WITHIN_MS;
  while (!(await Deno.readTextFile("/proc/self/mounts")).includes(` ${path} fuse.sshfs `)) {
    if (performance.now() > latest) throw new Error(`Cannot mount "${path}": sshfs does not start`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

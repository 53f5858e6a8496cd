import type { Caller } from "../access/caller.ts";
import type { CallerSecrets } from "../access/caller_secrets.ts";
import type { OutputEvent } from "../tool/command.ts";
import type { Limits } from "../shared/limits.ts";
import type { ToolModule } from "../tool/tool.ts";
import type { HostResult } from "../toolkit/ssh/ssh_runner.ts";
import { callRegisteredTool, outputOf, registerTool, type ToolOutcome } from "./call_tool.ts";
import { createTestRunner, PATH } from "./test_runner.ts";
import { createTempFolder, type TempFolder } from "../../test_support/temp_folder.ts";
import { SshConfig } from "../toolkit/ssh/ssh_config.ts";

/** `ssh-exec` with its connections, which are closed with it. */
export interface SshTool extends AsyncDisposable {
  /** Calls it and returns its answer for each host. */
  run(args: object, options?: SshCallOptions): Promise<HostResult[]>;
  /** Calls it and returns the answer or the refusal. */
  call(args: object, options?: SshCallOptions): Promise<ToolOutcome>;
}

/** What a test sets for one call. */
export interface SshCallOptions {
  readonly caller?: Caller;
  readonly secrets?: CallerSecrets;
  readonly signal?: AbortSignal;
  readonly onOutput?: (event: OutputEvent) => void;
}

/** Registers `ssh-exec` in an environment, as a server does. */
export async function createSshTool(
  module: ToolModule,
  env: Readonly<Record<string, string>>,
  limits: Partial<Limits> = {},
): Promise<SshTool> {
  const shutdownHooks: (() => void | Promise<void>)[] = [];
  const tool = await registerTool(module, "ssh-exec", {
    env,
    limits,
    onShutdown: (end) => shutdownHooks.push(end),
  });
  const runner = createTestRunner(limits, { PATH, ...env });
  const call = async (args: object, options: SshCallOptions = {}) => {
    using commands = runner.pool.forCall();
    return await callRegisteredTool(tool, args, { commands, limits, ...options });
  };
  return {
    call,
    run: async (args, options) => {
      const { results } = outputOf(await call(args, options));
      return results as HostResult[];
    },
    [Symbol.asyncDispose]: async () => {
      for (const hook of shutdownHooks) await hook();
      await runner[Symbol.asyncDispose]();
    },
  };
}

/** The result of a command that has ended by itself. */
export function done(stdout: string, exitCode = 0, stderr = ""): object {
  return { stdout, stderr, exitCode, timedOut: false };
}

/** The lookup of a config of OpenSSH in a home of its own. */
export interface TestConfig extends AsyncDisposable {
  readonly home: string;
  readonly config: SshConfig;
}

/** Writes a config into a home of its own, and opens the lookup in it. */
export async function createConfig(
  text: string,
  env: Record<string, string> = {},
): Promise<TestConfig> {
  const temp: TempFolder = await createTempFolder();
  const home = temp.path;
  await Deno.mkdir(`${home}/.ssh`);
  await Deno.writeTextFile(`${home}/.ssh/config`, text);
  const config = new SshConfig({
    home,
    defaultUser: await accountName(),
    env: (name) => env[name],
  });
  return { home, config, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

/** The name of the user as whom the test runs. */
export async function accountName(): Promise<string> {
  return new TextDecoder().decode((await new Deno.Command("id", { args: ["-un"] }).output()).stdout)
    .trim();
}

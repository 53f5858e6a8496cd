import { dirname } from "node:path";
import { messageOf } from "../../domain/error.ts";
import {
  checkHostKey,
  findKnownHosts,
  fingerprintOf,
  hostKeyAlgorithms,
  keyTypeOf,
  type KnownHost,
  knownTypes,
} from "./known_hosts.ts";
import { SshError } from "./ssh_error.ts";
import { readSshFile } from "./ssh_file.ts";

/** The known host keys, and how to treat unknown ones. */
export interface HostKeyStoreOptions {
  /** The file that is read, and to which new keys are added. */
  readonly file: string;
  /** Further files that are only read. */
  readonly others?: readonly string[];
  /** Adds the key of an unknown host instead of rejecting it. */
  readonly acceptNew: boolean;
}

/**
 * The names by which a host is known: `[name]:port` or `name`, and for another port also the bare
 * name.
 */
export type HostKeyNames = readonly [name: string, ...others: string[]];

/** What known_hosts says about one host, for one connection. */
export interface HostKeyCheck {
  /** The algorithms to offer, those of known keys first. */
  readonly algorithms: string[];
  /** Checks whether a key is the host's; resolves with the error, or `undefined` if it is. */
  verify(key: Uint8Array): SshError | undefined;
  /** Adds the key if it was unknown and accepted. */
  keep(): Promise<void>;
}

/** The lines of known_hosts that are about a host, by the names under which it is looked up. */
type KnownByName = readonly (readonly KnownHost[])[];

/** About 100,000 keys; they are read into memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads known_hosts for every connection, so that a change takes effect at once. */
export class HostKeyStore {
  readonly #options: HostKeyStoreOptions;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  /** Takes the files, and whether unknown keys are added. */
  constructor(options: HostKeyStoreOptions) {
    this.#options = options;
  }

  /** Reads what is known about a host. */
  async check(names: HostKeyNames): Promise<HostKeyCheck> {
    const hosts = await this.#find(names);
    const algorithms = hostKeyAlgorithms(hosts.flatMap(knownTypes));
    let added: Uint8Array | undefined;
    return {
      algorithms,
      verify: (key) => {
        const fault = this.#faultOf(hosts, names, key);
        if (fault !== "unknown") return fault;
        if (added !== undefined && fingerprintOf(added) !== fingerprintOf(key)) {
          return changed(names[0], key, [added]);
        }
        added = new Uint8Array(key);
        return undefined;
      },
      keep: async () => {
        if (added !== undefined) await this.#add(names, added);
      },
    };
  }

  #faultOf(
    hosts: KnownByName,
    names: HostKeyNames,
    key: Uint8Array,
  ): SshError | "unknown" | undefined {
    const [name, ...others] = names;
    const verdicts = hosts.map((each) => checkHostKey(each, key));
    const [verdict] = verdicts;
    if (verdicts.some(({ kind }) => kind === "revoked")) {
      return refuse(name, `its key ${fingerprintOf(key)} is revoked in known_hosts`);
    }
    if (verdict?.kind === "known") return undefined;
    if (verdict?.kind === "changed") return changed(name, key, verdict.known);
    if (others.length > 0 && verdicts.some(({ kind }) => kind === "known")) return undefined;
    if (verdict?.kind === "authority") {
      return refuse(
        name,
        "known_hosts has only a @cert-authority for it, which is not supported; add its own key",
      );
    }
    if (this.#options.acceptNew) return "unknown";
    const add = "add it to known_hosts, or set MCP_SSH_HOST_KEYS=accept-new";
    return refuse(name, `its ${keyTypeOf(key)} key ${fingerprintOf(key)} is not known; ${add}`);
  }

  /** Looks up hosts one after the other, so that only one large file is in memory at a time. */
  #find(names: HostKeyNames): Promise<KnownByName> {
    const { file, others = [] } = this.#options;
    const work = this.#reading.then(async () => {
      const texts = await Promise.all([file, ...others].map((path) => readText(path, names[0])));
      const text = texts.join("\n");
      return await Promise.all(names.map((name) => findKnownHosts(text, name)));
    });
    this.#reading = work.catch(() => {});
    return work;
  }

  /** One addition after the other, each only if no earlier one has added the key. */
  #add(names: HostKeyNames, key: Uint8Array): Promise<void> {
    const work = this.#writing.then(async () => {
      const fault = this.#faultOf(await this.#find(names), names, key);
      if (fault instanceof SshError) throw fault;
      if (fault === "unknown") await append(this.#options.file, names[0], key);
    });
    this.#writing = work.catch(() => {});
    return work;
  }
}

async function readText(path: string, name: string): Promise<string> {
  const { text = "", fault } = await readSshFile(path, MOST_BYTES);
  if (fault !== undefined) throw refuse(name, `"${path}" can't be read: ${fault}`);
  return text;
}

/** Adds a line in one write, so that readers and other writers see it whole. */
async function append(path: string, name: string, key: Uint8Array): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const before = await readText(path, name);
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    const line = `${gap}${name} ${keyTypeOf(key)} ${key.toBase64()}\n`;
    await Deno.writeTextFile(path, line, { append: true, create: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof SshError) throw error;
    throw refuse(name, `its new key can't be added to "${path}": ${messageOf(error)}`);
  }
}

function changed(name: string, key: Uint8Array, known: readonly Uint8Array[]): SshError {
  const expected = known.map((each) => `${keyTypeOf(each)} ${fingerprintOf(each)}`).join(", ");
  const shown = `${keyTypeOf(key)} ${fingerprintOf(key)}`;
  return refuse(name, `its key has changed: it shows ${shown}, known_hosts has ${expected}`);
}

function refuse(name: string, state: string): SshError {
  return new SshError(`Cannot trust "${name}": ${state}`, "host-key");
}
